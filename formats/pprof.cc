#include "formats/pprof.h"

#include <protozero/pbf_builder.hpp>
#include <unordered_map>
#include <vector>

#include "formats/gzip.h"
#include "formats/stack_sums.h"

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
enum class LineField : uint32_t { kFunctionId = 1 };
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

class Writer {
 public:
  explicit Writer(const Profile& profile) : profile_(profile), out_(message_) {}

  std::string message() {
    add_value_type(ProfileField::kSampleType, "samples", "count");
    add_value_type(ProfileField::kSampleType, "cpu", "nanoseconds");
    for (const StackSum& sum : stack_sums(profile_, true)) add_sample(sum);
    for (size_t i = 0; i < profile_.frames.size(); ++i) add_frame(i + 1, profile_.frames[i]);
    add_session();
    for (const std::string& text : strings_.strings()) out_.add_string(ProfileField::kStringTable, text);
    return std::move(message_);
  }

 private:
  void add_value_type(ProfileField field, const char* type, const char* unit) {
    Builder<ValueTypeField> value(out_, field);
    value.add_int64(ValueTypeField::kType, strings_.index(type));
    value.add_int64(ValueTypeField::kUnit, strings_.index(unit));
  }

  void add_sample(const StackSum& sum) {
    Builder<SampleField> sample(out_, ProfileField::kSample);
    stack_of(profile_, sum.node, stack_);
    for (uint32_t& frame : stack_) ++frame;  // ids count from 1
    sample.add_packed_uint64(SampleField::kLocationId, stack_.begin(), stack_.end());
    const int64_t values[] = {static_cast<int64_t>(sum.samples), static_cast<int64_t>(sum.weight)};
    sample.add_packed_int64(SampleField::kValue, std::begin(values), std::end(values));
    const profile::Thread& thread = profile_.threads[sum.thread];
    {
      Builder<LabelField> label(sample, SampleField::kLabel);
      label.add_int64(LabelField::kKey, strings_.index("thread"));
      label.add_int64(LabelField::kStr, strings_.index(thread.name));
    }
    Builder<LabelField> label(sample, SampleField::kLabel);
    label.add_int64(LabelField::kKey, strings_.index("tid"));
    label.add_int64(LabelField::kNum, thread.tid);
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

  // A display frame is one location with one function.
  void add_frame(uint64_t id, const DisplayFrame& frame) {
    const uint64_t mapping_id = mapping(frame.module);
    {
      Builder<FunctionField> function(out_, ProfileField::kFunction);
      function.add_uint64(FunctionField::kId, id);
      function.add_int64(FunctionField::kName, strings_.index(frame.name));
      function.add_int64(FunctionField::kSystemName, strings_.index(frame.raw_name));
    }
    Builder<LocationField> location(out_, ProfileField::kLocation);
    location.add_uint64(LocationField::kId, id);
    location.add_uint64(LocationField::kMappingId, mapping_id);
    Builder<LineField> line(location, LocationField::kLine);
    line.add_uint64(LineField::kFunctionId, id);
  }

  void add_session() {
    out_.add_int64(ProfileField::kTimeNanos, static_cast<int64_t>(profile_.session.wall_start_ns));
    out_.add_int64(ProfileField::kDurationNanos, static_cast<int64_t>(profile_.duration_us * 1000));
    add_value_type(ProfileField::kPeriodType, "cpu", "nanoseconds");
    out_.add_int64(ProfileField::kPeriod, static_cast<int64_t>(profile_.session.interval_ns));
    const int64_t comment = strings_.index(profile_.session.command_line);
    out_.add_packed_int64(ProfileField::kComment, &comment, &comment + 1);
    out_.add_int64(ProfileField::kDefaultSampleType, strings_.index("cpu"));
  }

  const Profile& profile_;
  std::string message_;
  Builder<ProfileField> out_;
  StringTable strings_;
  std::unordered_map<std::string, uint64_t> mappings_;
  std::vector<uint32_t> stack_;
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
