#include "tests/stacks/capture/reduce.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "unwind/cfi/cfi_interpret.h"
#include "unwind/cfi/cfi_plt.h"

namespace walkabout::stacks {
namespace {

constexpr size_t kWord = 8;
constexpr size_t kSmallestFde = 8;  // its length and the way back to its CIE
constexpr size_t kLongestFde = 1u << 16;
constexpr int kMaxChain = 32;

// Bytes by address, as they were read. The first reader of a byte is right: it was written down first.
class MemoryImage {
 public:
  void add(uint64_t address, const uint8_t* bytes, size_t size) {
    for (size_t i = 0; i < size; ++i) bytes_.emplace(address + i, bytes[i]);
  }
  std::vector<Run> runs() const {
    std::vector<Run> runs;
    for (const auto& [address, byte] : bytes_) {
      if (runs.empty() || runs.back().end() != address) runs.push_back({address, {}});
      runs.back().bytes.push_back(static_cast<char>(byte));
    }
    return runs;
  }

 private:
  std::map<uint64_t, uint8_t> bytes_;
};

Run run_at(uint64_t address, const uint8_t* bytes, size_t size) {
  return {address, std::string(reinterpret_cast<const char*>(bytes), size)};
}

void add_run(std::vector<Run>& runs, Run run) {
  const auto at = std::lower_bound(runs.begin(), runs.end(), run.address,
                                   [](const Run& r, uint64_t address) { return r.address < address; });
  if (at == runs.end() || at->address != run.address) runs.insert(at, std::move(run));
}

class Reducer {
 public:
  Reducer(const CapturedWalk& walk, const unwind::CodeMap& code, StackFile* file)
      : walk_(walk), code_(code), file_(*file) {}

  bool run() {
    bool interrupted = true;
    for (uint64_t i = 0; i < walk_.traced_count; ++i) {
      const wire::Frame frame = walk_.frames[i];
      uint64_t pc = walk_.leaf.pc();
      if (i > 0 && !find_pc(frame, interrupted, &pc)) return false;
      bool signal_frame = false;
      if (!add_code(frame, pc, interrupted ? pc : pc - 1, &signal_frame)) return false;
      interrupted = signal_frame;
    }
    RecordedStack& stack = file_.stacks.emplace_back();
    stack.leaf = walk_.leaf;
    stack.memory = memory();
    stack.frames.assign(walk_.frames, walk_.frames + walk_.traced_count);
    stack.clr.assign(walk_.clr, walk_.clr + walk_.clr_count);
    stack.end = walk_.traced.end;
    stack.tid = walk_.tid;
    stack.sample = walk_.sample;
    stack.hresult = walk_.hresult;
    stack.clr_requested = walk_.clr_requested;
    return true;
  }

 private:
  // A caller's pc is a word the walk read.
  bool find_pc(wire::Frame frame, bool interrupted, uint64_t* pc) const {
    for (uint32_t i = 0; i < walk_.read_count; ++i) {
      if (walk_.reads[i].size != kWord) continue;
      std::memcpy(pc, walk_.reads[i].bytes, kWord);
      if (unwind::name_address(code_, *pc, interrupted) == frame) return true;
    }
    return false;
  }

  bool add_code(wire::Frame frame, uint64_t pc, uint64_t lookup, bool* signal_frame) {
    if (unwind::name_address(code_, pc, lookup == pc) != frame) return false;  // unloaded meanwhile
    if (const unwind::JitRegion* region = code_.jitted->find(lookup); region != nullptr) {
      add_region(*region);
      return true;
    }
    const unwind::Image* image = code_.images->find(lookup);
    if (image == nullptr) return true;
    RecordedImage& recorded = add_image(*image);
    if (image->managed) return add_function(*image, static_cast<uint32_t>(lookup - image->base), recorded);
    return add_cfi(*image, lookup, recorded, signal_frame);
  }

  void add_region(const unwind::JitRegion& region) {
    for (const RecordedRegion& known : file_.regions) {
      if (known.begin == region.begin) return;
    }
    RecordedRegion& added = file_.regions.emplace_back();
    added.code = region.code.load(std::memory_order_relaxed);
    added.begin = region.begin;
    added.method_start = region.method_start;
    added.size = region.size;
    added.unwind.assign(reinterpret_cast<const char*>(region.unwind), region.unwind_size);
  }

  RecordedImage& add_image(const unwind::Image& image) {
    for (RecordedImage& known : file_.images) {
      if (known.code == image.code.value) return known;
    }
    RecordedImage& added = file_.images.emplace_back();
    added.code = image.code.value;
    added.begin = image.begin;
    added.end = image.end;
    added.base = image.base;
    added.managed = image.managed;
    added.jit_compiler = image.jit_compiler;
    added.header = image.cfi.header.address;
    return added;
  }

