// Records in, Profile out. Feed it every record of a recording (recording::RecordVisitor), from a file or
// live, then call build() once. One thread.
//
// Samples keep the ids of the stream until their tree of stacks is whole: then its stacks are named and added
// to the one display tree, and the samples move there. So a recording of many trees takes no more memory than
// what is held of one (12 bytes a stack node, 40 a sample) and the Bounds of the profile; what they cost is
// in Profile::thinned, and is reported in a message. Names come late in a recording, native ones behind
// everything else: of a recording of many trees they are best read before (Names; profile/build/load.h does
// it). So do the ends of objects: samples of those that still exist can only be told from the others when
// Names were read before.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "profile/build/placed_sums.h"
#include "profile/build/stack_map.h"
#include "profile/build/text_numbers.h"
#include "profile/build/thinner.h"
#include "profile/model/code_table.h"
#include "profile/model/profile.h"
#include "profile/names/frame_namer.h"
#include "profile/names/names.h"
#include "profile/query/filter.h"
#include "recording/coverage.h"
#include "recording/visitor.h"

namespace walkabout::profile {

struct BuildOptions {
  bool unfold = false;  // unnamed native frames one by one, with their offsets
  bool async = false;   // who awaits an async method is its caller, where the recording says who does
  // False saves sorting where nobody looks at the order; its loss is no loss then.
  bool in_time_order = true;
  Bounds bounds;
  // Samples that are not wanted need not be held. REQUIRES: check(filter). Of it `thread` works where the
  // names were read before, `hide_runtime` never: filtered() does the rest.
  Filter filter;
  // A frame of a function for each of its source places: DisplayFrame::place.
  bool lines = false;
  // Frames of functions whose code the compiler has put into their callers', where the recording has them.
  bool inlined = true;
};

class Builder : public recording::RecordVisitor {
 public:
  explicit Builder(BuildOptions options) : Builder(std::move(options), std::nullopt) {}
  // names: of the whole recording; those that come are not looked at.
  Builder(BuildOptions options, std::optional<Names> names);

  void on_session(const wire::Session& r) override;
  void on_source(const wire::Source& r) override;
  void on_text(const wire::Text& r) override;
  void on_thread(const wire::Thread& r) override;
  void on_module(const wire::Module& r) override { learn(r); }
  void on_method(const wire::Method& r) override { learn(r); }
  void on_jit_code(const wire::JitCode& r) override { learn(r); }
  void on_method_range(const wire::MethodRange& r) override { learn(r); }
  void on_nodes(const wire::Nodes& r, uint32_t first_id) override;
  void on_samples(const wire::Samples& r) override;
  void on_thread_end(const wire::ThreadEnd& r) override;
  void on_counters(const wire::Counters& r) override;
  void on_message(const wire::Message& r) override;
  void on_rate(const wire::Rate& r) override;
  void on_end(const wire::End& r) override;
  void on_native_symbols(const wire::NativeSymbols& r) override { learn(r); }
  void on_il_map(const wire::IlMap& r) override {
    if (options_.lines) learn(r);
  }
  void on_source_lines(const wire::SourceLines& r) override {
    if (options_.lines) learn(r);
  }
  void on_inline_tree(const wire::InlineTree& r) override {
    if (options_.inlined) learn(r);
  }
  void on_native_lines(const wire::NativeLines& r) override {
    if (options_.lines || options_.inlined) learn(r);
  }

  // Whether the recording should be read for its Names first: it has more than one tree of stacks, or objects
  // that are followed.
  bool wants_names() const { return new_trees_ > 0 || follows_objects_; }

  // damage: what the reader had to leave out (ReadSummary::damage). The builder is empty afterwards.
  Profile build(std::string damage);

 protected:
  // Of the profile; one that was not met before is made.
  uint32_t thread_index(base::ThreadId id);
  void seen(uint64_t time_us);

 private:
  // A thread's last sample waits for what the thread used after it.
  struct Last {
    Sample sample;
    bool wanted = true;
    bool folded = false;  // its stack is a node of the display tree
  };

  template <typename Record>
  void learn(const Record& record) {
    if (!names_known_) names_.code.add(record);
  }
  uint8_t source_index(base::SourceId id);
  // Those of one sample, from the tables of a record.
  void take_values(const wire::Samples& r, size_t row, Sample& sample);
  void take_labels(const wire::Samples& r, size_t row, Sample& sample);
  // Whether it is in place of an object's number, and so a text of the profile's already.
  bool is_object_label(base::SourceId source, size_t label) const;
  void add_cpu(const wire::Samples& r, uint32_t thread, bool chosen);
  void add_others(const wire::Samples& r, uint32_t thread, bool chosen);
  void add_objects(const wire::Samples& r, uint32_t thread, size_t label);
  void add_other(const wire::Samples& r, size_t row, Sample sample);
  Sample sample_of(const wire::Samples& r, size_t row, uint32_t thread);
  uint32_t stack_of(const wire::Samples& r, size_t row);
  bool is_in_time(uint64_t time_us) const;
  bool is_chosen(uint32_t thread) const;
  bool is_event(base::SourceId source);
  void let_go(const Last& last);
  void count(const Sample& sample);
  // Stacks and samples of the tree under way become those of the profile.
  void fold();
  bool fold(Sample& sample, StackMap& map);
  void place_all_sums();
  void take(std::vector<Sample>& folded);
  void find_focused();
  bool is_focus(uint32_t frame);
  void keep_samples_bounded();
  void compact_values();
  void prune_tree(size_t keep);
  void finish_threads();
  void finish_samples();
  void finish_stripped();
  void finish_messages();
  void warn(std::string text);
  void report_placed();
  void report_thinned();
  void report_unhandled();
  void report_lines();
  void sort_samples();

  const BuildOptions options_;
  const bool names_known_;
  const Focus focus_;
  Names names_;
  std::optional<FrameNamer> namer_;
  Profile profile_;  // its samples are folded, without the last of each thread
  Tree tree_;
  std::vector<bool> focused_;       // by node of tree_; empty when all are
  std::vector<bool> focus_frames_;  // by frame
  uint32_t new_trees_ = 0;          // begun, but for the first
  bool follows_objects_ = false;
  std::map<base::SourceId, size_t> object_labels_;  // of sources whose samples are of objects: which label
  // Of the tree of stacks under way. Samples: node is a StackId, activity holds SampleFlags.
  RawStacks stacks_;
  std::vector<Sample> raw_;
  size_t room_;  // for samples, before they are put together

  std::map<base::SourceId, uint8_t> sources_;
  std::map<std::pair<uint8_t, std::vector<uint64_t>>, uint32_t> label_sets_;  // by source
  TextNumbers text_numbers_;
  std::unordered_map<base::TextId, uint64_t> texts_;  // their numbers in the profile
  std::unordered_map<base::ThreadId, uint32_t> threads_;
  std::vector<wire::Thread> thread_records_;  // by index
  std::map<uint32_t, Last> last_;             // by thread index; of those that live
  std::vector<PlacedSums> placed_;            // by source
  bool has_budget_ = false;
  recording::Coverage coverage_;  // of all samples, whatever the filter
};

}  // namespace walkabout::profile
