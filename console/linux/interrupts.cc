#include "console/linux/interrupts.h"

#include <signal.h>

#include <atomic>

namespace walkabout::cli {
namespace {

std::atomic<int> g_interrupts{0};
std::atomic<int> g_sent_to_us{0};

void on_interrupt(int signal, siginfo_t* info, void*) {
  g_interrupts.fetch_add(1);
  if (info->si_code == SI_USER || info->si_code == SI_QUEUE) g_sent_to_us.store(signal);
}

}  // namespace

void watch_interrupts() {
  struct sigaction action {};
  action.sa_sigaction = on_interrupt;
  action.sa_flags = SA_SIGINFO;
  for (int s : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    if (::sigaction(s, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)
      ::sigaction(s, &action, nullptr);
  }
  ::signal(SIGPIPE, SIG_IGN);
}

int interrupts() { return g_interrupts.load(); }

int take_signal_sent_to_us() { return g_sent_to_us.exchange(0); }

}  // namespace walkabout::cli
