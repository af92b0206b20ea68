#include "base/tick_filter.h"

#include <errno.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <unistd.h>

#include <array>
#include <cstdint>

namespace walkabout::base {
namespace {

enum Register : uint8_t { kR0 = 0, kR1 = 1 };

constexpr bpf_insn load(Register to, Register from, int16_t offset) {
  return {BPF_LDX | BPF_MEM | BPF_DW, to, from, offset, 0};
}
constexpr bpf_insn call(int32_t helper) { return {BPF_JMP | BPF_CALL, 0, 0, 0, helper}; }
constexpr bpf_insn jump_if(uint8_t condition, int32_t value, int16_t over) {
  return {static_cast<uint8_t>(BPF_JMP | condition | BPF_K), kR1, 0, over, value};
}
constexpr bpf_insn set_result(int32_t value) { return {BPF_ALU64 | BPF_MOV | BPF_K, kR0, 0, 0, value}; }
constexpr bpf_insn leave() { return {BPF_JMP | BPF_EXIT, 0, 0, 0, 0}; }

// The registers as the kernel saves them (struct pt_regs) are the first of user_regs_struct. The context of a
// program begins with them: of the interrupted code.
constexpr int16_t kCodeSegment = offsetof(user_regs_struct, cs);
constexpr int16_t kCallNumber = offsetof(user_regs_struct, orig_rax);
constexpr int32_t kUserMode = 3;  // bits of the code segment

constexpr std::array kFilter{
    load(kR1, kR1, kCodeSegment),
    bpf_insn{BPF_ALU64 | BPF_AND | BPF_K, kR1, 0, 0, kUserMode},
    jump_if(BPF_JNE, 0, 8),  // the thread's own code
    call(BPF_FUNC_get_current_task_btf),
    bpf_insn{BPF_ALU64 | BPF_MOV | BPF_X, kR1, kR0, 0, 0},
    call(BPF_FUNC_task_pt_regs),  // as the thread entered the kernel
    load(kR1, kR0, kCallNumber),
    jump_if(BPF_JEQ, SYS_execve, 5),
    jump_if(BPF_JEQ, SYS_execveat, 4),
    jump_if(BPF_JEQ, SYS_rt_sigaction, 3),
    jump_if(BPF_JEQ, SYS_io_uring_enter, 2),
    set_result(1),
    leave(),
    set_result(0),  // no tick
    leave(),
};

}  // namespace

int load_tick_filter() {
  bpf_attr attr{};
  attr.prog_type = BPF_PROG_TYPE_PERF_EVENT;
  attr.insns = reinterpret_cast<uint64_t>(kFilter.data());
  attr.insn_cnt = kFilter.size();
  attr.license = reinterpret_cast<uint64_t>("Dual MIT/GPL");
  return static_cast<int>(::syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof attr));
}

int set_tick_filter(int clock, int filter) {
  return ::ioctl(clock, PERF_EVENT_IOC_SET_BPF, filter) == 0 ? 0 : errno;
}

}  // namespace walkabout::base
