// For tests: a process to walk: a stack, jitted methods and a native image, called one from the other from
// the root on. The current frame's registers are those that a thread would have, so that a walk from them
// must find what was called.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "unwind/cfi/cfi_test_section.h"
#include "unwind/code/code_header.h"
#include "unwind/pe/fake_method.h"
#include "unwind/pe/pe_unwind.h"
#include "unwind/walk/walker.h"

namespace walkabout::unwind::testing {

class FakeProcess {
 public:
  static constexpr size_t kWords = 1 << 15;
  static constexpr uint64_t kPage = 4096;                    // code begins in one of its own
  static constexpr uint64_t kNative = SectionWriter::kText;  // functions of 256 bytes:
  static constexpr uint64_t kStart = kNative;                // the thread's entry
  static constexpr uint64_t kFrame = kNative + 0x100;        // a frame of 16 bytes
  static constexpr uint64_t kSignal = kNative + 0x200;       // the kernel's trampoline
  static constexpr uint64_t kLeaf = kNative + 0x300;         // no frame
  static constexpr uint64_t kNativeEnd = kNative + 0x400;
  static constexpr uint64_t kNativeBias = 0x400000;
  static constexpr uint64_t kNowhere = 0x7ff0'0000'0000'0000;  // no memory
  static constexpr uint64_t kStub = 0x700000;                  // code nobody knows
  static constexpr base::CodeId kNativeCode{500};

  FakeProcess() : words_(kWords), code_(1 << 16, 0xcc) {
    used_ = kPage - reinterpret_cast<uint64_t>(code_.data()) % kPage + 64;
    const size_t plain = section_.cie();
    section_.fde(plain, kStart, 256, {0x07, 16});  // the return address is undefined
    section_.fde(plain, kFrame, 256, {0x0e, 16});  // CFA = rsp + 16
    CieShape signal;
    signal.augmentation = "zRS";
    signal.instructions = {0x0c, 7, 24, 0x90, 1, 0x87, 2, 0x86, 3};  // CFA = rsp + 24: rbp, rsp, rip
    section_.fde(section_.cie(signal), kSignal, 256, {});
    section_.fde(plain, kLeaf, 256, {0x0e, 8});  // CFA = rsp + 8
    section_.terminator();
    native_ = images.make();
    native_->begin = kNative;
    native_->end = kNativeEnd;
    native_->base = kNativeBias;
    native_->code = kNativeCode;
    native_->cfi = section_.indexed();
    images.publish(native_);
    map = {&images, &jitted, nullptr, &generation};
    memory.lo = reinterpret_cast<uint64_t>(words_.data());
    memory.hi = reinterpret_cast<uint64_t>(words_.data() + words_.size());
    memory.slow = read_code;
    memory.context = this;
    start();
  }

  // A new thread: in its entry function, the stack empty.
  void start() {
    regs = distinct_registers();
    regs.sp() = memory.hi - 256;
    regs.pc() = kStart + 0x20;
  }
  // From here on native code is found through a table.
  void compile_native() {
    base::Result<CfiTable> table = CfiTable::compile(native_->cfi);
    tables_.push_back(std::move(*table));
    native_->table = &tables_.back();
  }
  Image& native() { return *native_; }

  // Puts a method's code somewhere and tells the map. Returns its address.
  uint64_t load(const FakeMethod& method, uint32_t id) {
    const uint64_t at = place(method.code());
    publish(at, at, static_cast<uint32_t>(method.code().size()), id, method.info());
    methods_[at] = method;
    return at;
  }
  // As the runtime has it before it reports the method: behind the address of its header. Below it is what
  // was placed before.
  uint64_t load_unreported(const FakeMethod& method) {
    const uint64_t base = place({0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8, 0xff, 0xe0});  // the heap's begin
    const uint64_t info = place(method.info());
    const uint64_t header = place(std::vector<uint8_t>(kCodeHeaderSize + sizeof(RuntimeFunction)));
    std::vector<uint8_t> code(sizeof header);
    code.insert(code.end(), method.code().begin(), method.code().end());
    const uint64_t at = place(code) + sizeof header;
    const RuntimeFunction function{static_cast<uint32_t>(at - base),
                                   static_cast<uint32_t>(at - base + method.code().size()),
                                   static_cast<uint32_t>(info - base)};
    const CodeHeader contents{0, 0, 0, 0x1000, 1};
    std::memcpy(reinterpret_cast<void*>(at - 8), &header, sizeof header);
    std::memcpy(reinterpret_cast<void*>(header), &contents, kCodeHeaderSize);
    std::memcpy(reinterpret_cast<void*>(header + kCodeHeaderSize), &function, sizeof function);
    methods_[at] = method;
    return at;
  }
  CodeHeader* header_of(uint64_t method_start) { return *reinterpret_cast<CodeHeader**>(method_start - 8); }
  uint64_t place(const std::vector<uint8_t>& code) {
    const uint64_t at = reinterpret_cast<uint64_t>(code_.data()) + used_;
    std::copy(code.begin(), code.end(), code_.begin() + static_cast<long>(used_));
    used_ += (code.size() + 31) / 16 * 16;  // with padding
    return at;
  }
  void publish(uint64_t begin, uint64_t method_start, uint32_t size, uint32_t id,
               const std::vector<uint8_t>& info) {
    infos_.push_back(info);
    JitRegion region;
    region.begin = begin;
    region.method_start = method_start;
    region.size = size;
    region.code = id;
    region.unwind = infos_.back().data();
    region.unwind_size = static_cast<uint32_t>(infos_.back().size());
    jitted.publish(region);
  }

