// The program headers of a loaded ELF image, its notes, and the call frame information they lead to.
#include <sys/mman.h>

#include <cstring>
#include <vector>

#include "fuzz/fuzz_target.h"
#include "fuzz/input.h"
#include "unwind/cfi/cfi_interpret.h"
#include "unwind/cfi/cfi_table.h"
#include "unwind/cfi/elf_image.h"

using namespace walkabout;
using namespace walkabout::unwind;
using fuzz::expect;

namespace {

constexpr size_t kPage = 4096;
constexpr size_t kPages = 3;
constexpr size_t kMostHeaders = 16;

// Pages between two that cannot be read: memory is there or not page by page.
uint8_t* image_memory() {
  static uint8_t* const memory = [] {
    const size_t size = (kPages + 2) * kPage;
    void* all = ::mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    uint8_t* inner = static_cast<uint8_t*>(all) + kPage;
    ::mprotect(inner, kPages * kPage, PROT_READ | PROT_WRITE);
    return inner;
  }();
  return memory;
}

// Addresses count from the image's begin.
Elf64_Phdr read_header(fuzz::Input& in) {
  constexpr uint32_t kTypes[] = {PT_LOAD, PT_LOAD, PT_NOTE, PT_GNU_EH_FRAME};
  Elf64_Phdr header{};
  const uint8_t kind = in.u8();
  header.p_type = kTypes[kind & 3];
  header.p_flags = kind >> 2 & 7;
  header.p_align = (kind & 0x20) != 0 ? 8 : 4;
  const bool wide = (kind & 0x80) != 0;
  header.p_vaddr = wide ? in.u64() : in.u16();
  header.p_memsz = wide ? in.u64() : in.u16();
  header.p_filesz = (kind & 0x40) != 0 ? in.u16() : header.p_memsz;
  return header;
}

void expect_inside(const MappedBytes& bytes, const uint8_t* memory) {
  if (bytes.size == 0) return;
  expect(bytes.data >= memory && bytes.data + bytes.size <= memory + kPages * kPage,
         "only what is mapped is kept");
}

void use(const ElfImage& image, const uint8_t* memory) {
  expect(image.begin < image.end && image.code_count > 0 && image.code_count <= kMaxCodeSpans,
         "there is code");
  expect(image.build_id_size <= kMaxBuildId, "a build id fits");
  for (size_t i = 0; i < image.code_count; ++i) {
    expect(image.begin <= image.code[i].begin && image.code[i].end <= image.end, "code lies in the image");
    expect(i == 0 || image.code[i - 1].begin <= image.code[i].begin, "code ascends");
  }
  expect_inside(image.cfi.frames, memory);
  expect_inside(image.cfi.header, memory);
  for (const MappedBytes& code : image.cfi.code) expect_inside(code, memory);
  if (image.cfi.empty()) return;
  const base::Result<CfiTable> table = CfiTable::compile(image.cfi);
  for (uint64_t i = 0; i < 64; ++i) {
    const uint64_t pc = image.code[0].begin + i * 5;
    CfiRule rule;
    (void)cfi_interpret(image.cfi, pc, &rule);
    if (table.ok()) (void)table->find(pc);
  }
}

}  // namespace

// The number of headers, the headers, the memory.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input in(data, size);
  std::vector<Elf64_Phdr> headers(in.u8() % (kMostHeaders + 1));
  for (Elf64_Phdr& header : headers) header = read_header(in);
  uint8_t* memory = image_memory();
  const std::vector<uint8_t> bytes = in.bytes(kPages * kPage);
  std::memset(memory, 0, kPages * kPage);
  if (!bytes.empty()) std::memcpy(memory, bytes.data(), bytes.size());
  Memory guard;
  guard.lo = reinterpret_cast<uint64_t>(memory);
  guard.hi = guard.lo + kPages * kPage;
  ElfImage image;
  if (read_elf_image({guard.lo, headers}, guard, &image)) use(image, memory);
  return 0;
}
