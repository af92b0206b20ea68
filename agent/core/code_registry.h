// Every region of code of the target: gives out CodeIds, publishes code to the walker's map before it first
// runs, keeps what the spooler needs to name it, and notes the name for who comes when the process has died
// (agent/core/code_notes.h). One lock for writers, never held across a call into the
// CLR; the handler only reads the maps.
#pragma once

#include <atomic>
#include <cstdint>
#include <forward_list>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "agent/core/code_notes.h"
#include "base/ids.h"
#include "base/mutex.h"
#include "clr/abi/types.h"
#include "clr/events/event_name.h"
#include "clr/events/eventpipe_method.h"
#include "clr/names/method_name.h"
#include "unwind/code/image_map.h"
#include "unwind/code/jit_map.h"
#include "wire/records.h"

namespace walkabout::agent {

struct CompiledMethod {
  base::CodeId code;
  clr::FunctionID function = 0;
  uint64_t start = 0;
  uint32_t size = 0;
  uint32_t main_size = 0;  // bytes before its funclets; 0 if it has none
  wire::Tier tier = wire::Tier::kUnknown;
  // Only where the CLR could not or must not be asked later: dynamic and collectible code.
  std::shared_ptr<const clr::MethodName> name;
  // Where it has a name: the CLR may be asked about its function until another collectible module is unloaded
  // (CodeRegistry::unloads()).
  std::optional<uint32_t> alive_at;
  // What was inlined into it, as the runtime said it (clr::InlinedCode). Null: nothing, or it is not known.
  // As long as the registry.
  const std::string* inlined = nullptr;
};

// A compiled method that no event reported: compiled before the agent came, or reported by a callback.
struct FoundCode {
  clr::FunctionID function = 0;
  uint64_t start = 0;
  uint32_t size = 0;
  std::shared_ptr<const clr::MethodName> name;  // where the CLR must not be asked later
  clr::ModuleID collectible = 0;                // the one with which it goes away
  // It has a name, and the CLR may be asked about it all the same: it lives until a module begins to unload
  // behind this moment.
  bool may_ask = false;
};

class CodeRegistry {
 public:
  explicit CodeRegistry(unwind::ReaderGate& gate);

  unwind::ReaderGate& gate() { return gate_; }
  // From now on code is noted there. The memory stays as long as this.
  void note_in(Rings& rings);
  const unwind::JitMap& jitted() const { return jitted_; }
  const unwind::ImageMap& images() const { return images_; }
  // Changes when code was taken out of the maps (unwind::CodeMap::generation).
  const std::atomic<uint32_t>& generation() const { return generation_; }

  // JIT events; on the compiling or unloading thread.
  // types: names those that the event has no name for; null: nobody does. The code's id; 0: there is none.
  base::CodeId jitted(const clr::MethodLoad& event, clr::TypeHandles* types = nullptr);
  void unloaded(const clr::MethodUnload& event);
  // What was inlined into this code of `function`, right behind its JIT event. code 0: its code is not known.
  // Keeps at most kMostInlined bytes of all methods.
  void inlined(base::CodeId code, clr::FunctionID function, std::span<const uint8_t> said);
  static constexpr size_t kMostInlined = 32 << 20;
  // How many methods the runtime has said it of, and of how many of these it was not kept.
  uint64_t told_of_inlining() const { return told_of_inlining_.load(std::memory_order_relaxed); }
  uint64_t inlining_lost() const { return inlining_lost_.load(std::memory_order_relaxed); }
  void collectible_module(clr::ModuleID module);
  // Its file's name or path, for the names of its methods where the CLR is not asked. Until it is unloaded.
  // Behind collectible_module().
  void module_loaded(clr::ModuleID module, std::string_view path);
  // Takes out what was compiled of it while it was known as collectible: the runtime announces the unloading
  // of a DynamicMethod, but not of a collectible module's methods (measured on .NET 10). True but of a
  // module that stays.
  bool module_unloaded(clr::ModuleID module);
  // How many collectible modules have begun to unload.
  uint32_t unloads() const { return unloads_.load(std::memory_order_seq_cst); }
  // An event session has ended. It may be the one of our JIT events: the runtime closes it when it shuts
  // down, before it runs its last managed code. The next JIT event shows that it was another, and so does a
  // process that lives on.
  void session_ended(uint64_t now_ns) {
    unreported_until_ns_.store(now_ns + kLongestShutdownNs, std::memory_order_relaxed);
  }
  // Until when code may run that no event reported (monotonic clock); 0: all code is reported.
  const std::atomic<uint64_t>& unreported_until_ns() const { return unreported_until_ns_; }
  static constexpr uint64_t kLongestShutdownNs = 10'000'000'000;
  bool has_collectible() const;
  bool is_collectible(clr::ModuleID module) const;
  // It was loaded, and is not collectible. Of a module that nobody told of nothing is known.
  bool stays(clr::ModuleID module) const;
  // At an attach, after the JIT events were requested: what they reported meanwhile stays.
  void found(FoundCode code);
  // By a JIT callback: what was at its address is gone.
  void compiled(FoundCode code);
  bool knows_compiled_method(uint64_t start) const;
  bool knows_compiled_method(uint64_t start, clr::FunctionID of) const;

