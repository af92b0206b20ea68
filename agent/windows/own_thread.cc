#include "base/windows/win32.h"
// after win32.h
#include <memory>
#include <string>

#include "agent/windows/own_thread.h"
#include "agent/windows/process_self.h"
#include "agent/windows/thread_word.h"
#include "base/windows/win32_error.h"

namespace walkabout::agent {
namespace {

constexpr int kPriorities[] = {THREAD_PRIORITY_NORMAL, THREAD_PRIORITY_HIGHEST,
                               THREAD_PRIORITY_TIME_CRITICAL};

const ThreadWord g_is_own;

DWORD WINAPI run(void* argument) {
  g_is_own.set(1);
  const std::unique_ptr<std::function<void()>> body(static_cast<std::function<void()>*>(argument));
  (*body)();
  return 0;
}

}  // namespace

bool OwnThread::is_current() { return g_is_own.get() != 0; }

base::Status OwnThread::start(const char* name, std::atomic<pid_t>* tid, std::function<void()> body,
                              Priority priority) {
  auto start = std::make_unique<std::function<void()>>(std::move(body));
  DWORD id = 0;
  HANDLE thread = ::CreateThread(nullptr, 0, run, start.get(), CREATE_SUSPENDED, &id);
  if (thread == nullptr) return base::win32_error("no thread for the agent to be had");
  static_cast<void>(start.release());  // the thread's now
  thread_ = thread;
  tid->store(static_cast<pid_t>(id));
  name_thread(thread, name);
  ::SetThreadPriority(thread, kPriorities[static_cast<size_t>(priority)]);
  ::ResumeThread(thread);
  return {};
}

void OwnThread::join() {
  if (thread_ == nullptr) return;
  ::WaitForSingleObject(thread_, INFINITE);
  detach();
}

void OwnThread::detach() {
  if (thread_ != nullptr) ::CloseHandle(thread_);
  thread_ = nullptr;
}

}  // namespace walkabout::agent
