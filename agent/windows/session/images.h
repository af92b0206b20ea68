// Keeps the registry's images as the process has them: the loader reports each DLL as it comes and goes, the
// CLR of managed images it mapped by itself. Calls are serialised by its own lock, which is never held while
// a thread is stopped by us. Sources: LdrRegisterDllNotification; PE/COFF.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "agent/core/code_registry.h"
#include "base/mutex.h"

namespace walkabout::agent {

class Images {
 public:
  explicit Images(CodeRegistry& registry) : registry_(registry) {}
  ~Images();
  // From now on it follows the loader; what is loaded already is added. Once.
  void follow_loader();
  void stop_following();
  // A managed module whose image lies at `base` (0: it has none).
  void module_loaded(uint64_t base, const std::string& path);
  void module_unloaded(uint64_t base);
  // The loader's, under its lock.
  void dll_loaded(uint64_t base, const std::string& path);
  void dll_unloaded(uint64_t base);
  void maintain() { registry_.maintain(); }

 private:
  void add(uint64_t base, const std::string& path, bool by_loader);

  struct Known {
    unwind::Image* image = nullptr;
    bool by_loader = false;
  };
  CodeRegistry& registry_;
  base::Mutex mutex_;
  std::unordered_map<uint64_t, Known> known_ WALKABOUT_GUARDED_BY(mutex_);  // by base
  void* cookie_ = nullptr;
};

}  // namespace walkabout::agent
