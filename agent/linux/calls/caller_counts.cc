#include "agent/linux/calls/caller_counts.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <utility>

#include "agent/linux/calls/counted_call.h"
#include "agent/linux/handler/handler.h"
#include "agent/linux/handler/self_memory.h"
#include "unwind/walk/caller.h"

namespace walkabout::agent {
namespace {

// Of the stack that is read as it is: a frame that is larger is read by the kernel.
constexpr uint64_t kStackBytes = 4096;

// What the program's threads add to; null: nobody counts. Read inside of tick_gate().
constinit std::atomic<CallerCounts*> g_counts{nullptr};

bool read_keeping_errno(void* context, uint64_t address, void* to, size_t size) {
  const int saved_errno = errno;
  const bool read = read_self(context, address, to, size);
  errno = saved_errno;
  return read;
}

// The CLR's Thread object of the calling thread; 0: not known.
[[gnu::noinline]] uint64_t own_thread_object() {
  const auto tid = static_cast<pid_t>(::syscall(SYS_gettid));
  for (const ThreadSlot& slot : thread_slots()) {
    if (slot.tid.load(std::memory_order_relaxed) == tid)
      return slot.clr_thread.load(std::memory_order_relaxed);
  }
  return 0;
}

// Where the runtime may have hidden the caller. Seldom needed.
[[gnu::noinline]] unwind::FoundCaller find_hidden_caller(const unwind::Registers& counted,
                                                         unwind::Memory memory, const unwind::CodeMap& code) {
  memory.runtime_thread = own_thread_object();
  return memory.runtime_thread == 0 ? unwind::FoundCaller() : unwind::find_caller(counted, memory, code);
}

}  // namespace

// Its frame has to be there: what it calls is called, and returns to it.
extern "C" [[gnu::noinline]] void walkabout_count_call_by_caller(uint64_t method) {
  walkabout_count_call(method);
  const auto* frame = static_cast<const uint64_t*>(__builtin_frame_address(0));
  const unwind::ReaderGate::Reader inside(tick_gate());
  if (CallerCounts* counts = g_counts.load(std::memory_order_acquire); counts != nullptr)
    counts->add({static_cast<uint32_t>(method), frame[1], reinterpret_cast<uint64_t>(frame + 2), frame[0]});
}

void CallerCounts::begin(const unwind::CodeMap& code) {
  code_ = code;
  g_counts.store(this, std::memory_order_release);  // partner: walkabout_count_call_by_caller()
}

void CallerCounts::end() {
  CallerCounts* own = this;
  g_counts.compare_exchange_strong(own, nullptr, std::memory_order_seq_cst);
}

void CallerCounts::add(const Counted& counted) {
  // acquire: partner of the registry's release. Before the maps are looked into: what is kept is of that
  // time.
  const uint32_t generation = code_.generation->load(std::memory_order_acquire);
  const uint32_t block = own_counter_block();
  CallerMemo* memo = block == 0 ? nullptr : &memos_[block];
  uint32_t pair = memo == nullptr ? CallerMemo::kUnknown : memo->find(counted.pc, counted.sp, generation);
  if (pair == CallerMemo::kUnknown) pair = find_pair(counted, generation, memo);
  if (pair != CallerTable::kNoRoom) table_.count(pair);
}

// kNoRoom: the call was counted as one whose caller is not told.
[[gnu::noinline]] uint32_t CallerCounts::find_pair(const Counted& counted, uint32_t generation,
                                                   CallerMemo* memo) {
  unwind::Memory memory;
  memory.lo = counted.sp;
  memory.hi = counted.sp + kStackBytes;
  memory.slow = read_keeping_errno;
  unwind::Registers regs;
  regs.pc() = counted.pc;
  regs.sp() = counted.sp;
  regs.bp() = counted.bp;
  unwind::FoundCaller caller = unwind::find_caller(regs, memory, code_);
  if (caller.frame == wire::Frame()) caller = find_hidden_caller(regs, memory, code_);
  const bool found = caller.frame != wire::Frame();
  const uint32_t pair = found ? table_.pair_of(counted.method, caller.frame) : CallerTable::kNoRoom;
  if (pair == CallerTable::kNoRoom)
    (found ? no_room_ : not_found_).fetch_add(1, std::memory_order_relaxed);
  else if (memo != nullptr && caller.lasting)
    memo->keep(counted.pc, counted.sp, caller.slot, generation, pair);
  return pair;
}

std::optional<wire::CallerCounts> CallerCounts::take(uint64_t time_us, Declare& to) {
  wire::CallerCounts counts;
  counts.time_us = time_us;
  table_.take([&](uint32_t method, wire::Frame caller, uint64_t calls) {
    const wire::Frame frame = to.declare(caller);
    if (frame == wire::Frame()) return false;
    counts.index.push_back(method);
    counts.caller.push_back(frame);
    counts.calls.push_back(calls);
    return true;
  });
  const uint64_t no_room = no_room_.load(), not_found = not_found_.load();
  counts.no_room = no_room - std::exchange(taken_no_room_, no_room);
  counts.not_found = not_found - std::exchange(taken_not_found_, not_found);
  const bool any = !counts.index.empty() || counts.no_room != 0 || counts.not_found != 0;
  if (std::exchange(taken_, true) && !any) return std::nullopt;
  return counts;
}

}  // namespace walkabout::agent
