#include "formats/html.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "formats/html_payload.h"
#include "formats/html_template.h"
#include "formats/test_profile.h"
#include "profile/query/view.h"

namespace walkabout::formats {
namespace {

using profile::Activity;
using profile::Kind;
using profile::Profile;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// What a browser would read back: the JSON and the columns.
struct Payload {
  nlohmann::json json;
  std::map<std::string, std::vector<uint64_t>> columns;
};

std::string from_base64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  uint32_t bits = 0;
  int have = 0;
  for (char c : text) {
    if (c == '=') break;
    EXPECT_NE(digits.find(c), std::string::npos) << c;
    bits = bits << 6 | static_cast<uint32_t>(digits.find(c));
    if ((have += 6) >= 8) out.push_back(static_cast<char>(bits >> (have -= 8)));
  }
  return out;
}

std::string inflate_raw(std::string bytes) {
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, -MAX_WBITS), Z_OK);
  std::string out(64 << 20, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  inflateEnd(&stream);
  return out;
}

std::vector<uint64_t> varints(std::string_view bytes) {
  std::vector<uint64_t> out;
  uint64_t value = 0;
  int shift = 0;
  for (const char c : bytes) {
    const auto byte = static_cast<uint8_t>(c);
    value |= uint64_t{byte & 0x7fu} << shift;
    shift += 7;
    if (byte & 0x80) continue;
    out.push_back(value);
    value = shift = 0;
  }
  return out;
}

std::vector<uint64_t> undelta(const std::vector<uint64_t>& column) {
  std::vector<uint64_t> out;
  out.reserve(column.size());
  uint64_t last = 0;
  for (const uint64_t v : column) out.push_back(last += (v >> 1) ^ (~(v & 1) + 1));
  return out;
}

std::string page_of(const Profile& profile) {
  std::ostringstream out;
  const base::Status status = write_html(profile, out);
  EXPECT_TRUE(status.ok()) << status.message();
  return out.str();
}

Payload payload_of(const std::string& page) {
  const std::string_view whole = html_template();
  const size_t begin = whole.find(kHtmlDataMark);
  const size_t after = whole.size() - begin - kHtmlDataMark.size();
  const std::string bytes = inflate_raw(from_base64(page.substr(begin, page.size() - begin - after)));
  size_t size = 0;
  for (int i = 3; i >= 0; --i) size = size << 8 | static_cast<uint8_t>(bytes[i]);
  Payload payload{nlohmann::json::parse(bytes.substr(4, size)), {}};
  size_t at = 4 + size;
  for (const auto& column : payload.json["columns"]) {
    const size_t length = column["bytes"];
    payload.columns[column["name"]] = varints(std::string_view(bytes).substr(at, length));
    EXPECT_EQ(payload.columns[column["name"]].size(), column["count"]);
    at += length;
  }
  EXPECT_EQ(at, bytes.size());
  return payload;
}

Profile two_threads() {
  Profile p;
  p.session.command_line = "dotnet app.dll";
  p.threads = {{"main", 10}, {"worker", 11}};
  p.frames = {
      {}, {"Main()", "Main", "app.dll", Kind::kManaged}, {"qsort", "qsort", "libc.so.6", Kind::kNative}};
  p.nodes = {{0, 0}, {0, 1}, {1, 2}, {1, 2}};
  p.samples = {{100, 1'500, 0, 2}, {200, 1'500, 1, 3}, {200, 1'500, 1, 2}, {9'000, 700, 0, 1}};
  p.samples[2].activity = Activity::kGc;
  p.duration_us = 10'000;
  p.complete = true;
  return p;
}

std::vector<std::string> strings(const Payload& payload, const std::string& column) {
  std::vector<std::string> out;
  for (const uint64_t i : payload.columns.at(column)) out.push_back(payload.json["strings"][i]);
  return out;
}

TEST(Html, SamplesAreAddedUpByTimeThreadNodeAndActivity) {
  const Payload payload = payload_of(page_of(two_threads()));
  EXPECT_THAT(strings(payload, "frame.name"), ElementsAre("Main()", "qsort"));
  EXPECT_THAT(strings(payload, "frame.raw"), ElementsAre("Main", ""));
  EXPECT_THAT(payload.columns.at("node.parent"), ElementsAre(0, 1, 1));  // the two qsort siblings are one
  EXPECT_THAT(payload.columns.at("node.frame"), ElementsAre(0, 0, 1));
  EXPECT_EQ(payload.json["bucket_us"], 3);
  EXPECT_THAT(undelta(payload.columns.at("row.bucket")), ElementsAre(33, 66, 66, 3000));
  EXPECT_THAT(undelta(payload.columns.at("row.thread")), ElementsAre(0, 1, 1, 0));
  EXPECT_THAT(undelta(payload.columns.at("row.node")), ElementsAre(2, 2, 2, 1));
  EXPECT_THAT(payload.columns.at("row.activity"), ElementsAre(0, 0, 3, 0));
  EXPECT_THAT(payload.columns.at("row.count"), ElementsAre(1, 1, 1, 1));
}

