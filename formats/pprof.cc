#include "formats/pprof.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <protozero/pbf_builder.hpp>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formats/gzip.h"
#include "profile/names/label_text.h"
#include "profile/query/rows.h"
#include "profile/query/tree.h"
#include "profile/query/view.h"

namespace walkabout::formats {
namespace {

using profile::DisplayFrame;
using profile::Profile;

enum class ProfileField : uint32_t {
  kSampleType = 1,
  kSample = 2,
  kMapping = 3,
  kLocation = 4,
  kFunction = 5,
  kStringTable = 6,
  kTimeNanos = 9,
  kDurationNanos = 10,
  kPeriodType = 11,
  kPeriod = 12,
  kComment = 13,
  kDefaultSampleType = 14,
};
enum class ValueTypeField : uint32_t { kType = 1, kUnit = 2 };
enum class SampleField : uint32_t { kLocationId = 1, kValue = 2, kLabel = 3 };
enum class LabelField : uint32_t { kKey = 1, kStr = 2, kNum = 3 };
enum class MappingField : uint32_t { kId = 1, kFilename = 5, kHasFunctions = 7 };
enum class LocationField : uint32_t { kId = 1, kMappingId = 2, kLine = 4 };
enum class LineField : uint32_t { kFunctionId = 1, kLine = 2 };
enum class FunctionField : uint32_t { kId = 1, kName = 2, kSystemName = 3, kFilename = 4 };

template <typename Field>
using Builder = protozero::pbf_builder<Field>;

class StringTable {
 public:
  StringTable() { index(""); }
  int64_t index(const std::string& text) {
    const auto [it, added] = places_.try_emplace(text, static_cast<int64_t>(strings_.size()));
    if (added) strings_.push_back(text);
    return it->second;
  }
  const std::vector<std::string>& strings() const { return strings_; }

