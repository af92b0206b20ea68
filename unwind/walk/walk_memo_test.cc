#include "unwind/walk/walk_memo.h"

#include <gtest/gtest.h>

#include <random>
#include <utility>

#include "unwind/walk/fake_process.h"

namespace walkabout::unwind {
namespace {

using namespace testing;  // the process's and the methods' spelling

void expect_same(const FakeProcess::Walked& with, const FakeProcess::Walked& without, int round) {
  ASSERT_EQ(with.outcome.end, without.outcome.end) << "round " << round;
  ASSERT_EQ(with.frames, without.frames) << "round " << round;
  ASSERT_EQ(with.outcome.failed_pc, without.outcome.failed_pc) << "round " << round;
  ASSERT_EQ(with.outcome.jit_compiler, without.outcome.jit_compiler);
  ASSERT_EQ(with.outcome.saw_managed, without.outcome.saw_managed);
}

class WalkMemoTest : public ::testing::Test {
 protected:
  void check(const Registers& leaf, int round = 0) {
    const auto without = p_.walk_from(leaf);
    expect_same(p_.walk_from(leaf, memo_.get()), without, round);
    const auto with_seed = p_.walk_from(leaf, seeding_.get(), 4096, Seed::kWanted);
    expect_same(with_seed, without, round);
    ASSERT_EQ(values(with_seed.outcome.first_managed), values(without.outcome.first_managed))
        << "round " << round;
  }

