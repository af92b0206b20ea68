// Signals the user sends to end a session (Ctrl-C, SIGTERM, SIGHUP): noted, to be acted on by the caller's
// loop. One thread asks.
#pragma once

namespace walkabout::cli {

// From here on they are noted. What is ignored (nohup, a script's background job) stays so. Also: a broken
// pipe is an error, no signal.
void watch_interrupts();
// How many came.
int interrupts();
// The last one that was sent to us alone and not by a terminal, which sends it to its whole foreground group;
// 0 if there is none. Asking takes it away.
int take_signal_sent_to_us();

}  // namespace walkabout::cli
