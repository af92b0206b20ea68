#include "agent/shared/collection_state.h"

#include <gtest/gtest.h>

namespace walkabout::agent {
namespace {

TEST(CollectionStateTest, HeapStandsAtTheEndOfABlockingCollection) {
  CollectionState state;
  EXPECT_TRUE(state.none_under_way());
  state.all_stand();
  state.started(false);
  EXPECT_FALSE(state.none_under_way());
  EXPECT_TRUE(state.finished());
  state.resumes();
  EXPECT_TRUE(state.none_under_way());
}

TEST(CollectionStateTest, NotAtThatOfOneInTheBackground) {
  CollectionState state;
  state.all_stand();
  state.started(true);
  state.resumes();
  EXPECT_FALSE(state.none_under_way());
  state.all_stand();
  state.started(false);  // of the young, meanwhile
  EXPECT_FALSE(state.finished());
  state.resumes();
  EXPECT_FALSE(state.finished());
  EXPECT_TRUE(state.none_under_way());
}

TEST(CollectionStateTest, NotWhereOthersStoppedTheThreads) {
  CollectionState state;
  state.all_stand();
  state.started(true);
  state.resumes();
  state.all_stand();
  EXPECT_FALSE(state.finished()) << "they may let them go on at any time";
}

TEST(CollectionStateTest, AfterAnAttachNothingIsKnownUntilOneEndsOrAFullOneBegins) {
  CollectionState state(true);
  EXPECT_FALSE(state.none_under_way());
  state.all_stand();
  state.started(false);
  EXPECT_FALSE(state.finished()) << "one in the background may be under way";
  state.resumes();
  EXPECT_TRUE(state.is_unknown());
  EXPECT_FALSE(state.finished()) << "it had begun before";
  EXPECT_TRUE(state.none_under_way());

  CollectionState full(true);
  full.all_stand();
  full.started(true);
  EXPECT_TRUE(full.finished());
  EXPECT_TRUE(full.none_under_way());

  CollectionState seen(true);
  seen.none_seen();
  EXPECT_TRUE(seen.none_under_way());
}

TEST(CollectionStateTest, ASuspensionThatIsGivenUpIsNone) {
  CollectionState state;
  const uint64_t before = state.moment();
  state.resumes();
  EXPECT_EQ(state.moment(), before);
}

}  // namespace
}  // namespace walkabout::agent
