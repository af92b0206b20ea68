#include "profile/names/distinct_names.h"

#include <gtest/gtest.h>

#include <vector>

namespace walkabout::profile {
namespace {

class DistinctNamesTest : public ::testing::Test {
 protected:
  uint32_t add(const std::string& type, const std::string& method, const std::string& parameters = "",
               const std::string& module = "Demo.dll", const std::string& returns = "") {
    code_.add(wire::Method{base::MethodId(++last_), type, method, parameters, module, 0, returns});
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

TEST_F(DistinctNamesTest, ConversionsToTwoTypesOfOneName) {
  const uint32_t to_a = add("Money", "op_Implicit", "Money", "Demo.dll", "A.Line"),
                 to_b = add("Money", "op_Implicit", "Money", "Demo.dll", "B.Line");
  EXPECT_EQ(name(to_a), "Money.implicit operator A.Line(Money)");
  EXPECT_EQ(name(to_b), "Money.implicit operator B.Line(Money)");
}

TEST_F(DistinctNamesTest, IndexersOverTwoTypesOfOneName) {
  const uint32_t of_a = add("Bag", "get_Item", "A.Line"), of_b = add("Bag", "get_Item", "B.Line");
  EXPECT_EQ(name(of_a), "Bag.this[A.Line].get()");
  EXPECT_EQ(name(of_b), "Bag.this[B.Line].get()");
}

TEST_F(DistinctNamesTest, MoreOfTwoIsNotTheUsualNameOfAThird) {
  const uint32_t plain = add("T", "Go", "A.B"), other = add("T", "Go", "C.B"), nested = add("T", "Go", "A+B");
  EXPECT_EQ(name(other), "T.Go(C.B)");
  EXPECT_EQ(name(nested), "T.Go(A.B)");
  EXPECT_EQ(name(plain), "T.Go(A.B) {T.Go(A.B)}");
}

TEST_F(DistinctNamesTest, ArgumentsAreShownWithMoreToo) {
  const std::string box = "Ns.Builder`1+Box`1<System.Int32,";
  const uint32_t first = add(box + "Demo.Worker+<RunAsync>d__5>", "MoveNext"),
                 second = add(box + "Demo.Worker+<RunAsync>d__6>", "MoveNext");
  EXPECT_EQ(name(first), "Ns.Builder<int>.Box<Demo.Worker.RunAsync#5>.MoveNext()");
  EXPECT_EQ(name(second), "Ns.Builder<int>.Box<Demo.Worker.RunAsync#6>.MoveNext()");
}

TEST_F(DistinctNamesTest, StubsOfTwoSignaturesHaveTheirParameters) {
  const uint32_t alone = add("dynamicClass", "IL_STUB_PInvoke", "int, void*, nint", "Io.dll");
  EXPECT_EQ(name(alone), "[P/Invoke stub]");
  const uint32_t other = add("dynamicClass", "IL_STUB_PInvoke", "Ns.Handle, int", "Io.dll");
  EXPECT_EQ(name(alone), "[P/Invoke stub (int, void*, nint)]");
  EXPECT_EQ(name(other), "[P/Invoke stub (Ns.Handle, int)]");
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
