#include "profile/query/folding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "profile/query/filter.h"
#include "profile/query/totals.h"
#include "profile/query/tree.h"

namespace walkabout::profile {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

// Stacks as text, outermost first: "n:start_thread c:Main f:Linq.Where". The letter is of whose code a frame
// is: m the program's, f the framework's (its module is before the first dot of its name), a async machinery,
// n native of libc, N native of another library, w native of Windows, r runtime, s stub, d dynamic, x a
// marker.
class Stacks {
 public:
  Stacks() {
    profile_.threads = {{"main", 1}};
    profile_.nodes.push_back({});
  }
  Stacks& add(const std::string& stack, uint64_t weight) {
    uint32_t node = 0;
    std::istringstream words(stack);
    for (std::string word; words >> word;) node = child(node, frame(word));
    Sample sample;
    sample.weight = weight;
    sample.node = node;
    profile_.samples.push_back(sample);
    return *this;
  }
  Profile profile() const { return profile_; }

 private:
  uint32_t frame(const std::string& word) {
    const auto [at, added] = frames_.try_emplace(word, static_cast<uint32_t>(profile_.frames.size()));
    if (!added) return at->second;
    const std::string name = word.substr(2);
    const std::string module = name.substr(0, name.find('.')) + ".dll";
    const std::map<char, DisplayFrame> kinds{
        {'m', {name, name, "Demo.dll", Kind::kManaged}},
        {'f', {name, name, module, Kind::kManaged}},
        {'a', {name, name, "System.Private.CoreLib.dll", Kind::kManaged}},
        {'n', {name, name, "libc.so.6", Kind::kNative}},
        {'N', {name, name, "libssl.so.3", Kind::kNative}},
        {'w', {name, name, "KERNEL32.DLL", Kind::kNative}},
        {'r', {name, name, "libcoreclr.so", Kind::kRuntime}},
        {'s', {name, name, "", Kind::kStub}},
        {'d', {name, name, "", Kind::kManaged}},
        {'x', {name, name, "", Kind::kOther}}};
    DisplayFrame made = kinds.at(word[0]);
    made.origin = word[0] == 'm'   ? Origin::kMine
                  : word[0] == 'a' ? Origin::kAsync
                  : word[0] == 'x' ? Origin::kMarker
                                   : Origin::kFramework;
    profile_.frames.push_back(made);
    return at->second;
  }
  uint32_t child(uint32_t parent, uint32_t frame) {
    const auto [at, added] =
        nodes_.try_emplace({parent, frame}, static_cast<uint32_t>(profile_.nodes.size()));
    if (added) profile_.nodes.push_back({parent, frame});
    return at->second;
  }

