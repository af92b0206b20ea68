// The dynamic loader, busy and held.
#include <dlfcn.h>
#include <link.h>

#include "hostile.h"

// Loads and unloads a library whose initializer takes its time, with the loader's lock held.
HOSTILE int hostile_load(int times) {
  for (int i = 0; i < times; ++i) {
    void* library = ::dlopen("libhostile_slow_load.so", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return 1;
    using Answer = int (*)();
    const auto answer = reinterpret_cast<Answer>(::dlsym(library, "hostile_slow_answer"));
    if (answer == nullptr || answer() != 42) return 2;
    if (::dlclose(library) != 0) return 3;
  }
  return 0;
}

// Works inside dl_iterate_phdr, which holds the loader's lock meanwhile.
HOSTILE int hostile_hold_loader() {
  int modules = 0;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        ++*static_cast<int*>(data);
        hostile::burn(static_cast<uint32_t>(info->dlpi_phnum), 20'000);
        return 0;
      },
      &modules);
  return modules > 3 ? 0 : 1;
}
