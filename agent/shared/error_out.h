// The program's standard error, where its user is told when profiling cannot begin or ends early. The program
// must not notice: one line in one write, which neither waits nor raises a signal, and only while the
// descriptor is what the program was started with. After an attach nobody knows what it is: nothing is
// printed then. Any thread.
#pragma once

#include <string>

namespace walkabout::agent {

// Standard error is now what the program was started with. Once, before the program runs.
void remember_stderr();

// "walkabout: CAUSE", if it can be written.
void report_on_stderr(const std::string& cause);

}  // namespace walkabout::agent
