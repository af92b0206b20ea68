// A process to walk in which everything is given by a fuzzing input: call frame information, unwind codes,
// jitted code, registers and stack. Words of the stack are two bytes of the input: a kind and twelve bits, so
// that an input can name addresses it cannot know.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "fuzz/input.h"
#include "unwind/cfi/cfi_test_section.h"
#include "unwind/pe/prolog_x64.h"
#include "unwind/walk/walker.h"

namespace walkabout::fuzz {

class HostileProcess {
 public:
  static constexpr size_t kWords = 2048;  // of stack
  static constexpr uint64_t kNative = unwind::testing::SectionWriter::kText;
  static constexpr uint64_t kNativeSize = 4096;
  static constexpr uint32_t kCode = 1024;  // bytes of each jitted method and of the ready-to-run image's code
  static constexpr uint32_t kMethods = 2;
  // Behind the methods a heap of code that was not reported: its beginning, a code header with unwind data as
  // the input has them, the header's address, code.
  static constexpr uint32_t kAlignment = 512;  // what the walker reads at once of code
  static constexpr uint32_t kHeap = 1024, kHeader = 16, kUnreported = 512;
  static constexpr uint32_t kFunctions = 4;  // RUNTIME_FUNCTIONs of the image, in front of its code

  explicit HostileProcess(Input& in)
      : stack_(kWords), jitted_code_(kMethods * kCode + kHeap + kAlignment, 0x90) {
    flags_ = in.u8();
    frames_ = in.bytes(in.u16());
    header_ = in.bytes(in.u16());
    add_native();
    add_precompiled(in);
    add_jitted(in);
    if ((flags_ & kUnreportedToo) != 0) add_unreported(in);
    for (uint64_t& r : leaf.r) r = word(in.u16());
    fill_stack(in);
    map = {&images_, &jitted_, nullptr, &generation_};
    memory.lo = reinterpret_cast<uint64_t>(stack_.data());
    memory.hi = memory.lo + kWords * 8;
    if ((flags_ & kUnreportedToo) != 0) memory.runtime_thread = memory.lo + kWords / 2 * 8;
    memory.slow = read_code;
    memory.context = this;
  }
  HostileProcess(const HostileProcess&) = delete;
  HostileProcess& operator=(const HostileProcess&) = delete;

  unwind::ReaderGate gate;
  unwind::CodeMap map;
  unwind::Memory memory;
  unwind::Registers leaf;

 private:
  enum Flag : uint8_t { kCompiled = 1, kIndexed = 2, kUnreportedToo = 4 };

  void add_native() {
    unwind::Image* image = images_.make();
    image->begin = kNative;
    image->end = kNative + kNativeSize;
    image->code = base::CodeId(1);
    unwind::CfiSection& cfi = image->cfi;
    const unwind::MappedBytes frames{frames_.data(), frames_.size(),
                                     unwind::testing::SectionWriter::kAddress};
    const unwind::MappedBytes header{header_.data(), header_.size(),
                                     unwind::testing::SectionWriter::kHeaderAddress};
    if ((flags_ & kIndexed) == 0 || !unwind::open_cfi(header, frames, &cfi)) cfi.frames = frames;
    if ((flags_ & kCompiled) != 0) {
      base::Result<unwind::CfiTable> compiled = unwind::CfiTable::compile(cfi);
      if (compiled.ok()) image->table = &table_.emplace(std::move(*compiled));
    }
    images_.publish(image);
  }

  // Functions, code, then UNWIND_INFOs: what a directory points to is checked by the walker.
  void add_precompiled(Input& in) {
    functions_.resize(kFunctions);
    for (unwind::RuntimeFunction& f : functions_) f = {in.u16(), in.u16(), in.u16()};
    std::sort(functions_.begin(), functions_.end(),
              [](const auto& a, const auto& b) { return a.begin < b.begin; });
    precompiled_ = in.bytes(kCode);
    precompiled_.resize(kCode, 0x90);
    const std::vector<uint8_t> infos = in.bytes(in.u16());
    precompiled_.insert(precompiled_.end(), infos.begin(), infos.end());
    precompiled_.shrink_to_fit();
    unwind::Image* image = images_.make();
    image->managed = true;
    image->base = image->begin = reinterpret_cast<uint64_t>(precompiled_.data());
    image->end = image->begin + kCode;
    image->code = base::CodeId(2);
    image->mapped = precompiled_;
    image->functions = functions_;
    images_.publish(image);
  }