  // Images; fill() completes one before it is visible. Returns its id.
  template <typename Fill>
  unwind::Image* add_image(const wire::Module& about, Fill fill) {
    const base::Lock lock(mutex_);
    unwind::Image* image = images_.make();
    fill(*image);
    image->code = next_code();
    wire::Module& module = modules_[image->code.value];
    module = about;
    module.code = image->code;
    note(module);
    images_.publish(image);
    generation_.fetch_add(1, std::memory_order_release);  // it may lie where another was
    return image;
  }
  // Returns once no handler can be reading the mapped library (or after a bounded wait). The Image is freed
  // when none can hold it: it is the caller's no more.
  void remove_image(unwind::Image* image);
  // REQUIRES: inside the gate, or no other thread removes images.
  std::vector<unwind::Image*> all_images() const;

  // A method that has no code of its own in a stack, as one that awaits: only its name. Stays.
  base::CodeId async_method(clr::MethodName name);
  // The id that was given last.
  base::CodeId newest_code() const;
  // The spooler's. False for an id that was never given or was erased.
  bool compiled_method(base::CodeId code, CompiledMethod* method) const;
  bool module(base::CodeId code, wire::Module* module) const;
  // Merges what was published and frees what no reader can hold. Now and then.
  void maintain();
  // Erases code that was unloaded before the last but one call: the spooler's rings may still name the
  // others. Returns which that is.
  std::vector<base::CodeId> erase_unloaded();

  size_t compiled_methods() const;
  // Compiled methods whose unwind data could not be read, so that their prologs were decoded.
  uint64_t without_unwind_data() const { return without_unwind_data_.load(std::memory_order_relaxed); }

 private:
  void wait_for_readers();
  base::CodeId next_code() WALKABOUT_REQUIRES(mutex_) { return base::CodeId(++last_code_); }
  base::CodeId add_compiled_method(CompiledMethod method, const clr::MethodName* name)
      WALKABOUT_REQUIRES(mutex_);
  void note(const wire::Module& module) WALKABOUT_REQUIRES(mutex_);
  void note(const CompiledMethod& compiled, clr::MethodName name) WALKABOUT_REQUIRES(mutex_);
  void take_out(uint64_t start) WALKABOUT_REQUIRES(mutex_);
  void publish_regions(CompiledMethod& method) WALKABOUT_REQUIRES(mutex_);
  void publish_region(const CompiledMethod& method, uint64_t begin, uint32_t size, const uint8_t* info,
                      uint32_t info_size) WALKABOUT_REQUIRES(mutex_);
  const std::string& intern(const uint8_t* bytes, uint32_t size) WALKABOUT_REQUIRES(mutex_);

  unwind::ReaderGate& gate_;
  unwind::JitMap jitted_;
  unwind::ImageMap images_;
  mutable base::Mutex mutex_;
  CodeNotes notes_ WALKABOUT_GUARDED_BY(mutex_);
  uint32_t last_code_ WALKABOUT_GUARDED_BY(mutex_) = 0;
  std::unordered_map<uint32_t, CompiledMethod> compiled_methods_ WALKABOUT_GUARDED_BY(mutex_);
  std::unordered_map<uint64_t, uint32_t> code_at_
      WALKABOUT_GUARDED_BY(mutex_);  // start → living compiled method
  std::unordered_map<uint32_t, wire::Module> modules_ WALKABOUT_GUARDED_BY(mutex_);
  // Of compiled methods and of modules.
  std::vector<base::CodeId> unloaded_ WALKABOUT_GUARDED_BY(mutex_);
  std::vector<base::CodeId> unloaded_before_
      WALKABOUT_GUARDED_BY(mutex_);  // the last call of erase_unloaded()
  std::set<std::string, std::less<>> unwind_infos_
      WALKABOUT_GUARDED_BY(mutex_);  // few distinct ones: prologs look alike
  // Its compiled methods, and those of instantiations that can go away with it (an event's module is the one
  // whose loader the code belongs to).
  std::unordered_map<clr::ModuleID, std::vector<base::CodeId>> collectible_ WALKABOUT_GUARDED_BY(mutex_);
  std::unordered_map<clr::ModuleID, std::string> module_files_ WALKABOUT_GUARDED_BY(mutex_);
  std::unordered_set<clr::ModuleID> staying_ WALKABOUT_GUARDED_BY(mutex_);
  std::atomic<uint32_t> unloads_{0};
  std::atomic<uint64_t> unreported_until_ns_{0};
  std::atomic<uint32_t> generation_{1};  // release: partner of the walker's acquire
  std::atomic<uint64_t> without_unwind_data_{0};
  std::forward_list<std::string> inlined_ WALKABOUT_GUARDED_BY(mutex_);
  size_t inlined_bytes_ WALKABOUT_GUARDED_BY(mutex_) = 0;
  std::atomic<uint64_t> told_of_inlining_{0}, inlining_lost_{0};
};

}  // namespace walkabout::agent
