#include <cstdint>

#include "recording/columns.h"
#include "recording/decode.h"
#include "recording/fields.h"
#include "wire/fields.h"

// The messages in columns: nodes and samples. Nearly all of a recording is these two.
namespace walkabout::recording {

void Decoder::decode_nodes(std::string_view body) {
  using F = wire::NodesField;
  std::string_view parents;
  std::string_view codes;
  std::string_view offsets;
  node_columns_.new_tree = false;
  for_each_field<F>(body, [&](Fields<F>& f) {
    switch (f.tag()) {
      case F::kParent:
        return take_bytes(f, parents);
      case F::kFrame:
        return take_bytes(f, codes);
      case F::kOffset:
        return take_bytes(f, offsets);
      case F::kNewTree:
        return take(f, node_columns_.new_tree);
    }
    f.skip();
  });
  const bool new_tree = node_columns_.new_tree;
  const uint32_t before = new_tree ? 0 : nodes_;
  read_frames(codes, offsets, node_columns_.frame);
  read_column(parents, scratch_);
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
  using F = wire::SamplesField;
  wire::Samples& r = sample_columns_;
  r.thread = {};
  std::string_view times;
  std::string_view weights;
  std::string_view stacks;
  std::string_view ends;
  std::string_view flags;
  for_each_field<F>(body, [&](Fields<F>& f) {
    switch (f.tag()) {
      case F::kThread:
        return take(f, r.thread);
      case F::kTime:
        return take_bytes(f, times);
      case F::kWeight:
        return take_bytes(f, weights);
      case F::kStack:
        return take_bytes(f, stacks);
      case F::kEnd:
        return take_bytes(f, ends);
      case F::kFlags:
        return take_bytes(f, flags);
    }
    f.skip();
  });
  read_column(times, r.time_us);
  read_column(weights, r.weight_ns);
  const size_t count = r.time_us.size();
  const auto same_length = [count](size_t n) {
    if (n != count) throw BadRecord{"has columns of different lengths"};
  };
  same_length(r.weight_ns.size());
  uint64_t time = 0;
  for (uint64_t& t : r.time_us) {
    if (t > kMaxTime - time) throw BadRecord{"has a time beyond all bounds"};
    t = time += t;
  }
  for (const uint64_t weight : r.weight_ns) {
    if (weight > kMaxTime) throw BadRecord{"has a weight beyond all bounds"};
  }

  read_column(stacks, scratch_);
  same_length(scratch_.size());
  r.stack.resize(count);
  uint64_t stack = 0;
  for (size_t i = 0; i < count; ++i) {
    stack += static_cast<uint64_t>(zigzag(scratch_[i]));
    if (stack > nodes_) throw BadRecord{"has a sample on a stack that was never said"};
    r.stack[i] = base::StackId(static_cast<uint32_t>(stack));
  }

  r.end.assign(count, wire::WalkEnd::kRooted);
  if (!ends.empty()) {
    read_column(ends, scratch_);
    same_length(scratch_.size());
    for (size_t i = 0; i < count; ++i) {
      if (scratch_[i] >= static_cast<uint64_t>(wire::WalkEnd::kCount))
        throw BadRecord{"has a walk that ended in no known way"};
      r.end[i] = static_cast<wire::WalkEnd>(scratch_[i]);
    }
  }
  r.flags.assign(count, 0);
  if (!flags.empty()) {
    read_column(flags, scratch_);
    same_length(scratch_.size());
    for (size_t i = 0; i < count; ++i) r.flags[i] = static_cast<uint8_t>(scratch_[i]);
  }
}

}  // namespace walkabout::recording
