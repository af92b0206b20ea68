#include "base/tick_filter.h"

#include <errno.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "base/fd.h"
#include "base/tick_filter_types.h"

namespace walkabout::base {
namespace {

enum Register : uint8_t { kR0, kR1, kR2, kR6 = 6, kR7 };  // the last two outlive calls

constexpr bpf_insn load(Register to, Register from, int16_t offset) {
  return {BPF_LDX | BPF_MEM | BPF_DW, to, from, offset, 0};
}
constexpr bpf_insn copy(Register to, Register from) { return {BPF_ALU64 | BPF_MOV | BPF_X, to, from, 0, 0}; }
constexpr bpf_insn call(int32_t helper) { return {BPF_JMP | BPF_CALL, 0, 0, 0, helper}; }
// Of R1 and a value.
constexpr bpf_insn jump_if(uint8_t condition, int32_t value, int16_t over) {
  return {static_cast<uint8_t>(BPF_JMP | condition | BPF_K), kR1, 0, over, value};
}
constexpr bpf_insn jump_if_not_equal(Register a, Register b, int16_t over) {
  return {BPF_JMP | BPF_JNE | BPF_X, a, b, over, 0};
}
constexpr bpf_insn set_result(int32_t value) { return {BPF_ALU64 | BPF_MOV | BPF_K, kR0, 0, 0, value}; }
constexpr bpf_insn leave() { return {BPF_JMP | BPF_EXIT, 0, 0, 0, 0}; }

// The registers as the kernel saves them (struct pt_regs) are the first of user_regs_struct. The context of a
// program begins with them: of the interrupted code.
constexpr int16_t kCodeSegment = offsetof(user_regs_struct, cs);
constexpr int16_t kCallNumber = offsetof(user_regs_struct, orig_rax);
constexpr int32_t kUserMode = 3;  // bits of the code segment
constexpr int32_t kTrapBit = 1 << (SIGTRAP - 1);

constexpr uint32_t kReadsBlocked = 3, kReadsSighand = 5, kReadsHandler = 6;  // their places in it

constexpr int32_t kEpollPwait2 = 441;  // newer than glibc 2.31
// Calls in which a tick would be seen: those that replace the program, take the signal, hand signals out in
// the middle of their wait, or have another mask while they last than the thread has.
constexpr std::array<int32_t, 12> kLeftOut{SYS_execve,         SYS_execveat,        SYS_rt_sigaction,
                                           SYS_io_uring_enter, SYS_rt_sigprocmask,  SYS_rt_sigreturn,
                                           SYS_rt_sigsuspend,  SYS_rt_sigtimedwait, SYS_ppoll,
                                           SYS_pselect6,       SYS_epoll_pwait,     kEpollPwait2};
constexpr auto kCalls = static_cast<int16_t>(kLeftOut.size());

auto program(uint64_t handler) {
  const std::array begin{
      copy(kR6, kR1),
      call(BPF_FUNC_get_current_task_btf),
      copy(kR7, kR0),
      load(kR1, kR7, kBlockedAt),
      jump_if(BPF_JSET, kTrapBit, kCalls + 12),
      load(kR1, kR7, kSighandAt),
      load(kR1, kR1, kHandlerAt),
      bpf_insn{BPF_LD | BPF_IMM | BPF_DW, kR2, 0, 0, static_cast<int32_t>(handler)},
      bpf_insn{0, 0, 0, 0, static_cast<int32_t>(handler >> 32)},
      jump_if_not_equal(kR1, kR2, kCalls + 7),
      load(kR1, kR6, kCodeSegment),
      jump_if(BPF_JSET, kUserMode, kCalls + 3),  // the thread's own code
      copy(kR1, kR7),
      call(BPF_FUNC_task_pt_regs),  // as the thread entered the kernel
      load(kR1, kR0, kCallNumber),
  };
  const std::array end{
      set_result(1),
      leave(),
      set_result(0),  // no tick
      leave(),
  };
  std::array<bpf_insn, begin.size() + kLeftOut.size() + end.size()> all;
  auto at = std::copy(begin.begin(), begin.end(), all.begin());
  for (int16_t i = 0; i < kCalls; ++i)
    *at++ = jump_if(BPF_JEQ, kLeftOut[static_cast<size_t>(i)], static_cast<int16_t>(kCalls - i + 1));
  std::copy(end.begin(), end.end(), at);
  return all;
}

int load_types(const std::string& description) {
  bpf_attr attr{};
  attr.btf = reinterpret_cast<uint64_t>(description.data());
  attr.btf_size = static_cast<uint32_t>(description.size());
  return static_cast<int>(::syscall(SYS_bpf, BPF_BTF_LOAD, &attr, sizeof attr));
}

}  // namespace

int load_tick_filter(TrapHandler handler) {
  const auto code = program(reinterpret_cast<uint64_t>(handler));
  const FilterTypes types = filter_types(kReadsBlocked, kReadsSighand, kReadsHandler);
  const Fd described(load_types(types.description));
  if (!described.valid()) return -1;
  bpf_attr attr{};
  attr.prog_type = BPF_PROG_TYPE_PERF_EVENT;
  attr.insns = reinterpret_cast<uint64_t>(code.data());
  attr.insn_cnt = static_cast<uint32_t>(code.size());
  attr.license = reinterpret_cast<uint64_t>("Dual MIT/GPL");
  attr.prog_btf_fd = static_cast<uint32_t>(described.get());
  attr.func_info = reinterpret_cast<uint64_t>(&types.function);
  attr.func_info_cnt = 1;
  attr.func_info_rec_size = sizeof types.function;
  attr.core_relos = reinterpret_cast<uint64_t>(types.fields.data());
  attr.core_relo_cnt = static_cast<uint32_t>(types.fields.size());
  attr.core_relo_rec_size = sizeof types.fields[0];
  return static_cast<int>(::syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof attr));
}

int set_tick_filter(int clock, int filter) {
  return ::ioctl(clock, PERF_EVENT_IOC_SET_BPF, filter) == 0 ? 0 : errno;
}

}  // namespace walkabout::base