  Profile profile_;
  std::map<std::string, uint32_t> frames_;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> nodes_;
};

// Stacks and their weights.
std::map<std::string, uint64_t> shown(const Profile& profile) {
  std::map<std::string, uint64_t> out;
  for (const Sample& sample : profile.samples) {
    std::string stack;
    for (uint32_t node = sample.node; node != 0; node = profile.nodes[node].parent)
      stack.insert(0, name_of(profile, node) + (stack.empty() ? "" : " > "));
    out[stack] += sample.weight;
  }
  return out;
}
std::map<std::string, uint64_t> my_code(const Stacks& stacks) {
  return shown(folded(stacks.profile(), Folding::kMyCode));
}

TEST(Folding, ARunIsCalledAfterWhatTheProgramCalled) {
  Stacks stacks;
  stacks.add("m:Main f:Linq.Where f:Linq.MoveNext f:Core.Equals m:Compare", 5);
  stacks.add("m:Main f:Linq.Where", 2);
  EXPECT_THAT(my_code(stacks),
              UnorderedElementsAre(Pair("Main > (+3 Linq) > Compare", 5), Pair("Main > (+3 Linq)", 2)));
}

TEST(Folding, UnderAThreadsEntryTheManagedCodeNamesTheRun) {
  Stacks stacks;
  stacks.add("n:start_thread r:clr f:Kestrel.Run a:Dispatch f:Core.Read m:Handle", 5);
  stacks.add("n:start_thread r:clr m:Main", 3);
  stacks.add("n:start_thread r:clr a:Dispatch m:Work", 2);
  stacks.add("N:ssl_thread n:read", 1);
  EXPECT_THAT(my_code(stacks),
              UnorderedElementsAre(Pair("(+5 Kestrel) > Handle", 5), Pair("(+2 runtime) > Main", 3),
                                   Pair("(+3 async) > Work", 2), Pair("(+2 libssl.so.3)", 1)));
}

TEST(Folding, UnderTheProcessOfSeveralItIsTheSame) {
  Stacks stacks;
  stacks.add("x:dotnet_(pid_1) n:start_thread r:clr m:Main", 3);
  stacks.add("x:dotnet_(pid_2) n:start_thread r:clr m:Main", 2);
  EXPECT_THAT(my_code(stacks), UnorderedElementsAre(Pair("dotnet_(pid_1) > (+2 runtime) > Main", 3),
                                                    Pair("dotnet_(pid_2) > (+2 runtime) > Main", 2)));
}

TEST(Folding, OnWindowsAThreadsEntrySaysNothingEither) {
  Stacks stacks;
  stacks.add("w:RtlUserThreadStart r:clr m:Main", 3);
  EXPECT_THAT(my_code(stacks), UnorderedElementsAre(Pair("(+2 runtime) > Main", 3)));
}

TEST(Folding, OfThePoolIsOnlyWhatThePoolDispatched) {
  Stacks stacks;
  stacks.add("n:start_thread r:clr f:System.Threading.Thread.StartCallback() m:Look", 3);
  stacks.add("n:start_thread r:clr f:System.Threading.Thread.StartCallback() a:Dispatch m:Work", 2);
  EXPECT_THAT(my_code(stacks),
              UnorderedElementsAre(Pair("(+3 System) > Look", 3), Pair("(+4 async) > Work", 2)));
}

TEST(Folding, UnderHiddenRuntimeTheNearestFrameCalledIt) {  // as web/src/model/folding.test.ts
  Stacks stacks;
  stacks.add("m:Main f:Linq.A N:read r:clr", 1);
  stacks.add("m:Main d:lambda N:read d:lambda r:clr", 2);
  Profile profile = stacks.profile();
  wire::Source source = wire::cpu_source({});
  profile.sources = {source};
  auto hidden = filtered(std::move(profile), {.hide_runtime = true});
  ASSERT_TRUE(hidden.ok()) << hidden.message();
  EXPECT_THAT(
      shown(folded(std::move(*hidden), Folding::kMyCode)),
      UnorderedElementsAre(Pair("Main > (+2 Linq) > [runtime]", 1), Pair("Main > (+3 libssl.so.3)", 2)));
}

TEST(Folding, NativeCodeThatTheProgramCallsHasItsLibrarysName) {
  Stacks stacks;
  stacks.add("m:Sort d:[P/Invoke_stub] n:qsort r:clr s:[stub] m:Compare", 4);
  stacks.add("m:Sort d:lambda_method1 m:Compare", 2);
  stacks.add("m:Sort s:[stub]", 1);
  EXPECT_THAT(my_code(stacks),
              UnorderedElementsAre(Pair("Sort > (+4 libc.so.6) > Compare", 4),
                                   Pair("Sort > (+1 dynamic) > Compare", 2), Pair("Sort > (+1 runtime)", 1)));
}

TEST(Folding, MarkersStay) {
  Stacks stacks;
  stacks.add("x:[cut_off] f:Linq.Where x:[left_out] f:Core.Equals", 1);
  EXPECT_THAT(my_code(stacks),
              UnorderedElementsAre(Pair("[cut_off] > (+1 Linq) > [left_out] > (+1 Core)", 1)));
}

TEST(Folding, AsyncMachineryAlone) {
  Stacks stacks;
  stacks.add("n:start_thread a:Dispatch a:Run f:Http.Send m:Outer a:Start a:MoveNext m:Inner", 3);
  EXPECT_THAT(
      shown(folded(stacks.profile(), Folding::kAsync)),
      UnorderedElementsAre(Pair("start_thread > (+2 async) > Http.Send > Outer > (+2 async) > Inner", 3)));
  EXPECT_THAT(shown(folded(stacks.profile(), Folding::kNone)),
              UnorderedElementsAre(
                  Pair("start_thread > Dispatch > Run > Http.Send > Outer > Start > MoveNext > Inner", 3)));
}

TEST(Folding, NoSumChanges) {
  Stacks stacks;
  stacks.add("m:Main f:Linq.A m:F f:Linq.A m:F", 4).add("m:Main f:Linq.B", 2).add("n:start r:clr", 1);
  const Profile before = stacks.profile(), after = folded(stacks.profile(), Folding::kMyCode);
  const Totals was = sum_up(before), is = sum_up(after);
  EXPECT_EQ(was.all.weight, is.all.weight);
  for (size_t i = 0; i < before.frames.size(); ++i) {
    EXPECT_EQ(before.frames[i].name, after.frames[i].name);
    if (before.frames[i].origin != Origin::kMine) continue;
    EXPECT_EQ(was.frame_self[i].weight, is.frame_self[i].weight) << before.frames[i].name;
    EXPECT_EQ(was.frame_total[i].weight, is.frame_total[i].weight) << before.frames[i].name;
  }
  std::map<std::string, uint64_t> totals, selves;
  for (size_t i = before.frames.size(); i < after.frames.size(); ++i) {
    totals[after.frames[i].name] = is.frame_total[i].weight;
    selves[after.frames[i].name] = is.frame_self[i].weight;
  }
  // (libc.so.6): the run before the runtime's frame was seen.
  EXPECT_THAT(totals, UnorderedElementsAre(Pair("(Linq)", 6), Pair("(runtime)", 1), Pair("(libc.so.6)", 0)));
  EXPECT_THAT(selves, UnorderedElementsAre(Pair("(Linq)", 2), Pair("(runtime)", 1), Pair("(libc.so.6)", 0)));
}

TEST(Folding, OfAnEventTheRunThatRaisesItHasNoSelf) {
  Stacks stacks;
  stacks.add("m:Main f:System.Runtime.EH.Throw r:clr", 4);
  Profile profile = stacks.profile();
  wire::Source throws;
  throws.clock = static_cast<uint32_t>(wire::Clock::kEvent);
  throws.values = {{"exceptions", "count", wire::Adding::kSum}};
  profile.sources = {throws};
  const Profile after = folded(std::move(profile), Folding::kMyCode);
  const Totals totals = sum_up(after);
  EXPECT_EQ(after.frames[0].name, "Main");
  EXPECT_EQ(totals.frame_self[0].weight, 4u);
}

TEST(Folding, OfWhatWasCutOffNothingIsSaid) {
  Stacks stacks;
  stacks.add("m:Main f:Linq.A", 1);
  Profile profile = stacks.profile();
  profile.thinned.self = profile.thinned.total = {{5, 1}, {7, 1}};
  const Profile after = folded(std::move(profile), Folding::kMyCode);
  EXPECT_EQ(after.thinned.self[0].weight, 5u);
  EXPECT_EQ(after.thinned.self[1].weight, 0u);
  EXPECT_EQ(after.thinned.total[1].weight, 0u);
}

TEST(Folding, OfNothing) {
  Profile empty;
  empty.nodes.push_back({});
  EXPECT_THAT(folded(empty, Folding::kMyCode).samples, IsEmpty());
  EXPECT_THAT(folded(empty, Folding::kMyCode).folded, ElementsAre(0));
}

}  // namespace
}  // namespace walkabout::profile
