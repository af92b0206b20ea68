// What is known of a class of the managed heap, as far as it leads from an async method to the one that
// awaits it. Plain values; offsets are bytes from the object's start, where its MethodTable pointer lies.
//
// Source: the fields of System.Private.CoreLib and of the compiler's state machines. Their places come from
// the runtime (clr/async), so no version's layout is assumed.
#pragma once

#include <cstdint>

#include "base/ids.h"

namespace walkabout::unwind {

enum class AsyncKind : uint8_t {
  kTask,       // a Task or an heir of it: the field `next` holds who awaits it
  kBox,        // a suspended async method: its state machine lies in it, or is what it refers to
  kMachine,    // a state machine that is an object by itself: an async iterator's, or of a debug build
  kForward,    // leads on by one reference: a delegate to its target, a continuation to its task
  kList,       // several continuations
  kNobody,     // a thread that blocks until the task is done
  kCompleted,  // stands in a completed task's field instead of a continuation
};

struct AsyncType {
  AsyncKind kind = AsyncKind::kTask;
  bool machine_is_object = false;  // of a box: machine_at holds a reference
  uint32_t next = 0;               // the reference that leads on. kMachine: 0 where only its box does
  uint32_t machine_at = 0;         // kBox: the state machine. kMachine: the builder, which holds the box
  // <>1__state, from the state machine's start. kList: its size. kTask: its flags; 0: not known
  uint32_t state_at = 0;
  uint32_t machine = 0;  // which state machine, whatever its type arguments
  base::CodeId method;   // what stands for the async method in a chain
};

// Values of <>1__state (the C# compiler's StateMachineStates): from 0 on the await at which the method is
// suspended.
inline constexpr int32_t kRunning = -1, kFinished = -2;

// Flags of a task (TaskStateFlags of Task.cs): its delegate was called, and it is done.
inline constexpr uint32_t kDelegateInvoked = 0x20000, kTaskCompleted = 0x1600000;

}  // namespace walkabout::unwind
