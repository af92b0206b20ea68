// Records in, Profile out. Feed it every record of a recording (recording::RecordVisitor), from a file or
// live, then call build() once. Names come late in a recording, so samples keep the ids of the stream until
// then; a sample costs 32 bytes, a stack node 12. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "profile/code_table.h"
#include "profile/profile.h"
#include "profile/stack_map.h"
#include "recording/visitor.h"

namespace walkabout::profile {

struct BuildOptions {
  bool unfold = false;  // unnamed native frames one by one, with their offsets
  bool in_time_order =
      true;  // false saves sorting where nobody looks at the order (samples stay in stream order)
  uint64_t max_samples = uint64_t{1} << 28;  // 8 GiB; what is over is left out and said in Profile::damage
};

class Builder : public recording::RecordVisitor {
 public:
  explicit Builder(BuildOptions options) : options_(options) {}

  void on_session(const wire::Session& r) override { profile_.session = r; }
  void on_thread(const wire::Thread& r) override;
  void on_module(const wire::Module& r) override { code_.add(r); }
  void on_method(const wire::Method& r) override { code_.add(r); }
  void on_jit_code(const wire::JitCode& r) override { code_.add(r); }
  void on_method_range(const wire::MethodRange& r) override { code_.add(r); }
  void on_nodes(const wire::Nodes& r, uint32_t first_id) override;
  void on_samples(const wire::Samples& r) override;
  void on_thread_end(const wire::ThreadEnd& r) override;
  void on_counters(const wire::Counters& r) override;
  void on_message(const wire::Message& r) override;
  void on_rate(const wire::Rate& r) override;
  void on_end(const wire::End& r) override;
  void on_native_symbols(const wire::NativeSymbols& r) override { code_.add(r); }

  // damage: what the reader had to leave out (ReadSummary::damage). The builder is empty afterwards.
  Profile build(std::string damage);

 private:
  uint32_t thread_index(base::ThreadId id);
  void seen(uint64_t time_us);
  void finish_threads();
  void finish_samples();
  void finish_stripped();
  void finish_messages();

  const BuildOptions options_;
  Profile profile_;  // samples: node is a StackId, activity holds SampleFlags until build()
  CodeTable code_;
  RawStacks stacks_{{0}, {wire::Frame{}}};
  std::unordered_map<base::ThreadId, uint32_t> threads_;
  std::vector<wire::Thread> thread_records_;          // by index
  std::unordered_map<uint32_t, size_t> last_sample_;  // by thread index
  uint64_t left_out_ = 0;
  bool has_budget_ = false;
};

}  // namespace walkabout::profile
