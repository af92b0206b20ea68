// For tests: stacks of a fake process, captured and reduced as a capturing agent does it.
#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "tests/stacks/capture/reduce.h"
#include "tests/stacks/capture/trace.h"
#include "unwind/walk/fake_process.h"

namespace walkabout::stacks::testing {

using unwind::testing::FakeProcess;

// One stack with its code, as it goes into the captured file.
inline StackFile record(const FakeProcess& process, const unwind::Registers& leaf) {
  const auto captured = std::make_unique<CapturedWalk>();
  captured->begin();
  captured->leaf = leaf;
  unwind::Memory memory = process.memory;
  memory.lo = leaf.sp() - 128;
  const unwind::ReaderGate::Reader inside(process.gate);
  EXPECT_TRUE(trace(unwind::walk, memory, process.map, captured.get()));
  StackFile file;
  EXPECT_TRUE(reduce(*captured, process.map, &file));
  EXPECT_EQ(file.stacks.size(), 1u);
  return file;
}

// jitted ← native ← jitted ← native entry, the leaf where a method begins; `at` gives the leaf's registers.
struct MixedStack {
  FakeProcess process;
  std::vector<unwind::Registers> leaves;  // at each instruction of the leaf

  explicit MixedStack(bool through_signal = false) {
    const uint64_t caller = process.load(unwind::testing::calling_method(), 1);
    const uint64_t leaf = process.load(unwind::testing::calling_method_without_frame(), 2);
    process.enter_native();
    process.enter(caller);
    process.enter_native();
    if (through_signal) process.interrupt();
    leaves = process.call(leaf);
  }
};

}  // namespace walkabout::stacks::testing