  FakeProcess p_;
  MappedMemo memo_ = map_memo();
  MappedMemo seeding_ = map_memo();  // of walks that want the seed
};

TEST_F(WalkMemoTest, GivesWhatAWalkWithoutItGivesWhateverTheStackHolds) {
  std::vector<uint64_t> methods = {p_.load(calling_method(), 1), p_.load(calling_method_without_frame(), 2)};
  std::vector<uint64_t> leaves = methods;
  uint32_t id = 3;
  for (const auto& typical : typical_methods()) leaves.push_back(p_.load(typical.method, id++));
  p_.native().jit_compiler = true;
  std::mt19937_64 random(7);
  const auto below = [&](size_t n) { return static_cast<size_t>(random() % n); };
  std::vector<Registers> frames;  // of the current stack, root first
  std::vector<uint64_t> return_sites = {0, 1, FakeProcess::kStub, FakeProcess::kFrame + 0x40,
                                        FakeProcess::kSignal + 0x10};
  int rooted = 0, broken = 0;
  for (int round = 0; round < 3000; ++round) {
    if (round == 1000) p_.compile_native();
    if (frames.empty() || below(40) == 0) {
      p_.start();
      frames = {p_.regs};
    }
    frames.resize(1 + below(frames.size()));  // some frames return, others are called
    p_.regs = frames.back();
    for (size_t n = below(8); n > 0 && frames.size() < 400; --n) {
      switch (below(8)) {
        case 0:
          p_.enter_native();
          break;
        case 1:
          p_.interrupt();
          break;
        default:
          p_.enter(methods[below(2)]);
          return_sites.push_back(p_.regs.pc());
          break;
      }
      frames.push_back(p_.regs);
    }
    Registers leaf = p_.regs;
    if (below(3) == 0) {
      p_.push(p_.regs.pc());
      for (size_t n = below(4); n > 0; --n) p_.push(0);
      leaf = p_.regs;
      leaf.pc() = FakeProcess::kStub;
    } else if (below(3) != 0) {
      const auto states = p_.call(leaves[below(leaves.size())]);
      leaf = states[below(states.size())];
    }
    if (return_sites.size() > 1000) return_sites.resize(100);
    check(leaf, round);
    ASSERT_FALSE(HasFatalFailure());
    check(leaf, round);  // now all is remembered
    ASSERT_FALSE(HasFatalFailure());
    if (below(2) == 0) {  // words of the stack become something else, for one walk
      const auto depth = (p_.memory.hi - 256 - leaf.sp()) / 8;
      std::vector<std::pair<uint64_t*, uint64_t>> undo;
      for (size_t n = 1 + below(4); n > 0; --n) {
        auto* word = reinterpret_cast<uint64_t*>(leaf.sp()) + below(std::min<size_t>(depth + 1, 64));
        undo.insert(undo.begin(), {word, *word});
        const uint64_t site = return_sites[below(return_sites.size())];
        switch (below(5)) {
          case 0:
            *word = site;
            break;
          case 1:
            *word = site | uint64_t{1 + below(15)} << 60;
            break;  // the bits keys use
          case 2:
            *word = leaf.sp() + 8 * below(200);
            break;
          case 3:
            *word = random();
            break;
          default:
            *word = 0;
            break;
        }
      }
      check(leaf, round);
      ASSERT_FALSE(HasFatalFailure());
      p_.walk_from(leaf).outcome.end == wire::WalkEnd::kRooted ? ++rooted : ++broken;
      for (const auto& [word, value] : undo) *word = value;
      check(leaf, round);
      ASSERT_FALSE(HasFatalFailure());
    }
  }
  EXPECT_GT(rooted, 100);
  EXPECT_GT(broken, 100);
}

// The words that lead from frame to frame are compared with what they were, at every frame.
TEST_F(WalkMemoTest, EveryWordThatChangedIsSeen) {
  p_.compile_native();
  const uint64_t with_frame = p_.load(calling_method(), 1),
                 without_frame = p_.load(calling_method_without_frame(), 2);
  for (int i = 0; i < 12; ++i) {
    p_.enter(i % 3 == 1 ? without_frame : with_frame);
    if (i % 4 == 3) p_.enter_native();
  }
  check(p_.regs);
  const uint64_t other = p_.regs.pc();
  for (auto* word = reinterpret_cast<uint64_t*>(p_.regs.sp());
       reinterpret_cast<uint64_t>(word) < p_.memory.hi - 256; ++word) {
    for (const uint64_t now : {other, *word + 1, *word + 16, uint64_t{0}}) {
      const uint64_t was = std::exchange(*word, now);
      check(p_.regs);
      *word = was;
      check(p_.regs);
      ASSERT_FALSE(HasFatalFailure());
    }
  }
}

TEST_F(WalkMemoTest, AnotherFramePointerAtTheSamePlaceIsAnotherStack) {
  p_.compile_native();
  const uint64_t method = p_.load(calling_method(), 1);
  for (int i = 0; i < 6; ++i) p_.enter(method);
  check(p_.regs);
  for (const uint64_t bp : {p_.regs.bp() + 16, p_.regs.bp() - 16, uint64_t{0}}) {
    Registers leaf = p_.regs;
    leaf.bp() = bp;
    check(leaf);
    check(p_.regs);
  }
}

TEST_F(WalkMemoTest, IsClearedWhenCodeWasTakenOut) {
  const FakeMethod old_method = calling_method();
  const uint64_t at = p_.load(old_method, 1);
  p_.enter(at);
  p_.enter_native();
  const auto before = p_.walk_from(p_.regs, memo_.get());
  ASSERT_EQ(before.frames[1].code().value, 1u);
  p_.publish(at, at, static_cast<uint32_t>(old_method.code().size()), 2, old_method.info());
  EXPECT_EQ(p_.walk_from(p_.regs, memo_.get()).frames[1].code().value, 1u)
      << "remembered: the map was not asked";
  p_.generation.fetch_add(1);
  EXPECT_EQ(p_.walk_from(p_.regs, memo_.get()).frames[1].code().value, 2u);
  check(p_.regs);
}

TEST_F(WalkMemoTest, StacksDeeperThanItsPlaces) {
  const uint64_t method = p_.load(calling_method(), 1), other = p_.load(calling_method_without_frame(), 2);
  const Registers root = p_.regs;
  for (const int depth : {200, 256, 257, 400, 511, 512, 513, 1500, 700, 100, 600, 300}) {
    p_.regs = root;
    for (int i = 0; i < depth; ++i) p_.enter(i % 3 == 0 ? other : method);
    for (int again = 0; again < 3; ++again) {
      check(p_.regs, depth);
      ASSERT_FALSE(HasFatalFailure());
    }
    for (int i = 0; i < 200; ++i) p_.enter(i % 2 == 0 ? other : method);  // grows by what still fits
    check(p_.regs, depth);
    ASSERT_FALSE(HasFatalFailure());
  }
}

TEST_F(WalkMemoTest, KnowsReturnAddressesItMetAndNothingElse) {
  const uint64_t method = p_.load(calling_method(), 1);
  EXPECT_FALSE(memo_->knows_return(0)) << "empty places";
  p_.enter(method);
  const uint64_t site = p_.regs.pc();
  p_.enter_native();
  EXPECT_FALSE(memo_->knows_return(site));
  (void)p_.walk_from(p_.regs, memo_.get());
  EXPECT_TRUE(memo_->knows_return(site));
  EXPECT_FALSE(memo_->knows_return(site | kMemoInterrupted));
  EXPECT_FALSE(memo_->knows_return(site | kMemoJitCompiler));
  Registers leaf = p_.regs;
  leaf.pc() = method + 20;  // interrupted there, never returned to
  (void)p_.walk_from(leaf, memo_.get());
  EXPECT_FALSE(memo_->knows_return(method + 20));
  EXPECT_FALSE(memo_->knows_return((method + 20) | kMemoInterrupted));
}

TEST_F(WalkMemoTest, AStubsZeroWordsAreNoReturnAddresses) {
  const uint64_t method = p_.load(calling_method(), 1);
  p_.enter(method);
  p_.push(p_.regs.pc());
  p_.push(0);
  p_.regs.pc() = FakeProcess::kStub;
  const auto walked = p_.walk_from(p_.regs, memo_.get());
  EXPECT_EQ(walked.outcome.end, wire::WalkEnd::kRooted);
  EXPECT_EQ(walked.frames.size(), 3u);
}

}  // namespace
}  // namespace walkabout::unwind
