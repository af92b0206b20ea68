#include <gtest/gtest.h>

#include "recording/reader.h"
#include "recording/stored_file.h"
#include "recording/test_file.h"
#include "recording/test_records.h"

namespace walkabout::recording {
namespace {

using testing::Reencoder;
using testing::TestFile;

// The file of a stream that came in chunks of `chunk` bytes.
std::string file_of(const std::string& stream, size_t chunk) {
  StoredFile stored;
  std::string file = StoredFile::header();
  for (size_t at = 0; at < stream.size(); at += chunk)
    EXPECT_TRUE(stored.append(stream.substr(at, chunk), &file));
  stored.finish(&file);
  return file;
}

std::string records_of(const std::string& file) {
  const TestFile on_disk(file);
  Reencoder sink;
  const auto summary = read_recording(on_disk.path(), sink);
  EXPECT_TRUE(summary.ok()) << summary.message();
  EXPECT_EQ(summary->damage, "");
  return sink.bytes;
}

TEST(StoredFile, TheReaderGivesTheSameRecordsBack) {
  const std::string stream = testing::every_record();
  for (const size_t chunk : {size_t{1}, size_t{7}, stream.size()})
    EXPECT_EQ(records_of(file_of(stream, chunk)), stream);
}

TEST(StoredFile, ABlockMayBeLargerThanOneOfZstds) {
  std::string stream = testing::every_record();
  wire::Message message;
  message.text.assign(500'000, 'x');
  wire::encode(message, stream);
  EXPECT_EQ(records_of(file_of(stream, 4096)), stream);
}

TEST(StoredFile, ARecordThatWasCutOffIsLeftOut) {
  const std::string stream = testing::every_record();
  std::string file = StoredFile::header();
  StoredFile stored;
  EXPECT_TRUE(stored.append(stream + "\x7f half", &file));
  stored.finish(&file);
  EXPECT_EQ(records_of(file), stream);
}

TEST(StoredFile, ALengthThatCannotBeIsReported) {
  StoredFile stored;
  std::string file;
  EXPECT_FALSE(stored.append("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", &file));
}

}  // namespace
}  // namespace walkabout::recording
