#include "base/linux/tick_filter.h"

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
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/linux/tick_filter_types.h"

namespace walkabout::base {
namespace {

enum Register : uint8_t { kR0, kR1, kR2, kR3, kR6 = 6, kR7, kR8, kFrame = 10 };  // R6 to R8 outlive calls

enum class Label : uint8_t { kTick, kNoTick, kNoHandler, kCount };

// Puts the program together; jumps are forward, to labels.
class Assembler {
 public:
  void copy(Register to, Register from) { add({BPF_ALU64 | BPF_MOV | BPF_X, to, from, 0, 0}); }
  void set(Register to, int32_t value) { add({BPF_ALU64 | BPF_MOV | BPF_K, to, 0, 0, value}); }
  void set_long(Register to, uint64_t value) {
    add({BPF_LD | BPF_IMM | BPF_DW, to, 0, 0, static_cast<int32_t>(value)});
    add({0, 0, 0, 0, static_cast<int32_t>(value >> 32)});
  }
  void add(Register to, int32_t value) { add({BPF_ALU64 | BPF_ADD | BPF_K, to, 0, 0, value}); }
  void subtract(Register from, Register what) { add({BPF_ALU64 | BPF_SUB | BPF_X, from, what, 0, 0}); }
  void mask(Register to, int32_t value) { add({BPF_ALU64 | BPF_AND | BPF_K, to, 0, 0, value}); }
  void call(int32_t helper) { add({BPF_JMP | BPF_CALL, 0, 0, 0, helper}); }
  void load(Register to, Register from, int16_t offset) {
    add({BPF_LDX | BPF_MEM | BPF_DW, to, from, offset, 0});
  }
  void load_field(Register to, Register from, Field field) {
    reads_.push_back({size(), field});
    load(to, from, field);
  }
  // Of R1 and a value, or R1 and R2.
  void jump_if(uint8_t condition, int32_t value, Label to) {
    jumps_.push_back({size(), to});
    add({static_cast<uint8_t>(BPF_JMP | condition | BPF_K), kR1, 0, 0, value});
  }
  void jump_if_not_equal(Label to) {
    jumps_.push_back({size(), to});
    add({BPF_JMP | BPF_JNE | BPF_X, kR1, kR2, 0, 0});
  }
  void here(Label label) { places_[static_cast<size_t>(label)] = size(); }
  void leave(int32_t result) {
    set(kR0, result);
    add({BPF_JMP | BPF_EXIT, 0, 0, 0, 0});
  }

  std::vector<bpf_insn> code() const {
    std::vector<bpf_insn> all = code_;
    for (const auto& [at, to] : jumps_)
      all[at].off = static_cast<int16_t>(places_[static_cast<size_t>(to)] - at - 1);
    return all;
  }
  const std::vector<FieldRead>& reads() const { return reads_; }

 private:
  struct Jump {
    uint32_t at;
    Label to;
  };

  void add(bpf_insn instruction) { code_.push_back(instruction); }
  uint32_t size() const { return static_cast<uint32_t>(code_.size()); }

