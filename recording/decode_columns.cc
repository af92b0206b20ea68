#include <cstdint>

#include "recording/columns.h"
#include "recording/decode.h"
#include "recording/fields.h"

// The messages in columns: nodes and samples. Nearly all of a recording is these two.
namespace walkabout::recording {
namespace {

// A column that is left out where all its values are 0. of: checks one and makes it a T.
template <typename T, typename Of>
void read_rare(std::string_view column, size_t count, std::vector<uint64_t>& scratch, std::vector<T>& to,
               Of of) {
  to.assign(count, T{});
  if (column.empty()) return;
  read_column(column, scratch);
  if (scratch.size() != count) throw BadRecord{"has columns of different lengths"};
  for (size_t i = 0; i < count; ++i) to[i] = of(scratch[i]);
}

}  // namespace

void Decoder::decode_nodes(std::string_view body) {
  Columns<wire::Nodes> columns;
  node_columns_.new_tree = false;
  take_fields(body, node_columns_, columns);
  const bool new_tree = node_columns_.new_tree;
  const uint32_t before = new_tree ? 0 : nodes_;
  constexpr uint32_t kFrame = field_number(&wire::Nodes::frame);
  read_frames(columns[kFrame], columns[kFrame + 1], node_columns_.frame);
  read_column(columns[field_number(&wire::Nodes::parent)], scratch_);
  if (scratch_.size() != node_columns_.frame.size()) throw BadRecord{"has columns of different lengths"};
  if (scratch_.size() > kMaxNodes - before) throw BadRecord{"has more stack nodes than a tree may have"};
  node_columns_.parent.resize(scratch_.size());
  for (size_t i = 0; i < scratch_.size(); ++i) {
    const int64_t id = int64_t{before} + 1 + static_cast<int64_t>(i);
    const int64_t up = zigzag(scratch_[i]);
    const bool marked_root = new_tree && up == 0;
    if ((up < 1 && !marked_root) || up > id) throw BadRecord{"has a stack node whose caller was never said"};
    node_columns_.parent[i] = marked_root ? 0 : static_cast<uint32_t>(id - up);
  }
}

void Decoder::decode_samples(std::string_view body) {
  wire::Samples& r = sample_columns_;
  Columns<wire::Samples> columns;
  r.thread = {};
  r.source = wire::kCpuSource;
  r.origin = {};
  take_fields(body, r, columns);
  read_column(columns[field_number(&wire::Samples::time_us)], r.time_us);
  constexpr uint32_t kValues = field_number(&wire::Samples::values);
  constexpr uint32_t kLabels = field_number(&wire::Samples::labels);
  read_column(columns[kValues], r.values);
  read_column(columns[kLabels], r.labels);
  const Shape shape = shape_of(r.source);
  const size_t count = r.time_us.size();
  const auto same_length = [count](size_t n) {
    if (n != count) throw BadRecord{"has columns of different lengths"};
  };
  if (r.values.size() != shape.values * count || r.labels.size() != shape.labels * count)
    throw BadRecord{"has columns of different lengths"};
  uint64_t time = 0;
  for (uint64_t& t : r.time_us) {
    if (t > kMaxTime - time) throw BadRecord{"has a time beyond all bounds"};
    t = time += t;
  }
  for (const uint64_t value : r.values) {
    if (value > kMaxTime) throw BadRecord{"has a value beyond all bounds"};
  }

  read_column(columns[field_number(&wire::Samples::stack)], scratch_);
  same_length(scratch_.size());
  r.stack.resize(count);
  uint64_t stack = 0;
  for (size_t i = 0; i < count; ++i) {
    stack += static_cast<uint64_t>(zigzag(scratch_[i]));
    if (stack > nodes_) throw BadRecord{"has a sample on a stack that was never said"};
    r.stack[i] = base::StackId(static_cast<uint32_t>(stack));
  }

  read_rare(columns[field_number(&wire::Samples::end)], count, scratch_, r.end, [](uint64_t value) {
    if (value >= static_cast<uint64_t>(wire::WalkEnd::kCount))
      throw BadRecord{"has a walk that ended in no known way"};
    return static_cast<wire::WalkEnd>(value);
  });
  read_rare(columns[field_number(&wire::Samples::flags)], count, scratch_, r.flags,
            [](uint64_t value) { return static_cast<uint8_t>(value); });
  read_rare(columns[field_number(&wire::Samples::async_joint)], count, scratch_, r.async_joint,
            [](uint64_t value) {
              if (value > kMaxNodes) throw BadRecord{"has an async stack that begins behind all frames"};
              return static_cast<uint32_t>(value);
            });
  read_rare(columns[field_number(&wire::Samples::awaiter)], count, scratch_, r.awaiter,
            [this](uint64_t value) {
              if (value > nodes_) throw BadRecord{"has a sample on a stack that was never said"};
              return base::StackId(static_cast<uint32_t>(value));
            });
}

}  // namespace walkabout::recording
