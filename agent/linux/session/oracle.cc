#include "agent/linux/session/oracle.h"

#include <link.h>
#include <sys/auxv.h>
#include <x86intrin.h>

#include "agent/shared/oracle_gate.h"
#include "clr/abi/context_x64.h"
#include "clr/names/runtime_info.h"
#include "wire/records.h"

namespace walkabout::agent {
namespace {

// From here on the CLR's walk unwinds no native frames (its helper method frames are gone).
constexpr uint16_t kNoNativeUnwinding = 10;

clr::ICorProfilerInfo12* g_info = nullptr;
bool g_unwinds_native = false;
uint64_t g_loader = 0;  // an address in the dynamic loader's code; 0: not known
OracleGate g_oracle_gate;

struct Collected {
  const unwind::CodeMap* code;
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
  to->frames[to->count] = unwind::name_address(*to->code, ip, to->count == 0);
  ++to->count;
  return clr::S_OK;
}

clr::ContextX64 context_of(const unwind::Registers& r) {
  using namespace unwind;
  clr::ContextX64 c;
  c.ContextFlags = clr::kContextControl | clr::kContextInteger;
  c.Rax = r.r[kRax], c.Rcx = r.r[kRcx], c.Rdx = r.r[kRdx], c.Rbx = r.r[kRbx];
  c.Rsp = r.sp(), c.Rbp = r.bp(), c.Rsi = r.r[kRsi], c.Rdi = r.r[kRdi];
  c.R8 = r.r[kR8], c.R9 = r.r[kR9], c.R10 = r.r[kR10], c.R11 = r.r[kR11];
  c.R12 = r.r[kR12], c.R13 = r.r[kR13], c.R14 = r.r[kR14], c.R15 = r.r[kR15];
  c.Rip = r.pc();
  return c;
}

// In the library that g_info's functions are in.
uint64_t runtime_address() { return (*reinterpret_cast<const uint64_t* const*>(g_info))[0]; }

// Where the kernel began: the loader's entry. 0 where a program is its own loader.
uint64_t loader_address() {
  const uint64_t base = ::getauxval(AT_BASE);
  return base == 0 ? 0 : base + reinterpret_cast<const ElfW(Ehdr)*>(base)->e_entry;
}

// Whether the thread was interrupted in the library at that address, or in what the library had called,
// managed code aside.
bool inside(uint64_t address, const unwind::CodeMap& code, std::span<const wire::Frame> ours) {
  const unwind::Image* library = code.images->find(address);
  if (library == nullptr) return false;
  for (const wire::Frame frame : ours) {
    if (frame.managed()) return false;
    if (frame.kind() == wire::FrameKind::kNative && frame.code() == library->code) return true;
  }
  return false;
}

OracleAnswer request_clr_walk(const unwind::Registers& seed, const unwind::CodeMap& code,
                              std::span<const wire::Frame> ours, bool interrupted, wire::Frame* frames,
                              uint32_t capacity) {
  // The thread may hold the lock of the runtime's libunwind (exceptions are unwound with it), which a walk
  // that unwinds native frames would wait for forever.
  if (interrupted && g_unwinds_native && inside(runtime_address(), code, ours))
    return {wire::kInsideRuntime, 0, 0};
  // glibc's __tls_get_addr compares the thread's generation twice. The runtime's variables that the CLR's
  // walk reads bring it up to date, and between the two comparisons that gives the thread a second, empty
  // copy of them (glibc 2.36, __tls_get_addr_slow).
  if (interrupted && inside(g_loader, code, ours)) return {wire::kInsideLoader, 0, 0};
  if (!g_oracle_gate.enter()) return {wire::kRuntimeSuspending, 0, 0};
  clr::ContextX64 context = context_of(seed);
  Collected collected{&code, frames, capacity, 0};
  const uint64_t before = __rdtsc();
  const clr::HRESULT hr = g_info->DoStackSnapshot(0, take_frame, clr::COR_PRF_SNAPSHOT_DEFAULT, &collected,
                                                  reinterpret_cast<uint8_t*>(&context), sizeof context);
  const uint64_t cycles = __rdtsc() - before;
  g_oracle_gate.leave();
  return {static_cast<uint32_t>(hr), collected.count, static_cast<uint32_t>(cycles)};
}

}  // namespace

OracleWalk prepare_oracle(clr::ICorProfilerInfo12* info) {
  g_info = info;
  g_loader = loader_address();
  const std::optional<clr::RuntimeVersion> version = clr::runtime_version(info);
  g_unwinds_native = !version || version->major < kNoNativeUnwinding;
  return request_clr_walk;
}

void runtime_suspends() { g_oracle_gate.close(); }
void runtime_resumed() { g_oracle_gate.open(); }

}  // namespace walkabout::agent
