// A module whose methods are probed, each before it is first compiled or inlined. Thread rule: any; a
// method's body is changed under the module's lock, which is held across calls into the CLR that take none of
// ours: threads that wait for it are in no code that a suspension waits for.
//
// A probe that has run is left out of the method's code when that is compiled again (tiering): the body's
// other bytes stay where they are, for the runtime knows what it learned of a method by their places.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "agent/linux/cover/counts_file.h"
#include "agent/linux/cover/module_file.h"
#include "agent/linux/cover/probed_since.h"
#include "agent/linux/cover/test_module.h"
#include "base/mutex.h"
#include "clr/abi/info.h"
#include "il/body.h"
#include "il/cause.h"

namespace walkabout::agent {

class CoveredModule {
 public:
  struct Parts {
    std::string path;
    std::unique_ptr<ModuleFile> file;
    uint32_t number = 0;                // in the file of counts; 0: its methods are not probed
    std::unique_ptr<TestModule> tests;  // null: they are not told apart, or it has none
    clr::mdSignature reach = 0;  // of walkabout_cover_reach; 0: probes do not say in which test they ran
  };
  CoveredModule(clr::ModuleID id, Parts parts, CountsFile& counts, clr::ICorProfilerInfo12* info);
  CoveredModule(const CoveredModule&) = delete;
  CoveredModule& operator=(const CoveredModule&) = delete;

  // 0: it is unloaded.
  clr::ModuleID id() const { return id_.load(std::memory_order_acquire); }
  // Waits for whoever changes its methods.
  void unloaded();
  // It is another load of this file, which was unloaded: its methods' counts go on. False: it is not, or
  // there are tokens in its methods that the other load has not.
  bool load_again(clr::ModuleID id, const std::string& path, base::Bytes version);

  // Behind it the method is probed, or left alone for good. False: it was so before.
  bool probe(clr::FunctionID function, clr::mdMethodDef token);
  // Whoever began to compile then (ProbedSince::now) may inline it.
  bool may_be_inlined(clr::mdMethodDef token, uint64_t then) const;
  // Methods whose probes have run since are without these from their next compilation on.
  void leave_out_what_ran();

 private:
  struct ProbedMethod {
    clr::mdMethodDef token = 0;
    uint32_t probes = 0;
    const uint8_t* counts = nullptr;
    std::vector<uint8_t> body;  // as the runtime has it now
    uint32_t left_out = 0;      // probes
    uint32_t versions = 1;
  };

  struct Placed {
    uint32_t body_hash = 0, probes = 0;
    CountsFile::Method method;
  };

  // Without counts: there is no room.
  Placed place(clr::mdMethodDef token, uint32_t body_hash, uint32_t probes) WALKABOUT_REQUIRES(mutex_);
  // What is not kNone left the method as it is.
  il::Cause rewrite(clr::FunctionID function, clr::mdMethodDef token) WALKABOUT_REQUIRES(mutex_);
  // Puts them into the body, whose bytes were those. placed: where they are.
  il::Cause put_probes_into(il::Body* body, base::Bytes old, clr::mdMethodDef token, Placed* placed)
      WALKABOUT_REQUIRES(mutex_);
  bool give_to_runtime(clr::mdMethodDef token, const std::vector<uint8_t>& body);
  void leave_out(ProbedMethod& method, uint32_t ran) WALKABOUT_REQUIRES(mutex_);

  std::atomic<clr::ModuleID> id_;
  const Parts parts_;
  CountsFile& counts_;
  clr::ICorProfilerInfo12* const info_;
  ProbedSince done_;
  const uint32_t rows_;
  base::Mutex mutex_;
  std::vector<ProbedMethod> methods_ WALKABOUT_GUARDED_BY(mutex_);
  std::unordered_map<clr::mdMethodDef, Placed> placed_ WALKABOUT_GUARDED_BY(mutex_);
  std::unordered_set<clr::mdMethodDef> left_alone_ WALKABOUT_GUARDED_BY(mutex_);
};

}  // namespace walkabout::agent