// Nodes of one frame differ by their places, and a page without lines has nothing of them.
TEST(Html, PlacesAreOfNodes) {
  Profile p = two_threads();
  EXPECT_EQ(payload_of(page_of(p)).columns.count("node.place"), 0u);
  EXPECT_EQ(payload_of(page_of(p)).json.count("documents"), 0u);
  p.frames[1].place = {"/src/a.cs", {10}, true, 8, 20};
  p.frames.push_back(p.frames[1]);
  p.frames[3].place.lines = {11, 12};
  p.frames[3].place.sure = false;
  p.nodes.push_back({0, 3});
  p.samples.push_back({3'000'000, 10'000'000, 0, static_cast<uint32_t>(p.nodes.size() - 1)});
  p.documents = {{"/src/a.cs", wire::HashKind::kSha256, "hash", "https://localhost/a.cs"},
                 {"/src/unused.cs"}};
  p.documents[0].text = {{9, "nine\n"}};
  p.documents[0].lines = 100;
  p.documents[0].note = "why";
  const Payload payload = payload_of(page_of(p));
  EXPECT_THAT(strings(payload, "frame.name"), ElementsAre("Main()", "qsort"));
  EXPECT_THAT(payload.columns.at("node.parent"), ElementsAre(0, 1, 1, 3));
  EXPECT_THAT(payload.columns.at("node.frame"), ElementsAre(0, 0, 1, 0));
  EXPECT_THAT(payload.columns.at("node.place"), ElementsAre(0, 1, 0, 2));
  EXPECT_THAT(payload.columns.at("place.document"), ElementsAre(0, 0));
  EXPECT_THAT(payload.columns.at("place.sure"), ElementsAre(1, 0));
  EXPECT_THAT(payload.columns.at("place.first"), ElementsAre(8, 8));
  EXPECT_THAT(payload.columns.at("place.last"), ElementsAre(20, 20));
  EXPECT_THAT(payload.columns.at("place.lines"), ElementsAre(1, 2));
  EXPECT_THAT(payload.columns.at("place.line"), ElementsAre(10, 11, 12));
  EXPECT_EQ(payload.json["documents"], nlohmann::json::parse(R"([{"path": "/src/a.cs",
      "url": "https://localhost/a.cs", "note": "why", "lines": 100, "text": [{"first": 9, "text": "nine\n"}]}])"));
}

TEST(Html, FramesSayHowTheyFold) {
  Profile p = two_threads();
  p.frames[1].name = "Größe.😀.Program.Main()";
  p.frames[1].own = static_cast<uint32_t>(p.frames[1].name.find("Program"));
  p.frames[1].origin = profile::Origin::kMine;
  p.frames[2].origin = profile::Origin::kFramework;
  p.page_folding = profile::Folding::kMyCode;
  const Payload payload = payload_of(page_of(p));
  EXPECT_THAT(payload.columns.at("frame.own"), ElementsAre(9, 0)) << "UTF-16 units";
  EXPECT_THAT(payload.columns.at("frame.origin"), ElementsAre(0, 1));
  EXPECT_THAT(strings(payload, "frame.run"), ElementsAre("app", "libc.so.6"));
  EXPECT_THAT(payload.columns.at("frame.rank"), ElementsAre(5 * 8 + 5, 2 * 8 + 0)) << "libc is at every root";
  EXPECT_EQ(payload.json["folding"], 2);
  EXPECT_EQ(payload_of(page_of(two_threads())).json["folding"], 1);
}

TEST(Html, RoundingToMicrosecondsKeepsTheSum) {
  Profile p = two_threads();
  p.samples.clear();
  for (uint64_t i = 0; i < 3'000; ++i) p.samples.push_back({i * 1'000, 333, 0, 1});
  const Payload payload = payload_of(page_of(p));
  uint64_t sum = 0;
  for (const uint64_t us : payload.columns.at("row.weight")) sum += us;
  EXPECT_EQ(sum, 999u);
}

