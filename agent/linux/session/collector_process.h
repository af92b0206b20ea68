// Starts a collector for this process where no CLI did: `walkabout collect`, with one end of a socket as its
// descriptor 3. Before managed code runs; not from a handler.
//
// The program must not notice. The collector is nobody's child here: a child in between starts it and is gone
// at once (the first one ends without a signal, so that neither a SIGCHLD handler nor waitpid(-1) sees it;
// wait(2), __WCLONE), and it is in a session of its own, so no Ctrl-C reaches it. It has none of our
// descriptors but standard error, for what it has to say. Memory is shared until it executes, as in vfork: a
// large process is not copied.
//
// What others could replace is not executed: by the rules of base/linux/trust_rule.h, where whoever owns a
// folder above our library is trusted.
#pragma once

#include <string>

#include "base/fd.h"
#include "base/result.h"

namespace walkabout::agent {

// `requested` (WALKABOUT_CLI) if it is not empty; else the program beside our library: there, or in ../../bin
// of an installation. Also when there is none: start_collector() reports that.
std::string collector_path(const std::string& requested);

// Our end of the socket. An error when it cannot or must not be executed.
base::Result<base::Fd> start_collector(const std::string& path);

}  // namespace walkabout::agent
