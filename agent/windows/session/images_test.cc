// What the loader reports, against a DLL that comes and goes: one that nothing in the test needs.
#include "base/windows/win32.h"
// after win32.h
#include <gtest/gtest.h>

#include "agent/windows/session/images.h"
#include "base/clock.h"

namespace walkabout::agent {
namespace {

struct ImagesTest : ::testing::Test {
  ImagesTest() { images.follow_loader(); }
  ~ImagesTest() override { images.stop_following(); }
  const unwind::Image* image_at(uint64_t pc) {
    const unwind::ReaderGate::Reader inside(gate);
    return registry.images().find(pc);
  }
  static uint64_t function_of(HMODULE library) {
    return reinterpret_cast<uint64_t>(::GetProcAddress(library, "FDICreate"));
  }

  unwind::ReaderGate gate;
  CodeRegistry registry{gate};
  Images images{registry};
};

TEST_F(ImagesTest, ALibraryIsKnownFromItsLoadingToItsEnd) {
  HMODULE library = ::LoadLibraryW(L"cabinet.dll");
  ASSERT_NE(library, nullptr);
  const uint64_t function = function_of(library);
  EXPECT_NE(image_at(function), nullptr);
  ::FreeLibrary(library);
  EXPECT_EQ(image_at(function), nullptr);
}

// The sampler reads its unwind data in there.
TEST_F(ImagesTest, ALibraryStaysMappedWhileAReaderMayReadIt) {
  HMODULE library = ::LoadLibraryW(L"cabinet.dll");
  ASSERT_NE(library, nullptr);
  const unwind::ReaderGate::Reader inside(gate);
  ASSERT_NE(registry.images().find(function_of(library)), nullptr);
  const uint64_t begin = base::monotonic_ns();
  ::FreeLibrary(library);
  EXPECT_GE(base::monotonic_ns() - begin, 4'000'000u) << "it waits, though not for ever";
}

}  // namespace
}  // namespace walkabout::agent
