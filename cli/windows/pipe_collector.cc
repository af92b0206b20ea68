#include "base/windows/win32.h"
// after win32.h
#include <random>
#include <vector>

#include "cli/windows/pipe_collector.h"
#include "wire/hello.h"

namespace walkabout::cli {
namespace {
constexpr size_t kLargestRead = 1 << 20;
}

base::Status Collector::open(const std::wstring& output) {
  if (base::Status s = file_.open(output); !s.ok()) return s;
  std::random_device random;
  name_ = L"\\\\.\\pipe\\walkabout-" + std::to_wstring(::GetCurrentProcessId()) + L"-" +
          std::to_wstring(random());
  if (base::Status s = pipe_.make(name_, true); !s.ok()) return s;
  return file_.write(recording::StoredFile::header());
}

base::Status Collector::collect(void* process) {
  char hello = 0;
  const bool came = pipe_.wait_for_client(process);
  if (!came) return base::Status::error("the program ended and no .NET of it had loaded the agent");
  refusals_.begin(name_);
  if (pipe_.read(&hello, 1, process) != 1 || hello != wire::kHello ||
      pipe_.write(&wire::kWelcome, 1, process) != 1)
    return base::Status::error("what connected is no agent of walkabout's");
  base::Status status = take_stream();
  pipe_.close();  // who still writes is told
  std::string rest;
  stored_.finish(&rest);
  if (base::Status s = file_.write(rest); !s.ok() && status.ok()) status = s;
  if (base::Status s = file_.commit(); !s.ok() && status.ok()) status = s;
  return status;
}

base::Status Collector::take_stream() {
  std::vector<char> buffer(kLargestRead);
  for (;;) {
    const size_t n = pipe_.read(buffer.data(), buffer.size(), nullptr);
    if (n == 0) return {};
    std::string blocks;
    const bool whole = stored_.append({buffer.data(), n}, &blocks);
    if (base::Status s = file_.write(blocks); !s.ok()) return s;
    if (!whole) return base::Status::error("the agent's stream is broken");
  }
}

}  // namespace walkabout::cli