TEST(Html, ManySamplesMakeLongerBucketsButTheSameSums) {
  Profile p;
  p.threads = {{"main", 1}};
  p.frames.resize(501);
  p.nodes.resize(1);
  for (uint32_t i = 1; i <= 500; ++i) {
    p.frames[i].name = "f" + std::to_string(i);
    p.nodes.push_back({0, i});
  }
  for (uint64_t i = 0; i < 900'000; ++i) {
    p.samples.push_back({i, 1'000, 0, static_cast<uint32_t>(1 + i * 7919 % 500)});
  }
  const Payload payload = payload_of(page_of(p));
  EXPECT_LE(payload.columns.at("row.node").size(), 500'000u);
  uint64_t weight = 0, count = 0;
  for (const uint64_t us : payload.columns.at("row.weight")) weight += us;
  for (const uint64_t n : payload.columns.at("row.count")) count += n;
  EXPECT_EQ(weight, 900'000u);
  EXPECT_EQ(count, 900'000u);
  for (const uint64_t b : undelta(payload.columns.at("row.bucket"))) {
    ASSERT_LT(b, payload.json["buckets"].get<uint64_t>());
  }
}

std::string payload_bytes(const Profile& profile) {
  const HtmlTree tree = html_tree(profile);
  return html_payload(profile, tree, html_rows(profile, tree));
}

TEST(Html, OfCpuTimeAloneHasNoEvents) {
  Profile declared = two_threads();
  declared.sources = {wire::cpu_source({})};
  EXPECT_EQ(payload_bytes(declared), payload_bytes(two_threads()));
  const Payload payload = payload_of(page_of(declared));
  EXPECT_EQ(payload.json["version"], kHtmlPayloadVersion);
  EXPECT_EQ(payload.json.count("sources"), 0u);
  EXPECT_EQ(payload.columns.count("row.source"), 0u);
}

TEST(Html, EventsHaveTheirRowsAndFacts) {
  const Payload payload = payload_of(page_of(testing::two_events()));
  const nlohmann::json& json = payload.json;
  EXPECT_EQ(json["version"], kHtmlPayloadVersionOfEvents);
  EXPECT_EQ(json["samples"], 5) << "of CPU time";
  ASSERT_EQ(json["sources"].size(), 2u);
  EXPECT_EQ(json["sources"][0]["weight"], 35'001);
  EXPECT_EQ(json["sources"][0]["attempts"], 5);
  const nlohmann::json& wall = json["sources"][1];
  EXPECT_EQ(wall["name"], "wall");
  EXPECT_EQ(wall["value"], "wall time");
  EXPECT_EQ(wall["unit"], "nanoseconds");
  EXPECT_EQ(wall["clock"], "wall");
  EXPECT_EQ(wall["weight"], 3'000'000);
  EXPECT_EQ(wall["samples"], 3);
  EXPECT_EQ(wall["attempts"], 6);
  EXPECT_EQ(wall["drops"]["ring_full"], 2);
  EXPECT_EQ(wall["whole"], 3);
  EXPECT_EQ(wall["labels"][1]["type"], "system_call");
  EXPECT_EQ(json["label_sets"], nlohmann::json::parse(R"([[],["running",""],["blocked","futex"]])"));
  std::map<uint64_t, uint64_t> weights;  // by source
  const std::vector<uint64_t>& sources = payload.columns.at("row.source");
  for (size_t i = 0; i < sources.size(); ++i) weights[sources[i]] += payload.columns.at("row.weight")[i];
  EXPECT_EQ(weights, (std::map<uint64_t, uint64_t>{{0, 35'001}, {1, 3'000'000}}));
  EXPECT_THAT(payload.columns.at("row.labels"), ElementsAre(0, 0, 0, 0, 1, 2, 2));
}

TEST(Html, ABlockedNodeHasTheMethodThatWaits) {
  Profile p = testing::two_events();
  p.frames = {{"Program.Main()", "", "", profile::Kind::kManaged},
              {"System.Threading.Monitor.Enter(object)", "", "", profile::Kind::kManaged},
              {"futex_wait", "", "", profile::Kind::kNative}};
  p.nodes = {{}, {0, 0}, {1, 1}, {2, 2}};
  for (profile::Sample& sample : p.samples) sample.node = sample.source == 1 ? 3 : 1;
  const Payload payload = payload_of(page_of(p));
  EXPECT_THAT(payload.columns.at("node.wait_method"), ElementsAre(0, 0, 0, 2));
  EXPECT_THAT(payload.columns.at("node.wait_caller"), ElementsAre(0, 0, 0, 3));
}

TEST(Html, OfAValueThatIsNoTimeHasItsUnit) {
  const Payload payload = payload_of(page_of(profile::viewed(testing::two_events(), {1, 1})));
  EXPECT_EQ(payload.json["sources"][1]["unit"], "count");
  EXPECT_EQ(payload.json["sources"][1]["weight"], 7);
  EXPECT_THAT(payload.columns.at("row.weight"), ElementsAre(4, 2, 7));
}

TEST(Html, LossIsReported) {
  Profile p = two_threads();
  p.samples[1].end = wire::WalkEnd::kBadReturn;
  p.counters.attempts = 9;
  p.counters.drops = {3, 0, 2};
  p.damage = "cut";
  p.complete = false;
  p.messages.push_back({1, wire::Severity::kWarning, "kernel ticks"});
  const Payload payload = payload_of(page_of(p));
  EXPECT_EQ(payload.json["walk_end"]["rooted"], 3);
  EXPECT_EQ(payload.json["walk_end"]["bad_return"], 1);
  EXPECT_EQ(payload.json["drops"]["ring_full"], 3);
  EXPECT_EQ(payload.json["drops"]["stopping"], 2);
  EXPECT_EQ(payload.json["damage"], "cut");
  EXPECT_EQ(payload.json["complete"], false);
  EXPECT_EQ(payload.json["messages"][0]["severity"], "warning");
}

TEST(Html, NamesStandNowhereInThePageAsTheyAre) {
  Profile p = two_threads();
  const std::string evil = "</script><script>alert(1)//\xff";
  p.session.command_line = evil;
  p.frames[1].name = p.frames[1].raw_name = p.frames[1].module = evil;
  p.threads[0].name = evil;
  p.damage = evil;
  const std::string page = page_of(p);
  EXPECT_THAT(page, Not(HasSubstr("alert(1)")));
  EXPECT_EQ(strings(payload_of(page), "frame.name")[0], "</script><script>alert(1)//\xef\xbf\xbd");
}

TEST(Html, FramesThatLookTheSameShowHowManyTheyAre) {
  Profile p = two_threads();
  p.frames.push_back({"qsort", "qsort_r", "libc.so.6", Kind::kNative});
  p.nodes[3].frame = 3;
  const Payload payload = payload_of(page_of(p));
  EXPECT_EQ(payload.columns.at("node.parent").size(), 3u);
  EXPECT_THAT(strings(payload, "frame.raw"), ElementsAre("Main", "qsort (and 1 more)"));
}

TEST(Html, AnEmptyProfileIsAPage) {
  const Payload payload = payload_of(page_of(Profile()));
  EXPECT_EQ(payload.json["buckets"], 1);
  EXPECT_TRUE(payload.columns.at("row.node").empty());
}

TEST(Html, ThePageNeedsNothingFromOutside) {
  const std::string page = page_of(two_threads());
  EXPECT_THAT(page, HasSubstr("Content-Security-Policy"));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_THAT(page, Not(HasSubstr("<link rel=\"stylesheet\"")));
  EXPECT_THAT(page, Not(HasSubstr("@import")));
  EXPECT_THAT(page, Not(HasSubstr("src=\"http")));
  EXPECT_THAT(page, Not(HasSubstr(std::string(kHtmlDataMark))));
}

void expect_refused(const Profile& profile, const std::string& why) {
  std::ostringstream out;
  EXPECT_THAT(write_html(profile, out).message(), HasSubstr(why));
  EXPECT_EQ(out.str(), "");
}

TEST(Html, AProfileThatContradictsItselfIsRefused) {
  Profile p = two_threads();
  p.nodes[2].parent = 2;
  expect_refused(p, "node 2 comes before its parent");
  p = two_threads();
  p.nodes[3].frame = 3;
  expect_refused(p, "node 3 has no frame");
  p = two_threads();
  p.samples[0].node = 4;
  expect_refused(p, "no node");
  p = two_threads();
  p.samples[0].thread = 2;
  expect_refused(p, "no thread");
  p = two_threads();
  p.samples[3].time_us = 0;
  expect_refused(p, "older");
  p = two_threads();
  p.samples[3].activity = Activity::kCount;
  expect_refused(p, "activity");
}

TEST(Html, AFullDiskIsAnError) {
  std::ostringstream out;
  out.setstate(std::ios::badbit);
  EXPECT_THAT(write_html(two_threads(), out).message(), HasSubstr("could not be written"));
}

}  // namespace
}  // namespace walkabout::formats