  // As the agent does: unwind data only if valid, else what the prolog says.
  void add_jitted(Input& in) {
    for (uint32_t i = 0; i < kMethods; ++i) {
      const std::vector<uint8_t> code = in.bytes(in.u16() % (kCode + 1));
      std::copy(code.begin(), code.end(), jitted() + i * kCode);
      infos_[i] = in.bytes(in.u16());
      infos_[i].resize(unwind::unwind_info_size(infos_[i]));
      const uint64_t begin = reinterpret_cast<uint64_t>(jitted()) + i * kCode;
      if (infos_[i].empty()) {
        const unwind::PrologInfo decoded =
            unwind::decode_prolog({reinterpret_cast<const uint8_t*>(begin), kCode});
        infos_[i].assign(decoded.bytes, decoded.bytes + decoded.size);
      }
      infos_[i].shrink_to_fit();
      unwind::JitRegion region;
      region.begin = region.method_start = begin;
      region.size = kCode;
      region.code = 10 + i;
      region.unwind = infos_[i].data();
      region.unwind_size = static_cast<uint32_t>(infos_[i].size());
      jitted_.publish(region);
    }
  }

  void add_unreported(Input& in) {
    uint8_t* heap = jitted() + kMethods * kCode;
    const uint8_t jump[12] = {0x48, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xe0};
    std::memcpy(heap, jump, sizeof jump);
    const std::vector<uint8_t> code = in.bytes(in.u16() % (kHeap - kHeader));
    std::copy(code.begin(), code.end(), heap + kHeader);
    const uint64_t header = reinterpret_cast<uint64_t>(heap) + kHeader;
    std::memcpy(heap + kUnreported - sizeof header, &header, sizeof header);
  }

  const uint8_t* jitted() const {
    const uint8_t* data = jitted_code_.data();
    return data + (kAlignment - reinterpret_cast<uint64_t>(data) % kAlignment) % kAlignment;
  }
  uint8_t* jitted() { return const_cast<uint8_t*>(std::as_const(*this).jitted()); }

  // The input's words over and over.
  void fill_stack(Input& in) {
    size_t filled = 0;
    for (; filled < kWords && in.left() >= 2; ++filled) stack_[filled] = word(in.u16());
    for (size_t i = filled; filled > 0 && i < kWords; ++i) stack_[i] = stack_[i - filled];
  }

  uint64_t word(uint16_t input) const {
    const uint64_t low = input & 0xfff;
    const auto stack = reinterpret_cast<uint64_t>(stack_.data());
    switch (input >> 12) {
      case 0:
        return low;
      case 1:
        return kNative + low;
      case 2:
        return reinterpret_cast<uint64_t>(jitted()) + low % (kMethods * kCode);
      case 3:
        return reinterpret_cast<uint64_t>(precompiled_.data()) + low % kCode;
      case 4:
      case 5:
        return stack + low % kWords * 8;
      case 6:
        return stack + kWords * 4 + low;  // also misaligned
      case 7:
        return ~low;
      case 8:
        return reinterpret_cast<uint64_t>(jitted()) + kMethods * kCode + low % kHeap;
      default:
        return uint64_t{input} << 44 | low;
    }
  }

  // Native code is all calls.
  static bool read_code(void* context, uint64_t address, void* to, size_t size) {
    const auto* self = static_cast<const HostileProcess*>(context);
    for (const std::vector<uint8_t>* code : {&self->jitted_code_, &self->precompiled_}) {
      const uint64_t offset = address - reinterpret_cast<uint64_t>(code->data());
      if (offset >= code->size() || size > code->size() - offset) continue;
      std::memcpy(to, code->data() + offset, size);
      return true;
    }
    if (size != 8 || address < kNative - 8 || address >= kNative + kNativeSize) return false;
    const uint8_t call[8] = {0x90, 0x90, 0x90, 0xe8, 0, 0, 0, 0};
    std::memcpy(to, call, sizeof call);
    return true;
  }

  uint8_t flags_ = 0;
  std::vector<uint64_t> stack_;
  std::vector<uint8_t> frames_;
  std::vector<uint8_t> header_;
  std::vector<uint8_t> precompiled_;
  std::vector<unwind::RuntimeFunction> functions_;
  std::vector<uint8_t> jitted_code_;
  std::vector<uint8_t> infos_[kMethods];
  std::optional<unwind::CfiTable> table_;
  unwind::ImageMap images_{gate};
  unwind::JitMap jitted_{gate};
  std::atomic<uint32_t> generation_{1};
};

}  // namespace walkabout::fuzz
