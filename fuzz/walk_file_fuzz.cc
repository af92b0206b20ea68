// A .walk file, through to the model every report reads.
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "fuzz/fuzz_target.h"
#include "fuzz/input.h"
#include "profile/build/traces.h"
#include "profile/query/by_line.h"
#include "profile/query/filter.h"
#include "profile/query/totals.h"
#include "profile/query/view.h"
#include "recording/constants.h"
#include "recording/little_endian.h"
#include "recording/reader.h"
#include "verify/verify_collector.h"

using namespace walkabout;
using fuzz::expect;

namespace {

enum Shape : uint8_t {
  kFile,      // the bytes are the file
  kChecksum,  // … and each block's checksum is made right
  kRecords,   // the bytes are records, which are put into a good file
  kShapes,
};

void make_checksums_right(std::string& file) {
  using namespace recording;
  for (size_t at = kHeaderBytes; at + kBlockHeaderBytes <= file.size();) {
    const uint64_t size = read_u32(file, at + 4);
    if (size > file.size() - at - kBlockHeaderBytes) return;
    const std::string_view all = file;
    std::string sum;
    append_u32(block_checksum(all.substr(at + 4, 8), all.substr(at + kBlockHeaderBytes, size)), sum);
    file.replace(at + 12, 4, sum);
    at += kBlockHeaderBytes + size;
  }
}

std::string file_of(std::string_view records) {
  using namespace recording;
  std::string file(kMagic);
  append_u32(kFormatVersion, file);
  append_u32(0, file);
  if (records.empty()) return file;
  std::string payload(ZSTD_compressBound(records.size()), '\0');
  payload.resize(ZSTD_compress(payload.data(), payload.size(), records.data(), records.size(), 1));
  file += kSync;
  append_u32(static_cast<uint32_t>(payload.size()), file);
  append_u32(static_cast<uint32_t>(records.size()), file);
  append_u32(0, file);
  file += payload;
  make_checksums_right(file);
  return file;
}

// The path of a file of these bytes in memory.
std::string store(const std::string& bytes) {
  static const base::Fd file(::memfd_create("fuzz", MFD_CLOEXEC));
  expect(::ftruncate(file.get(), 0) == 0, "there is memory for a file");
  expect(::pwrite(file.get(), bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()),
         "there is memory for its bytes");
  return "/proc/self/fd/" + std::to_string(file.get());
}

void expect_whole(const profile::Profile& p) {
  const bool one_source = p.view.has_value();
  uint64_t weight = 0;
  uint64_t last = 0;
  expect(!p.nodes.empty() && p.nodes[0].parent == 0, "there is a root");
  for (uint32_t i = 1; i < p.nodes.size(); ++i) {
    expect(p.nodes[i].parent < i && p.nodes[i].frame < p.frames.size(), "parents come before children");
  }
  for (const profile::Sample& s : p.samples) {
    expect(s.thread < p.threads.size() && s.node < p.nodes.size(), "a sample's thread and node are there");
    expect(s.end < wire::WalkEnd::kCount && s.activity < profile::Activity::kCount,
           "a sample's enums are known");
    expect(s.time_us >= last, "samples are in the order of time");
    last = s.time_us;
    weight += s.weight;
    expect(s.source < p.sources.size(), "a sample's source is there");
    const wire::Source& source = p.sources[s.source];
    expect(s.labels < p.label_sets.size(), "a sample's labels are there");
    expect(s.labels == 0 || p.label_sets[s.labels].size() == source.labels.size(),
           "each label has its value");
    expect(
        one_source || source.values.size() == 1 || s.more + source.values.size() - 1 <= p.more_values.size(),
        "a sample's values are there");
  }
  expect((!one_source || weight == p.total_weight) && last <= p.duration_us, "the sums are right");
}

void use(profile::Profile all) {
  expect_whole(all);
  const base::Result<profile::View> view = profile::find_view(all, "", "");
  expect(view.ok(), "something can be looked at");
  const profile::Profile p = profile::viewed(all, *view);
  expect_whole(p);
  const profile::Totals totals = profile::sum_up(p);
  uint64_t samples = 0;
  for (const profile::Sample& s : p.samples) samples += s.count;
  expect(totals.all.weight == p.total_weight && totals.all.samples == samples, "totals are sums");
  base::Result<profile::Profile> part =
      profile::filtered(std::move(all), {.focus = "a", .hide_runtime = true});
  expect(part.ok(), "a filter of a whole profile works");
  expect_whole(*part);
}

// What is said of places, and the profile by them.
void use_lines(const profile::Profile& all) {
  for (const profile::DisplayFrame& frame : all.frames) {
    expect(frame.place.lines.size() <= 65, "candidates are bounded");
    expect(!frame.place.sure || frame.place.lines.size() == 1, "what is sure is one line");
  }
  const base::Result<profile::View> view = profile::find_view(all, "", "");
  expect(view.ok(), "something can be looked at");
  const profile::Profile by_line = profile::by_line(profile::viewed(all, *view));
  expect_whole(by_line);
  const profile::Totals totals = profile::sum_up(by_line);
  const profile::LineCover cover = profile::line_cover(by_line, by_line, totals);
  expect(cover.sure.samples + cover.unsure.samples <= cover.managed.samples,
         "what has a line is a part of all");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input in(data, size);
  const uint8_t how = in.u8();
  const uint8_t shape = how % kShapes;
  const bool lines = how / kShapes % 2 == 1;
  const std::vector<uint8_t> rest = in.rest();
  std::string bytes(rest.begin(), rest.end());
  if (shape == kRecords) bytes = file_of(bytes);
  if (shape == kChecksum) make_checksums_right(bytes);
  const std::string path = store(bytes);
  profile::TracedBuilder builder({.unfold = size % 2 == 0, .lines = lines});
  const base::Result<recording::ReadSummary> summary = recording::read_recording(path, builder);
  if (!summary.ok()) return 0;
  expect(summary->file_bytes == bytes.size() && summary->lost_bytes <= summary->file_bytes,
         "bytes are counted");
  expect(summary->damage.empty() == (summary->lost_bytes == 0), "damage and loss go together");
  profile::Profile built = builder.build_all(summary->damage);
  if (lines) use_lines(built);
  use(std::move(built));
  profile::VerifyCollector verifier;
  expect(recording::read_recording(path, verifier).ok(), "what was read once can be read again");
  const profile::Verification v = verifier.verify(2);
  expect(v.equal <= v.compared, "no more are equal than were compared");
  return 0;
}
