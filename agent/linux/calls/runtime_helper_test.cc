#include "agent/linux/calls/runtime_helper.h"

#include <gtest/gtest.h>

namespace walkabout::agent {
namespace {

TEST(RuntimeHelper, TwoOfDotNet8) {
  EXPECT_TRUE(is_runtime_helper(8, "System.Runtime.CompilerServices.CastHelpers.StelemRef"));
  EXPECT_TRUE(is_runtime_helper(8, "System.Runtime.CompilerServices.CastHelpers.LdelemaRef"));
  EXPECT_FALSE(is_runtime_helper(8, "System.Runtime.CompilerServices.CastHelpers.StelemRef_Helper"));
  EXPECT_FALSE(is_runtime_helper(8, "System.SpanHelpers.Fill"));
}

TEST(RuntimeHelper, AllThatTheCompilerOfDotNet9Knows) {
  for (const char* name :
       {"System.Runtime.CompilerServices.CastHelpers.ChkCastAny", "System.SpanHelpers.Memmove",
        "Internal.Runtime.CompilerHelpers.ThrowHelpers.ThrowIndexOutOfRangeException",
        "System.Runtime.CompilerServices.StaticsHelpers.GetGCStaticBase",
        "System.Math.ConvertToInt32Checked"})
    EXPECT_TRUE(is_runtime_helper(9, name)) << name;
  for (const char* name : {"System.Math.Abs", "System.SpanHelpers.IndexOf", "System.Threading.Monitor.Enter",
                           "System.Runtime.CompilerServices.RuntimeHelpers.EnsureSufficientExecutionStack"})
    EXPECT_FALSE(is_runtime_helper(9, name)) << name;
}

TEST(RuntimeHelper, NoneOfOthers) {
  EXPECT_FALSE(is_runtime_helper(10, "System.Runtime.CompilerServices.CastHelpers.StelemRef"));
  EXPECT_FALSE(is_runtime_helper(0, "System.Runtime.CompilerServices.CastHelpers.StelemRef"));
}

}  // namespace
}  // namespace walkabout::agent
