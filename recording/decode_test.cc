#include "recording/decode.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <protozero/pbf_writer.hpp>
#include <random>

#include "recording/test_records.h"

namespace walkabout::recording {
namespace {

// Decodes a stream of records; the message of the first error, or empty.
std::string decode_all(std::string_view stream, RecordVisitor& visitor) {
  Decoder decoder;
  while (!stream.empty()) {
    RawRecord record;
    if (split_record(stream, record) != Split::kRecord) return "cannot be split";
    if (const base::Status status = decoder.decode(record, visitor); !status.ok()) return status.message();
    stream.remove_prefix(record.framed.size());
  }
  return "";
}

template <typename Record>
std::string decode_one(const Record& record) {
  std::string bytes;
  wire::encode(record, bytes);
  testing::Reencoder sink;
  return decode_all(bytes, sink);
}

// A record of one message, put together by hand.
std::string record_of(wire::RecordType type, const std::string& body) {
  std::string message;
  protozero::pbf_writer(message).add_message(static_cast<uint32_t>(type), body);
  std::string out;
  protozero::add_varint_to_buffer(&out, message.size());
  return out + message;
}

TEST(Decode, EveryRecordComesBackAsItWas) {
  const std::string stream = testing::every_record();
  testing::Reencoder sink;
  EXPECT_EQ(decode_all(stream, sink), "");
  EXPECT_EQ(sink.records, testing::kEveryRecord);
  EXPECT_EQ(sink.bytes, stream);
}

TEST(Decode, DefaultsComeBackToo) {
  std::string stream;
  wire::encode(wire::Session{}, stream);
  wire::encode(wire::Oracle{}, stream);
  wire::encode(wire::NativeSymbols{}, stream);
  wire::encode(wire::Samples{}, stream);
  wire::encode(wire::Counters{}, stream);
  testing::Reencoder sink;
  EXPECT_EQ(decode_all(stream, sink), "");
  EXPECT_EQ(sink.bytes, stream);
}

TEST(Decode, FillsInTheColumnsThatWereLeftOut) {
  struct Look : RecordVisitor {
    void on_samples(const wire::Samples& r) override { samples = r; }
    wire::Samples samples;
  } look;
  wire::Samples sent = testing::two_samples();
  sent.stack = {{}, {}};
  sent.end = {};
  sent.flags = {};
  std::string stream;
  wire::encode(sent, stream);
  EXPECT_EQ(decode_all(stream, look), "");
  EXPECT_EQ(look.samples.end.size(), 2u);
  EXPECT_EQ(look.samples.flags.size(), 2u);
  EXPECT_EQ(look.samples.time_us, sent.time_us);
}

TEST(Decode, NodesOfSeveralRecordsCountOn) {
  struct Look : RecordVisitor {
    void on_nodes(const wire::Nodes& r, uint32_t first_id) override {
      first = first_id;
      nodes = r;
    }
    uint32_t first = 0;
    wire::Nodes nodes;
  } look;
  wire::Nodes more = testing::three_nodes();
  more.parent = {3, 1, 0};
  std::string stream;
  wire::encode(testing::three_nodes(), 1, stream);
  wire::encode(more, 4, stream);
  EXPECT_EQ(decode_all(stream, look), "");
  EXPECT_EQ(look.first, 4u);
  EXPECT_EQ(look.nodes.parent, more.parent);
  EXPECT_EQ(look.nodes.frame, more.frame);
}

TEST(Decode, IdsBeginAnewInANewTree) {
  struct Look : RecordVisitor {
    void on_nodes(const wire::Nodes& r, uint32_t first_id) override {
      firsts.push_back(first_id);
      nodes = r;
    }
    void on_samples(const wire::Samples& r) override { stack = r.stack; }
    std::vector<uint32_t> firsts;
    wire::Nodes nodes;
    std::vector<base::StackId> stack;
  } look;
  const wire::Nodes next = testing::next_tree();
  std::string stream;
  wire::encode(testing::three_nodes(), 1, stream);
  wire::encode(next, 1, stream);
  wire::encode(testing::three_nodes(), 4, stream);
  wire::encode(testing::two_samples(), stream);
  EXPECT_EQ(decode_all(stream, look), "");
  EXPECT_THAT(look.firsts, ::testing::ElementsAre(1, 1, 4));
  EXPECT_FALSE(look.nodes.new_tree) << "of its first nodes alone";
  EXPECT_EQ(look.stack, testing::two_samples().stack);
}

TEST(Decode, ANodeOfTheTreeBeforeIsRefused) {
  wire::Nodes next = testing::next_tree();
  next.parent = {0};
  next.frame.resize(1);
  std::string stream;
  wire::encode(testing::three_nodes(), 1, stream);
  wire::encode(next, 1, stream);
  wire::encode(testing::two_samples(), stream);  // on node 3
  testing::Reencoder sink;
  EXPECT_THAT(decode_all(stream, sink), ::testing::HasSubstr("never said"));
}

// A reader that knows no new trees would take their ids for those of the first one.
TEST(Decode, ARootOfANewTreeIsNoRootWithoutItsMark) {
  std::string stream;
  wire::encode(testing::next_tree(), 1, stream);
  ASSERT_EQ(stream.substr(stream.size() - 2), (std::string{4 << 3, 1}));
  stream[stream.size() - 2] = 5 << 3;  // as good as unknown
  testing::Reencoder sink;
  EXPECT_THAT(decode_all(stream, sink), ::testing::HasSubstr("never said"));
}

TEST(Decode, SkipsTypesAndFieldsOfLaterVersions) {
  std::string body;
  protozero::pbf_writer writer(body);
  writer.add_uint64(1, 77);            // time_us
  writer.add_string(100, "new");       // unknown field
  writer.add_double(101, 1.5);         // unknown, fixed
  writer.add_string(1, "not a time");  // known field, other wire type
  struct Look : RecordVisitor {
    void on_end(const wire::End& r) override { time = r.time_us; }
    uint64_t time = 0;
  } look;
  EXPECT_EQ(decode_all(record_of(wire::RecordType::kEnd, body), look), "");
  EXPECT_EQ(look.time, 77u);
  EXPECT_EQ(decode_all(record_of(static_cast<wire::RecordType>(1000), "anything"), look), "");
}

TEST(Decode, RefusesASampleOnAStackNeverDeclared) {
  wire::Samples samples = testing::two_samples();
  EXPECT_NE(decode_one(samples).find("never said"), std::string::npos);
}

wire::Source two_values_one_label() {
  wire::Source source;
  source.id = base::SourceId(2);
  source.values = {{"bytes", "bytes", wire::Adding::kSum}, {"largest", "bytes", wire::Adding::kMax}};
  source.labels = {{"kind", 0}};
  return source;
}

wire::Samples of_source(uint32_t id, std::vector<uint64_t> values, std::vector<uint64_t> labels) {
  wire::Samples samples = testing::two_samples();
  samples.stack = {{}, {}};
  samples.source = base::SourceId(id);
  samples.values = std::move(values);
  samples.labels = std::move(labels);
  return samples;
}

std::string decode_behind(const wire::Source& source, const wire::Samples& samples) {
  std::string stream;
  wire::encode(source, stream);
  wire::encode(samples, stream);
  testing::Reencoder sink;
  const std::string error = decode_all(stream, sink);
  if (error.empty()) {
    EXPECT_EQ(sink.bytes, stream);
  }
  return error;
}

TEST(Decode, SamplesHaveTheColumnsOfTheirSource) {
  const wire::Source source = two_values_one_label();
  EXPECT_EQ(decode_behind(source, of_source(2, {1, 2, 3, 4}, {5, 6})), "");
  EXPECT_THAT(decode_behind(source, of_source(2, {1, 2}, {5, 6})), ::testing::HasSubstr("different lengths"));
  EXPECT_THAT(decode_behind(source, of_source(2, {1, 2, 3, 4}, {})),
              ::testing::HasSubstr("different lengths"));
  EXPECT_THAT(decode_behind(source, of_source(3, {1, 2}, {})), ::testing::HasSubstr("never declared"));
}

TEST(Decode, CpuTimeNeedsNoDeclaration) {
  EXPECT_EQ(decode_one(of_source(1, {1, 2}, {})), "");
  EXPECT_THAT(decode_one(of_source(1, {1, 2, 3, 4}, {})), ::testing::HasSubstr("different lengths"));
}

TEST(Decode, RefusesASourceOutOfBounds) {
  wire::Source source = two_values_one_label();
  source.values.clear();
  EXPECT_NE(decode_one(source), "");
  source.values.resize(17);
  EXPECT_NE(decode_one(source), "");
  source = two_values_one_label();
  source.labels.resize(17);
  EXPECT_NE(decode_one(source), "");
  for (const uint32_t id : {0u, 65u, 0xffff'ffffu}) {
    source = two_values_one_label();
    source.id = base::SourceId(id);
    EXPECT_NE(decode_one(source), "") << id;
  }
}

// Readers know its one value.
TEST(Decode, CpuTimeIsDeclaredAsItIs) {
  wire::Source cpu = wire::cpu_source({});
  EXPECT_EQ(decode_one(cpu), "");
  cpu.values.push_back(cpu.values.front());
  EXPECT_THAT(decode_one(cpu), ::testing::HasSubstr("CPU time"));
  cpu = wire::cpu_source({});
  cpu.labels.resize(1);
  EXPECT_THAT(decode_one(cpu), ::testing::HasSubstr("CPU time"));
}

TEST(Decode, RefusesASourceOfAnotherShapeLater) {
  wire::Source other = two_values_one_label();
  other.labels.clear();
  std::string stream;
  wire::encode(two_values_one_label(), stream);
  wire::encode(two_values_one_label(), stream);
  testing::Reencoder sink;
  EXPECT_EQ(decode_all(stream, sink), "") << "the same once more";
  wire::encode(other, stream);
  EXPECT_THAT(decode_all(stream, sink), ::testing::HasSubstr("again"));
}

TEST(Decode, RefusesANodeWhoseParentComesLater) {
  for (const uint32_t parent : {1u, 2u, 0xffff'ff00u}) {
    wire::Nodes nodes;
    nodes.parent = {parent};
    nodes.frame = {wire::Frame::at_address(wire::FrameKind::kStub, 1)};
    std::string stream;
    wire::encode(nodes, 1, stream);
    testing::Reencoder sink;
    EXPECT_NE(decode_all(stream, sink), "") << parent;
    EXPECT_EQ(sink.records, 0);
  }
}

TEST(Decode, RefusesColumnsOfDifferentLengths) {
  wire::Samples samples = testing::two_samples();
  samples.stack = {{}, {}};
  samples.values.pop_back();
  EXPECT_NE(decode_one(samples).find("different lengths"), std::string::npos);
  samples = testing::two_samples();
  samples.stack = {{}};
  EXPECT_NE(decode_one(samples).find("different lengths"), std::string::npos);
  samples.stack = {{}, {}};
  samples.flags = {1};
  EXPECT_NE(decode_one(samples).find("different lengths"), std::string::npos);
  wire::Nodes nodes = testing::three_nodes();
  nodes.parent.pop_back();
  std::string stream;
  wire::encode(nodes, 1, stream);
  testing::Reencoder sink;
  EXPECT_NE(decode_all(stream, sink).find("different lengths"), std::string::npos);
}

TEST(Decode, RefusesValuesOutOfRange) {
  wire::Thread thread;
  thread.kind = static_cast<wire::ThreadKind>(9);
  EXPECT_NE(decode_one(thread), "");
  wire::JitCode code;
  code.tier = static_cast<wire::Tier>(200);
  EXPECT_NE(decode_one(code), "");
  wire::Samples samples = testing::two_samples();
  samples.stack = {{}, {}};
  samples.end[0] = wire::WalkEnd::kCount;
  EXPECT_NE(decode_one(samples), "");
  samples.end[0] = wire::WalkEnd::kRooted;
  samples.values[1] = uint64_t{1} << 60;
  EXPECT_NE(decode_one(samples), "");
  EXPECT_NE(decode_one(wire::End{uint64_t{1} << 60}), "");
  wire::Oracle oracle;
  oracle.frames = {wire::Frame{0}};
  EXPECT_NE(decode_one(oracle), "");
}

TEST(Decode, RefusesTimesThatOverflow) {
  std::string body;
  protozero::pbf_writer writer(body);
  const std::vector<uint64_t> huge(3, ~uint64_t{0} / 2);
  const std::vector<uint64_t> ones(3, 1);
  const std::vector<int64_t> zeros(3, 0);
  writer.add_packed_uint64(2, huge.begin(), huge.end());
  writer.add_packed_uint64(3, ones.begin(), ones.end());
  writer.add_packed_sint64(4, zeros.begin(), zeros.end());
  testing::Reencoder sink;
  EXPECT_NE(decode_all(record_of(wire::RecordType::kSamples, body), sink), "");
}

TEST(Decode, NeverCrashesOnBrokenBytes) {
  // Single damaged bytes, in every place of every record: an error or another value, never an exception.
  const std::string stream = testing::every_record();
  std::mt19937 random(1);
  int errors = 0;
  for (size_t at = 0; at < stream.size(); ++at) {
    for (int round = 0; round < 8; ++round) {
      std::string broken = stream;
      broken[at] = static_cast<char>(random());
      testing::Reencoder sink;
      errors += decode_all(broken, sink).empty() ? 0 : 1;
    }
  }
  EXPECT_GT(errors, 100);
}

}  // namespace
}  // namespace walkabout::recording
