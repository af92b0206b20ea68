// Walks at one instruction after the other and holds each walk to the chain of calls that were executed.
//
// A walk is right when it is rooted and its callers are exactly the shadow stack's: the same return addresses
// in the same order, none more, none missing, each read from the word the call put it in. Every instruction
// is walked twice: afresh, and with a memo as the handler does. What lies above the first instruction is
// taken from a walk there, so it is what every later walk must have as well.
//
// One thread; no allocation after construction; async-signal-safe.
#pragma once

#include <ucontext.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "agent/linux/own_stack.h"
#include "tests/step/shadow_stack.h"
#include "unwind/code/reader_gate.h"
#include "unwind/walk/walker.h"

namespace walkabout::agent::step {

// A walk that is wrong, or is none: for a person to look at.
struct Example {
  static constexpr uint32_t kFrames = 40;
  static constexpr uint32_t kWords = 12;
  unwind::Registers regs;
  uint64_t previous_pc = 0;
  wire::WalkEnd end = wire::WalkEnd::kRooted;
  bool with_memo = false;
  bool slots = false;     // the addresses are right, but read from elsewhere
  bool replaced = false;  // the runtime had replaced a return address on the stack
  uint32_t walked_count = 0, true_count = 0;
  uint32_t first_difference = 0;  // index of the frame; the leaf is 0
  wire::Frame walked[kFrames];    // from the first difference (less two) on
  wire::Frame truth[kFrames];
  uint64_t stack[kWords] = {};
  uint8_t code[32] = {};
};

struct Figures {
  uint64_t steps = 0;  // instructions walked at
  uint64_t calls = 0;
  uint64_t deepest = 0;
  uint64_t wrong = 0;       // instructions with a wrong walk
  uint64_t wrong_memo = 0;  // … only with the memo
  uint64_t not_rooted = 0;
  uint64_t replaced = 0;   // … with a return address on the stack that is not the one called from
  uint64_t unwinding = 0;  // explained: see being_unwound()
  uint64_t faults = 0;     // signals that the program's own instructions raised
  uint64_t hijacked = 0;   // calls that returned into the runtime, which had replaced their return address
  uint64_t long_jumps = 0;
  uint64_t native = 0, ready_to_run = 0, stub = 0;
};

class Judge {
 public:
  static constexpr uint32_t kMaxExamples = 64;
  static constexpr uint32_t kMaxCodes = 1 << 17;

  Judge(const unwind::CodeMap& code, unwind::ReaderGate& gate);

  // A new chain: the next instruction is the first. stack: the thread's own. runtime_thread:
  // unwind::Memory's.
  void begin(StackBounds stack, uint64_t runtime_thread);
  // False when the chain cannot be followed any longer (too deep; no whole walk at the first instruction).
  bool at(const unwind::Registers& regs);

  // In a handler of a signal that the thread's instruction has raised, before the handler is stepped: its
  // callers are from here on the kernel's trampoline and what was interrupted.
  void faulted(const ucontext_t& interrupted);
  const Figures& figures() const { return figures_; }
  // Instructions by CodeId of jitted code.
  const std::vector<uint32_t>& by_code() const { return by_code_; }
  const Example& example(uint32_t i) const { return examples_[i]; }
  uint32_t examples() const { return example_count_; }
  // The C++ unwinder's library, if it is loaded. Before begin().
  void set_unwinder(base::CodeId library) { unwinder_ = library; }
  // A method the runtime enters by a jump in the place of a call that never returns (OSR). Any thread.
  void note_replacement(uint64_t entry);

 private:
  static constexpr uint32_t kCapacity = 1 << 15;
  static constexpr uint32_t kMaxLoads = 1 << 18;
  static constexpr uint32_t kMaxReplacements = 1 << 12;
  struct Load {
    uint64_t address;
    uint64_t value;
  };

  static bool load(void* self, uint64_t address, void* to, size_t size);
  bool is_replacement(uint64_t pc) const;
  void follow(const unwind::Registers& regs);
  bool returned_elsewhere(const unwind::Registers& regs);
  bool goes_elsewhere(const unwind::Registers& regs, std::span<const uint8_t> code);
  bool jumps_long(const unwind::Registers& regs, std::span<const uint8_t> code);
  void push_fault_frame(uint64_t sp);
  bool first(const unwind::Registers& regs);
  unwind::WalkOutcome walk(const unwind::Registers& regs, bool with_memo);
  bool chain_differs(uint32_t* at);
  bool read_from_slots() const;
  bool any_replaced() const;
  bool being_unwound(uint32_t first_difference) const;
  void count(wire::Frame leaf);
  void keep_example(const unwind::Registers& regs, const unwind::WalkOutcome& outcome, uint32_t difference,
                    bool with_memo, bool slots);

  base::CodeId unwinder_;
  unwind::CodeMap code_;
  unwind::ReaderGate& gate_;
  ShadowStack shadow_;
  unwind::MappedMemo memo_;
  std::vector<wire::Frame> frames_;
  uint32_t frame_count_ = 0;
  std::vector<Load> loads_;
  uint32_t load_count_ = 0;
  std::vector<uint32_t> by_code_;
  std::vector<Example> examples_;
  uint32_t example_count_ = 0;
  std::vector<std::atomic<uint64_t>> replacements_;
  std::atomic<uint32_t> replacement_count_{0};
  Figures figures_;
  StackBounds stack_;
  uint64_t readable_lo_ = 0;  // from here to the end of its stack it is read without asking the kernel
  uint64_t runtime_thread_ = 0;
  uint64_t fault_pc_ = 0;  // 0: no fault is being handled on the alternate stack
  uint64_t previous_pc_ = 0;
  bool was_call_ = false, was_return_ = false;
  bool in_register_ = false;  // the innermost return address lies in no word
  bool is_first_ = true;
};

}  // namespace walkabout::agent::step
