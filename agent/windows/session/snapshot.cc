#include "base/windows/win32.h"
// after win32.h
#include "agent/windows/context_registers.h"
#include "agent/windows/session/snapshot.h"

namespace walkabout::agent {

clr::HRESULT Snapshot::on_frame(clr::FunctionID function, uintptr_t ip, clr::COR_PRF_FRAME_INFO,
                                uint32_t size, uint8_t* context, void* data) {
  auto* self = static_cast<Snapshot*>(data);
  if (self->stop_ != nullptr && self->stop_(self->data_)) return clr::S_FALSE;
  if (self->count_ == self->frames_.size()) return clr::S_FALSE;
  SnapshotFrame& frame = self->frames_[self->count_];
  frame.managed = function != 0;
  if (context != nullptr && size >= kContextWithRip)
    registers_of(*reinterpret_cast<CONTEXT*>(context), &frame.registers);
  if (frame.managed) frame.registers.pc() = ip;
  if (!frame.managed && context == nullptr) return clr::S_OK;  // a block of which we could say nothing
  ++self->count_;
  return clr::S_OK;
}

clr::HRESULT Snapshot::take(clr::ThreadID thread, void* context, uint32_t context_size, bool (*stop)(void*),
                            void* data) {
  count_ = 0;
  stop_ = stop;
  data_ = data;
  return info_->DoStackSnapshot(thread, on_frame, clr::COR_PRF_SNAPSHOT_REGISTER_CONTEXT, this,
                                static_cast<uint8_t*>(context), context_size);
}

size_t Snapshot::managed() const {
  size_t n = 0;
  for (const SnapshotFrame& frame : frames()) n += frame.managed ? 1 : 0;
  return n;
}

}  // namespace walkabout::agent
