#include "base/windows/win32.h"
// after win32.h
#include <io.h>

#include <algorithm>
#include <cstdlib>

#include "cli/terminal.h"

namespace walkabout::cli {
size_t columns(int fd, size_t otherwise) {
  CONSOLE_SCREEN_BUFFER_INFO info{};
  auto* console = reinterpret_cast<HANDLE>(::_get_osfhandle(fd));
  if (!::GetConsoleScreenBufferInfo(console, &info)) return otherwise;
  return static_cast<size_t>(info.srWindow.Right - info.srWindow.Left) + 1;
}

// Colours where the console takes escape codes: since Windows 10.
Terminal standard_output() {
  auto* console = ::GetStdHandle(STD_OUTPUT_HANDLE);
  DWORD mode = 0;
  if (!::GetConsoleMode(console, &mode)) return {};
  Terminal terminal;
  terminal.width = std::max(columns(1, 80), kNarrowest);
  const char* no_colour = std::getenv("NO_COLOR");
  terminal.colours = (no_colour == nullptr || *no_colour == '\0') &&
                     ::SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
  return terminal;
}

}  // namespace walkabout::cli
