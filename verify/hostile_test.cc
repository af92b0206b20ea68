// Recordings with damaged bytes that still decode: everything built from them must cope.
#include <gtest/gtest.h>

#include <random>

#include "profile/build/builder.h"
#include "profile/model/test_recording.h"
#include "profile/query/filter.h"
#include "profile/query/totals.h"
#include "profile/query/view.h"
#include "recording/decode.h"
#include "recording/test_records.h"
#include "verify/verify_collector.h"

namespace walkabout::profile {
namespace {

std::string stream() {
  recording::testing::Reencoder out;
  testing::TestRecording emit(out);
  const auto thread = emit.thread("main", 1);
  const auto libc = emit.module("/lib/libc.so.6");
  const auto image = emit.module("/x/CoreLib.dll", wire::ModuleKind::kReadyToRun);
  out.on_method_range({image, 100, 200, emit.method("System.Array+<>c__DisplayClass3_0", "<Sort>b__0")});
  const wire::Frame main = emit.jitted("Demo.Program+<Main>d__0`1<System.Int32>", "MoveNext");
  const auto root = emit.stack({main, wire::Frame::in_code(wire::FrameKind::kReadyToRun, image, 150)});
  const auto leaf = emit.push(root, testing::TestRecording::native(libc, 0x510));
  emit.symbols(libc, true, {{0x500, 0x600, "qsort", "", false}, {0x600, 0x700, "qsort+0x100", "", true}});
  for (uint64_t i = 0; i < 20; ++i) {
    emit.sample(thread, i * 100, 10, i % 2 == 0 ? root : leaf, static_cast<wire::WalkEnd>(i % 6));
    out.on_oracle({thread, i, 0, {main}, 10, 20, true});
  }
  out.on_thread_end({thread, 5'000, 7});
  out.on_counters({5'000, 20, 20, {0, 0, 0, 0}, 1, 2, 3, 4, 5, 6, {}});
  return out.bytes + recording::testing::every_record();
}

// Says every record that still decodes, as a reader would up to the damage, and on after it.
void decode(std::string_view bytes, recording::RecordVisitor& visitor) {
  recording::Decoder decoder;
  recording::RawRecord record;
  while (recording::split_record(bytes, record) == recording::Split::kRecord) {
    const base::Status ignored = decoder.decode(record, visitor);
    bytes.remove_prefix(record.framed.size());
  }
}

TEST(Hostile, DamagedRecordsMakeSomeProfile) {
  const std::string good = stream();
  std::mt19937 random(11);
  uint64_t samples = 0;
  for (int round = 0; round < 3'000; ++round) {
    std::string bytes = good;
    for (unsigned n = 1 + random() % 4; n > 0; --n)
      bytes[random() % bytes.size()] = static_cast<char>(random());
    Builder builder({.unfold = round % 2 == 0});
    VerifyCollector verifier;
    decode(bytes, builder);
    decode(bytes, verifier);
    const Profile p = builder.build("");
    samples += p.samples.size();
    const base::Result<View> view = find_view(p, "", "");
    ASSERT_TRUE(view.ok());
    const Profile one = viewed(p, *view);
    EXPECT_EQ(sum_up(one).all.weight, one.total_weight);
    Filter filter;
    filter.focus = "a";
    filter.hide_runtime = true;
    EXPECT_TRUE(filtered(p, filter).ok());
    const Verification v = verifier.verify(2);
    EXPECT_LE(v.equal, v.compared);
  }
  EXPECT_GT(samples, 0u);
}

}  // namespace
}  // namespace walkabout::profile
