// Tests only: loads walkabout.dll in its own place (agent.dll where it has that name itself) and makes
// GetThreadContext, as coreclr.dll and the agent import it, say what Windows says: that the thread's
// exception state is reported. Wine 8 leaves the flag out, and the CLR then refuses to walk a thread that
// runs managed code (docs/windows.md). And QueryThreadCycleTime counts, as on Windows. It also measures how
// long threads stand (stood_times.h).
#include "base/windows/win32.h"
// after win32.h
#include <cstdint>
#include <cstring>
#include <span>

#include "tests/windows/stood_times.h"
#include "tests/windows/thread_cycles.h"

namespace tests = walkabout::tests;

namespace {

constexpr DWORD kExceptionReporting = 0x80000000;

BOOL get_thread_context(HANDLE thread, CONTEXT* context) {
  const BOOL known = ::GetThreadContext(thread, context);
  if (known) context->ContextFlags |= kExceptionReporting;
  return known;
}

BOOL WINAPI agent_gets_context(HANDLE thread, CONTEXT* context) {
  const BOOL known = get_thread_context(thread, context);
  if (known) tests::stands();
  return known;
}

BOOL WINAPI clr_gets_context(HANDLE thread, CONTEXT* context) {
  const uint64_t begin = tests::now_ns();
  const BOOL known = get_thread_context(thread, context);
  tests::clr_called_the_system(tests::now_ns() - begin);
  return known;
}

DWORD WINAPI agent_resumes(HANDLE thread) {
  tests::goes_on();
  return ::ResumeThread(thread);
}

struct Replacement {
  const char* name;
  void* function;
};
const Replacement kOfAgent[] = {
    {"GetThreadContext", reinterpret_cast<void*>(&agent_gets_context)},
    {"ResumeThread", reinterpret_cast<void*>(&agent_resumes)},
    {"QueryThreadCycleTime", reinterpret_cast<void*>(&tests::thread_cycles)},
};
const Replacement kOfRuntime[] = {{"GetThreadContext", reinterpret_cast<void*>(&clr_gets_context)}};

void put(IMAGE_THUNK_DATA* slot, void* function) {
  DWORD before = 0;
  ::VirtualProtect(slot, sizeof *slot, PAGE_READWRITE, &before);
  slot->u1.Function = reinterpret_cast<ULONGLONG>(function);
  ::VirtualProtect(slot, sizeof *slot, before, &before);
}

// Puts ours into the import table of a module.
void patch(HMODULE module, std::span<const Replacement> replacements) {
  auto* base = reinterpret_cast<uint8_t*>(module);
  const auto* dos = reinterpret_cast<const IMAGE_DOS_HEADER*>(base);
  const auto* nt = reinterpret_cast<const IMAGE_NT_HEADERS*>(base + dos->e_lfanew);
  const auto directory = nt->OptionalHeader.DataDirectory[IMAGE_DIRECTORY_ENTRY_IMPORT];
  if (directory.Size == 0) return;
  for (auto* d = reinterpret_cast<IMAGE_IMPORT_DESCRIPTOR*>(base + directory.VirtualAddress); d->Name != 0;
       ++d) {
    auto* name = reinterpret_cast<IMAGE_THUNK_DATA*>(base + d->OriginalFirstThunk);
    auto* slot = reinterpret_cast<IMAGE_THUNK_DATA*>(base + d->FirstThunk);
    for (; name->u1.AddressOfData != 0; ++name, ++slot) {
      if (IMAGE_SNAP_BY_ORDINAL(name->u1.Ordinal)) continue;
      const auto* import = reinterpret_cast<const IMAGE_IMPORT_BY_NAME*>(base + name->u1.AddressOfData);
      for (const Replacement& ours : replacements) {
        if (std::strcmp(reinterpret_cast<const char*>(import->Name), ours.name) == 0)
          put(slot, ours.function);
      }
    }
  }
}

using GetClassObject = long(WINAPI*)(const void*, const void*, void**);

HMODULE load_agent() {
  HMODULE self = nullptr;
  wchar_t path[1024] = {};
  ::GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS, reinterpret_cast<LPCWSTR>(&load_agent), &self);
  ::GetModuleFileNameW(self, path, 1000);
  wchar_t* name = ::wcsrchr(path, L'\\');
  const bool in_its_place = ::lstrcmpiW(name + 1, L"walkabout.dll") == 0;
  ::lstrcpyW(name + 1, in_its_place ? L"agent.dll" : L"walkabout.dll");
  return ::LoadLibraryW(path);
}

}  // namespace

extern "C" long DllGetClassObject(const void* clsid, const void* riid, void** object) {
  const HMODULE agent = load_agent();
  const auto get =
      reinterpret_cast<GetClassObject>(reinterpret_cast<void*>(::GetProcAddress(agent, "DllGetClassObject")));
  if (agent == nullptr || get == nullptr) return static_cast<long>(0x80004005);
  patch(agent, kOfAgent);
  if (const HMODULE runtime = ::GetModuleHandleW(L"coreclr.dll"); runtime != nullptr)
    patch(runtime, kOfRuntime);
  return get(clsid, riid, object);
}

extern "C" long DllCanUnloadNow() { return 1; }

extern "C" BOOL WINAPI DllMain(HINSTANCE, DWORD reason, LPVOID) {
  if (reason == DLL_PROCESS_ATTACH || reason == DLL_THREAD_ATTACH) tests::announce_thread();
  if (reason == DLL_PROCESS_DETACH) tests::write_stood_times();
  return TRUE;
}
