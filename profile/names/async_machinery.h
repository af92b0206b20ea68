// What of .NET's core library runs async methods, tasks and work of the thread pool: it stands between an
// async method and who awaits it, and under all work of the pool. By the names of .NET 8, 9 and 10. Any
// thread, no state.
#pragma once

#include <string_view>

namespace walkabout::profile {

// name: readable (DisplayFrame::name), of a method of System.Private.CoreLib.
bool is_async_machinery(std::string_view name);
// Whether it is under all of a managed thread, whoever has started it: the pool's workers, and the program's
// own threads.
bool is_thread_start(std::string_view name);

}  // namespace walkabout::profile
