// The IL that has a call's values taken: calls of native functions without a transition, to be put where a
// traced body begins and where it returns (il/try_finally.h). Arguments are copied to variables of their own
// where an address is needed, so that the method's own stay in registers. One thread; asks the CLR.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "clr/abi/metadata.h"
#include "il/body.h"
#include "il/cause.h"
#include "il/insertion.h"
#include "il/signature_types.h"
#include "values/value_plan.h"

namespace walkabout::values {

// Where the functions lie. token: the number that the call's enter gave; 0: nothing is taken.
struct ValueFunctions {
  uint64_t bits = 0;    // void (uint64_t token, uint64_t slot, uint64_t bits)
  uint64_t real = 0;    // void (uint64_t token, uint64_t slot, double value)
  uint64_t object = 0;  // void (uint64_t token, uint64_t slot, const void* object)
  uint64_t value = 0;   // void (uint64_t token, uint64_t slot, const void* at, uint64_t type, uint32_t size)
  uint64_t characters = 0;  // void (uint64_t token, uint64_t slot, const void* span)
  // void (uint64_t token, uint64_t returned, const void* exception): what passed last, or null
  uint64_t thrown = 0;
};

// What the code of one module names; it stays in the module's metadata.
struct ValueTokens {
  clr::mdSignature bits = 0, real = 0, object = 0, value = 0, characters = 0;
  clr::mdMemberRef to_pointer = 0;  // RuntimeTypeHandle.ToIntPtr; 0: there is none, and values have no type
};
// False: the metadata cannot be added to.
bool make_value_tokens(clr::IMetaDataImport2& import, clr::IMetaDataEmit& emit, ValueTokens* tokens);

struct ValueCode {
  il::Piece enter;      // behind what stores the token
  il::Piece returning;  // the result is in its variable
  il::Piece result;     // of an async method: in front of what sets its result, which is on the stack
  il::Piece leaving;    // in front of what ends the call
  il::Piece failure;    // of an async method: in front of what sets its exception, likewise
  std::vector<uint32_t> sets_result;  // the instructions that do, in the body as it was
  std::vector<uint32_t> sets_exception;
};

struct ValuePlace {
  uint16_t token = 0;              // the variable that has it, of eight bytes
  uint16_t outcome = 0;            // the one that says whether it returned, of eight bytes
  std::optional<uint16_t> result;  // the one that has the result
  std::optional<uint16_t>
      thrown;  // an object: what may have ended it (il/try_finally.h); not of async methods
};

// Adds variables to locals. What is not kNone left all as it was.
// body: as the runtime has it.
il::Cause make_value_code(const ValuePlan& plan, const ValuePlace& place, const ValueFunctions& functions,
                          const ValueTokens& tokens, clr::IMetaDataImport2& import, clr::IMetaDataEmit& emit,
                          const il::Body& body, il::Locals* locals, ValueCode* code);

}  // namespace walkabout::values
