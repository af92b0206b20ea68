#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <random>

#include "recording/constants.h"
#include "recording/reader.h"
#include "recording/stream_reader.h"
#include "recording/test_file.h"
#include "recording/test_records.h"
#include "recording/writer.h"

namespace walkabout::recording {
namespace {

using testing::Reencoder;
using testing::TestFile;

std::string message_of(size_t bytes, unsigned seed) {
  std::mt19937 random(seed);
  wire::Message message;
  for (size_t i = 0; i < bytes; ++i) message.text.push_back(static_cast<char>('a' + random() % 26));
  std::string out;
  wire::encode(message, out);
  return out;
}

std::string written(std::string_view stream) {
  TestFile file;
  auto writer = Writer::create(file.path());
  EXPECT_TRUE(writer.ok()) << writer.message();
  EXPECT_TRUE(writer->append_encoded(stream).ok());
  EXPECT_TRUE(writer->finish().ok());
  std::string bytes = file.read();
  EXPECT_EQ(writer->file_bytes(), bytes.size());
  return bytes;
}

size_t blocks_in(const std::string& file) {
  size_t blocks = 0;
  for (size_t at = file.find(kSync); at != std::string::npos; at = file.find(kSync, at + 1)) ++blocks;
  return blocks;
}

TEST(Writer, TheReaderGivesTheSameRecordsBack) {
  const std::string stream = testing::every_record();
  TestFile file(written(stream));
  Reencoder sink;
  const auto summary = read_recording(file.path(), sink);
  ASSERT_TRUE(summary.ok()) << summary.message();
  EXPECT_EQ(sink.bytes, stream);
  EXPECT_EQ(summary->records, uint64_t{testing::kEveryRecord});
  EXPECT_TRUE(summary->ended);
  EXPECT_EQ(summary->damage, "");
}

TEST(Writer, ARecordOfADeepRecursionIsReadBack) {
  wire::Nodes nodes;  // each called by the one before it, from the same place: hardly anything is left of it
  for (uint32_t i = 0; i < 3'000'000; ++i) {
    nodes.frame.push_back(wire::Frame::at_address(wire::FrameKind::kStub, 0x123));
    nodes.parent.push_back(i);
  }
  std::string stream;
  wire::encode(nodes, 1, stream);
  TestFile file(written(stream));
  Reencoder sink;
  const auto summary = read_recording(file.path(), sink);
  ASSERT_TRUE(summary.ok()) << summary.message();
  EXPECT_EQ(summary->damage, "");
  EXPECT_LT(file.read().size() * 1024, stream.size());
}

TEST(Writer, TheSameStreamGivesTheSameBytesHoweverItCame) {
  std::string stream = testing::every_record();
  for (unsigned i = 0; i < 50; ++i) stream += message_of(10'000, i);
  const std::string once = written(stream);

  TestFile file;
  auto writer = Writer::create(file.path());
  ASSERT_TRUE(writer.ok());
  StreamReader reader;
  for (size_t at = 0; at < stream.size(); at += 777) {
    reader.push(std::string_view(stream).substr(at, 777));
    for (auto record = reader.next(); record.ok() && *record; record = reader.next()) {
      ASSERT_TRUE(writer->append(**record).ok());
    }
  }
  ASSERT_TRUE(writer->finish().ok());
  EXPECT_EQ(file.read(), once);
}

TEST(Writer, ARecordingWrittenAgainIsTheSameFile) {
  std::string stream = testing::every_record();
  for (unsigned i = 0; i < 30; ++i) stream += message_of(9'000, i);
  TestFile file(written(stream));
  TestFile copy;
  auto writer = Writer::create(copy.path());
  ASSERT_TRUE(writer.ok());
  RecordVisitor nobody;
  ASSERT_TRUE(
      read_recording(file.path(), nobody, [&](const RawRecord& r) { return writer->append(r); }).ok());
  ASSERT_TRUE(writer->finish().ok());
  EXPECT_EQ(copy.read(), file.read());
}

TEST(Writer, EndsABlockWhenItIsFullAndAfterCounters) {
  std::string counters;
  wire::encode(wire::Counters{}, counters);
  EXPECT_EQ(blocks_in(written(message_of(kBlockTargetBytes, 1) + message_of(10, 2))), 2u);
  EXPECT_EQ(blocks_in(written(message_of(kBlockFreshBytes, 1) + message_of(10, 2))), 1u);
  EXPECT_EQ(blocks_in(written(message_of(kBlockFreshBytes, 1) + counters + message_of(10, 2))), 2u);
  EXPECT_EQ(blocks_in(written(message_of(10, 1) + counters + message_of(10, 2))), 1u);
}

TEST(Writer, AnEmptyRecordingIsAFileToo) {
  TestFile file(written(""));
  EXPECT_EQ(file.read().size(), kHeaderBytes);
  RecordVisitor nobody;
  const auto summary = read_recording(file.path(), nobody);
  ASSERT_TRUE(summary.ok());
  EXPECT_EQ(summary->records, 0u);
  EXPECT_FALSE(summary->ended);
  EXPECT_EQ(summary->damage, "");
}

TEST(Writer, ReportsWhyAFileCannotBeCreated) {
  const auto writer = Writer::create("/no/such/folder/x.walk");
  ASSERT_FALSE(writer.ok());
  EXPECT_EQ(writer.message(), "cannot create /no/such/folder/x.walk: No such file or directory");
}

TEST(Writer, AFullDiskIsAnErrorWithItsCause) {
  const auto writer = Writer::create("/dev/full");
  ASSERT_FALSE(writer.ok());
  EXPECT_EQ(writer.message(), "cannot write /dev/full: No space left on device");
}

// Files of this process may not grow beyond `bytes` while it lives: the disk that fills up during a
// recording.
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    old_ = ::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
  }
  ~SmallDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, old_);
  }

 private:
  rlimit before_{};
  sighandler_t old_{};
};

TEST(Writer, WhatWasSavedBeforeTheDiskWasFullCanBeRead) {
  TestFile file;
  base::Status status;
  std::string stream;
  {
    const SmallDisk disk(200'000);
    auto writer = Writer::create(file.path());
    ASSERT_TRUE(writer.ok());
    for (unsigned i = 0; i < 100 && status.ok(); ++i) {
      const std::string record = message_of(20'000, i);
      stream += record;
      status = writer->append_encoded(record);
    }
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(writer->append_encoded(message_of(1, 1)).message(), status.message()) << "errors stay";
    EXPECT_EQ(writer->finish().message(), status.message());
  }
  EXPECT_NE(status.message().find("File too large"), std::string::npos) << status.message();
  EXPECT_NE(status.message().find("its first 14 records"), std::string::npos) << status.message();
  Reencoder sink;
  const auto summary = read_recording(file.path(), sink);
  ASSERT_TRUE(summary.ok());
  EXPECT_EQ(summary->records, 14u);
  EXPECT_EQ(summary->damage, "");
  EXPECT_EQ(stream.substr(0, sink.bytes.size()), sink.bytes);
}

}  // namespace
}  // namespace walkabout::recording
