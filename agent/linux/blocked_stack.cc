#include "agent/linux/blocked_stack.h"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "agent/linux/handler/self_memory.h"
#include "base/clock.h"

namespace walkabout::agent {
namespace {

constexpr uint64_t kUserAddresses = uint64_t{1} << 47;  // no memory of a program lies above

// How much there is from `address` on, up to `size` bytes: the kernel stops where nothing is mapped.
uint64_t copy_from(uint64_t address, uint8_t* to, uint64_t size) {
  iovec local{to, size};
  iovec remote{reinterpret_cast<void*>(address), size};
  const ssize_t n = ::process_vm_readv(OwnProcess::number(), &local, 1, &remote, 1, 0);
  return n > 0 ? static_cast<uint64_t>(n) : 0;
}

}  // namespace

Ran ran(pid_t tid, SchedCounts* counts) {
  const SchedCounts now = counts_of(tid).value_or(SchedCounts());
  if (counts != nullptr) *counts = now;
  return {now.runs, now.runs != 0 ? 0 : base::clock_ns(base::thread_cpu_clock(tid))};
}

// Not filled: what is never copied to is never touched.
StackCopy::StackCopy() : bytes_(new uint8_t[kMost]) {}

void StackCopy::begin(uint64_t sp, uint64_t hi) {
  sp_ = sp;
  limit_ = hi > sp ? std::min(hi, sp + kMost) : sp + kMost;
  copied_ = 0;
  outside_ = 0;
}

unwind::Memory StackCopy::memory() {
  unwind::Memory memory;
  memory.slow = load;
  memory.context = this;
  memory.code = code;
  return memory;
}

bool StackCopy::reach(uint64_t end) {
  while (sp_ + copied_ < end) {
    const uint64_t from = sp_ + copied_;
    // Chunks end with a page, so that no page is read twice.
    const uint64_t to = std::min(limit_, (from + kChunkBytes) / kChunkBytes * kChunkBytes);
    if (to <= from) return false;
    const uint64_t n = copy_from(from, bytes_.get() + copied_, to - from);
    copied_ += n;
    if (n < to - from) limit_ = sp_ + copied_;
  }
  return true;
}

bool StackCopy::read_outside(uint64_t address, void* to, size_t size) {
  return outside_++ < kMostOutside && read_self(nullptr, address, to, size);
}

bool StackCopy::load(void* self, uint64_t address, void* to, size_t size) {
  auto& copy = *static_cast<StackCopy*>(self);
  if (address >= kUserAddresses || size >= kUserAddresses) return false;
  if (address < copy.sp_ || address + size > copy.limit_ || !copy.reach(address + size))
    return copy.read_outside(address, to, size);
  std::memcpy(to, copy.bytes_.get() + (address - copy.sp_), size);
  return true;
}

const uint8_t* StackCopy::code(void* self, uint64_t pc, size_t size) {
  auto& copy = *static_cast<StackCopy*>(self);
  if (size > sizeof copy.code_ || !copy.read_outside(pc, copy.code_, size)) return nullptr;
  return copy.code_;
}

BlockedStacks::BlockedStacks(const unwind::CodeMap& code, unwind::ReaderGate& gate, uint32_t depth,
                             const AsyncSetup* async)
    : code_(code), gate_(gate), memo_(unwind::map_memo()), async_(async) {
  seen_.frames.resize(std::max<uint32_t>(depth, 4));
  if (async != nullptr) stack_pointers_.resize(std::min<size_t>(kAsyncFrames, seen_.frames.size() / 2));
}

// turns: of the heap's gate before the copy was made. A collection since then has moved what the copy refers
// to.
void BlockedStacks::find_awaiters(const unwind::Memory& memory, uint32_t turns) {
  seen_.awaiters.frames.resize(wire::kMostAwaiters);
  unwind::Registers leaf;
  leaf.sp() = copy_.sp();
  const HeapGate::Reader reading(async_->gate);
  const bool still = reading.inside() && async_->gate.turns() == turns;
  const size_t kept = std::min<size_t>(seen_.walk.total, stack_pointers_.size());
  const unwind::WalkedStackView stack{
      leaf,       memory,     {seen_.frames.data(), seen_.walk.frames}, {stack_pointers_.data(), kept},
      copy_.sp(), copy_.end()};
  const unwind::AsyncStack found = look_for_awaiters(*async_, stack, still, seen_.awaiters.frames);
  seen_.awaiters.joint = found.joint;
  seen_.awaiters.unseen = found.unseen;
  seen_.awaiters.frames.resize(found.count);
  using wire::AsyncUnknown;
  if (found.count == 1 && seen_.awaiters.frames[0] == wire::Frame::async_unknown(AsyncUnknown::kNoMachine))
    seen_.awaiters.frames[0] =
        wire::Frame::async_unknown(still ? AsyncUnknown::kAfar : AsyncUnknown::kCollection);
}

const BlockedStack& BlockedStacks::look(pid_t tid, uint64_t stack_lo, uint64_t stack_hi,
                                        uint64_t runtime_thread) {
  for (int i = 0; i < kTries; ++i) {
    SchedCounts counts;
    const Ran before = seen_.ran = ran(tid, &counts);
    const ThreadPlace place = place_of(tid);
    seen_.standing = place.standing;
    seen_.call = place.call;
    seen_.counts = counts;
    seen_.walk = {};
    seen_.awaiters = {};
    if (place.standing != Standing::kBlocked) return seen_;
    const bool on_stack = place.sp >= stack_lo && place.sp < stack_hi;  // else a signal's, or another
    const uint32_t turns = async_ != nullptr ? async_->gate.turns() : 0;
    copy_.begin(place.sp, on_stack ? stack_hi : 0);
    unwind::Memory memory = copy_.memory();
    memory.runtime_thread = runtime_thread;
    {
      const unwind::ReaderGate::Reader inside(gate_);
      seen_.walk = unwind::walk_blocked(place.pc, place.sp, memory, code_, sizes_, seen_.frames, memo_.get(),
                                        stack_pointers_);
      if (async_ != nullptr) find_awaiters(memory, turns);
    }
    if (ran(tid, &counts) == before) return seen_;
  }
  seen_.standing = Standing::kRuns;
  return seen_;
}

}  // namespace walkabout::agent
