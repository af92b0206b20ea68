// What /proc says about this process. Any thread; allocates. What opens files is work for the descriptor
// host.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace walkabout::agent {

struct Mapping {
  uint64_t begin = 0;
  uint64_t end = 0;
  uint64_t offset = 0;
  bool readable = false;
  bool executable = false;
  std::string path;
};

// How many threads there are (the link count of the task folder says it without a listing); 0 when unknown.
uint32_t thread_count();
// The number of the calling thread.
pid_t current_tid();
std::vector<pid_t> thread_ids();
std::string thread_name(pid_t tid);
// Whether it blocks the signal; false when there is no such thread.
bool blocks_signal(pid_t tid, int signal);
// Its CPU time; 0 when there is no such thread, and for tid 0.
uint64_t thread_cpu_ns(pid_t tid);
// Bytes of address space that are taken, by the kernel's count for RLIMIT_AS; 0 when unknown.
uint64_t address_space();
std::string command_line();
std::vector<Mapping> mappings();
// Whether the program has a ring of io_uring mapped.
bool maps_io_ring();
// The whole of a file of /proc; empty where it cannot be read.
std::string read_proc_file(const std::string& path);

}  // namespace walkabout::agent
