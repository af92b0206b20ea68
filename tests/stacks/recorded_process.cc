#include "tests/stacks/recorded_process.h"

#include <algorithm>
#include <cstring>

#include "unwind/cfi/cfi_section.h"

namespace walkabout::stacks {
namespace {

constexpr uint32_t kDepth = 4096;
constexpr size_t kEntryBytes = 8;        // of the header's table
constexpr size_t kSmallestCfiEntry = 8;  // length and id

// Runs do not touch each other: what is read lies in one, or is not there.
const Run* find_run(const std::vector<Run>& runs, uint64_t address, size_t size) {
  const auto behind = std::upper_bound(runs.begin(), runs.end(), address,
                                       [](uint64_t a, const Run& run) { return a < run.address; });
  if (behind == runs.begin()) return nullptr;
  const Run& run = *(behind - 1);
  return address - run.address <= run.bytes.size() && size <= run.end() - address ? &run : nullptr;
}

const uint8_t* recorded_code(void* context, uint64_t address, size_t size) {
  const auto* stack = static_cast<const RecordedStack*>(context);
  const Run* run = find_run(stack->memory, address, size);
  return run == nullptr ? nullptr
                        : reinterpret_cast<const uint8_t*>(run->bytes.data() + (address - run->address));
}

bool read_recorded(void* context, uint64_t address, void* to, size_t size) {
  const uint8_t* bytes = recorded_code(context, address, size);
  if (bytes == nullptr) return false;
  std::memcpy(to, bytes, size);
  return true;
}

void put32(uint8_t* to, uint32_t value) { std::memcpy(to, &value, sizeof value); }

base::Status damaged(const std::string& what) { return base::Status::error("recorded stacks: " + what); }

}  // namespace

unwind::Memory memory_of(const RecordedStack& stack) {
  unwind::Memory memory;
  memory.slow = read_recorded;
  memory.code = recorded_code;
  memory.context = const_cast<RecordedStack*>(&stack);
  return memory;
}

base::Result<std::unique_ptr<RecordedProcess>> RecordedProcess::load(const StackFile& file, Cfi cfi) {
  std::unique_ptr<RecordedProcess> process(new RecordedProcess(file));
  process->map_ = {&process->images_, &process->jitted_, nullptr, nullptr};
  for (const RecordedImage& image : file.images) {
    if (base::Status s = process->add_image(image, cfi); !s.ok()) return s;
  }
  for (const RecordedRegion& region : file.regions) {
    if (base::Status s = process->add_region(region); !s.ok()) return s;
  }
  process->jitted_.maintain();
  return process;
}

uint8_t* RecordedProcess::sparse(size_t size) {
  memory_.emplace_back(static_cast<uint8_t*>(std::calloc(std::max<size_t>(size, 1), 1)));
  return memory_.back().get();
}

unwind::MappedBytes RecordedProcess::lay_out(const std::vector<Run>& runs, uint64_t begin, uint64_t end) {
  uint8_t* bytes = sparse(end - begin);
  for (const Run& run : runs) std::memcpy(bytes + (run.address - begin), run.bytes.data(), run.bytes.size());
  return {bytes, end - begin, begin};
}

base::Status RecordedProcess::add_image(const RecordedImage& recorded, Cfi cfi) {
  if (images_.find(recorded.begin) != nullptr || images_.find(recorded.end - 1) != nullptr)
    return damaged("images lie over each other");
  unwind::Image* image = images_.make();
  image->begin = recorded.begin;
  image->end = recorded.end;
  image->base = recorded.base;
  image->code = base::CodeId(recorded.code);
  image->managed = recorded.managed;
  image->jit_compiler = recorded.jit_compiler;
  if (recorded.managed) {
    add_unwind(recorded, *image);
  } else if (base::Status s = add_cfi(recorded, *image); !s.ok()) {
    return s;
  } else if (cfi == Cfi::kCompiled) {
    base::Result<unwind::CfiTable> table = unwind::CfiTable::compile(image->cfi);
    if (table.ok()) image->table = &tables_.emplace_back(std::move(*table));
  }
  images_.publish(image);
  bases_[recorded.code] = recorded.base;
  return {};
}

// The entries at the addresses they had, for they point to each other and to the code by distance. Between
// them stand entries nobody looks for (a length, then the id of a CIE).
base::Status RecordedProcess::add_cfi(const RecordedImage& recorded, unwind::Image& image) {
  const std::vector<Run>& entries = recorded.cfi;
  unwind::CfiSection& section = image.cfi;
  if (!recorded.plt.empty()) section.code[0] = lay_out(recorded.plt, recorded.begin, recorded.end);
  if (entries.empty()) return {};
  const uint64_t begin = entries.front().address;
  section.frames = lay_out(entries, begin, entries.back().end());
  auto* bytes = const_cast<uint8_t*>(section.frames.data);
  for (size_t i = 1; i < entries.size(); ++i) {
    const uint64_t gap = entries[i].address - entries[i - 1].end();
    if (gap != 0 && gap < kSmallestCfiEntry) return damaged("call frame information with holes");
    if (gap != 0) put32(bytes + (entries[i - 1].end() - begin), static_cast<uint32_t>(gap - 4));
  }
  section.header.address = recorded.header;  // FDEs may count from it
  std::vector<std::pair<uint64_t, uint64_t>> table;
  unwind::Fde fde;
  for (const Run& entry : entries) {
    if (unwind::read_fde(section, entry.address - begin, &fde) == unwind::CfiStatus::kOk)
      table.emplace_back(fde.begin, entry.address);
  }
  std::sort(table.begin(), table.end());
  uint8_t* header = sparse(table.size() * kEntryBytes);
  for (size_t i = 0; i < table.size(); ++i) {
    put32(header + i * kEntryBytes, static_cast<uint32_t>(table[i].first - recorded.header));
    put32(header + i * kEntryBytes + 4, static_cast<uint32_t>(table[i].second - recorded.header));
  }
  section.header = {header, table.size() * kEntryBytes, recorded.header};
  section.table_encoding = 0x3b;  // from the header's address, 4 bytes each
  section.table_count = table.size();
  return {};
}

void RecordedProcess::add_unwind(const RecordedImage& recorded, unwind::Image& image) {
  const uint64_t size = recorded.unwind.empty() ? 0 : recorded.unwind.back().end();
  const unwind::MappedBytes mapped = lay_out(recorded.unwind, 0, size);
  image.mapped = {mapped.data, mapped.size};
  image.functions = recorded.functions;
}

base::Status RecordedProcess::add_region(const RecordedRegion& recorded) {
  unwind::JitRegion region;
  region.begin = recorded.begin;
  region.method_start = recorded.method_start;
  region.size = recorded.size;
  region.code = recorded.code;
  region.unwind = reinterpret_cast<const uint8_t*>(recorded.unwind.data());
  region.unwind_size = static_cast<uint32_t>(recorded.unwind.size());
  if (jitted_.publish(region)) return damaged("jitted code lies over other code");
  bases_[recorded.code] = recorded.method_start;
  return {};
}

Walked RecordedProcess::walk(const RecordedStack& stack, unwind::WalkMemo* memo) const {
  std::vector<wire::Frame> frames(kDepth);
  unwind::FrameSink sink(frames.data(), kDepth);
  const unwind::ReaderGate::Reader inside(gate_);
  Walked walked;
  walked.outcome = unwind::walk(stack.leaf, memory_of(stack), map_, sink, memo);
  frames.resize(sink.finish());
  walked.frames = std::move(frames);
  return walked;
}

const unwind::Image* RecordedProcess::image(uint64_t pc) const { return images_.find(pc); }
const unwind::JitRegion* RecordedProcess::region(uint64_t pc) const { return jitted_.find(pc); }

CodePlace RecordedProcess::locate(uint64_t pc) const {
  CodePlace place;
  for (const RecordedImage& image : file_.images) {
    if (pc >= image.begin && pc < image.end) place.image = &image;
  }
  for (const RecordedRegion& region : file_.regions) {
    if (pc - region.begin < region.size) place.region = &region;
  }
  return place;
}

uint64_t RecordedProcess::address(wire::Frame frame) const {
  if (!frame.has_code()) return frame.address();
  const auto base = bases_.find(frame.code().value);
  return base == bases_.end() ? 0 : base->second + frame.offset();
}

}  // namespace walkabout::stacks
