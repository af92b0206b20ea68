// The sampler thread: never ran managed code, makes no call into the CLR, has the host's table of
// descriptors. Finds threads the CLR does not announce and the ones that died, looks up the stacks of threads
// nobody measured, follows library loads, compiles CFI, watches the signal.
#pragma once

#include <atomic>

#include "agent/linux/descriptor_host.h"
#include "agent/linux/own_thread.h"
#include "agent/linux/session/images.h"
#include "agent/linux/thread_table.h"
#include "agent/shared/stop_request.h"

namespace walkabout::agent {

class Spooler;

class Sampler {
 public:
  struct Parts {
    ThreadTable& threads;
    Images& images;
    Spooler& spooler;
    DescriptorHost& host;
    int signal;
    bool traps;  // ticks come as SIGTRAP
  };
  explicit Sampler(const Parts& parts) : parts_(parts) {}
  // REQUIRES: inside work of the host.
  base::Status start();
  void stop();
  // What ticks come as, where they are no traps; 0: the program has taken every one. After stop().
  int signal() const { return parts_.signal; }
  // Set once start() has returned.
  std::atomic<pid_t>& tid() { return tid_; }

 private:
  void run();
  void find_core_library();
  void look(uint64_t now_ns);
  void find_stacks();
  void watch_signals();
  void move_ticks(bool trap_taken, bool signal_taken);
  uint64_t pause_ns(uint64_t now_ns) const;

  Parts parts_;
  uint32_t last_count_ = 0;
  uint64_t start_ns_ = 0, last_change_ns_ = 0, last_listing_ns_ = 0;
  bool one_begins_ = false;    // see ThreadTable::look_at_beginners()
  bool traps_before_ = false;  // ticks came as SIGTRAP until the program took it
  StopRequest stop_;
  std::atomic<pid_t> tid_{0};
  OwnThread thread_;
};

}  // namespace walkabout::agent
