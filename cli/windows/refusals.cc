#include "base/windows/win32.h"
// after win32.h
#include "cli/windows/pipe_end.h"
#include "cli/windows/refusals.h"
#include "wire/hello.h"

namespace walkabout::cli {

Refusals::~Refusals() {
  if (stop_ == nullptr) return;
  ::SetEvent(stop_);
  thread_.join();
  ::CloseHandle(stop_);
}

void Refusals::begin(const std::wstring& pipe_name) {
  stop_ = ::CreateEventW(nullptr, TRUE, FALSE, nullptr);
  if (stop_ != nullptr) thread_ = std::thread([this, pipe_name] { run(pipe_name); });
}

void Refusals::run(const std::wstring& pipe_name) const {
  for (;;) {
    PipeEnd pipe;
    if (!pipe.make(pipe_name, false).ok() || !pipe.wait_for_client(stop_)) return;
    char hello = 0;
    if (pipe.read(&hello, 1, stop_) != 1 || hello != wire::kHello) continue;
    if (pipe.write(&wire::kNotWanted, 1, stop_) == 1)
      pipe.read(&hello, 1, stop_);  // until it has read that and closed its end
  }
}

}  // namespace walkabout::cli
