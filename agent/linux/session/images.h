// Keeps the registry's images as the process has them: ELF modules from the loader's list, ready-to-run
// images from the CLR's module callbacks or, where those have none of their own (composite images), from the
// mappings. Each kind has its own lock: the CFI of a library is compiled under the first (76 ms were
// measured), and a thread that loads a managed module does not wait for it. Nothing here is async-signal-safe
// but find_new_module.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "agent/core/code_registry.h"
#include "agent/linux/descriptor_host.h"
#include "base/mutex.h"

namespace walkabout::agent {

class Images {
 public:
  Images(CodeRegistry& registry, DescriptorHost& host) : registry_(registry), host_(host) {}

  // The loader's list, when it changed since the last call (cheap when it did not).
  void refresh_native();
  // Compiles the CFI of modules that walks have met. At most one a call: the sampler has other things to do.
  void compile_met();
  // The JIT compiler is a library of its own, whose frames say when a thread is compiling. (In a single-file
  // program it is not.) Any thread.
  bool knows_jit_compiler() const { return knows_jit_compiler_.load(std::memory_order_relaxed); }
  // See CodeRegistry::maintain().
  void maintain() { registry_.maintain(); }
  // A managed module was loaded at `base` (0: it has no image, Reflection.Emit).
  void module_loaded(clr::ModuleID module, uint64_t base, bool flat, const std::string& path);
  void module_unloaded(clr::ModuleID module);
  // From now on module_loaded() leaves all searches to find_wanted_pe().
  void search_later();
  // Looks for ready-to-run images no callback reported, if such a look was requested since.
  void find_wanted_pe();
  // The runtime runs its core library's code some milliseconds before it announces the module. True when
  // there is a ready-to-run image, or was.
  bool find_first_pe();

 public:
  struct Native {
    unwind::Image* image = nullptr;
    std::string name;  // the loader's: another one at the same place is another library
  };

 private:
  void add_pe(uint64_t base, const std::string& path, clr::ModuleID module) WALKABOUT_REQUIRES(mutex_);
  void find_unannounced_pe() WALKABOUT_REQUIRES(mutex_);

  CodeRegistry& registry_;
  DescriptorHost& host_;
  base::Mutex native_mutex_;
  unsigned long long loader_adds_ WALKABOUT_GUARDED_BY(native_mutex_) = 0;
  unsigned long long loader_subs_ WALKABOUT_GUARDED_BY(native_mutex_) = 0;
  std::unordered_map<uint64_t, Native> native_ WALKABOUT_GUARDED_BY(native_mutex_);  // by load bias
  base::Mutex mutex_;
  std::unordered_map<clr::ModuleID, unwind::Image*> precompiled_ WALKABOUT_GUARDED_BY(mutex_);
  std::unordered_map<uint64_t, unwind::Image*> pe_bases_ WALKABOUT_GUARDED_BY(mutex_);
  bool pe_wanted_ WALKABOUT_GUARDED_BY(mutex_) = false;
  std::atomic<bool> knows_jit_compiler_{false};
  int eager_scans_ WALKABOUT_GUARDED_BY(mutex_) = 0;
};

// CFI of a module that was loaded after the last refresh: asks the loader without locks (glibc 2.35 and
// later). Async-signal-safe; fits unwind::CodeMap.
bool find_new_module(uint64_t pc, unwind::CfiSection* cfi);

}  // namespace walkabout::agent
