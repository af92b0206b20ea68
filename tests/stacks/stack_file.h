// Recorded stacks and the code map they are walked with: what a .stacks file holds (format.md beside this
// file).
//
// One file holds stacks of one process, so that they share its code. Frames are wire::Frame, and their
// CodeIds are the file's own images and regions. Addresses are those of the recorded process; nothing in a
// file is where its address says. Plain values, no state. Code that writes them is also linked into the
// capturing agent: no exceptions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "unwind/machine/registers_x64.h"
#include "unwind/pe/pe_unwind.h"
#include "wire/frame.h"

namespace walkabout::stacks {

inline constexpr uint32_t kFormatVersion = 1;
// A file that says it is larger than this when unpacked is damaged.
inline constexpr uint64_t kMaxBytes = 64u << 20;

// Consecutive bytes of the process.
struct Run {
  uint64_t address = 0;
  std::string bytes;
  uint64_t end() const { return address + bytes.size(); }
};

// An ELF image (cfi, plt) or a ready-to-run one (functions, unwind).
struct RecordedImage {
  uint32_t code = 0;
  std::string name;      // of the file, without its folder
  std::string build_id;  // as bytes
  uint64_t begin = 0;    // of its code
  uint64_t end = 0;
  uint64_t base = 0;  // where offsets of frames count from
  bool managed = false;
  bool jit_compiler = false;
  uint64_t header = 0;                             // address of .eh_frame_hdr
  std::vector<Run> cfi;                            // whole CIEs and FDEs, ascending
  std::vector<Run> plt;                            // slots of the PLT that have no FDE, ascending
  std::vector<unwind::RuntimeFunction> functions;  // ascending
  std::vector<Run> unwind;                         // by RVA, ascending
};

// A compiled method or funclet of jitted code.
struct RecordedRegion {
  uint32_t code = 0;
  uint64_t begin = 0;
  uint64_t method_start = 0;
  uint32_t size = 0;
  std::string unwind;  // UNWIND_INFO
  std::string name;    // of the method
};

struct RecordedStack {
  std::string situation;  // what it is an example of (situation.h)
  std::string judge;      // who says that the frames are right: see format.md
  unwind::Registers leaf;
  std::vector<Run> memory;          // stack and code bytes, ascending
  std::vector<wire::Frame> frames;  // expected, leaf first; empty: only `clr` is known to be right
  std::vector<wire::Frame> clr;     // the CLR's own walk: managed frames, leaf first
  wire::WalkEnd end = wire::WalkEnd::kRooted;
  // Of a capture only, to find the sample in the recording made beside it; not in fixtures.
  uint32_t tid = 0;
  uint64_t sample = 0;
  uint32_t hresult = 0;        // of the CLR's walk
  bool clr_requested = false;  // the CLR's walk was
};

struct StackFile {
  std::string program;
  std::vector<RecordedImage> images;
  std::vector<RecordedRegion> regions;
  std::vector<RecordedStack> stacks;
};

// The message, without the file's header and not packed.
std::string encode(const StackFile& file);
// Checks everything: sizes, order, overlaps. An error says what is damaged.
base::Result<StackFile> decode(const std::string& message);

// A file as it lies in tests/stacks: header, zstd. Equal files give equal bytes.
base::Result<std::string> pack(const StackFile& file);
base::Result<StackFile> unpack(const std::string& bytes);

}  // namespace walkabout::stacks
