// For tests: a process of Windows as the walk sees it: one DLL, one jitted method, one stack, whose words are
// put down frame by frame from the leaf's end.
#pragma once

#include <cstring>
#include <utility>
#include <vector>

#include "unwind/managed/pe_walk.h"
#include "unwind/pe/pe_test_info.h"

namespace walkabout::unwind::testing {

class FakePeProcess {
 public:
  static constexpr uint64_t kDll = 0x10'0000'0000, kMethod = 0x20'0000'0000, kStack = 0x7000'0000;
  // Functions of the DLL, by RVA: one of five words, one with rbp for a frame pointer, one without unwind
  // data, one that the system calls behind an exception.
  static constexpr uint32_t kPlain = 0x1000, kFramed = 0x1100, kLeaf = 0x1200, kDispatcher = 0x1300,
                            kEnd = 0x1400;
  static constexpr uint32_t kPlainWords = 5, kMethodWords = 4;
  static constexpr uint32_t kDllCode = 3, kMethodCode = 7;

  FakePeProcess() {
    mapped_.resize(0x3000);
    const uint32_t plain = put_info(pe_info({.prolog = 4}, {pe_alloc(4, kPlainWords * 8)}));
    const uint32_t framed = put_info(
        pe_info({.prolog = 5, .frame = kPeRbp}, {pe_set_frame(5), pe_alloc(4, 16), pe_push(1, kPeRbp)}));
    const uint32_t dispatcher = put_info(pe_info({}, {pe_alloc(0, 16), {0, pe::kPushMachFrame, 0, {}}}));
    functions_ = {{kPlain, kFramed, plain}, {kFramed, kLeaf, framed}, {kDispatcher, kEnd, dispatcher}};
    Image* dll = images.make();
    dll->begin = kDll + kPlain, dll->end = kDll + kEnd, dll->base = kDll;
    dll->code = base::CodeId(kDllCode);
    dll->functions = functions_;
    dll->mapped = mapped_;
    images.publish(dll);
    method_info_ = pe_info({.prolog = 4}, {pe_alloc(4, kMethodWords * 8)});
    JitRegion method;
    method.begin = method.method_start = kMethod;
    method.size = 0x100;
    method.code = kMethodCode;
    method.unwind = method_info_.data();
    method.unwind_size = static_cast<uint32_t>(method_info_.size());
    jitted.publish(method);
  }

  // Puts `locals` words and a return address above what is there; gives the address behind them.
  uint64_t push_frame(uint32_t locals, uint64_t return_address) {
    words.resize(words.size() + locals, 0x5555);
    words.push_back(return_address);
    return top();
  }
  uint64_t top() const { return kStack + words.size() * 8; }

  Memory memory() {
    Memory m;
    m.context = this;
    m.slow = [](void* self, uint64_t address, void* to, size_t size) {
      return static_cast<FakePeProcess*>(self)->read(address, to, size);
    };
    m.code = [](void*, uint64_t, size_t) -> const uint8_t* { return nullptr; };
    return m;
  }
  PeCodeMap code() const { return {&images, &jitted, nullptr}; }
  static Registers at(uint64_t pc, uint64_t sp = kStack) {
    Registers regs;
    regs.pc() = pc, regs.sp() = sp;
    return regs;
  }
  static wire::Frame native(uint32_t rva) {
    return wire::Frame::in_code(wire::FrameKind::kNative, base::CodeId(kDllCode), rva);
  }
  static wire::Frame managed(uint32_t offset) {
    return wire::Frame::in_code(wire::FrameKind::kJitted, base::CodeId(kMethodCode), offset);
  }

  ReaderGate gate;
  ImageMap images{gate};
  JitMap jitted{gate};
  std::vector<uint64_t> words;

 private:
  uint32_t put_info(const std::vector<uint8_t>& info) {
    std::memcpy(mapped_.data() + info_at_, info.data(), info.size());
    return std::exchange(info_at_, info_at_ + 64);
  }
  bool read(uint64_t address, void* to, size_t size) const {
    if (address < kStack || size > words.size() * 8 || address - kStack > words.size() * 8 - size)
      return false;
    std::memcpy(to, reinterpret_cast<const uint8_t*>(words.data()) + (address - kStack), size);
    return true;
  }

  std::vector<uint8_t> mapped_, method_info_;
  std::vector<RuntimeFunction> functions_;
  uint32_t info_at_ = 0x2000;
};

}  // namespace walkabout::unwind::testing
