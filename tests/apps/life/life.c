// What C# cannot do: a fork without exec, and, when preloaded, a wall clock that jumps by a day to and fro.
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int fork_and_wait(void) {
  const pid_t child = fork();
  if (child == 0) {
    usleep(300000);  // some ticks of the parent and passes of its spooler
    _exit(5);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
  }
  return WEXITSTATUS(status);
}

// Its result in the child is 0, as fork's.
int fork_only(void) { return fork(); }

// 128 and more: the signal.
int how_ended(int child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void leave(int code) { _exit(code); }

int clock_gettime(clockid_t clock, struct timespec* time) {
  static int calls;
  const int result = (int)syscall(SYS_clock_gettime, clock, time);
  if (clock == CLOCK_REALTIME) time->tv_sec += (calls++ % 3 - 1) * 86400;
  return result;
}
