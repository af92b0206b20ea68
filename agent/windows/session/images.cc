#include "base/windows/win32.h"
// after win32.h
#include <psapi.h>
#include <winternl.h>

#include <vector>

#include "agent/windows/process_self.h"
#include "agent/windows/self_memory.h"
#include "agent/windows/session/images.h"
#include "base/windows/wide_text.h"
#include "base/windows/win32_function.h"
#include "unwind/pe/pe_image.h"

namespace walkabout::agent {
namespace {

// Source: "LdrDllNotification callback function" (ntldr.h is in no SDK).
struct DllNotification {
  ULONG flags;
  const UNICODE_STRING* full_name;
  const UNICODE_STRING* base_name;
  void* base;
  ULONG size;
};
constexpr ULONG kLoaded = 1, kUnloaded = 2;
using Notify = void(CALLBACK*)(ULONG reason, const DllNotification* data, void* context);
using Register = LONG(NTAPI*)(ULONG flags, Notify notify, void* context, void** cookie);
using Unregister = LONG(NTAPI*)(void* cookie);

std::string path_of(const UNICODE_STRING& name) {
  return base::utf8(std::wstring(name.Buffer, name.Length / sizeof(wchar_t)).c_str());
}

void CALLBACK on_dll(ULONG reason, const DllNotification* data, void* context) {
  auto* images = static_cast<Images*>(context);
  const auto base = reinterpret_cast<uint64_t>(data->base);
  if (reason == kLoaded) images->dll_loaded(base, path_of(*data->full_name));
  if (reason == kUnloaded) images->dll_unloaded(base);
}

bool file_is(const std::string& path, const char* name) {
  const size_t slash = path.find_last_of("\\/");
  return ::_stricmp(path.c_str() + (slash == std::string::npos ? 0 : slash + 1), name) == 0;
}

}  // namespace

Images::~Images() { stop_following(); }

void Images::follow_loader() {
  if (const auto add = base::win32_function<Register>(L"ntdll.dll", "LdrRegisterDllNotification");
      add != nullptr)
    add(0, on_dll, this, &cookie_);
  HMODULE modules[1024];
  DWORD bytes = 0;
  if (!::K32EnumProcessModules(::GetCurrentProcess(), modules, sizeof modules, &bytes)) return;
  for (DWORD i = 0; i < bytes / sizeof(HMODULE) && i < 1024; ++i) {
    // Held meanwhile: what is unloaded after it was listed would be known for ever.
    HMODULE held = nullptr;
    if (!::GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS, reinterpret_cast<LPCWSTR>(modules[i]),
                              &held))
      continue;
    wchar_t path[1024] = {};
    ::GetModuleFileNameW(held, path, 1023);
    dll_loaded(reinterpret_cast<uint64_t>(held), base::utf8(path));
    ::FreeLibrary(held);
  }
}

void Images::stop_following() {
  if (cookie_ == nullptr) return;
  if (const auto remove = base::win32_function<Unregister>(L"ntdll.dll", "LdrUnregisterDllNotification");
      remove != nullptr)
    remove(cookie_);
  cookie_ = nullptr;
}

void Images::dll_loaded(uint64_t base, const std::string& path) {
  const base::Lock lock(mutex_);
  add(base, path, true);
}

void Images::dll_unloaded(uint64_t base) {
  const base::Lock lock(mutex_);
  const auto at = known_.find(base);
  if (at == known_.end()) return;
  registry_.remove_image(at->second.image);
  known_.erase(at);
}

void Images::module_loaded(uint64_t base, const std::string& path) {
  if (base == 0) return;
  const base::Lock lock(mutex_);
  add(base, path, false);
}

// What the loader reported it will report again.
void Images::module_unloaded(uint64_t base) {
  const base::Lock lock(mutex_);
  const auto at = known_.find(base);
  if (at == known_.end() || at->second.by_loader) return;
  registry_.remove_image(at->second.image);
  known_.erase(at);
}

// REQUIRES: the lock.
void Images::add(uint64_t base, const std::string& path, bool by_loader) {
  if (known_.count(base) != 0) return;
  unwind::Memory memory;
  memory.slow = read_self;
  const auto pe = unwind::read_pe_image(base, memory);
  if (!pe || pe->code_begin >= pe->code_end || (pe->managed && pe->function_count == 0)) return;
  wire::Module about;
  about.kind = pe->managed ? wire::ModuleKind::kReadyToRun : wire::ModuleKind::kPe;
  about.path = path;
  about.build_id = unwind::identity_bytes(*pe);
  about.start = base;
  about.size = pe->size;
  about.bias = base;
  unwind::Image* image = registry_.add_image(about, [&](unwind::Image& i) {
    i.managed = pe->managed;
    i.jit_compiler = file_is(path, "clrjit.dll");
    i.begin = base + pe->code_begin;
    i.end = base + pe->code_end;
    i.base = base;
    i.mapped = {reinterpret_cast<const uint8_t*>(base), pe->size};
    i.functions = {reinterpret_cast<const unwind::RuntimeFunction*>(base + pe->functions),
                   pe->function_count};
  });
  known_[base] = {image, by_loader};
}

}  // namespace walkabout::agent
