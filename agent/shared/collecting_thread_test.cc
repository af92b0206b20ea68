#include "agent/shared/collecting_thread.h"

#include <gtest/gtest.h>

namespace walkabout::agent {
namespace {

TEST(CollectingThread, CollectsWhileItHasStoppedTheOthers) {
  CollectingThread collecting;
  EXPECT_FALSE(collecting.is(7));
  collecting.suspends(clr::COR_PRF_SUSPEND_FOR_GC, 7);
  EXPECT_TRUE(collecting.is(7));
  EXPECT_FALSE(collecting.is(8));
  collecting.resumes();
  EXPECT_FALSE(collecting.is(7));
}

// Whoever resumes: a collection that goes on in the background lets the program go on by itself.
TEST(CollectingThread, WhoBeganACollectionInTheBackgroundIsDoneWhenTheOthersGoOn) {
  CollectingThread collecting;
  collecting.suspends(clr::COR_PRF_SUSPEND_FOR_GC, 7);
  collecting.resumes();                                      // reported by thread 8
  collecting.suspends(clr::COR_PRF_SUSPEND_FOR_GC_PREP, 8);  // its second stop
  EXPECT_FALSE(collecting.is(7));
  EXPECT_TRUE(collecting.is(8));
  collecting.resumes();
  EXPECT_FALSE(collecting.is(8));
}

TEST(CollectingThread, ThreadsAreStoppedForOtherReasonsToo) {
  CollectingThread collecting;
  collecting.suspends(clr::COR_PRF_SUSPEND_OTHER, 7);
  EXPECT_FALSE(collecting.is(7));
}

}  // namespace
}  // namespace walkabout::agent
