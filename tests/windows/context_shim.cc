// Tests only: loads walkabout.dll in its own place and makes GetThreadContext, as coreclr.dll and the agent
// import it, say what Windows says: that the thread's exception state is reported. Wine 8 leaves the flag
// out, and the CLR then refuses to walk a thread that runs managed code (docs/windows.md). And
// QueryThreadCycleTime counts, as on Windows.
#include "base/win32.h"
// after win32.h
#include <cstdint>
#include <cstring>

#include "tests/windows/thread_cycles.h"

namespace {

constexpr DWORD kExceptionReporting = 0x80000000;

BOOL WINAPI get_thread_context(HANDLE thread, CONTEXT* context) {
  const BOOL known = ::GetThreadContext(thread, context);
  if (known) context->ContextFlags |= kExceptionReporting;
  return known;
}

struct Replacement {
  const char* name;
  void* function;
};
const Replacement kReplacements[] = {
    {"GetThreadContext", reinterpret_cast<void*>(&get_thread_context)},
    {"QueryThreadCycleTime", reinterpret_cast<void*>(&walkabout::tests::thread_cycles)},
};

void put(IMAGE_THUNK_DATA* slot, void* function) {
  DWORD before = 0;
  ::VirtualProtect(slot, sizeof *slot, PAGE_READWRITE, &before);
  slot->u1.Function = reinterpret_cast<ULONGLONG>(function);
  ::VirtualProtect(slot, sizeof *slot, before, &before);
}

// Puts ours into the import table of a module.
void patch(HMODULE module) {
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
      for (const Replacement& ours : kReplacements) {
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
  ::lstrcpyW(name + 1, L"walkabout.dll");
  return ::LoadLibraryW(path);
}

}  // namespace

extern "C" long DllGetClassObject(const void* clsid, const void* riid, void** object) {
  const HMODULE agent = load_agent();
  const auto get =
      reinterpret_cast<GetClassObject>(reinterpret_cast<void*>(::GetProcAddress(agent, "DllGetClassObject")));
  if (agent == nullptr || get == nullptr) return static_cast<long>(0x80004005);
  patch(agent);
  if (const HMODULE runtime = ::GetModuleHandleW(L"coreclr.dll"); runtime != nullptr) patch(runtime);
  return get(clsid, riid, object);
}

extern "C" long DllCanUnloadNow() { return 1; }

extern "C" BOOL WINAPI DllMain(HINSTANCE, DWORD reason, LPVOID) {
  if (reason == DLL_PROCESS_ATTACH || reason == DLL_THREAD_ATTACH) walkabout::tests::announce_thread();
  return TRUE;
}
