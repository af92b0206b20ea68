#include "agent/linux/own_thread.h"

#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <memory>
#include <string>

#include "agent/linux/handler/alternate_stack.h"

namespace walkabout::agent {
namespace {

struct Start {
  const char* name;
  std::atomic<pid_t>* tid;
  std::function<void()> body;
};

constinit thread_local bool t_own = false;

void* run(void* argument) {
  t_own = true;
  const std::unique_ptr<Start> start(static_cast<Start*>(argument));
  ::pthread_setname_np(::pthread_self(), start->name);
  start->tid->store(static_cast<pid_t>(::syscall(SYS_gettid)));
  start->tid->notify_all();
  start->body();
  free_alternate_stack();
  return nullptr;
}

}  // namespace

bool OwnThread::is_current() { return t_own; }

base::Status OwnThread::start(const char* name, std::atomic<pid_t>* tid, std::function<void()> body) {
  auto start = std::make_unique<Start>(Start{name, tid, std::move(body)});
  sigset_t all, before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);  // the new thread inherits it
  const int error = ::pthread_create(&thread_, nullptr, run, start.get());
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (error != 0)
    return base::Status::error(std::string("no thread for the agent to be had: ") + strerror(error) +
                               " (ulimit -u, or the container's limit of processes)");
  static_cast<void>(start.release());  // the thread's now
  running_ = true;
  tid->wait(0);
  return {};
}

void OwnThread::join() {
  if (running_) ::pthread_join(thread_, nullptr);
  running_ = false;
}

void OwnThread::detach() {
  if (running_) ::pthread_detach(thread_);
  running_ = false;
}

}  // namespace walkabout::agent
