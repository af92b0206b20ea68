#include "agent/windows/stopped_thread.h"

#include <algorithm>
#include <cstring>

#include "agent/windows/context_registers.h"
#include "base/clock.h"

namespace walkabout::agent {
StoppedThread::StoppedThread(Watchdog& watchdog)
    : watchdog_(watchdog),
      words_(static_cast<uint8_t*>(
          ::VirtualAlloc(nullptr, kLargestStack, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE))) {
  if (words_ != nullptr) std::memset(words_, 0, kLargestStack);  // no page is new while a thread is stopped
}

StoppedThread::~StoppedThread() {
  if (words_ != nullptr) ::VirtualFree(words_, 0, MEM_RELEASE);
}

bool StoppedThread::stop(const ThreadHandle& thread, const StackBounds& bounds) {
  times_ = {};
  const uint64_t begin = base::monotonic_ns();
  thread_ = thread.get();
  if (::SuspendThread(thread_) == static_cast<DWORD>(-1)) return false;
  watchdog_.guard(thread_);
  context_.ContextFlags = CONTEXT_FULL | CONTEXT_EXCEPTION_REQUEST;
  // It returns when the thread stands: SuspendThread only asks for that.
  const bool known = ::GetThreadContext(thread_, &context_);
  stopped_at_ = base::monotonic_ns();
  times_.system = stopped_at_ - begin;
  if (!known) {
    resume();
    return false;
  }
  registers_of(context_, &registers_);
  copy(bounds);
  return true;
}

bool StoppedThread::resume() {
  const uint64_t begin = base::monotonic_ns();
  const bool ours = watchdog_.release();
  if (ours) ::ResumeThread(thread_);
  times_.system += base::monotonic_ns() - begin;
  times_.copying = begin - stopped_at_ - times_.clr;
  return ours;
}

void StoppedThread::take_self(const StackBounds& bounds) {
  times_ = {};
  ::RtlCaptureContext(&context_);
  registers_of(context_, &registers_);
  copy(bounds);
}

// A thread's stack is committed from its limit up, which the pointer may be below until what it makes room
// for is touched: what is there is the guard page, by which the stack grows. A fiber's pointer lies
// elsewhere. All this while the thread stands; should it be let go, a fault ends the copy.
void StoppedThread::copy(const StackBounds& bounds) {
  lo_ = hi_ = registers_.sp();
  code_size_ = 0;
  if (words_ == nullptr || !stands() || registers_.sp() < bounds.lo || registers_.sp() >= bounds.hi) return;
  uint64_t limit = 0;
  if (guarded_.copy(&limit, bounds.limit_at, sizeof limit) != sizeof limit || limit >= bounds.hi) return;
  lo_ = std::max(lo_, limit);
  hi_ = lo_ + guarded_.copy(words_, lo_, std::min<uint64_t>(bounds.hi - lo_, kLargestStack));
}

void StoppedThread::take_code(uint64_t end) {
  code_size_ = 0;
  if (stands())
    code_size_ =
        guarded_.copy(code_, registers_.pc(), std::min<uint64_t>(kCodeWindow, end - registers_.pc()));
}

void StoppedThread::put_back(uint64_t slot, uint64_t return_address) {
  if (slot < lo_ || slot > hi_ || hi_ - slot < sizeof return_address) return;
  std::memcpy(words_ + (slot - lo_), &return_address, sizeof return_address);
}

bool StoppedThread::read(void* context, uint64_t address, void* to, size_t size) {
  const auto* self = static_cast<const StoppedThread*>(context);
  if (address < self->lo_ || address > self->hi_ || self->hi_ - address < size) return false;
  std::memcpy(to, self->words_ + (address - self->lo_), size);
  return true;
}

const uint8_t* StoppedThread::code(void* context, uint64_t pc, size_t size) {
  const auto* self = static_cast<const StoppedThread*>(context);
  return pc == self->registers_.pc() && size <= self->code_size_ ? self->code_ : nullptr;
}

unwind::Memory StoppedThread::memory() const {
  unwind::Memory memory;
  memory.slow = read;
  memory.code = code;
  memory.context = const_cast<StoppedThread*>(this);
  return memory;
}

}  // namespace walkabout::agent
