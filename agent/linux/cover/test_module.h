// A test assembly of a process that tells tests apart: its methods are changed so that whatever they start is
// of their test's flow, or of their type's where none is (test_flow.h). Thread rule: under its owner's lock.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "agent/linux/cover/counts_file.h"
#include "agent/linux/cover/flow_class.h"
#include "agent/linux/cover/module_file.h"
#include "agent/linux/cover/test_methods.h"
#include "clr/abi/info.h"
#include "il/body.h"
#include "il/cause.h"

namespace walkabout::agent {

class TestModule {
 public:
  // In the module's load. Null: its tests cannot be told apart. file must outlive it.
  static std::unique_ptr<TestModule> make(clr::ICorProfilerInfo12& info, clr::ModuleID module, uint16_t lane,
                                          const std::string& path, const ModuleFile& file,
                                          CountsFile& counts);

  // kNone without a change: it is nobody's. What is not kNone left the body as it was.
  il::Cause wrap(clr::mdMethodDef token, il::Body* body, bool* changed);

 private:
  TestModule(clr::ComPtr<clr::IMetaDataEmit> emit, const FlowClass& flow, uint32_t number, uint16_t lane,
             const ModuleFile& file, CountsFile& counts);

  wire::CoverTest* test_of(clr::mdMethodDef token);
  // The signature of the body's variables, with a number and the method's result behind them.
  il::Cause add_variables(clr::mdMethodDef token, uint32_t* signature, uint16_t* number,
                          std::optional<uint16_t>* result) const;

  const clr::ComPtr<clr::IMetaDataEmit> emit_;
  const FlowClass flow_;
  const uint32_t number_;
  const uint16_t lane_;
  const ModuleFile& file_;
  CountsFile& counts_;
  const std::vector<TestRole> roles_;
  std::unordered_map<uint32_t, wire::CoverTest*> tests_;  // by token
};

}  // namespace walkabout::agent
