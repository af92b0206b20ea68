// Every ready-to-run image of the runtimes on this machine: what it says must be what the walker takes for
// granted.
#include <gtest/gtest.h>

#include <filesystem>

#include "unwind/code/image_map.h"
#include "unwind/managed/managed_step.h"
#include "unwind/pe/pe_rule.h"
#include "unwind/pe/pe_test_image.h"
#include "unwind/pe/pe_test_info.h"
#include "unwind/rule/cfi_step.h"

namespace walkabout::unwind {
namespace {

using namespace testing;  // the images' and codes' spelling

std::vector<std::string> framework_assemblies() {
  std::vector<std::string> found;
  const std::string runtime = dotnet_runtime_folder();
  if (runtime.empty()) return found;
  const std::filesystem::path shared = std::filesystem::path(runtime).parent_path().parent_path();
  for (const auto& entry : std::filesystem::recursive_directory_iterator(shared)) {
    if (entry.path().extension() == ".dll") found.push_back(entry.path().string());
  }
  return found;
}

struct Differences {
  size_t functions = 0, chained = 0, rules = 0, compact = 0;
};

// The steps of one function whose prolog is done, by the codes and by the rule.
void compare_function(const MappedPe& pe, RuntimeFunction f, Differences* counts) {
  const Memory memory = readable_everywhere();
  Registers by_codes = distinct_registers();
  PeRule rule;
  bool has_rule = true;
  for (int chain = 0;; ++chain) {
    ASSERT_LT(chain, 32);
    ASSERT_LT(f.unwind, pe.mapped().size());
    const auto rest = pe.mapped().subspan(f.unwind);
    const size_t size = unwind_info_size(rest);
    ASSERT_NE(size, 0u) << "no valid UNWIND_INFO at " << f.unwind;
    const UnwindInfo info = rest.first(size);
    ASSERT_EQ(undo_prolog(info, 255, by_codes, memory), UnwindStatus::kOk);
    has_rule = has_rule && rule.add(info);
    if ((info[0] >> 3 & kUnwindFlagChained) == 0) break;
    ++counts->chained;
    const size_t parent = (size + 3) / 4 * 4;
    ASSERT_LE(parent + sizeof f, rest.size());
    std::memcpy(&f, rest.data() + parent, sizeof f);
  }
  ASSERT_EQ(pop_return(by_codes, memory), UnwindStatus::kOk);
  if (!has_rule) return;
  ++counts->rules;
  Registers by_rule = distinct_registers();
  const CfiRule cfi = rule.finish();
  ASSERT_EQ(cfi_step(cfi, by_rule, memory), StepStatus::kOk);
  ASSERT_TRUE(std::equal(by_rule.r, by_rule.r + kRegCount, by_codes.r));
  CompactRule compact;
  if (CompactRule::plain(cfi, &compact)) ++counts->compact;
}

void check(const MappedPe& pe, Differences* counts) {
  const PeImage& image = *pe.image();
  uint32_t last_end = 0;
  for (const RuntimeFunction& f : pe.functions()) {
    ASSERT_GE(f.begin, last_end) << "sorted, disjoint";
    ASSERT_GT(f.end, f.begin);
    ASSERT_GE(f.begin, image.code_begin);
    ASSERT_LE(f.end, image.code_end);
    last_end = f.end;
    ASSERT_EQ(find_function(pe.functions(), f.begin), &f);
    ASSERT_EQ(find_function(pe.functions(), f.end - 1), &f);
    ++counts->functions;
    compare_function(pe, f, counts);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(PeFramework, EveryFunctionHasAValidInfoWhoseRuleStepsAsItsCodesDo) {
  const auto assemblies = framework_assemblies();
  if (assemblies.empty()) GTEST_SKIP() << "no .NET runtime here";
  Differences counts;
  size_t images = 0;
  for (const std::string& path : assemblies) {
    const MappedPe pe(path);
    if (!pe.image() || pe.image()->function_count == 0) continue;  // IL only
    SCOPED_TRACE(path);
    EXPECT_TRUE(pe.image()->managed);
    EXPECT_TRUE(pe.image()->ready_to_run);
    check(pe, &counts);
    if (HasFatalFailure()) return;
    ++images;
  }
  EXPECT_GT(images, 50u);
  EXPECT_GT(counts.functions, 50'000u);
  EXPECT_GT(counts.compact * 100, counts.functions * 99)
      << "the memo needs rules; " << counts.rules << " of " << counts.functions << ", chained "
      << counts.chained;
}

}  // namespace
}  // namespace walkabout::unwind
