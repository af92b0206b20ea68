// Writes the inputs fuzzing began with, whole and valid, into FOLDER/<target>: what the unit tests are made
// of.
//   fuzz_seeds FOLDER
// The corpora hold what fuzzing found from there (fuzz/minimise.py).
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "agent/core/fake_code_heap.h"
#include "clr/events/test_inlining.h"
#include "collect/test_rings.h"
#include "cover/outputs_of_coverage.h"
#include "cover/test_counts.h"
#include "fuzz/hostile_process.h"
#include "fuzz/input.h"
#include "il/made_body.h"
#include "pdb/test_pdb.h"
#include "precompiled/test_image.h"
#include "profile/model/test_trace.h"
#include "recording/constants.h"
#include "recording/test_records.h"
#include "unwind/cfi/cfi_test_section.h"
#include "unwind/pe/fake_method.h"
#include "unwind/pe/pe_test_image.h"
#include "wire/hello.h"
#include "wire/ring.h"

using namespace walkabout;
using namespace walkabout::unwind::testing;
using fuzz::Seed;

namespace {

class Folder {
 public:
  explicit Folder(const std::filesystem::path& root) : root_(root) {}
  void add(const std::string& target, const std::string& name, const Bytes& bytes) const {
    std::filesystem::create_directories(root_ / target);
    std::ofstream out(root_ / target / name, std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }

 private:
  std::filesystem::path root_;
};

// Two kinds of CIE, and functions that use every kind of instruction.
SectionWriter varied_section() {
  SectionWriter writer;
  size_t cie = writer.cie({.augmentation = "zPLR", .augmentation_data = {0x9b, 1, 2, 3, 4, 0x1b, 0x1b}});
  writer.fde(
      cie, SectionWriter::kText, 60,
      {0x41, 0x0e, 16,   0x86, 2,  0x43, 0x0d, 6,  0x0a, 0x4a, 0x83, 3, 0x2e, 8,  0x02, 20, 0xc6, 0x0c, 7,
       8,    0x41, 0x0b, 0x05, 12, 4,    0x14, 13, 2,    0x09, 14,   1, 0x07, 15, 0x11, 3,  0x7c});
  writer.fde(cie, SectionWriter::kText + 64, 192, {0x07, 16});
  cie = writer.cie({.augmentation = "zRS"});
  writer.fde(cie, SectionWriter::kText + 256, 256,
             {0x0f, 4,    0x77, 0xa0, 0x01, 0x06, 0x10, 16,   3, 0x77, 0xa8, 0x01, 0x48, 0x16, 3,
              2,    0x38, 0x1c, 0x0f, 8,    0x77, 8,    0x80, 0, 0x3f, 0x1a, 0x28, 0,    0});
  writer.terminator();
  writer.write_header();
  return writer;
}

void add_cfi(const Folder& out) {
  const Bytes stub = {0xff, 0x25, 0, 0, 0, 0, 0x68, 0, 0, 0, 0, 0xe9, 0, 0, 0, 0};
  SectionWriter writer = varied_section();
  for (uint8_t flags = 0; flags < 4; ++flags) {
    out.add("cfi_compile", "seed-" + std::to_string(flags),
            Seed().u8(flags).sized(writer.header()).sized(stub + stub).bytes(writer.bytes()).done());
  }
}

void add_elf(const Folder& out) {
  constexpr uint16_t kHeader = 0x40, kNote = 0x200, kFrames = 0x300, kCode = 0x1000;
  SectionWriter writer;
  writer.fde(writer.cie(), SectionWriter::kAddress + kCode - kFrames, 16, {});
  writer.terminator();
  Bytes memory(kFrames);
  Bytes header = {1, 0x1b, 0xff, 0xff};
  append(header, int32_t{kFrames - (kHeader + 4)});
  std::copy(header.begin(), header.end(), memory.begin() + kHeader);
  const Bytes note = {4, 0, 0, 0, 20, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0, 1, 2, 3, 4, 5, 6, 7, 8};
  std::copy(note.begin(), note.end(), memory.begin() + kNote);
  append_all(memory, writer.bytes());
  Seed seed;
  seed.u8(4);
  seed.u8(4 << 2).u16(0).u16(0x1000);          // readable
  seed.u8(1 | 5 << 2).u16(kCode).u16(0x1000);  // and executable
  seed.u8(2 | 4 << 2).u16(kNote).u16(64);      // notes
  seed.u8(3 | 4 << 2).u16(kHeader).u16(64);    // .eh_frame_hdr
  out.add("elf_image", "seed", seed.bytes(memory).done());
}

void add_pe(const Folder& out) {
  HandMadePe pe;
  constexpr uint32_t kTable = 0x300, kCli = 0x340, kInfo = 0x400, kCode = 0x500, kSize = 0x600;
  pe.set(HandMadePe::kImageSize, kSize).set(HandMadePe::kExceptions, kTable).set(HandMadePe::kCli, kCli);
  pe.set<uint32_t>(kCli + 68, 16);
  pe.section(0, kCode, 0x100, 0x60000020).section(1, kTable, 0x200, 0x40000040);
  const auto put = [&](uint32_t at, const Bytes& bytes) {
    for (const uint8_t byte : bytes) pe.set(at++, byte);
  };
  uint32_t at = kCode, info = kInfo, index = 0;
  for (const NamedMethod& named : typical_methods()) {
    if (index == 3 || named.method.code().size() + at > kSize) break;
    pe.set(kTable + 12 * index++,
           unwind::RuntimeFunction{at, at + uint32_t(named.method.code().size()), info});
    put(at, named.method.code());
    put(info, named.method.info());
    at += static_cast<uint32_t>(named.method.code().size());
    info += static_cast<uint32_t>(named.method.info().size() + 3) / 4 * 4;
  }
  const auto* bytes = reinterpret_cast<const uint8_t*>(pe.base());
  out.add("pe_unwind", "image", Seed().u8(0).u8(0).bytes({bytes, bytes + kSize}).done());
  for (const NamedMethod& named : typical_methods())
    out.add("pe_unwind", "info-" + std::string(named.name),
            Seed().u8(1).u8(20).bytes(named.method.info()).done());
  const Bytes large =
      pe_info({.prolog = 20, .frame = kPeRbp}, {pe_save(20, kPeRbx, 3), pe_save_far(18, kPeR12, 64),
                                                pe_set_frame_large(16, 5), pe_alloc(8, 0x100000)});
  out.add("pe_unwind", "info-large", Seed().u8(1).u8(20).bytes(large).done());
}

void add_prolog(const Folder& out) {
  for (const NamedMethod& named : typical_methods()) out.add("prolog", named.name, named.method.code());
}

Bytes ring_records() {
  wire::RawSample sample;
  sample.type = static_cast<uint8_t>(wire::RawType::kSample);
  sample.frames = 2;
  sample.clr_frames = 1;
  sample.size = sizeof sample + 24;
  const auto* at = reinterpret_cast<const uint8_t*>(&sample);
  Bytes records = {16, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};  // a filler
  records.insert(records.end(), at, at + sizeof sample);
  records.resize(records.size() + 24, 7);
  return records;
}

void add_ring(const Folder& out) {
  Seed seed;
  for (const uint64_t tail : {uint64_t{0}, uint64_t{1008}, ~uint64_t{0} - 15})
    seed.u64(tail).u64(96).u8(1).u8(0).sized(ring_records());
  out.add("ring", "seed", seed.done());
}

// Two samples of a method with source lines, one of them at a caller.
std::string with_lines() {
  std::string out;
  const base::CodeId code(1);
  const auto il = [](uint64_t offset) { return wire::kIlFirst + offset; };
  const auto frame = [&](uint32_t offset) {
    return wire::Frame::in_code(wire::FrameKind::kJitted, code, offset);
  };
  wire::encode(wire::Session{}, out);
  wire::encode(wire::Thread{.id = base::ThreadId(1)}, out);
  wire::encode(wire::Assembly{base::AssemblyId(1), "/a.dll", "0123456789abcdef"}, out);
  wire::Method method;
  method.id = base::MethodId(1), method.method = "Run";
  method.token = 0x06000001, method.assembly = base::AssemblyId(1);
  wire::encode(method, out);
  wire::encode(wire::JitCode{code, method.id, wire::Tier::kTier1, 0x1000, 0x100}, out);
  wire::encode(
      wire::IlMap{code, 0, {wire::kIlProlog, il(0), il(5), il(20), wire::kIlNone}, {0, 16, 32, 48, 64}}, out);
  wire::Nodes nodes;
  nodes.parent = {0, 1}, nodes.frame = {frame(0x18), frame(0x24)};
  wire::encode(nodes, 1, out);
  wire::Samples samples = recording::testing::two_samples();
  samples.stack = {base::StackId(2), base::StackId(1)};
  wire::encode(samples, out);
  wire::SourceLines lines;
  lines.assembly = base::AssemblyId(1);
  lines.documents = {{"/a.cs", wire::HashKind::kSha256, "hash", ""}};
  lines.methods = {{method.token, {0, 5, 9, 15, 20}, {10, 11, 12, 13, 14}, {1}, {0, 0, 1, 2, 0}}};
  wire::encode(lines, out);
  return out;
}

void add_recordings(const Folder& out) {
  size_t from = 0;
  int number = 0;
  // Each of its records alone, too: a short input.
  const std::string every = recording::testing::every_record([&](const std::string& bytes) {
    const Bytes record(bytes.begin() + static_cast<ptrdiff_t>(from), bytes.end());
    out.add("stream", "record-" + std::to_string(++number), Seed().u8(255).bytes(record).done());
    from = bytes.size();
  });
  const Bytes records(every.begin(), every.end());
  out.add("stream", "every-record", Seed().u8(10).bytes(records).done());
  Seed whole, refused;
  whole.u8(1).u8(wire::kHello);
  for (size_t at = 0; at < records.size(); at += 160) {
    const size_t end = std::min(records.size(), at + 160);
    whole.u8(10).bytes({records.data() + at, records.data() + end});
  }
  out.add("collector", "session", whole.done());
  out.add("collector", "two-descriptors", refused.u8(2).u8(wire::kHello).done());
  out.add("walk_file", "records", Seed().u8(2).bytes(records).done());
  recording::testing::Reencoder traced;
  profile::testing::emit_trace(traced);
  out.add("walk_file", "traces", Seed().u8(2).bytes({traced.bytes.begin(), traced.bytes.end()}).done());
  const std::string lines = with_lines();
  out.add("walk_file", "lines", Seed().u8(2 + 3).bytes({lines.begin(), lines.end()}).done());
  // One block that zstd stored as it is: magic, a frame header without size, one raw block.
  const Bytes payload = Bytes{0x28, 0xb5, 0x2f, 0xfd, 0x20, static_cast<uint8_t>(67), 0x19, 0x02, 0x00} +
                        Bytes(records.begin(), records.begin() + 67);
  Seed file;
  const std::string_view magic = recording::kMagic;
  file.u8(1).bytes({magic.begin(), magic.end()}).u32(recording::kFormatVersion).u32(0);
  file.bytes({'W', 'B', 'L', 'K'}).u32(static_cast<uint32_t>(payload.size())).u32(67).u32(0).bytes(payload);
  out.add("walk_file", "file", file.done());
}

void add_jit_unwind(const Folder& out) {
  using Heap = agent::testing::FakeCodeHeap;
  const Heap heap;
  const auto* page = reinterpret_cast<const uint8_t*>(heap.address(0));
  Seed seed;
  seed.u16(Heap::kHeader).u16(Heap::kCode).u16(Heap::kSize).u64(Heap::kMethod);
  out.add("jit_unwind", "seed", seed.bytes({page, page + Heap::kInfos + 32}).done());
}

void add_inlining(const Folder& out) {
  clr::testing::InlinedEvent event{
      0x1000,
      {{0x1000, 0xffffffff, 3, 0}, {0x2000, 6, 2, 0}, {0x3000, 4, 0, 0}, {0x4000, 17, 0, 1}},
      {{0, 0, 4}, {2, 2, 10}, {1, 1, 10}, {0, 0, 30}, {3, 3, 40}}};
  out.add("inlining", "seed", Seed().u8(1).bytes(event.payload()).done());
  event.nodes[3].sibling = 0;
  out.add("inlining", "no-link", Seed().u8(0).bytes(event.payload()).done());
}

// The leaf and its caller are methods that were not reported yet.
void add_unreported(const Folder& out, SectionWriter& frames) {
  using fuzz::HostileProcess;
  Seed seed;
  seed.u8(5).sized(frames.bytes()).sized(frames.header());
  for (uint16_t f = 0; f < HostileProcess::kFunctions; ++f) seed.u16(0).u16(0).u16(0);
  seed.bytes(Bytes(HostileProcess::kCode, 0x90));
  for (const uint16_t nothing : {0, 0, 0, 0, 0}) seed.u16(nothing);  // of the image and two methods
  const Bytes info = typical_methods()[2].method.info();
  constexpr uint32_t kInfo = HostileProcess::kHeader + 64;
  Seed heap;
  heap.u64(0).u64(0).u64(0).u64(0x1000).u32(1);  // a code header, a RUNTIME_FUNCTION
  heap.u32(HostileProcess::kUnreported).u32(HostileProcess::kHeap).u32(kInfo);
  Bytes contents = heap.done();
  contents.resize(kInfo - HostileProcess::kHeader);
  contents.insert(contents.end(), info.begin(), info.end());
  seed.sized(contents);
  constexpr uint16_t kInHeap = 0x8000 | HostileProcess::kUnreported;
  for (int reg = 0; reg < unwind::kRegCount; ++reg)
    seed.u16(static_cast<uint16_t>(reg == unwind::kRip ? kInHeap + 0x80 : 0x4008));
  for (const uint16_t word : {kInHeap + 0x100, 0x4020, kInHeap + 0x90, 0x4040, 0x1190, 0x4060, 0x1010, 0})
    seed.u16(static_cast<uint16_t>(word));
  out.add("walker", "unreported", seed.done());
}

void add_walker(const Folder& out) {
  using fuzz::HostileProcess;
  SectionWriter section;
  const size_t plain = section.cie();
  section.fde(plain, HostileProcess::kNative, 256, {0x07, 16});        // the thread's entry
  section.fde(plain, HostileProcess::kNative + 256, 256, {0x0e, 16});  // a frame of 16 bytes
  CieShape signal;
  signal.augmentation = "zRS";
  signal.instructions = {0x0c, 7, 24, 0x90, 1, 0x87, 2, 0x86, 3};
  section.fde(section.cie(signal), HostileProcess::kNative + 512, 256, {});
  section.terminator();
  section.write_header();
  SectionWriter varied = varied_section();
  const std::vector<NamedMethod> methods = typical_methods();
  for (uint16_t i = 0; i < 6; ++i) {
    const uint16_t kind = i % 3 + 1;  // the leaf is native, jitted, precompiled
    SectionWriter& frames = i < 3 ? section : varied;
    Seed seed;
    seed.u8(static_cast<uint8_t>(kind)).sized(frames.bytes()).sized(frames.header());
    for (uint16_t f = 0; f < HostileProcess::kFunctions; ++f)
      seed.u16(f * 256).u16(f * 256 + 256).u16(HostileProcess::kCode);
    Bytes code = methods[3].method.code();
    code.resize(HostileProcess::kCode, 0x90);
    seed.bytes(code).sized(methods[3].method.info());
    for (const size_t method : {2, 5})
      seed.sized(methods[method].method.code()).sized(methods[method].method.info());
    for (int reg = 0; reg < unwind::kRegCount; ++reg) {
      const bool pc = reg == unwind::kRip;
      seed.u16(static_cast<uint16_t>(pc ? kind << 12 | 0x120 : 0x4008));
    }
    for (const uint16_t word : {0x1210, 0x4020, 0x2030, 0x4040, 0x3010, 0x4060, 0x1190, 0x1010, 0, 0})
      seed.u16(word);
    out.add("walker", "seed-" + std::to_string(i), seed.done());
  }
  add_unreported(out, section);
}

void add_recovery(const Folder& out) {
  cli::testing::TestRings rings(1024);
  rings.arm(0, 1, 2);
  const auto in_code = [](wire::FrameKind kind, uint32_t code) {
    return wire::Frame::in_code(kind, base::CodeId(code), 16);
  };
  const wire::Frame native = in_code(wire::FrameKind::kNative, 1),
                    jitted = in_code(wire::FrameKind::kJitted, 2),
                    precompiled = in_code(wire::FrameKind::kReadyToRun, 3);
  rings.sample(0, 1'000'000, {jitted, native});
  rings.sample(0, 2'000'000, {precompiled, jitted, native});
  rings.sample(0, 3'000'000, {wire::Frame::at_address(wire::FrameKind::kUnreported, 0x1000), jitted, native});
  rings.sample({0, 1'000'000, {jitted, native}, wire::Lane::kCallback, base::SourceId(2), {1, 2}, {3}});
  rings.sample({0, 1'000'000, {native}, wire::Lane::kCallback, base::SourceId(2), {4, 5}, {6}, 9, 0});
  Seed seed;
  seed.u8(0).u16(0).u8(1).u8(2);
  for (const wire::Lane lane : {wire::Lane::kHandler, wire::Lane::kCallback}) {
    const auto head = static_cast<uint16_t>(rings.slot(0)->lane(lane).head.load());
    const uint8_t* ring = rings.ring(0, lane);
    const uint8_t source = lane == wire::Lane::kHandler ? 0 : 1;
    seed.u64(0).u16(head).u8(source).u64(3).u8(2).u8(1).u8(0).sized({ring, ring + head});
  }
  out.add("recovery", "seed", Seed(seed).done());
  for (int slot = 1; slot < 4; ++slot) {  // that nobody has
    seed.u16(slot).u8(0).u8(0);
    for (int lane = 0; lane < 2; ++lane) seed.u64(0).u16(0).u8(0).u64(0).u8(0).u8(0).u8(0).u16(0);
  }
  const wire::SumRow* row = rings.sum(1, 1, base::SourceId(2), {7, 8}, {9});
  const auto* bytes = reinterpret_cast<const uint8_t*>(row);
  seed.u8(0).u8(1).u8(2).u8(1).u8(wire::Sums::kLeastHash).sized({bytes, bytes + sizeof *row});
  out.add("recovery", "sums", seed.done());
}

void add_image_names(const Folder& out) {
  const Bytes image = precompiled::testing::TestImage().bytes;
  for (const uint8_t runtime : {8, 10})
    out.add("image_names", "seed-" + std::to_string(runtime), Seed().u8(runtime).bytes(image).done());
}

void add_pdb(const Folder& out) {
  const Bytes pdb = pdb::testing::TestPdb().bytes;
  out.add("pdb", "pdb", Seed().u8(0).bytes(pdb).done());
  out.add("pdb", "image", Seed().u8(1).bytes(pdb::testing::TestAssembly().bytes).done());
  const Bytes embedded = pdb::testing::TestAssembly(pdb::testing::test_id(), pdb).bytes;
  out.add("pdb", "embedded", Seed().u8(1).bytes(embedded).done());
  Bytes body = {0x13, 0x30, 2, 0, 15, 0, 0, 0, 0, 0, 0, 0};  // nop, i = 0, i++, a jump and a return
  body =
      body + Bytes{0x00, 0x16, 0x0a, 0x00, 0x06, 0x17, 0x58, 0x0a, 0x00, 0x2b, 0x00, 0x2a, 0x00, 0x00, 0x00};
  const Bytes assembly = pdb::testing::TestAssembly(pdb::testing::test_id(), {}, {}, 3, body).bytes;
  out.add("pdb", "both", Seed().u8(2).sized(assembly).bytes(pdb).done());
}

void add_il(const Folder& out) {
  using namespace il::testing;
  const auto joined = [](Data a, const Data& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  };
  const Data code = Data{0x02, 0x2d, 5, 0x16, 0x2a, 0xfe, 0x14, 0x28, 1, 0, 0, 6, 0x2a};
  const Data jumps = Data{0x45, 2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0x00, 0x2a};
  const Data clauses =
      joined(small_clause(0, {0, 2}, {2, 2}, 0x01000002), small_clause(1, {0, 4}, {6, 2}, 4));
  const Data prefixed = Data{0xfe, 0x16, 1, 0, 0, 0x1b, 0x6f, 1, 0, 0, 0x0a, 0xfe, 0x13, 0x46, 0x2a};
  int number = 0;
  for (const Data& body :
       {tiny(code), tiny(jumps), tiny(prefixed), fat(joined(nops(130), {0x2b, 0x80, 0x2a})),
        fat(Data{0x2b, 1, 0x00, 0x2a}), with_small(joined(nops(8), {0x2a}), clauses),
        with_fat(joined(nops(6), {0xde, 0, 0x2a}),
                 joined(fat_clause(4, {0, 2}, {2, 2}, 0), fat_clause(2, {0, 4}, {4, 2}, 0)))}) {
    for (const uint8_t shape : {1, 2})
      out.add("il", "body-" + std::to_string(number++), Seed().u8(shape).u8(0).bytes(body).done());
  }
  for (const Data& method :
       {Data{0x20, 1, 0x08, 0x0e}, Data{0x00, 0, 0x15, 0x12, 0x81, 0x01, 2, 0x08, 0x1d, 0x0e},
        Data{0x00, 0, 0x1b, 0x09, 1, 0x20, 0x05, 0x01, 0x08}, Data{0x00, 0, 0x14, 0x08, 2, 1, 3, 1, 0}})
    out.add("il", "signature-" + std::to_string(number++),
            Seed().u8(0).sized(method).bytes({0x07, 2, 0x45, 0x10, 0x08, 0x0e}).done());
}

void add_cover(const Folder& out) {
  for (const uint32_t probe_size : {1u, 8u}) {
    cover::testing::MadeCounts made(probe_size);
    made.module(1, "/app/shop.dll");
    made.method(1, 0x06000001, 7, {1, 0, 1});
    out.add("cover", "counts-" + std::to_string(probe_size), made.bytes());
  }
  cover::testing::MadeCounts tests(1);
  tests.module(1, "/app/shop.dll");
  tests.module(2, "/app/tests.dll", {}, wire::CoverKind::kTestModule);
  tests.method(1, 0x06000001, 7, {1, 0, 1});
  tests.test(2, 0x06000001, {0, 2});
  out.add("cover", "counts-tests", tests.bytes());
  std::ostringstream text;
  static_cast<void>(cover::write_cover(cover::testing::some_coverage(), text));
  const std::string written = text.str();
  out.add("cover", "written", Bytes(written.begin(), written.end()));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: fuzz_seeds FOLDER\n");
    return 2;
  }
  const Folder out(argv[1]);
  add_cfi(out);
  add_elf(out);
  add_pe(out);
  add_prolog(out);
  add_ring(out);
  add_recordings(out);
  add_jit_unwind(out);
  add_inlining(out);
  add_walker(out);
  add_recovery(out);
  add_image_names(out);
  add_pdb(out);
  add_il(out);
  add_cover(out);
  return 0;
}
