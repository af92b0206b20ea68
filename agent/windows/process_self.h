// What the system says about this process and its threads. Any thread; allocates.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace walkabout::agent {

std::vector<pid_t> thread_ids();
// The number of the calling thread.
pid_t current_tid();
// As SetThreadDescription named it; empty if it did not.
std::string thread_name(pid_t tid);
// Its CPU time; 0 when there is no such thread.
uint64_t thread_cpu_ns(pid_t tid);
// thread: its handle. What thread_name() gives from then on.
void name_thread(void* thread, const char* name);
std::string command_line();
std::string system_name();
std::string host_name();

}  // namespace walkabout::agent
