#include "agent/linux/interrupted_call.h"

#include <errno.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "agent/linux/self_memory.h"
#include "base/hot.h"

namespace walkabout::agent {
namespace {

// Calls that may simply be made again: EINTR says they did nothing. (connect goes on by itself and pause
// waits for a signal: they are not among them.) read, write and the socket calls fail with EINTR only where a
// timeout is set on the socket.
constexpr std::array kAgain{
    SYS_poll,        SYS_ppoll,     SYS_select,  SYS_pselect6,        SYS_epoll_wait,
    SYS_epoll_pwait, SYS_nanosleep, SYS_futex,   SYS_clock_nanosleep, SYS_recvfrom,
    SYS_recvmsg,     SYS_sendto,    SYS_sendmsg, SYS_accept,          SYS_accept4,
    SYS_read,        SYS_write,     SYS_readv,   SYS_writev,          SYS_semop,
    SYS_semtimedop,  SYS_msgsnd,    SYS_msgrcv,  SYS_epoll_pwait2,    SYS_rt_sigtimedwait,
};

constexpr uint32_t kSyscallBytes = 2;  // 0f 05
constexpr uint32_t kMovBytes = 5;      // b8 imm32: mov eax, number
constexpr uint32_t kLoadBytes = 4;     // 8b 7c 24 disp8: mov edi, [rsp + disp]

// The number is not in the signal frame; glibc's wrappers load it right before the call, some load the first
// argument in between. code: the bytes before pc.
bool number_of_call(const uint8_t* code, size_t size, uint32_t* number) {
  const uint8_t* syscall = code + size - kSyscallBytes;
  if (syscall[0] != 0x0f || syscall[1] != 0x05) return false;
  const uint8_t* load = syscall - kLoadBytes;
  const bool loads = load[0] == 0x8b && load[1] == 0x7c && load[2] == 0x24;
  for (const uint8_t* mov : {syscall - kMovBytes, load - kMovBytes}) {
    if (*mov != 0xb8 || (mov != syscall - kMovBytes && !loads)) continue;
    std::memcpy(number, mov + 1, sizeof *number);
    return true;
  }
  return false;
}

}  // namespace

WALKABOUT_HOT bool restart_interrupted_call(ucontext_t* context) {
  greg_t& pc = context->uc_mcontext.gregs[REG_RIP];
  greg_t& rax = context->uc_mcontext.gregs[REG_RAX];
  if (rax != -EINTR) [[likely]]
    return false;
  uint8_t code[kMovBytes + kLoadBytes + kSyscallBytes];
  uint32_t number = 0;
  if (!read_self(nullptr, static_cast<uint64_t>(pc) - sizeof code, code, sizeof code)) return false;
  if (!number_of_call(code, sizeof code, &number)) return false;
  if (std::find(kAgain.begin(), kAgain.end(), static_cast<long>(number)) == kAgain.end()) return false;
  pc -= kSyscallBytes;
  rax = number;
  return true;
}

}  // namespace walkabout::agent
