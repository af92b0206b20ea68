// Follows the chain of async methods that await a suspended or running one: from its box to the task's
// continuation, to that one's box, and so on to the end. Pure, no allocation, no locks: async-signal-safe.
//
// Every link is checked: an object's class is one that is known, a method that awaits is suspended. Where a
// check fails, what is behind it is not known; no caller is guessed.
#pragma once

#include <cstdint>
#include <span>

#include "unwind/async/async_type.h"
#include "unwind/async/async_types.h"
#include "unwind/async/heap_reader.h"
#include "wire/frame.h"

namespace walkabout::unwind {

enum class AsyncEnd : uint8_t {
  kRoot,       // nobody awaits the last one: it is async void, or a thread waits for it, or nothing does
  kCompleted,  // the last one's task is done
  kUnknown,    // somebody may await it, who is not known
  kTooDeep,    // there are more than were asked for
};

// References that are followed from one object to the next, before it is a circle or damage.
inline constexpr int kMostLinks = 1024;

struct AsyncChain {
  uint32_t count = 0;
  AsyncEnd end = AsyncEnd::kUnknown;
  wire::AsyncUnknown why = wire::AsyncUnknown::kNone;
};

// A state machine and what holds it, or a task.
struct AsyncObject {
  uint64_t address = 0;
  const AsyncType* type = nullptr;  // kBox, kMachine or kTask
};

// Fills `awaiters` with those that await the method, the nearest first: method and await (wire::FrameKind
// kJitted, the method's id and the state).
AsyncChain follow_awaiters(const AsyncObject& method, const AsyncTypes& types, HeapReader& heap,
                           std::span<wire::Frame> awaiters);

// A task whose delegate runs. False where it is none.
bool read_running_task(uint64_t address, const AsyncTypes& types, HeapReader& heap, AsyncObject* task);

// The object's class and, where it is an async method, its state. False where it is none that is known.
bool read_async_object(uint64_t address, const AsyncTypes& types, HeapReader& heap, AsyncObject* object,
                       int32_t* state);

}  // namespace walkabout::unwind
