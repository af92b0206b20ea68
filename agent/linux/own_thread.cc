#include "agent/linux/own_thread.h"

#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace walkabout::agent {

std::thread start_own_thread(const char* name, std::atomic<pid_t>* tid, std::function<void()> body) {
  sigset_t all, before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);  // the new thread inherits it
  std::thread thread([name, tid, body = std::move(body)] {
    ::pthread_setname_np(::pthread_self(), name);
    tid->store(static_cast<pid_t>(::syscall(SYS_gettid)));
    tid->notify_all();
    body();
  });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  tid->wait(0);
  return thread;
}

}  // namespace walkabout::agent
