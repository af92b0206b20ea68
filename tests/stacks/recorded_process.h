// A recorded process made walkable again: the code map, call frame information, unwind data and memory of a
// .stacks file, without a CLR and without anything at the addresses it speaks of.
//
// One thread. A walk reads what was recorded and nothing else; what was not recorded cannot be read.
#pragma once

#include <cstdlib>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "tests/stacks/stack_file.h"
#include "unwind/walk/walker.h"

namespace walkabout::stacks {

// How native code is stepped over.
enum class Cfi { kInterpreted, kCompiled };

struct Walked {
  unwind::WalkOutcome outcome;
  std::vector<wire::Frame> frames;
  bool operator==(const Walked& other) const {
    return outcome.end == other.outcome.end && frames == other.frames;
  }
};

// Where an address of the process is in the recording; all null: in no code it has.
struct CodePlace {
  const RecordedImage* image = nullptr;
  const RecordedRegion* region = nullptr;
};

class RecordedProcess {
 public:
  // REQUIRES: the file outlives the process.
  static base::Result<std::unique_ptr<RecordedProcess>> load(const StackFile& file, Cfi cfi);

  Walked walk(const RecordedStack& stack, unwind::WalkMemo* memo = nullptr) const;

  const StackFile& file() const { return file_; }
  const unwind::CodeMap& code() const { return map_; }
  CodePlace locate(uint64_t pc) const;
  const unwind::Image* image(uint64_t pc) const;
  const unwind::JitRegion* region(uint64_t pc) const;
  // The address of a frame; 0 when its code is not in the recording.
  uint64_t address(wire::Frame frame) const;

 private:
  explicit RecordedProcess(const StackFile& file) : file_(file) {}
  base::Status add_image(const RecordedImage& recorded, Cfi cfi);
  base::Status add_region(const RecordedRegion& recorded);
  base::Status add_cfi(const RecordedImage& recorded, unwind::Image& image);
  void add_unwind(const RecordedImage& recorded, unwind::Image& image);

  // Zeros the system gives only where something is put: what was recorded lies far apart.
  struct Free {
    void operator()(uint8_t* bytes) const { std::free(bytes); }
  };
  using Sparse = std::unique_ptr<uint8_t[], Free>;
  uint8_t* sparse(size_t size);
  unwind::MappedBytes lay_out(const std::vector<Run>& runs, uint64_t begin, uint64_t end);

  const StackFile& file_;
  mutable unwind::ReaderGate gate_;
  unwind::JitMap jitted_{gate_};
  unwind::ImageMap images_{gate_};
  unwind::CodeMap map_;
  std::deque<Sparse> memory_;
  std::deque<unwind::CfiTable> tables_;
  std::unordered_map<uint32_t, uint64_t> bases_;  // CodeId → what its frames' offsets count from
};

// The walker's memory of one recorded stack, which must outlive it.
unwind::Memory memory_of(const RecordedStack& stack);

}  // namespace walkabout::stacks
