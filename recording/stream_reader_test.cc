#include "recording/stream_reader.h"

#include <gtest/gtest.h>

#include "recording/constants.h"
#include "recording/test_records.h"

namespace walkabout::recording {
namespace {

// Hands the stream over in chunks of `step` bytes and puts the records together again.
std::string through(const std::string& stream, size_t step, int& records) {
  StreamReader reader;
  std::string out;
  for (size_t at = 0; at < stream.size(); at += step) {
    reader.push(std::string_view(stream).substr(at, step));
    while (true) {
      auto next = reader.next();
      EXPECT_TRUE(next.ok()) << next.message();
      if (!next.ok() || !*next) break;
      out += (*next)->framed;
      ++records;
    }
  }
  EXPECT_EQ(reader.pending(), 0u);
  EXPECT_EQ(reader.consumed(), stream.size());
  return out;
}

TEST(StreamReader, GivesTheSameRecordsHoweverTheReadsCutThem) {
  const std::string stream = testing::every_record();
  for (const size_t step : {size_t{1}, size_t{2}, size_t{3}, size_t{7}, size_t{64}, stream.size()}) {
    int records = 0;
    EXPECT_EQ(through(stream, step, records), stream) << step;
    EXPECT_EQ(records, testing::kEveryRecord);
  }
}

TEST(StreamReader, KnowsThatItWasCutOff) {
  const std::string stream = testing::every_record();
  StreamReader reader;
  reader.push(std::string_view(stream).substr(0, 3));
  auto next = reader.next();
  ASSERT_TRUE(next.ok());
  EXPECT_FALSE(next->has_value());
  EXPECT_EQ(reader.pending(), 3u);
}

TEST(StreamReader, RefusesALengthBeyondTheLimitBeforeItsBytesCome) {
  std::string hostile;
  for (uint64_t length = kMaxRecordBytes + 1; length != 0; length >>= 7) {
    hostile.push_back(static_cast<char>((length & 0x7f) | (length > 0x7f ? 0x80 : 0)));
  }
  StreamReader reader;
  reader.push(testing::every_record().substr(0, 0) + hostile);
  EXPECT_FALSE(reader.next().ok());
}

TEST(StreamReader, RefusesWhatIsNoRecord) {
  const std::string cases[] = {
      std::string(11, '\xff'),             // a varint without end
      std::string("\0", 1),                // an empty record
      std::string("\x02\x68\x00", 3),      // a varint field instead of a message
      std::string("\x02\x02\x00", 3),      // field number 0
      std::string("\x03\x6a\x00\x00", 4),  // something after the one field
      std::string("\x02\x6a\x05", 3),      // a message longer than its record
  };
  for (const std::string& bytes : cases) {
    StreamReader reader;
    reader.push(bytes);
    EXPECT_FALSE(reader.next().ok()) << ::testing::PrintToString(bytes);
  }
}

TEST(StreamReader, ReportsHowFarTheStreamMadeSense) {
  const std::string stream = testing::every_record();
  StreamReader reader;
  reader.push(stream + std::string("\0", 1));
  for (int i = 0; i < testing::kEveryRecord; ++i) ASSERT_TRUE(reader.next()->has_value());
  const auto bad = reader.next();
  ASSERT_FALSE(bad.ok());
  EXPECT_NE(bad.message().find(std::to_string(stream.size())), std::string::npos) << bad.message();
}

}  // namespace
}  // namespace walkabout::recording
