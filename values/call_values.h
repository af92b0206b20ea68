// The values of a recording's traced calls: which are taken of each method, by which code, and what was taken
// as text. What a session needs of values/.
//
// make_code(), plan(): threads that compile, in a callback of the runtime's. texts(): one thread (the
// spooler). No lock is held across a call into the CLR.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>

#include "base/byte_span.h"
#include "base/mutex.h"
#include "clr/abi/info.h"
#include "il/cause.h"
#include "il/signature_types.h"
#include "values/value_code.h"
#include "values/value_plan.h"
#include "values/value_text.h"
#include "values/value_types.h"

namespace walkabout::values {

class CallValues {
 public:
  // info must outlive this.
  CallValues(clr::ICorProfilerInfo12* info, Redaction redaction, const ValueFunctions& functions)
      : info_(info),
        redaction_(std::move(redaction)),
        functions_(functions),
        types_(info, &classes_, ValueTypes::Where::kAnywhere) {}

  struct Method {
    uint32_t index = 0;  // of the CountedMethod
    clr::ModuleID module = 0;
    clr::mdMethodDef token = 0;
  };
  // Adds variables to locals, and to the body of an async method what takes its result. What is not kNone
  // left both as they were, and nothing is taken. REQUIRES: nothing was put into the body yet.
  il::Cause make_code(const Method& method, const ValuePlace& place, il::Body* body, il::Locals* locals,
                      ValueCode* code);
  // What is to be taken of it; made once, and there is one from then on.
  std::shared_ptr<const ValuePlan> plan(const Method& method);
  // captured: what ValueSinks wrote of a call.
  ValueTexts texts(uint32_t method, base::Bytes captured, bool returned);

 private:
  std::shared_ptr<const ValuePlan> known_plan(uint32_t method);
  bool tokens_in(clr::ModuleID module, clr::IMetaDataImport2& import, clr::IMetaDataEmit& emit,
                 ValueTokens* tokens);

  clr::ICorProfilerInfo12* const info_;
  const Redaction redaction_;
  const ValueFunctions functions_;
  KnownClasses classes_;
  ValueTypes types_;
  base::Mutex mutex_;
  std::unordered_map<uint32_t, std::shared_ptr<const ValuePlan>> plans_ WALKABOUT_GUARDED_BY(mutex_);
  std::unordered_map<clr::ModuleID, ValueTokens> tokens_ WALKABOUT_GUARDED_BY(mutex_);
};

}  // namespace walkabout::values
