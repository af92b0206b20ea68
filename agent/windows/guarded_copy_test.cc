#include "base/windows/win32.h"
// after win32.h
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "agent/windows/guarded_copy.h"

namespace walkabout::agent {
namespace {

constexpr size_t kPage = 4096;

// Two pages, of which the second is what the test makes of it.
struct GuardedCopyTest : ::testing::Test {
  GuardedCopyTest() { std::iota(pages, pages + kPage, uint8_t{1}); }
  ~GuardedCopyTest() override { ::VirtualFree(pages, 0, MEM_RELEASE); }
  void protect_second(DWORD protection) {
    DWORD before = 0;
    ASSERT_TRUE(::VirtualProtect(pages + kPage, kPage, protection, &before));
  }
  uint64_t from(size_t offset) const { return reinterpret_cast<uint64_t>(pages) + offset; }

  GuardedCopy guarded;
  uint8_t* pages =
      static_cast<uint8_t*>(::VirtualAlloc(nullptr, 2 * kPage, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE));
  std::vector<uint8_t> to = std::vector<uint8_t>(2 * kPage);
};

TEST_F(GuardedCopyTest, WhatIsThereIsCopied) {
  EXPECT_EQ(guarded.copy(to.data(), from(100), 1000), 1000u);
  EXPECT_TRUE(std::equal(to.begin(), to.begin() + 1000, pages + 100));
  EXPECT_EQ(to[1000], 0);
  EXPECT_EQ(guarded.copy(to.data(), from(0), 0), 0u);
}

TEST_F(GuardedCopyTest, ItEndsWhereNothingIs) {
  protect_second(PAGE_NOACCESS);
  EXPECT_EQ(guarded.copy(to.data(), from(kPage - 24), 100), 24u);
  EXPECT_TRUE(std::equal(to.begin(), to.begin() + 24, pages + kPage - 24));
  EXPECT_EQ(guarded.copy(to.data(), from(kPage), 100), 0u);
  EXPECT_EQ(guarded.copy(to.data(), 0, 100), 0u);
}

TEST_F(GuardedCopyTest, ItEndsAtAGuardPage) {
  protect_second(PAGE_READWRITE | PAGE_GUARD);
  EXPECT_EQ(guarded.copy(to.data(), from(kPage - 24), 100), 24u);
}

// Faults elsewhere are another's.
TEST_F(GuardedCopyTest, OtherFaultsAreLeftAlone) {
  static bool called;
  called = false;
  void* last = ::AddVectoredExceptionHandler(0, [](EXCEPTION_POINTERS* e) -> LONG {
    called = true;
    return e->ExceptionRecord->ExceptionCode == 0xe0001234 ? EXCEPTION_CONTINUE_EXECUTION
                                                           : EXCEPTION_CONTINUE_SEARCH;
  });
  ::RaiseException(0xe0001234, 0, 0, nullptr);
  ::RemoveVectoredExceptionHandler(last);
  EXPECT_TRUE(called);
}

}  // namespace
}  // namespace walkabout::agent
