#include "verify/oracle_marks.h"

#include <gtest/gtest.h>

namespace walkabout::profile {
namespace {

using wire::Frame;
using wire::FrameKind;

constexpr base::CodeId kRuntime{1}, kLibrary{2}, kMain{3}, kWork{4}, kDispatch{5};

struct Fixture {
  CodeTable code;
  RawStacks stacks{{0}, {Frame{}}};

  Fixture() {
    code.add(wire::Module{kRuntime, wire::ModuleKind::kElf, "/x/libcoreclr.so", "", 0, 0, 0});
    code.add(wire::Module{kLibrary, wire::ModuleKind::kElf, "/x/libother.so", "", 0, 0, 0});
    method(kMain, 1, "Demo", "Main", "Demo.dll");
    method(kWork, 2, "Demo", "Work", "Demo.dll");
    method(kDispatch, 3, "System.Runtime.EH", "DispatchEx", "System.Private.CoreLib.dll");
    code.sort();
  }
  void method(base::CodeId code_id, uint32_t id, const char* type, const char* name, const char* module) {
    code.add(wire::Method{base::MethodId(id), type, name, "", module, 0});
    code.add(wire::JitCode{code_id, base::MethodId(id), wire::Tier::kTier0, 0x1000, 0x100, 0});
  }
  // Root first.
  void stack(std::initializer_list<Frame> frames) {
    uint32_t parent = 0;
    for (const Frame frame : frames) {
      stacks.parent.push_back(parent);
      stacks.frame.push_back(frame);
      parent = static_cast<uint32_t>(stacks.frame.size() - 1);
    }
  }
  const wire::Method* method_of(Frame frame) const { return code.method(frame, Role::kCaller); }
};

Frame managed(base::CodeId code_id) { return Frame::in_code(FrameKind::kJitted, code_id, 16); }
Frame native(base::CodeId module, uint32_t offset) {
  return Frame::in_code(FrameKind::kNative, module, offset);
}

TEST(OracleMarks, WhoCallsTheDispatcherThrows) {
  Fixture f;
  f.stack(
      {managed(kMain), native(kRuntime, 10), native(kRuntime, 20), managed(kDispatch), managed(kDispatch)});
  f.stack({managed(kMain), native(kRuntime, 30), managed(kWork)});
  const OracleMarks marks(f.stacks, f.code);
  EXPECT_TRUE(marks.throws(native(kRuntime, 10)));
  EXPECT_FALSE(marks.throws(native(kRuntime, 20)));
  EXPECT_FALSE(marks.throws(native(kRuntime, 30)));
}

// A class constructor is called by the runtime, throws, and the runtime throws again for its caller.
TEST(OracleMarks, CodeIsOnlyADispatchersIfItCallsNothingElse) {
  Fixture f;
  f.code.add(wire::JitCode{base::CodeId(9), base::MethodId(2), wire::Tier::kTier0, 0x2000, 0x100, 0x8});
  f.code.sort();
  const Frame catches = managed(base::CodeId(9));  // at 16, behind its main function
  f.stack({managed(kMain), native(kRuntime, 10), native(kRuntime, 20), managed(kWork)});
  f.stack(
      {managed(kMain), native(kRuntime, 10), native(kRuntime, 30), native(kRuntime, 20), managed(kDispatch)});
  f.stack({managed(kWork), native(kRuntime, 30), native(kRuntime, 40), catches});
  f.stack({managed(kWork), native(kRuntime, 50)});
  const OracleMarks marks(f.stacks, f.code);
  EXPECT_FALSE(marks.dispatches(native(kRuntime, 10))) << "it called the constructor";
  EXPECT_FALSE(marks.dispatches(native(kRuntime, 20))) << "it calls any managed code";
  EXPECT_TRUE(marks.dispatches(native(kRuntime, 30)));
  EXPECT_TRUE(marks.dispatches(native(kRuntime, 40))) << "it calls handlers";
  EXPECT_FALSE(marks.dispatches(native(kRuntime, 50)));
}

// Where the thread is once the dispatcher has returned.
TEST(OracleMarks, AFunctionDispatchesWhereverInItTheThreadIs) {
  Fixture f;
  f.code.add(
      wire::NativeSymbols{kRuntime,
                          true,
                          true,
                          "",
                          {{100, 150, "dispatch", ""}, {150, 200, "call", ""}, {200, 250, "other", ""}}});
  f.code.sort();
  f.stack({managed(kMain), native(kRuntime, 110), native(kRuntime, 160), managed(kDispatch)});
  f.stack({managed(kMain), native(kRuntime, 170), managed(kWork)});
  f.stack({managed(kMain), native(kRuntime, 140), native(kRuntime, 210)});
  f.stack({managed(kMain), native(kRuntime, 180), native(kRuntime, 210)});
  const OracleMarks marks(f.stacks, f.code);
  EXPECT_TRUE(marks.dispatches(native(kRuntime, 110)));
  EXPECT_TRUE(marks.dispatches(native(kRuntime, 140)));
  EXPECT_TRUE(marks.dispatches(native(kRuntime, 160))) << "there it only called the dispatcher";
  EXPECT_FALSE(marks.dispatches(native(kRuntime, 180))) << "it calls any managed code";
  EXPECT_FALSE(marks.dispatches(native(kRuntime, 210)));
}

TEST(OracleMarks, ADispatcherWithoutACallerTeachesNothing) {
  Fixture f;
  f.stack({native(kRuntime, 10), managed(kDispatch)});
  EXPECT_FALSE(OracleMarks(f.stacks, f.code).throws(native(kRuntime, 10)));
}

// A few samples of a program may show the dispatcher for one kind of fault only.
TEST(OracleMarks, WhoThrowsACppExceptionInTheRuntimeThrowsForItsCaller) {
  Fixture f;
  constexpr base::CodeId kCpp{6};
  f.code.add(wire::Module{kCpp, wire::ModuleKind::kElf, "/x/libstdc++.so.6", "", 0, 0, 0});
  f.code.add(wire::NativeSymbols{
      kCpp, false, true, "", {{100, 150, "__cxa_throw", ""}, {200, 250, "__cxa_rethrow", ""}}});
  f.code.sort();
  f.stack({managed(kMain), native(kRuntime, 10), native(kRuntime, 20), native(kCpp, 110)});
  f.stack({managed(kMain), native(kRuntime, 30), native(kCpp, 210)});
  f.stack({managed(kMain), native(kLibrary, 40), native(kCpp, 110)});
  const OracleMarks marks(f.stacks, f.code);
  EXPECT_TRUE(marks.throws(native(kRuntime, 10)));
  EXPECT_FALSE(marks.throws(native(kRuntime, 20)));
  EXPECT_FALSE(marks.throws(native(kRuntime, 30)));
  EXPECT_FALSE(marks.throws(native(kLibrary, 40))) << "it catches what it throws";
}

TEST(OracleMarks, WhatASampleIsTakenInForAnExceptionThrowsForItsCaller) {
  Fixture f;
  f.stack({managed(kMain), native(kRuntime, 10), native(kRuntime, 20)});
  const auto leaf = static_cast<uint32_t>(f.stacks.frame.size() - 1);
  EXPECT_FALSE(OracleMarks(f.stacks, f.code).throws(native(kRuntime, 10)));
  const OracleMarks marks(f.stacks, f.code, std::span(&leaf, 1));
  EXPECT_TRUE(marks.throws(native(kRuntime, 10)));
  EXPECT_FALSE(marks.throws(native(kRuntime, 20)));
  const uint32_t managed_leaf = 1;
  EXPECT_FALSE(OracleMarks(f.stacks, f.code, std::span(&managed_leaf, 1)).throws(managed(kMain)));
}

TEST(OracleMarks, OnlyLibrariesOutsideTheRuntimeShowEntries) {
  Fixture f;
  f.stack({managed(kMain), native(kLibrary, 10), managed(kWork)});
  f.stack({native(kRuntime, 10), managed(kMain)});
  const OracleMarks marks(f.stacks, f.code);
  EXPECT_TRUE(marks.called_by_libraries(f.method_of(managed(kWork))));
  EXPECT_FALSE(marks.called_by_libraries(f.method_of(managed(kMain))));
  EXPECT_FALSE(marks.called_by_libraries(nullptr));
}

TEST(OracleMarks, WhereTheRuntimeIsNoLibraryTheExecutableShowsNoEntries) {
  Fixture f;
  CodeTable single;
  single.add(wire::Module{kRuntime, wire::ModuleKind::kElf, "/x/program", "", 0, 0, 0});
  single.add(wire::Module{kLibrary, wire::ModuleKind::kElf, "/x/libother.so.2", "", 0, 0, 0});
  f.code = single;
  f.method(kMain, 1, "Demo", "Main", "Demo.dll");
  f.method(kWork, 2, "Demo", "Work", "Demo.dll");
  f.code.sort();
  f.stack({native(kRuntime, 10), managed(kMain)});
  f.stack({native(kLibrary, 10), managed(kWork)});
  const OracleMarks marks(f.stacks, f.code);
  EXPECT_FALSE(marks.called_by_libraries(f.method_of(managed(kMain))));
  EXPECT_TRUE(marks.called_by_libraries(f.method_of(managed(kWork))));
}

TEST(OracleMarks, TheDispatcherIsTheCoreLibrarysOnly) {
  const wire::Method namesake{base::MethodId(1), "System.Runtime.EH", "DispatchEx", "", "Demo.dll", 0};
  EXPECT_FALSE(is_exception_dispatcher(&namesake));
  EXPECT_FALSE(is_exception_dispatcher(nullptr));
  for (const char* type : {"System.Runtime.EH", "System.Runtime.StackFrameIterator",
                           "System.Runtime.ExceptionServices.InternalCalls"}) {
    const wire::Method method{base::MethodId(1), type, "Any", "", "System.Private.CoreLib.dll", 0};
    EXPECT_TRUE(is_exception_dispatcher(&method)) << type;
  }
}

}  // namespace
}  // namespace walkabout::profile
