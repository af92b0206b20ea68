// What the records of a stream have said so far, as far as the recovery of the rest needs it
// (cli/recovery.h). Feed it every record. One thread; about 60 bytes per thread and piece of code.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "recording/visitor.h"
#include "wire/records.h"

namespace walkabout::cli {

class StreamState : public recording::RecordVisitor {
 public:
  void on_session(const wire::Session& r) override { session = r; }
  void on_thread(const wire::Thread& r) override { samples_of.try_emplace(r.id, 0); }
  void on_module(const wire::Module& r) override { code.emplace(r.code, r.path.empty()); }
  void on_jit_code(const wire::JitCode& r) override { code.emplace(r.code, !r.method.valid()); }
  void on_method_range(const wire::MethodRange& r) override { ranges[{r.module, r.begin}] = r.end; }
  void on_samples(const wire::Samples& r) override {
    samples_of[r.thread] += r.time_us.size();
    samples += r.time_us.size();
  }
  void on_counters(const wire::Counters& r) override { counters = r; }
  void on_end(const wire::End& /*record*/) override { ended = true; }

  // Whether a reader can name the frame's code (native code: its image).
  bool has_name(wire::Frame frame) const {
    const auto known = code.find(frame.code());
    if (!frame.has_code()) return true;
    if (known == code.end() || known->second) return false;
    if (frame.kind() != wire::FrameKind::kReadyToRun) return true;
    const auto after = ranges.upper_bound({frame.code(), frame.offset()});
    if (after == ranges.begin()) return false;
    const auto& [begin, end] = *std::prev(after);
    return begin.first == frame.code() && frame.offset() <= end;  // a return address may be the method's end
  }

  wire::Session session;
  wire::Counters counters;  // the last
  uint64_t samples = 0;
  bool ended = false;
  std::unordered_map<base::ThreadId, uint64_t> samples_of;
  std::unordered_map<base::CodeId, bool> code;                   // true: said without a name
  std::map<std::pair<base::CodeId, uint32_t>, uint32_t> ranges;  // (module, begin) → end
};

}  // namespace walkabout::cli
