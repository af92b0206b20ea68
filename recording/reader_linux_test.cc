// The reader on files that are whole, cut off, damaged or made to hurt.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <zstd.h>

#include <random>
#include <set>
#include <thread>

#include "recording/constants.h"
#include "recording/little_endian.h"
#include "recording/reader.h"
#include "recording/test_file.h"
#include "recording/test_records.h"
#include "recording/writer.h"

namespace walkabout::recording {
namespace {

using testing::Reencoder;
using testing::TestFile;

// Several blocks: a Counters record ends one once it has kBlockFreshBytes.
std::string stream_of_blocks(int blocks) {
  std::string stream = testing::every_record();
  for (int i = 0; i < blocks; ++i) {
    wire::Message message;
    message.text = std::string(kBlockFreshBytes, static_cast<char>('a' + i));
    wire::encode(message, stream);
    wire::encode(wire::Counters{.attempts = static_cast<uint64_t>(i)}, stream);
  }
  return stream;
}

std::string walk_file(std::string_view stream) {
  TestFile file;
  auto writer = Writer::create(file.path());
  EXPECT_TRUE(writer.ok() && writer->append_encoded(stream).ok() && writer->finish().ok());
  return file.read();
}

// A file of one block with `raw` in it, sizes and checksum right unless told otherwise.
std::string file_with_block(const std::string& raw, uint32_t raw_size) {
  std::string payload(ZSTD_compressBound(raw.size()), '\0');
  payload.resize(ZSTD_compress(payload.data(), payload.size(), raw.data(), raw.size(), 1));
  std::string file(kMagic);
  append_u32(kFormatVersion, file);
  append_u32(0, file);
  std::string sizes;
  append_u32(static_cast<uint32_t>(payload.size()), sizes);
  append_u32(raw_size, sizes);
  file += std::string(kSync) + sizes;
  append_u32(block_checksum(sizes, payload), file);
  return file + payload;
}

struct Read {
  ReadSummary summary;
  std::string bytes;
};
Read read(const std::string& content) {
  const TestFile file(content);
  Reencoder sink;
  const auto summary = read_recording(file.path(), sink);
  EXPECT_TRUE(summary.ok()) << summary.message();
  return {summary.ok() ? *summary : ReadSummary(), sink.bytes};
}

TEST(Reader, CutOffAtEveryByteKeepsTheWholeBlocks) {
  const std::string stream = stream_of_blocks(3);
  const std::string file = walk_file(stream);
  std::set<size_t> sizes;
  for (size_t cut = kHeaderBytes; cut <= file.size(); ++cut) {
    const Read got = read(file.substr(0, cut));
    ASSERT_EQ(stream.substr(0, got.bytes.size()), got.bytes) << cut;
    const bool at_block = got.summary.damage.empty();
    EXPECT_EQ(at_block, got.summary.lost_bytes == 0) << cut;
    EXPECT_LE(got.summary.lost_bytes, cut - kHeaderBytes);
    EXPECT_EQ(got.summary.file_bytes, cut);
    sizes.insert(got.bytes.size());
  }
  EXPECT_EQ(sizes.size(), 4u) << "nothing, one, two and three blocks";
  EXPECT_EQ(*sizes.rbegin(), stream.size());
}

TEST(Reader, CutOffInsideTheHeaderIsNoRecording) {
  const std::string file = walk_file(testing::every_record());
  for (size_t cut = 0; cut < kHeaderBytes; ++cut) {
    const TestFile cut_off(file.substr(0, cut));
    RecordVisitor nobody;
    const auto summary = read_recording(cut_off.path(), nobody);
    ASSERT_FALSE(summary.ok()) << cut;
    EXPECT_NE(summary.message().find("is not a .walk recording"), std::string::npos) << summary.message();
  }
}

TEST(Reader, AnyDamagedByteIsFoundAndWhatCameBeforeIsKept) {
  const std::string stream = stream_of_blocks(3);
  const std::string file = walk_file(stream);
  std::mt19937 random(7);
  for (size_t at = kHeaderBytes; at < file.size(); ++at) {
    std::string broken = file;
    broken[at] = static_cast<char>(broken[at] ^ static_cast<char>(1 + random() % 255));
    const Read got = read(broken);
    ASSERT_EQ(stream.substr(0, got.bytes.size()), got.bytes) << at;
    ASSERT_NE(got.summary.damage, "") << at;
    ASSERT_LT(got.bytes.size(), stream.size());
  }
}

TEST(Reader, ReportsHowMuchWasLostAndWhere) {
  const std::string file = walk_file(testing::every_record());
  const Read got = read(file.substr(0, file.size() - 1));
  EXPECT_EQ(got.summary.damage, "the last " + std::to_string(file.size() - 17) + " of " +
                                    std::to_string(file.size() - 1) +
                                    " bytes could not be read: the file ends inside a block, at byte 16");
  EXPECT_FALSE(got.summary.ended);
}

TEST(Reader, ABrokenRecordInAGoodBlockKeepsTheOnesBefore) {
  std::string good;
  wire::encode(wire::End{1}, good);
  std::string bad;
  wire::encode(testing::two_samples(), bad);  // on stacks never declared
  const Read got =
      read(file_with_block(good + bad + good, static_cast<uint32_t>(2 * good.size() + bad.size())));
  EXPECT_EQ(got.bytes, good);
  EXPECT_EQ(got.summary.records, 1u);
  EXPECT_NE(got.summary.damage.find("never said"), std::string::npos) << got.summary.damage;
}

TEST(Reader, RefusesSizesThatLie) {
  const std::string raw = testing::every_record();
  const auto size = static_cast<uint32_t>(raw.size());
  EXPECT_EQ(read(file_with_block(raw, size)).bytes, raw);
  for (const uint32_t lie : {0u, 1u, size - 1, size + 1, static_cast<uint32_t>(kMaxBlockBytes) + 1, ~0u}) {
    const Read got = read(file_with_block(raw, lie));
    EXPECT_EQ(got.bytes, "") << lie;
    EXPECT_NE(got.summary.damage, "") << lie;
  }
}

TEST(Reader, RefusesAFileThatExpandsWithoutBounds) {
  const Read got = read(file_with_block("a few bytes", static_cast<uint32_t>(kMaxBlockBytes)));
  EXPECT_NE(got.summary.damage.find("sizes are impossible"), std::string::npos) << got.summary.damage;
}

TEST(Reader, SurvivesRandomBytesAfterTheHeader) {
  const std::string header = walk_file("");
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    std::string noise = header + (round % 2 == 0 ? std::string(kSync) : std::string());
    for (unsigned n = random() % 200; n > 0; --n) noise.push_back(static_cast<char>(random()));
    const Read got = read(noise);
    EXPECT_EQ(got.bytes, "");
    EXPECT_EQ(got.summary.damage.empty(), noise == header);
  }
}

TEST(Reader, NamesWhatIsWrongWithOtherFiles) {
  RecordVisitor nobody;
  EXPECT_EQ(read_recording("/no/such.walk", nobody).message(),
            "cannot open /no/such.walk: No such file or directory");
  EXPECT_NE(read_recording("/", nobody).message().find("Is a directory"), std::string::npos);
  const TestFile text("#!/bin/sh\necho this is a long enough text file\n");
  EXPECT_NE(read_recording(text.path(), nobody).message().find("is not a .walk recording"),
            std::string::npos);
}

TEST(Reader, RefusesALaterVersionOfTheFormat) {
  std::string file = walk_file(testing::every_record());
  file[kMagic.size()] = kFormatVersion + 1;
  const TestFile later(file);
  RecordVisitor nobody;
  EXPECT_NE(read_recording(later.path(), nobody).message().find("of version 3"), std::string::npos);
}

TEST(Reader, ReadsFromAPipe) {
  const TestFile fifo;
  ASSERT_EQ(::mkfifo(fifo.path().c_str(), 0600), 0);
  const std::string stream = stream_of_blocks(2);
  const std::string file = walk_file(stream);
  std::thread feeder([&] { fifo.write(file.substr(0, file.size() - 3)); });
  Reencoder sink;
  const auto summary = read_recording(fifo.path(), sink);
  feeder.join();
  ASSERT_TRUE(summary.ok()) << summary.message();
  EXPECT_EQ(summary->file_bytes, file.size() - 3);
  EXPECT_EQ(stream.substr(0, sink.bytes.size()), sink.bytes);
  EXPECT_NE(summary->damage, "");
}

}  // namespace
}  // namespace walkabout::recording
