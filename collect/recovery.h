// What a process had not handed over when its stream ended without End, taken from its ring memory: it was
// killed, or crashed, or goes on after its recording. The result are records as its agent would have emitted
// them. Only those samples come that did not come through the stream. Code whose name had not been emitted is
// named by the notes about it, as far as there are any, ready-to-run code by its images' files; texts of
// labels come from the notes about texts. The memory is hostile: a sample that makes no sense ends its ring
// and is counted as damaged. One thread.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/result.h"
#include "collect/noted_code.h"
#include "collect/noted_texts.h"
#include "collect/precompiled_code.h"
#include "collect/ring_file.h"
#include "collect/stream_state.h"
#include "collect/unsent_sums.h"

namespace walkabout::cli {

class Recovery {
 public:
  // Takes encoded records (wire/encode.h), at least one; an error ends the recovery.
  using Sink = std::function<base::Status(std::string_view records)>;

  // nodes: stack nodes emitted so far. `known` must be fed with what the sink is given. files: those that the
  // process's paths lead to; it must outlive this.
  Recovery(const StreamState& known, uint32_t nodes, const symbols::FileRoot& files)
      : known_(known), precompiled_(known, notes_, files), next_node_(nodes + 1) {}
  Recovery(const Recovery&) = delete;
  Recovery& operator=(const Recovery&) = delete;

  // All slots and sums, then Counters that add up and a sentence for the reader.
  base::Status run(RingFile& rings, const Sink& sink);

 private:
  // Samples of one thread, one source and one origin, as they are recovered. Columns behind the first
  // value's, and of the labels, are apart.
  struct Batch {
    wire::Samples samples;
    std::vector<std::vector<uint64_t>> more_values, labels;
  };
  using BatchKey = std::tuple<base::ThreadId, base::SourceId, wire::SampleOrigin>;

  void take_slot(RingFile& rings, wire::SlotHeader& slot, std::string* out);
  void take_calls(RingFile& rings, std::string* out);
  void take_sums(RingFile& rings, std::string* out);
  void take_lane(wire::Consumer ring, wire::Lane lane, wire::SlotHeader& slot);
  bool is_new(const wire::RawSample& raw, const BatchKey& key, const wire::LaneHeader& lane) const;
  bool add_sample(const wire::RawSample& raw, const BatchKey& key);
  bool is_declared(const wire::RawSample& raw, wire::SampleOrigin origin) const;
  void add_sum(const UnsentSum& sum);
  void begin_batches();
  void emit_batches(std::string* out);
  void emit_texts(const Batch& batch, std::string* out);
  void introduce(base::ThreadId thread, uint64_t start_us, std::string* out) const;
  base::StackId intern(const wire::RawSample& raw);
  base::StackId intern_awaiters(const wire::RawSample& raw);
  uint32_t child(uint32_t parent, wire::Frame frame);
  uint64_t uncounted_ns(uint64_t weight_ns, uint64_t time_us) const;
  void declare(wire::Frame frame);
  void emit_own_threads(std::string* out) const;
  void emit_counters(std::string* out);
  void emit_message(bool too_large, std::string* out) const;

  // Its records, where it gets its name here, go with the slot at hand.
  bool gets_name(wire::Frame frame, bool leaf);

  const StreamState& known_;
  NotedCode notes_;
  PrecompiledCode precompiled_;
  uint64_t lost_notes_ = 0;
  NotedTexts texts_;
  uint64_t lost_texts_ = 0;  // of all since the process began
  std::unordered_set<base::TextId> unknown_texts_;
  uint32_t next_node_;
  std::map<std::pair<uint32_t, uint64_t>, uint32_t> node_of_;  // (parent, frame) → node
  std::unordered_set<base::CodeId> declared_;                  // here
  std::string code_;                                           // records of them, for the batches at hand
  wire::Nodes nodes_;                                          // likewise
  uint32_t first_node_ = 0;                                    // of these
  std::map<BatchKey, Batch> batches_;                          // of the slot at hand, or of the sums
  std::unordered_map<base::ThreadId, uint32_t> tid_of_;
  // What the memory counted, by source id - 1.
  struct Account {
    uint64_t attempts = 0;
    std::array<uint64_t, static_cast<size_t>(wire::DropCause::kCount)> drops{};
  };
  std::array<Account, wire::kMostSources> accounts_{};
  wire::Counters totals_;  // but for these
  uint64_t samples_ = 0;
  uint64_t calls_ = 0;    // that were counted and not emitted
  uint64_t unnamed_ = 0;  // frames of them
  uint64_t weight_ns_ = 0;
  uint64_t last_us_ = 0;
};

}  // namespace walkabout::cli