 private:
  std::unordered_map<std::string, int64_t> places_;
  std::vector<std::string> strings_;
};

// pprof takes a name with a space on its command line only in quotes.
std::string one_word(std::string name) {
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

class Writer {
 public:
  explicit Writer(const Profile& profile) : profile_(profile), out_(message_) {}

  std::string message() {
    const std::vector<Event> events = find_events();
    for (const Event& event : events) add_types(event);
    for (const Event& event : events) add_samples(event);
    for (uint32_t i = 0; i < profile_.frames.size(); ++i) add_location(i + 1, {i});
    for (const auto& [frames, id] : inlined_locations_) add_location(id, frames);
    add_session(events.front());
    for (const std::string& text : strings_.strings()) out_.add_string(ProfileField::kStringTable, text);
    return std::move(message_);
  }

 private:
  // What is shown of a source.
  struct Event {
    const wire::Source* source;
    std::vector<profile::View> values;
    size_t first = 0;  // of its sample types: the number of samples, then its values
  };

  // CPU time first, so that it is where readers of CPU profiles look for it.
  std::vector<Event> find_events() {
    std::vector<profile::View> shown;
    if (profile_.view) shown.push_back(*profile_.view);
    if (shown.empty()) shown.push_back(profile::view_of(profile_));
    for (size_t i = 0; !profile_.view && i < profile_.sources.size(); ++i) {
      if (i != shown.front().source) shown.push_back({static_cast<uint8_t>(i), 0});
    }
    std::vector<Event> events;
    for (const profile::View view : shown) {
      Event event{&profile::source_of(profile_, view), summed_values(view), types_};
      if (event.values.empty() && events.empty()) event.values = {view};  // a profile is of something
      if (event.values.empty()) continue;
      types_ += 1 + event.values.size();
      events.push_back(std::move(event));
    }
    return events;
  }

  // All that the event has, but those of which the largest counts: pprof adds up whatever it reads.
  std::vector<profile::View> summed_values(profile::View view) const {
    if (profile_.view) return {view};
    const std::vector<wire::SourceValue>& values = profile::source_of(profile_, view).values;
    std::vector<profile::View> summed;
    for (size_t i = 0; i < values.size(); ++i) {
      if (values[i].adding == wire::Adding::kSum) summed.push_back({view.source, static_cast<uint8_t>(i)});
    }
    return summed;
  }

  static std::string type_name(const Event& event, size_t value) {
    const bool is_cpu = event.source->id == wire::kCpuSource && value == 0;
    return is_cpu ? "cpu" : one_word(event.source->values[event.values[value].value].name);
  }

  void add_types(const Event& event) {
    const bool is_cpu = event.source->id == wire::kCpuSource;
    add_value_type(ProfileField::kSampleType, is_cpu ? "samples" : one_word(event.source->name) + "_samples",
                   "count");
    for (size_t i = 0; i < event.values.size(); ++i)
      add_value_type(ProfileField::kSampleType, type_name(event, i),
                     event.source->values[event.values[i].value].unit);
  }

  void add_value_type(ProfileField field, const std::string& type, const std::string& unit) {
    Builder<ValueTypeField> value(out_, field);
    value.add_int64(ValueTypeField::kType, strings_.index(type));
    value.add_int64(ValueTypeField::kUnit, strings_.index(unit));
  }

  void add_samples(const Event& event) {
    const profile::Grouping grouping{.thread = true, .labels = true};
    // The rows of each value are of the same stacks, in the same order.
    std::vector<std::vector<profile::Row>> rows;
    for (const profile::View view : event.values) rows.push_back(profile::rows(profile_, grouping, view));
    std::vector<int64_t> values(types_);
    for (size_t row = 0; row < rows.front().size(); ++row) {
      values[event.first] = static_cast<int64_t>(rows.front()[row].sum.samples);
      for (size_t i = 0; i < rows.size(); ++i)
        values[event.first + 1 + i] = static_cast<int64_t>(rows[i][row].sum.weight);
      add_sample(rows.front()[row], *event.source, values);
    }
  }

  void add_sample(const profile::Row& row, const wire::Source& source, const std::vector<int64_t>& values) {
    Builder<SampleField> sample(out_, ProfileField::kSample);
    profile::stack_of(profile_, row.node, stack_);
    sample_locations_.clear();
    for (size_t begin = 0, end = 0; begin < stack_.size(); begin = end) {
      end = end_of_location(begin);
      sample_locations_.push_back(location({stack_.begin() + static_cast<std::ptrdiff_t>(begin),
                                            stack_.begin() + static_cast<std::ptrdiff_t>(end)}));
    }
    sample.add_packed_uint64(SampleField::kLocationId, sample_locations_.begin(), sample_locations_.end());
    sample.add_packed_int64(SampleField::kValue, values.begin(), values.end());
    const profile::Thread& thread = profile_.threads[row.thread];
    add_label(sample, "thread", thread.name);
    {
      Builder<LabelField> label(sample, SampleField::kLabel);
      label.add_int64(LabelField::kKey, strings_.index("tid"));
      label.add_int64(LabelField::kNum, thread.tid);
    }
    const std::vector<uint64_t>& set = profile_.label_sets[row.labels];
    for (size_t i = 0; i < std::min(set.size(), source.labels.size()); ++i) {
      const std::string text = profile::label_text(profile_, source.labels[i], set[i]);
      if (!text.empty()) add_label(sample, one_word(source.labels[i].name), text);
    }
  }

  void add_label(Builder<SampleField>& sample, const std::string& key, const std::string& text) {
    Builder<LabelField> label(sample, SampleField::kLabel);
    label.add_int64(LabelField::kKey, strings_.index(key));
    label.add_int64(LabelField::kStr, strings_.index(text));
  }

  uint64_t mapping(const std::string& module) {
    if (module.empty()) return 0;
    const auto [it, added] = mappings_.try_emplace(module, mappings_.size() + 1);
    if (added) {
      Builder<MappingField> mapping(out_, ProfileField::kMapping);
      mapping.add_uint64(MappingField::kId, it->second);
      mapping.add_int64(MappingField::kFilename, strings_.index(module));
      mapping.add_bool(MappingField::kHasFunctions, true);  // pprof must not look for symbols itself
    }
    return it->second;
  }

  // pprof itself says which are inlined.
  static std::string_view name_of(const DisplayFrame& frame) {
    std::string_view name = frame.name;
    if (frame.inlined && name.ends_with(profile::kInlinedMark))
      name.remove_suffix(profile::kInlinedMark.size());
    return name;
  }

  // One for all frames that differ in their lines alone.
  uint64_t function(const DisplayFrame& frame) {
    const FunctionKey key{strings_.index(std::string(name_of(frame))), strings_.index(frame.raw_name),
                          strings_.index(frame.place.file), mapping(frame.module)};
    const auto [it, added] = functions_.try_emplace(key, functions_.size() + 1);
    if (added) {
      Builder<FunctionField> function(out_, ProfileField::kFunction);
      function.add_uint64(FunctionField::kId, it->second);
      function.add_int64(FunctionField::kName, std::get<0>(key));
      function.add_int64(FunctionField::kSystemName, std::get<1>(key));
      if (!frame.place.file.empty()) function.add_int64(FunctionField::kFilename, std::get<2>(key));
    }
    return it->second;
  }

  // Inlined methods, leaf first, and the one whose code they are in: pprof's own way to say it.
  size_t end_of_location(size_t begin) const {
    size_t end = begin;
    while (end + 1 < stack_.size() && profile_.frames[stack_[end]].inlined) ++end;
    return end + 1;
  }

  // Ids count from 1: those of frames alone, then the others'.
  uint64_t location(std::vector<uint32_t> frames) {
    if (frames.size() == 1) return frames[0] + 1;
    const uint64_t fresh = profile_.frames.size() + inlined_locations_.size() + 1;
    return inlined_locations_.try_emplace(std::move(frames), fresh).first->second;
  }

  // A line for each frame, each with its function. pprof shows any line as certain: only one that is, is
  // said.
  void add_location(uint64_t id, const std::vector<uint32_t>& frames) {
    std::vector<uint64_t> functions;
    for (const uint32_t frame : frames) functions.push_back(function(profile_.frames[frame]));
    const uint64_t mapping_id = mapping(profile_.frames[frames.back()].module);
    Builder<LocationField> location(out_, ProfileField::kLocation);
    location.add_uint64(LocationField::kId, id);
    location.add_uint64(LocationField::kMappingId, mapping_id);
    for (size_t i = 0; i < frames.size(); ++i) {
      const profile::SourcePlace& place = profile_.frames[frames[i]].place;
      Builder<LineField> line(location, LocationField::kLine);
      line.add_uint64(LineField::kFunctionId, functions[i]);
      if (place.sure) line.add_int64(LineField::kLine, place.lines.front());
    }
  }

  void add_session(const Event& event) {
    const bool is_cpu = event.source->id == wire::kCpuSource;
    const wire::SourceValue& value = event.source->values[event.values.front().value];
    out_.add_int64(ProfileField::kTimeNanos, static_cast<int64_t>(profile_.session.wall_start_ns));
    out_.add_int64(ProfileField::kDurationNanos, static_cast<int64_t>(profile_.duration_us * 1000));
    add_value_type(ProfileField::kPeriodType, type_name(event, 0), value.unit);
    out_.add_int64(ProfileField::kPeriod,
                   static_cast<int64_t>(is_cpu ? profile_.session.interval_ns : event.source->period));
    const int64_t comment = strings_.index(profile_.session.command_line);
    out_.add_packed_int64(ProfileField::kComment, &comment, &comment + 1);
    out_.add_int64(ProfileField::kDefaultSampleType, strings_.index(type_name(event, 0)));
  }

  const Profile& profile_;
  size_t types_ = 0;  // sample types there are
  std::string message_;
  Builder<ProfileField> out_;
  StringTable strings_;
  std::unordered_map<std::string, uint64_t> mappings_;
  using FunctionKey = std::tuple<int64_t, int64_t, int64_t, uint64_t>;
  std::map<FunctionKey, uint64_t> functions_;
  std::map<std::vector<uint32_t>, uint64_t> inlined_locations_;  // by their frames, leaf first
  std::vector<uint32_t> stack_;
  std::vector<uint64_t> sample_locations_;
};

}  // namespace

std::string pprof_message(const Profile& profile) { return Writer(profile).message(); }

base::Status write_pprof(const Profile& profile, std::ostream& out) {
  base::Result<std::string> bytes = gzip(pprof_message(profile));
  if (!bytes.ok()) return bytes.status();
  out.write(bytes->data(), static_cast<std::streamsize>(bytes->size()));
  return out.good() ? base::Status() : base::Status::error("cannot write the pprof file: the output failed");
}

}  // namespace walkabout::formats