  static bool add_cfi(const unwind::Image& image, uint64_t lookup, RecordedImage& to, bool* signal_frame) {
    unwind::Fde fde;
    if (unwind::find_fde(image.cfi, lookup, &fde) != unwind::CfiStatus::kOk) {
      const uint64_t slot = lookup & ~(unwind::kPltSlotSize - 1);
      for (const unwind::MappedBytes& code : image.cfi.code) {
        const unwind::MappedBytes bytes = code.part(slot, unwind::kPltSlotSize);
        if (bytes.size != 0) add_run(to.plt, run_at(slot, bytes.data, bytes.size));
      }
      return true;
    }
    unwind::CfiRule rule;
    *signal_frame =
        unwind::cfi_interpret(image.cfi, lookup, &rule) == unwind::CfiStatus::kOk && rule.signal_frame;
    return add_entry(image.cfi, fde.cie.offset, to) && add_fde(image.cfi, fde, to);
  }

  // REQUIRES: the entry was read, so its length lies inside.
  static bool add_entry(const unwind::CfiSection& section, size_t offset, RecordedImage& to) {
    uint32_t length = 0;
    std::memcpy(&length, section.frames.data + offset, sizeof length);
    if (length >= kLongestFde) return false;
    add_run(to.cfi,
            run_at(section.frames.address + offset, section.frames.data + offset, length + sizeof length));
    return true;
  }

  // Where it begins is not given by an FDE, only where it ends.
  static bool add_fde(const unwind::CfiSection& section, const unwind::Fde& fde, RecordedImage& to) {
    const size_t end = fde.instructions.address + fde.instructions.size - section.frames.address;
    unwind::Fde other;
    for (size_t back = kSmallestFde; back <= std::min(end, kLongestFde); ++back) {
      size_t next = 0;
      if (unwind::read_fde(section, end - back, &other, &next) != unwind::CfiStatus::kOk) continue;
      if (next != end || other.begin != fde.begin || other.cie.offset != fde.cie.offset) continue;
      return add_entry(section, end - back, to);
    }
    return false;
  }

  static bool add_function(const unwind::Image& image, uint32_t rva, RecordedImage& to) {
    const unwind::RuntimeFunction* f = unwind::find_function(image.functions, rva);
    if (f == nullptr) return true;  // a thunk
    const auto at = std::lower_bound(
        to.functions.begin(), to.functions.end(), f->begin,
        [](const unwind::RuntimeFunction& known, uint32_t begin) { return known.begin < begin; });
    if (at == to.functions.end() || at->begin != f->begin) to.functions.insert(at, *f);
    unwind::RuntimeFunction next = *f;
    for (int chain = 0; chain < kMaxChain; ++chain) {
      const uint8_t* info = image.mapped.data() + next.unwind;
      size_t size = unwind::kUnwindHeaderSize + size_t{info[2]} * 2;
      const bool chained = (info[0] >> 3 & unwind::kUnwindFlagChained) != 0;
      const size_t behind = unwind::kUnwindHeaderSize + (size_t{info[2]} + 1) / 2 * 4;
      if (chained) size = behind + sizeof next;
      if (next.unwind + size > image.mapped.size()) return false;
      add_run(to.unwind, run_at(next.unwind, info, size));
      if (!chained) return true;
      std::memcpy(&next, info + behind, sizeof next);
    }
    return false;
  }

  bool points_somewhere(uint64_t word) const {
    if (word - walk_.stack_begin < walk_.stack_size) return true;
    return code_.jitted->find(word - 1) != nullptr || code_.images->find(word - 1) != nullptr;
  }

  std::vector<Run> memory() const {
    MemoryImage memory;
    for (uint32_t i = 0; i < walk_.read_count; ++i) {
      memory.add(walk_.reads[i].address, walk_.reads[i].bytes, walk_.reads[i].size);
    }
    for (uint32_t at = 0; at + kWord <= walk_.stack_size; at += kWord) {
      uint64_t word = 0;
      std::memcpy(&word, walk_.stack + at, kWord);
      if (!points_somewhere(word)) word = 0;
      uint8_t bytes[kWord];
      std::memcpy(bytes, &word, kWord);
      memory.add(walk_.stack_begin + at, bytes, kWord);
    }
    return memory.runs();
  }

  const CapturedWalk& walk_;
  const unwind::CodeMap& code_;
  StackFile& file_;
};

}  // namespace

bool reduce(const CapturedWalk& walk, const unwind::CodeMap& code, StackFile* file) {
  return Reducer(walk, code, file).run();
}

}  // namespace walkabout::stacks
