#include "symbols/name_check.h"

#include <gtest/gtest.h>

namespace walkabout::symbols {
namespace {

TEST(NameCheckTest, AHelperIsTheFunctionThatItsReleaseHasForIt) {
  EXPECT_TRUE(is_same_function("CORINFO_HELP_COUNTPROFILE32", "JIT_CountProfile32(unsigned int volatile*)"));
  EXPECT_TRUE(is_same_function("CORINFO_HELP_JIT_PINVOKE_BEGIN", "JIT_PInvokeBegin"));
  EXPECT_TRUE(is_same_function("CORINFO_HELP_NEWARR_1_DIRECT", "JIT_NewArr1(CORINFO_CLASS_STRUCT_*, long)"));
  EXPECT_TRUE(is_same_function("CORINFO_HELP_NEWARR_1_DIRECT", "RhpNewVariableSizeObject"));
  EXPECT_FALSE(is_same_function("CORINFO_HELP_NEWARR_1_DIRECT", "JIT_New"));
  EXPECT_FALSE(is_same_function("CORINFO_HELP_COUNTPROFILE32", "JIT_CountProfile64(unsigned int volatile*)"));
  EXPECT_TRUE(is_same_function("CORINFO_HELP_NEWSFAST or CORINFO_HELP_NEWSFAST_ALIGN8",
                               "JIT_NewS_MP_FastPortable(CORINFO_CLASS_STRUCT_*)"));
  EXPECT_TRUE(is_same_function("CORINFO_HELP_LMUL or CORINFO_HELP_THROW", "IL_Throw(Object*)"));
}

TEST(NameCheckTest, AMethodIsTheFunctionOfItsName) {
  EXPECT_TRUE(is_same_function("GC._CollectionCount", "GCInterface::CollectionCount(int, int)"));
  EXPECT_FALSE(is_same_function("GC._CollectionCount", "GCInterface::GetGeneration(Object*)"));
  EXPECT_TRUE(is_same_function("ThreadNative_YieldThread", "ThreadNative_YieldThread"));
  EXPECT_TRUE(is_same_function("PreStubWorker", "PreStubWorker"));
  EXPECT_FALSE(is_same_function("PreStubWorker", "ExternalMethodFixupWorker"));
}

wire::NativeSymbol symbol(uint32_t begin, uint32_t end, const std::string& name, bool approximate = false) {
  wire::NativeSymbol made;
  made.begin = begin;
  made.end = end;
  made.name = name;
  made.approximate = approximate;
  return made;
}

TEST(NameCheckTest, EachNameIsConfirmedContradictedOrNotKnown) {
  wire::NativeSymbols known, real;
  known.stripped = true;
  known.symbols = {symbol(0x10, 0x20, "CORINFO_HELP_THROW"), symbol(0x20, 0x30, "PreStubWorker"),
                   symbol(0x30, 0x40, "CORINFO_HELP_LMUL"), symbol(0x40, 0x50, "coreclr_shutdown+0x10", true),
                   symbol(0x60, 0x70, "ThreadNative_Start")};
  real.symbols = {symbol(0x10, 0x20, "IL_Throw(Object*)"), symbol(0x20, 0x30, "memcpy"),
                  symbol(0x28, 0x40, "JIT_LMul"), symbol(0x40, 0x50, "Thread::Enter()")};
  EXPECT_TRUE(has_runtime_names(known));
  EXPECT_FALSE(has_runtime_names(real));
  const NameCheck check = check_names(known, real);
  EXPECT_EQ(check.confirmed, 1u);
  EXPECT_EQ(check.contradicted,
            (std::vector<std::string>{"PreStubWorker is memcpy", "CORINFO_HELP_LMUL is JIT_LMul"}))
      << "a function that begins elsewhere is another one";
}

}  // namespace
}  // namespace walkabout::symbols
