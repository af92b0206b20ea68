#include "base/windows/win32.h"
// after win32.h
#include <x86intrin.h>

#include "agent/shared/oracle_gate.h"
#include "agent/windows/context_registers.h"
#include "agent/windows/session/oracle.h"
#include "clr/abi/structs.h"
#include "wire/records.h"

namespace walkabout::agent {
namespace {

clr::ICorProfilerInfo2* g_info = nullptr;
OracleGate g_oracle_gate;

struct Collected {
  const unwind::PeCodeMap& code;
  wire::Frame* frames;
  uint32_t capacity;
  uint32_t count;
};

// Called by the CLR for each frame; a function of 0 stands for a block of unmanaged frames. None of them was
// interrupted: each is at a call.
clr::HRESULT take_frame(clr::FunctionID function, uintptr_t ip, clr::COR_PRF_FRAME_INFO, uint32_t, uint8_t*,
                        void* data) {
  auto* to = static_cast<Collected*>(data);
  if (function == 0) return clr::S_OK;
  if (to->count == to->capacity) return clr::S_FALSE;
  to->frames[to->count++] = unwind::name_pe_address(to->code, ip, false);
  return clr::S_OK;
}

OracleAnswer walk_by_clr(const unwind::Registers& seed, const unwind::PeCodeMap& code, wire::Frame* frames,
                         uint32_t capacity) {
  if (!g_oracle_gate.enter()) return {wire::kRuntimeSuspending, 0, 0};
  alignas(16) CONTEXT context;
  ::RtlCaptureContext(&context);
  set_registers(seed, &context);
  Collected collected{code, frames, capacity, 0};
  const uint64_t before = __rdtsc();
  const clr::HRESULT answer =
      g_info->DoStackSnapshot(0, take_frame, clr::COR_PRF_SNAPSHOT_DEFAULT, &collected,
                              reinterpret_cast<uint8_t*>(&context), sizeof context);
  const uint64_t cycles = __rdtsc() - before;
  g_oracle_gate.leave();
  return {static_cast<uint32_t>(answer), collected.count, static_cast<uint32_t>(cycles)};
}

}  // namespace

OracleWalk prepare_oracle(clr::ICorProfilerInfo2* info) {
  g_info = info;
  return walk_by_clr;
}

void runtime_suspends() { g_oracle_gate.close(); }
void runtime_resumed() { g_oracle_gate.open(); }

}  // namespace walkabout::agent
