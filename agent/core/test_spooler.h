// For tests of Spooler: samples as the handler writes them, and a spooler that writes them to a file.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <new>
#include <span>
#include <string>

#include "agent/core/spooler.h"
#include "agent/linux/session/tick_world.h"
#include "clr/abi/null_info.h"
#include "wire/encode.h"
#include "wire/records.h"

namespace walkabout::agent::testing {

inline constexpr uint64_t kNoTicks = uint64_t{1000} * 1'000'000'000;
inline constexpr uint32_t kRing = 64 << 10;
inline constexpr uint64_t kWeightNs = 10'000'700;

inline constexpr uint32_t kSmallTree = 4;  // nodes

// As the handler would, had there been a tick. requested: the CLR's walk was, where there are frames, and
// gave nothing.
inline void write_sample(wire::SlotHeader* shared, std::span<const wire::Frame> frames = {},
                         bool requested = true, uint64_t time_ns = 0) {
  wire::Producer producer(shared);
  const auto size = static_cast<uint32_t>(sizeof(wire::RawSample) + frames.size_bytes());
  auto* sample = new (producer.begin(size)) wire::RawSample;
  sample->size = size;
  sample->type = static_cast<uint8_t>(wire::RawType::kSample);
  sample->time_ns = time_ns;
  sample->value = kWeightNs;
  sample->frames = static_cast<decltype(sample->frames)>(frames.size());
  if (requested && !frames.empty()) sample->oracle = static_cast<uint8_t>(wire::OracleState::kRequested);
  std::copy(frames.begin(), frames.end(), reinterpret_cast<wire::Frame*>(sample + 1));
  shared->cpu().attempts += 1;
  shared->cpu().samples += 1;
  producer.commit(sample->size);
}

// Three frames, leaf first; equal but for the leaf.
inline std::array<wire::Frame, 3> some_stack(uint64_t leaf) {
  const auto stub = [](uint64_t at) { return wire::Frame::at_address(wire::FrameKind::kStub, at); };
  return {stub(0x1000 + leaf), stub(2), stub(1)};
}

inline std::string taken_from(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string all{std::istreambuf_iterator<char>(file), {}};
  std::remove(path.c_str());
  return all;
}

struct SpoolerTest : ::testing::Test {
  SpoolerTest() { EXPECT_TRUE(world.ok()); }

  // Whether all samples of this thread were read; they are written to `path`.
  uint64_t spool(const std::string& path, int samples, std::span<const wire::Frame> frames = {}) {
    shared = world.arm_self().shared;
    for (int i = 0; i < samples; ++i) write_sample(shared, frames);
    return spool(path, Spooler::Options());
  }
  // What is in the ring.
  uint64_t spool(const std::string& path, const Spooler::Options& options) {
    clr::NullICorProfilerInfo15 info;
    StreamOut out(world.host);
    EXPECT_TRUE(out.create(path).ok());
    Spooler spooler({world.registry, world.threads, out, &info}, wire::Session{}, options);
    EXPECT_TRUE(spooler.start(1).ok());
    spooler.stop(10'000, 0);
    return shared->ticks().taken[0];
  }

  TickWorld world{engines().front(), kRing, kNoTicks};
  wire::SlotHeader* shared = nullptr;
};

inline std::string encoded(const auto& record) {
  std::string bytes;
  wire::encode(record, bytes);
  return bytes;
}

}  // namespace walkabout::agent::testing
