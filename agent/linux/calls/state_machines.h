// What the compiler makes of async methods and iterators, from a module's metadata: the state machine whose
// MoveNext has the method's code, and what that code does with its builder. Any thread; asks the CLR.
// Source: the C# compiler's names; ECMA-335 II.22, II.23.2.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "agent/linux/calls/traced_body.h"
#include "clr/abi/info.h"
#include "clr/abi/metadata.h"
#include "clr/names/module_names.h"
#include "il/body.h"

namespace walkabout::agent {

struct StateMachine {
  clr::mdMethodDef move_next = 0;
  bool async = false;  // its MoveNexts make one call; of an iterator each is one
};
// Of a method that has one, and whose builder is of a kind that is known; else none.
std::optional<StateMachine> state_machine_of(clr::IMetaDataImport2& import, clr::mdMethodDef method);
// Of a MoveNext itself.
std::optional<StateMachine> state_machine_at(clr::IMetaDataImport2& import, clr::mdMethodDef move_next);

// What `body`, a MoveNext's, does. None: it is not as the compiler writes it.
std::optional<AsyncMachine> read_async_machine(clr::IMetaDataImport2& import, clr::IMetaDataEmit& emit,
                                               clr::mdMethodDef move_next, const il::Body& body);

}  // namespace walkabout::agent
