#include "agent/oracle.h"

#include <x86intrin.h>

#include "agent/oracle_gate.h"
#include "clr/context_x64.h"
#include "wire/records.h"

namespace walkabout::agent {
namespace {

clr::ICorProfilerInfo2* g_info = nullptr;
OracleGate g_gate;

struct Collected {
  const walker::CodeMap* code;
  wire::Frame* frames;
  uint32_t capacity;
  uint32_t count;
};

// Called by the CLR for each frame; a function of 0 stands for a block of unmanaged frames.
clr::HRESULT take_frame(clr::FunctionID function, uintptr_t ip, clr::COR_PRF_FRAME_INFO, uint32_t, uint8_t*,
                        void* data) {
  auto* to = static_cast<Collected*>(data);
  if (function == 0) return clr::S_OK;
  if (to->count == to->capacity) return clr::S_FALSE;
  to->frames[to->count] = walker::name_address(*to->code, ip, to->count == 0);
  ++to->count;
  return clr::S_OK;
}

clr::ContextX64 context_of(const walker::Registers& r) {
  using namespace walker;
  clr::ContextX64 c;
  c.ContextFlags = clr::kContextControl | clr::kContextInteger;
  c.Rax = r.r[kRax], c.Rcx = r.r[kRcx], c.Rdx = r.r[kRdx], c.Rbx = r.r[kRbx];
  c.Rsp = r.sp(), c.Rbp = r.bp(), c.Rsi = r.r[kRsi], c.Rdi = r.r[kRdi];
  c.R8 = r.r[kR8], c.R9 = r.r[kR9], c.R10 = r.r[kR10], c.R11 = r.r[kR11];
  c.R12 = r.r[kR12], c.R13 = r.r[kR13], c.R14 = r.r[kR14], c.R15 = r.r[kR15];
  c.Rip = r.pc();
  return c;
}

OracleAnswer ask(const walker::Registers& seed, const walker::CodeMap& code, wire::Frame* frames,
                 uint32_t capacity) {
  if (!g_gate.enter()) return {wire::kRuntimeSuspending, 0, 0};
  clr::ContextX64 context = context_of(seed);
  Collected collected{&code, frames, capacity, 0};
  const uint64_t before = __rdtsc();
  const clr::HRESULT hr = g_info->DoStackSnapshot(0, take_frame, clr::COR_PRF_SNAPSHOT_DEFAULT, &collected,
                                                  reinterpret_cast<uint8_t*>(&context), sizeof context);
  const uint64_t cycles = __rdtsc() - before;
  g_gate.leave();
  return {static_cast<uint32_t>(hr), collected.count, static_cast<uint32_t>(cycles)};
}

}  // namespace

OracleWalk prepare_oracle(clr::ICorProfilerInfo2* info) {
  g_info = info;
  return ask;
}

void runtime_suspends() { g_gate.close(); }
void runtime_resumed() { g_gate.open(); }

}  // namespace walkabout::agent
