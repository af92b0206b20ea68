#include "profile/names/distinct_names.h"

#include <gtest/gtest.h>

#include <vector>

namespace walkabout::profile {
namespace {

class DistinctNamesTest : public ::testing::Test {
 protected:
  uint32_t add(const std::string& type, const std::string& method, const std::string& parameters = "",
               const std::string& module = "Demo.dll") {
    code_.add(wire::Method{base::MethodId(++last_), type, method, parameters, module, 0, ""});
    return last_;
  }
  std::string name(uint32_t id) {
    names_.learn(code_);
    return names_.of(code_.methods().at(base::MethodId(id))).text;
  }

  CodeTable code_;
  DistinctNames names_;
  uint32_t last_ = 0;
};

TEST_F(DistinctNamesTest, LambdasOfOverloadsHaveTheCompilersNumbers) {
  const uint32_t first = add("Demo.Program+<>c", "<Run>b__0_0"),
                 second = add("Demo.Program+<>c", "<Run>b__1_0");
  const uint32_t other = add("Demo.Program+<>c", "<Stop>b__2_0");
  EXPECT_EQ(name(first), "Demo.Program.Run.(lambda #0_0)");
  EXPECT_EQ(name(second), "Demo.Program.Run.(lambda #1_0)");
  EXPECT_EQ(name(other), "Demo.Program.Stop.(lambda #0)");
}

TEST_F(DistinctNamesTest, WhatNothingElseTellsApartHasItsRawName) {
  const uint32_t nested = add("Demo.A+B", "Run"), within = add("Demo.A.B", "Run");
  EXPECT_EQ(name(nested), "Demo.A.B.Run() {Demo.A+B.Run()}");
  EXPECT_EQ(name(within), "Demo.A.B.Run() {Demo.A.B.Run()}");
}

TEST_F(DistinctNamesTest, TheSameOfAnotherModuleIsAnotherFrameAnyway) {
  const uint32_t first = add("Program", "<Main>$"), second = add("Program", "<Main>$", "", "Other.dll");
  EXPECT_EQ(name(first), "Program.Main()");
  EXPECT_EQ(name(second), "Program.Main()");
}

TEST_F(DistinctNamesTest, OneMethodToldTwiceIsOne) {
  const uint32_t first = add("A", "Run"), again = add("A", "Run");
  EXPECT_EQ(name(first), "A.Run()");
  EXPECT_EQ(name(again), "A.Run()");
}

TEST_F(DistinctNamesTest, LearnsWhatCameLater) {
  const uint32_t first = add("A", "Run", "B.Line");
  EXPECT_EQ(name(first), "A.Run(Line)");
  const uint32_t second = add("A", "Run", "C.Line");
  EXPECT_EQ(name(first), "A.Run(B.Line)");
  EXPECT_EQ(name(second), "A.Run(C.Line)");
}

}  // namespace
}  // namespace walkabout::profile