  void push(uint64_t word) {
    regs.sp() -= 8;
    *reinterpret_cast<uint64_t*>(regs.sp()) = word;
  }
  // The current frame calls a method: the registers a signal could find at each of its instructions.
  std::vector<Registers> call(uint64_t method_start) {
    push(regs.pc());
    return methods_.at(method_start).run(method_start, regs);
  }
  // … and the method in its turn has called: it becomes the current frame. REQUIRES: it has a call.
  void enter(uint64_t method_start) {
    const auto states = call(method_start);
    for (size_t i = 1; i < states.size(); ++i) {
      if (states[i].pc() - states[i - 1].pc() == 5 && *reinterpret_cast<uint8_t*>(states[i - 1].pc()) == 0xe8)
        regs = states[i];
    }
  }
  void enter_native() {
    push(regs.pc());
    regs.sp() -= 8;
    regs.pc() = kFrame + 0x40;
  }
  // The current frame is interrupted; the current frame is the trampoline then.
  void interrupt() {
    const Registers interrupted = regs;
    regs.sp() = (regs.sp() - 256) & ~uint64_t{15};
    push(interrupted.pc());
    push(interrupted.sp());
    push(interrupted.bp());
    regs.pc() = kSignal + 0x10;
  }

  struct Walked {
    WalkOutcome outcome;
    std::vector<wire::Frame> frames;
    uint64_t total = 0;
  };
  Walked walk_from(const Registers& leaf, WalkMemo* memo = nullptr, uint32_t depth = 4096,
                   Seed seed = Seed::kNotWanted) const {
    std::vector<wire::Frame> frames(depth);
    FrameSink sink(frames.data(), depth);
    const ReaderGate::Reader inside(gate);
    Walked walked;
    walked.outcome = walk(leaf, memory, map, sink, memo, seed);
    walked.total = sink.total();
    frames.resize(sink.finish());
    walked.frames = std::move(frames);
    return walked;
  }

  static wire::Frame native_frame(uint64_t pc) {
    return wire::Frame::in_code(wire::FrameKind::kNative, kNativeCode,
                                static_cast<uint32_t>(pc - kNativeBias));
  }
  static wire::Frame jitted_frame(uint32_t id, uint64_t offset) {
    return wire::Frame::in_code(wire::FrameKind::kJitted, base::CodeId(id), static_cast<uint32_t>(offset));
  }
  uint64_t* words() { return words_.data(); }
  const std::vector<uint8_t>& code() const { return code_; }

  mutable ReaderGate gate;
  JitMap jitted{gate};
  ImageMap images{gate};
  std::atomic<uint32_t> generation{1};
  CodeMap map;
  Memory memory;
  Registers regs;  // of the current frame; pc: a return address, once it has called

 private:
  // Native code is all calls: any address in it looks like a return address.
  static bool read_code(void* context, uint64_t address, void* to, size_t size) {
    const auto* self = static_cast<const FakeProcess*>(context);
    static constexpr uint8_t kCall[8] = {0x90, 0x90, 0x90, 0xe8, 0, 0, 0, 0};
    const uint64_t offset = address - reinterpret_cast<uint64_t>(self->code_.data());
    if (offset < self->code_.size() && size <= self->code_.size() - offset) {
      std::memcpy(to, self->code_.data() + offset, size);
      return true;
    }
    if (size != sizeof kCall || address < kNative - 8 || address >= kNativeEnd) return false;
    std::memcpy(to, kCall, sizeof kCall);
    return true;
  }

  std::vector<uint64_t> words_;
  std::vector<uint8_t> code_;
  size_t used_ = 0;
  SectionWriter section_;
  Image* native_ = nullptr;
  std::deque<CfiTable> tables_;
  std::deque<std::vector<uint8_t>> infos_;
  std::map<uint64_t, FakeMethod> methods_;
};

// A method that calls, with every callee-saved register in use.
inline FakeMethod calling_method() {
  return FakeMethod()
      .push(kPeRbp)
      .push(kPeR15)
      .push(kPeRbx)
      .sub_rsp(16)
      .lea_rbp(32)
      .clobber(kPeRbx)
      .clobber(kPeR15)
      .call()
      .nop()
      .add_rsp(16)
      .pop(kPeRbx)
      .pop(kPeR15)
      .pop(kPeRbp)
      .ret();
}
// … without a frame register.
inline FakeMethod calling_method_without_frame() {
  return FakeMethod()
      .push(kPeRbx)
      .push(14)
      .sub_rsp(40)
      .clobber(kPeRbx)
      .call()
      .add_rsp(40)
      .pop(14)
      .pop(kPeRbx)
      .ret();
}

}  // namespace walkabout::unwind::testing