  std::vector<bpf_insn> code_;
  std::vector<FieldRead> reads_;
  std::vector<Jump> jumps_;
  std::array<uint32_t, static_cast<size_t>(Label::kCount)> places_{};
};

// The registers as the kernel saves them (struct pt_regs) are the first of user_regs_struct. The context of a
// program begins with them: of the interrupted code.
constexpr int16_t kCodeSegment = offsetof(user_regs_struct, cs);
constexpr int16_t kCallNumber = offsetof(user_regs_struct, orig_rax);
constexpr int16_t kStackPointer = offsetof(user_regs_struct, rsp);
constexpr int32_t kUserMode = 3;  // bits of the code segment
constexpr int32_t bit(int signal) { return 1 << (signal - 1); }

constexpr int32_t kEpollPwait2 = 441;  // newer than glibc 2.31
// Calls in which a tick would be seen: those that replace the program, take the signal, hand signals out in
// the middle of their wait, or have another mask while they last than the thread has.
constexpr std::array<int32_t, 12> kLeftOut{SYS_execve,         SYS_execveat,        SYS_rt_sigaction,
                                           SYS_io_uring_enter, SYS_rt_sigprocmask,  SYS_rt_sigreturn,
                                           SYS_rt_sigsuspend,  SYS_rt_sigtimedwait, SYS_ppoll,
                                           SYS_pselect6,       SYS_epoll_pwait,     kEpollPwait2};

// R7: the thread. Leaves its registers in R8: of its own code, or as it entered the kernel.
void skip_near_the_stacks_end(Assembler& a, const TickStack& stack) {
  constexpr int32_t kWord = 8;
  a.copy(kR1, kR7);
  a.call(BPF_FUNC_task_pt_regs);
  a.copy(kR8, kR0);
  a.copy(kR1, kFrame);
  a.add(kR1, -kWord);
  a.set(kR2, kWord);
  a.load_field(kR3, kR7, kThreadPointerAt);
  a.add(kR3, stack.end_at);
  a.call(BPF_FUNC_probe_read_user);  // 0 where it cannot be read
  a.load(kR2, kFrame, -kWord);
  a.load(kR1, kR8, kStackPointer);
  a.subtract(kR1, kR2);  // on another stack, and where the end is not known, it is far away
  a.jump_if(BPF_JLT, stack.room, Label::kNoTick);
}

// R6: the context. R7: the thread. Where another handler stands, R1 is that one.
void go_on_where_handled(Assembler& a, int signal, Field handler_at, uint64_t handler, Label by_another) {
  a.load_field(kR1, kR7, kBlockedAt);
  a.jump_if(BPF_JSET, bit(signal), Label::kNoTick);
  a.load_field(kR1, kR7, kSighandAt);
  a.load_field(kR1, kR1, handler_at);
  a.set_long(kR2, handler);
  a.jump_if_not_equal(by_another);
}

// R8: the registers as the thread entered the kernel.
void skip_in_calls_left_out(Assembler& a) {
  a.load(kR1, kR6, kCodeSegment);
  a.jump_if(BPF_JSET, kUserMode, Label::kTick);  // the thread's own code
  a.load(kR1, kR8, kCallNumber);
  for (const int32_t call : kLeftOut) a.jump_if(BPF_JEQ, call, Label::kNoTick);
}

// R1: the handler that stands for SIGTRAP. Nothing is interrupted: the thread is in its own code.
void wake_where_default(Assembler& a, uint64_t wake_handler) {
  a.jump_if(BPF_JNE, 0, Label::kNoTick);
  a.load(kR1, kR6, kCodeSegment);
  a.mask(kR1, kUserMode);
  a.jump_if(BPF_JEQ, 0, Label::kNoTick);
  go_on_where_handled(a, kLateTrapSignal, kWakeHandlerAt, wake_handler, Label::kNoTick);
  a.set(kR1, kLateTrapSignal);
  a.call(BPF_FUNC_send_signal_thread);
}

Assembler program(TrapHandler handler, TrapHandler wake_handler, const TickStack& stack) {
  Assembler a;
  a.copy(kR6, kR1);
  a.call(BPF_FUNC_get_current_task_btf);
  a.copy(kR7, kR0);
  skip_near_the_stacks_end(a, stack);
  go_on_where_handled(a, SIGTRAP, kTrapHandlerAt, reinterpret_cast<uint64_t>(handler), Label::kNoHandler);
  skip_in_calls_left_out(a);
  a.here(Label::kTick);
  a.leave(1);
  a.here(Label::kNoHandler);
  if (wake_handler != nullptr) wake_where_default(a, reinterpret_cast<uint64_t>(wake_handler));
  a.here(Label::kNoTick);
  a.leave(0);
  return a;
}

int load_types(const std::string& description) {
  bpf_attr attr{};
  attr.btf = reinterpret_cast<uint64_t>(description.data());
  attr.btf_size = static_cast<uint32_t>(description.size());
  return static_cast<int>(::syscall(SYS_bpf, BPF_BTF_LOAD, &attr, sizeof attr));
}

}  // namespace

int load_tick_filter(TrapHandler handler, TrapHandler wake_handler, const TickStack& stack) {
  const Assembler assembled = program(handler, wake_handler, stack);
  const std::vector<bpf_insn> code = assembled.code();
  const FilterTypes types = filter_types(assembled.reads());
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
  attr.core_relo_rec_size = sizeof(bpf_core_relo);
  return static_cast<int>(::syscall(SYS_bpf, BPF_PROG_LOAD, &attr, sizeof attr));
}

int set_tick_filter(int clock, int filter) {
  return ::ioctl(clock, PERF_EVENT_IOC_SET_BPF, filter) == 0 ? 0 : errno;
}

}  // namespace walkabout::base
