#include "agent/trace/values/taken_values.h"

#include <atomic>
#include <bit>
#include <cstring>

#include "agent/trace/traced_call.h"
#include "values/captured.h"
#include "values/managed_memory.h"
#include "values/value_sink.h"

namespace walkabout::agent {
namespace {

constinit std::atomic<uint32_t> g_unloadable{values::kUnloadableUntil8 | values::kUnloadableSince9};

// What `write` writes into a sink, to where the call's values are.
template <typename Write>
void take_value(uint64_t token, uint64_t slot, Write write) {
  if (token == 0) return;
  uint8_t bytes[kMostValueBytes];
  values::ValueSink sink(bytes, sizeof bytes, 0, g_unloadable.load(std::memory_order_relaxed));
  write(sink, static_cast<uint8_t>(slot));
  if (uint8_t* room = walkabout_trace_values(token, sink.used()); room != nullptr) {
    std::memcpy(room, bytes, sink.used());
    return;
  }
  const values::SlotHead none{static_cast<uint8_t>(slot), values::SlotForm::kNoRoom, 0};
  if (uint8_t* room = walkabout_trace_values(token, sizeof none); room != nullptr)
    std::memcpy(room, &none, sizeof none);
}

void take_bits(uint64_t token, uint64_t slot, uint64_t bits) {
  take_value(token, slot, [bits](values::ValueSink& sink, uint8_t to) { sink.bits(to, bits); });
}
void take_real(uint64_t token, uint64_t slot, double real) {
  take_bits(token, slot, std::bit_cast<uint64_t>(real));
}
void take_object(uint64_t token, uint64_t slot, const void* object) {
  take_value(token, slot, [object](values::ValueSink& sink, uint8_t to) { sink.object(to, object); });
}
void take_at(uint64_t token, uint64_t slot, const void* at, uint64_t type, uint32_t size) {
  take_value(token, slot, [=](values::ValueSink& sink, uint8_t to) { sink.value(to, at, type, size); });
}
void take_characters(uint64_t token, uint64_t slot, const void* span) {
  take_value(token, slot, [span](values::ValueSink& sink, uint8_t to) { sink.characters(to, span); });
}

void take_thrown(uint64_t token, uint64_t outcome, const void* exception) {
  if (outcome == kTraceReturned || exception == nullptr) return;
  take_value(token, values::kThrownSlot,
             [exception](values::ValueSink& sink, uint8_t) { sink.thrown(exception); });
}

template <typename Function>
uint64_t number_of(Function* function) {
  return reinterpret_cast<uint64_t>(function);
}

}  // namespace

void know_runtime_of_values(uint16_t major) {
  g_unloadable.store(major <= 8 ? values::kUnloadableUntil8 : values::kUnloadableSince9,
                     std::memory_order_relaxed);
}

values::ValueFunctions traced_value_functions() {
  return {number_of(&take_bits), number_of(&take_real),       number_of(&take_object),
          number_of(&take_at),   number_of(&take_characters), number_of(&take_thrown)};
}

}  // namespace walkabout::agent
