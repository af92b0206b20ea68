// What the spooler asks the CLR for each region of code, and that a refusal is the end of it (rule 8 of the
// profiling API: docs/accuracy.md has the list).
#include "agent/core/code_writer.h"

#include <gtest/gtest.h>

#include <array>

#include "agent/core/fake_managed_code.h"
#include "agent/core/fake_runtime.h"
#include "clr/abi/hresults.h"
#include "clr/events/test_inlining.h"
#include "clr/names/fake_metadata.h"
#include "wire/encode.h"
#include "wire/inline_tree.h"

namespace walkabout::agent {
namespace {

using testing::FakeManagedCode;
using testing::FakeRuntime;
using wire::Frame;
using wire::FrameKind;

class CodeWriterTest : public ::testing::Test {
 protected:
  // Declares it as often as a busy method is sampled.
  void declare_often(Frame frame) {
    for (int i = 0; i < 100; ++i) writer_.declare(frame, i % 2 == 0, &out_);
  }

  FakeRuntime runtime_{clr::CORPROF_E_DATAINCOMPLETE};
  unwind::ReaderGate gate_;
  CodeRegistry registry_{gate_};
  CodeWriter writer_{registry_, &runtime_};
  std::string out_;
};

TEST_F(CodeWriterTest, AJittedMethodIsRequestedOnce) {
  const FakeManagedCode code;
  registry_.jitted(code.event(0x1230));
  base::CodeId id;
  {
    const unwind::ReaderGate::Reader inside(gate_);
    id = base::CodeId(registry_.jitted().find(code.start())->code.load());
  }
  declare_often(Frame::in_code(FrameKind::kJitted, id, 4));
  EXPECT_EQ(runtime_.count("GetFunctionInfo2"), 1u);
  EXPECT_FALSE(out_.empty()) << "it has a name all the same";
}

// Which IL a method's code is of is only of use to who knows its method's token and assembly.
TEST_F(CodeWriterTest, WithLinesAMethodHasItsTokenAndItsAssembly) {
  clr::FakeMetadata metadata;
  metadata.version = clr::guid("00112233-4455-6677-8899-aabbccddeeff");
  clr::FakeClr clr;
  clr.modules[0x77] = {u"/app/Demo.dll", &metadata};
  clr.functions[0x1230].module = 0x77;
  clr.functions[0x1230].token = 0x06000005;
  const FakeManagedCode code;
  registry_.jitted(code.event(0x1230));
  base::CodeId id;
  {
    const unwind::ReaderGate::Reader inside(gate_);
    id = base::CodeId(registry_.jitted().find(code.start())->code.load());
  }
  const auto declared = [&](bool lines) {
    CodeWriter writer(registry_, &clr, {lines});
    std::string out;
    for (int i = 0; i < 3; ++i) writer.declare(Frame::in_code(FrameKind::kJitted, id, 4), true, &out);
    EXPECT_TRUE(writer.emit_il_maps(10, &out));
    return out;
  };
  std::string assembly;
  wire::encode(
      wire::Assembly{base::AssemblyId(1), "/app/Demo.dll",
                     std::string("\x33\x22\x11\x00\x55\x44\x77\x66\x88\x99\xaa\xbb\xcc\xdd\xee\xff", 16)},
      assembly);
  const std::string with = declared(true), without = declared(false);
  EXPECT_EQ(with.substr(0, assembly.size()), assembly);
  // Field 8, a varint of four bytes; field 9, a varint.
  const std::string fields("\x40\x85\x80\x80\x30\x48\x01", 7);
  EXPECT_NE(with.find(fields), std::string::npos);
  EXPECT_EQ(without.find(fields), std::string::npos);
  EXPECT_EQ(with.size(), assembly.size() + without.size() + fields.size());
}

// The records of the inlined methods come before the tree, one for each.
TEST_F(CodeWriterTest, WhatWasInlinedIsDeclaredWithItsMethods) {
  const FakeManagedCode code;
  const base::CodeId id = registry_.jitted(code.event(0x1230));
  const clr::testing::InlinedEvent event{
      0x1230, {{0x1230, 0, 2, 0}, {0x4560, 3, 0, 0}, {0x4560, 8, 0, 1}}, {{0, 0, 0}, {2, 1, 10}, {4, 2, 20}}};
  registry_.inlined(id, 0x1230, event.data());
  for (const bool sites : {false, true}) {
    CodeWriter writer(registry_, &runtime_, {true, sites});
    std::string out;
    for (int i = 0; i < 3; ++i) writer.declare(Frame::in_code(FrameKind::kJitted, id, 4), true, &out);
    wire::InlineColumns tree{{2, 2}, {0, 0}, {0, 0}, {10, 20}, {1, 2}, {5, 7}};
    if (sites) tree.site = {4, 9};
    std::string wanted;
    wire::encode(wire::inline_tree(id, tree), wanted);
    EXPECT_TRUE(out.ends_with(wanted)) << sites;
    EXPECT_EQ(writer.refused_inline_trees(), 0u);
  }
  EXPECT_EQ(runtime_.count("GetFunctionInfo2"), 4u) << "of two methods, in two recordings";
}

TEST_F(CodeWriterTest, WhatCannotBeInlinedSoIsCounted) {
  const FakeManagedCode code;
  const base::CodeId id = registry_.jitted(code.event(0x1230));
  const clr::testing::InlinedEvent event{0x1230, {{0x1230, 0, 1, 0}, {0x4560, 3, 1, 0}}, {}};
  registry_.inlined(id, 0x1230, event.data());
  CodeWriter writer(registry_, &runtime_, {true});
  writer.declare(Frame::in_code(FrameKind::kJitted, id, 4), true, &out_);
  EXPECT_EQ(writer.refused_inline_trees(), 1u);
  EXPECT_EQ(runtime_.count("GetFunctionInfo2"), 1u) << "of what it names nothing is asked";
}

// Code that comes and goes for days: what was declared of it is not remembered for ever, and its id is
// nobody's.
TEST_F(CodeWriterTest, UnloadedCodeIsNotDeclaredAgain) {
  const FakeManagedCode code;
  registry_.jitted(code.event(0x1230));
  base::CodeId id;
  {
    const unwind::ReaderGate::Reader inside(gate_);
    id = base::CodeId(registry_.jitted().find(code.start())->code.load());
  }
  declare_often(Frame::in_code(FrameKind::kJitted, id, 4));
  registry_.unloaded({0x1230, code.start()});
  EXPECT_TRUE(registry_.erase_unloaded().empty()) << "rings may name it";
  const std::vector<base::CodeId> erased = registry_.erase_unloaded();
  ASSERT_EQ(erased, std::vector{id});
  writer_.erase(id);
  out_.clear();
  declare_often(Frame::in_code(FrameKind::kJitted, id, 4));
  EXPECT_TRUE(out_.empty());
}

// Broken by keeping a function's range only once it had a name: a question for each sample.
TEST_F(CodeWriterTest, AReadyToRunMethodIsRequestedOnce) {
  const std::array<unwind::RuntimeFunction, 2> functions = {{{0x1000, 0x1100, 0}, {0x1100, 0x1200, 0}}};
  wire::Module about;
  about.kind = wire::ModuleKind::kReadyToRun;
  about.start = 0x7000'0000;
  unwind::Image* image = registry_.add_image(about, [&](unwind::Image& i) {
    i.managed = true;
    i.begin = 0x7000'1000, i.end = 0x7000'2000, i.base = 0x7000'0000;
    i.functions = functions;
  });
  declare_often(Frame::in_code(FrameKind::kReadyToRun, image->code, 0x1010));
  EXPECT_EQ(runtime_.count("GetFunctionFromIP"), 1u);
  declare_often(Frame::in_code(FrameKind::kReadyToRun, image->code, 0x1110));
  EXPECT_EQ(runtime_.count("GetFunctionFromIP"), 2u) << "each method";
  declare_often(Frame::in_code(FrameKind::kReadyToRun, image->code, 0x1300));
  EXPECT_EQ(runtime_.count("GetFunctionFromIP"), 2u) << "what is in no function is nobody's";
  const base::CodeId code = image->code;
  registry_.remove_image(image);
  declare_often(Frame::in_code(FrameKind::kReadyToRun, code, 0x1020));
  declare_often(Frame::in_code(FrameKind::kReadyToRun, code, 0x1ff0));
  EXPECT_EQ(runtime_.count("GetFunctionFromIP"), 2u) << "its functions are unmapped";
}

// A return address may lie behind its method; an exception's, at the first instruction of the method that
// threw.
TEST_F(CodeWriterTest, AnAddressIsFoundWithinTheMethodItBelongsTo) {
  const FakeManagedCode code;
  registry_.jitted(code.event(0x1230));
  const auto offset_of = [&](uint64_t pc, bool leaf) {
    const Frame frame = writer_.resolve(Frame::at_address(FrameKind::kStub, pc), leaf);
    return frame.kind() == FrameKind::kJitted ? static_cast<int64_t>(frame.offset()) : -1;
  };
  EXPECT_EQ(offset_of(code.start(), true), 0);
  EXPECT_EQ(offset_of(code.start(), false), 0);
  EXPECT_EQ(offset_of(code.end(), true), -1);
  EXPECT_EQ(offset_of(code.end(), false), static_cast<int64_t>(code.end() - code.start()));
  EXPECT_EQ(offset_of(code.end() + 1, false), -1);
  clr::MethodLoad next = code.event(0x1240);  // right behind it
  next.start = code.end();
  next.size = 16;
  registry_.jitted(next);
  EXPECT_EQ(offset_of(code.end(), true), 0);
  EXPECT_EQ(offset_of(code.end(), false), static_cast<int64_t>(code.end() - code.start()));
  EXPECT_EQ(writer_.resolve(Frame::at_address(FrameKind::kStub, 0), false),
            Frame::at_address(FrameKind::kStub, 0));
}

// It was left by a method's unwind data: a stub is what it is not.
TEST_F(CodeWriterTest, AMethodThatIsNeverReportedIsManagedCodeWithoutAName) {
  const Frame frame = writer_.resolve(Frame::at_address(FrameKind::kUnreported, 0x7f00'1234'5678), true);
  EXPECT_EQ(frame, Frame::in_code(FrameKind::kJitted, Frame::unreported_code(), 0x1234'5678));
  declare_often(frame);
  wire::JitCode nameless;
  nameless.code = Frame::unreported_code();
  std::string once;
  wire::encode(nameless, once);
  EXPECT_EQ(out_, once);
}

}  // namespace
}  // namespace walkabout::agent
