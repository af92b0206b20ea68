#include "agent/core/gone_threads.h"

#include <gtest/gtest.h>

namespace walkabout::agent {
namespace {

wire::Thread thread(uint32_t id) {
  wire::Thread record;
  record.id = base::ThreadId(id);
  record.os_name = "worker";
  return record;
}

TEST(GoneThreads, AreErasedAfterATime) {
  GoneThreads gone;
  gone.add(100, thread(1));
  gone.add(200, thread(2));
  gone.erase_ended_before(200);
  EXPECT_FALSE(gone.has(base::ThreadId(1)));
  EXPECT_TRUE(gone.has(base::ThreadId(2)));
}

TEST(GoneThreads, AreEmittedOnceInTheNextRecording) {
  GoneThreads gone;
  gone.add(100, thread(1));
  EXPECT_EQ(gone.to_emit(base::ThreadId(1)), nullptr) << "its recording has it";
  gone.begin_recording();
  const wire::Thread* record = gone.to_emit(base::ThreadId(1));
  ASSERT_NE(record, nullptr);
  EXPECT_EQ(record->os_name, "worker");
  EXPECT_EQ(gone.to_emit(base::ThreadId(1)), nullptr);
  EXPECT_EQ(gone.to_emit(base::ThreadId(9)), nullptr);
}

}  // namespace
}  // namespace walkabout::agent
