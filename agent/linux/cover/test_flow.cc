#include "agent/linux/cover/test_flow.h"

namespace walkabout::agent {
namespace {

using wire::CoverTest;

struct ThreadFlow {
  CoverTest* now = nullptr;
  std::array<CoverTest*, kTestLanes> lanes{};
};
constinit thread_local ThreadFlow thread_flow;

constinit TestPages pages;
constinit std::atomic<CoverTest*> unknown_flow{nullptr};

// Null: there is no room.
uint8_t* page_of(CoverTest& test, uint32_t number) {
  std::atomic<uint32_t>& entry = test.pages[number];
  uint32_t page = entry.load(std::memory_order_acquire);
  if (__builtin_expect(page == 0, 0)) {
    const uint32_t fresh = pages.take();
    if (fresh == 0) return nullptr;
    // Another thread of the test may have been first: then the page is lost.
    if (entry.compare_exchange_strong(page, fresh, std::memory_order_acq_rel)) page = fresh;
  }
  return pages.memory() + page;
}

}  // namespace

void TestPages::add(uint8_t* memory, uint32_t first) {
  const uint32_t given = given_.load(std::memory_order_relaxed);
  if (given / kPiece >= kMostPieces) return;
  memory_.store(memory, std::memory_order_relaxed);
  pieces_[given / kPiece] = first;
  given_.store(given + kPiece, std::memory_order_release);  // partner: take
}

uint32_t TestPages::left() const {
  return given_.load(std::memory_order_relaxed) - taken_.load(std::memory_order_relaxed);
}

uint32_t TestPages::take() {
  uint32_t page = taken_.load(std::memory_order_relaxed);
  do {
    if (page >= given_.load(std::memory_order_acquire)) return 0;
  } while (!taken_.compare_exchange_weak(page, page + 1, std::memory_order_relaxed));
  return pieces_[page / kPiece] + page % kPiece * kPageBytes;
}

TestPages& test_pages() { return pages; }

void set_unknown_flow(CoverTest* unknown) { unknown_flow.store(unknown, std::memory_order_release); }

extern "C" void walkabout_cover_reach(uint64_t probe) {
  CoverTest* test = thread_flow.now;
  if (test == nullptr) test = unknown_flow.load(std::memory_order_relaxed);
  if (__builtin_expect(test == nullptr, 0)) return;
  const uint64_t number = probe / wire::kCoverPageProbes;
  uint8_t* const page =
      number < wire::kCoverTestPages ? page_of(*test, static_cast<uint32_t>(number)) : nullptr;
  if (__builtin_expect(page == nullptr, 0)) {
    test->lost.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  const std::atomic_ref<uint8_t> bits(page[probe % wire::kCoverPageProbes / 8]);
  const auto bit = static_cast<uint8_t>(1u << probe % 8);
  if ((bits.load(std::memory_order_relaxed) & bit) == 0) bits.fetch_or(bit, std::memory_order_relaxed);
}

extern "C" int64_t walkabout_cover_enter(int64_t value) {
  const auto* test = reinterpret_cast<const CoverTest*>(value);
  const CoverTest* const now = thread_flow.now;
  if (now != nullptr && now->rank >= test->rank) return -1;
  return reinterpret_cast<int64_t>(thread_flow.lanes[test->lane]);
}

extern "C" void walkabout_cover_flow(uint64_t lane, int64_t value) {
  ThreadFlow& flow = thread_flow;
  flow.lanes[lane] = reinterpret_cast<CoverTest*>(value);
  flow.now = nullptr;
  for (CoverTest* const test : flow.lanes) {
    if (test != nullptr && (flow.now == nullptr || test->rank > flow.now->rank)) flow.now = test;
  }
}

}  // namespace walkabout::agent
