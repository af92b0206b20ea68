#include "unwind/code/image_map.h"

#include <gtest/gtest.h>

#include <thread>

namespace walkabout::unwind {
namespace {

class ImageMapTest : public ::testing::Test {
 protected:
  Image* add(uint64_t begin, uint64_t end) {
    Image* image = map_.make();
    image->begin = begin;
    image->end = end;
    map_.publish(image);
    return image;
  }
  const Image* find(uint64_t pc) {
    const ReaderGate::Reader inside(gate_);
    return map_.find(pc);
  }

  ReaderGate gate_;
  ImageMap map_{gate_};
};

TEST_F(ImageMapTest, FindsTheImageThatHoldsTheAddress) {
  EXPECT_EQ(find(0), nullptr);
  const Image* high = add(0x5000, 0x6000);
  const Image* low = add(0x1000, 0x2000);
  const Image* next = add(0x2000, 0x3000);
  EXPECT_EQ(find(0xfff), nullptr);
  EXPECT_EQ(find(0x1000), low);
  EXPECT_EQ(find(0x1fff), low);
  EXPECT_EQ(find(0x2000), next);
  EXPECT_EQ(find(0x3000), nullptr);
  EXPECT_EQ(find(0x5fff), high);
  EXPECT_EQ(find(0x6000), nullptr);
  EXPECT_EQ(find(~uint64_t{0}), nullptr);
  EXPECT_EQ(map_.images().size(), 3u);
}

TEST_F(ImageMapTest, NotVisibleBeforeItIsPublishedNorAfterItIsRemoved) {
  Image* image = map_.make();
  image->begin = 0x1000, image->end = 0x2000;
  EXPECT_EQ(find(0x1000), nullptr);
  map_.publish(image);
  EXPECT_EQ(find(0x1000), image);
  map_.remove(image);
  EXPECT_EQ(find(0x1000), nullptr);
  EXPECT_TRUE(map_.images().empty());
  map_.remove(image);  // once more harms nothing
  EXPECT_EQ(image->begin, 0x1000u) << "it lives as long as the map";
}

TEST_F(ImageMapTest, ARetiredImageIsFreedWhenNoReaderCanHoldIt) {
  add(0x4000, 0x5000);
  Image* image = add(0x1000, 0x2000);
  {
    const ReaderGate::Reader inside(gate_);
    const Image* const held = map_.find(0x1000);
    map_.remove(image);
    map_.retire(image);
    for (int i = 0; i < 5; ++i) map_.maintain();
    EXPECT_EQ(map_.held(), 2u);
    EXPECT_EQ(held->end, 0x2000u) << "AddressSanitizer sees it when it is gone";
  }
  map_.maintain();
  EXPECT_EQ(map_.held(), 1u);
  EXPECT_NE(find(0x4000), nullptr);
  map_.retire(nullptr);  // nor anything else that is not there
  EXPECT_EQ(map_.held(), 1u);
}

TEST_F(ImageMapTest, ANewImageTakesThePlaceOfWhatItOverlaps) {
  add(0x1000, 0x2000);
  const Image* beside = add(0x4000, 0x5000);
  add(0x2000, 0x3000);
  const Image* over = add(0x1800, 0x2800);
  EXPECT_EQ(find(0x1000), nullptr) << "it cannot be there any more";
  EXPECT_EQ(find(0x1800), over);
  EXPECT_EQ(find(0x2900), nullptr);
  EXPECT_EQ(find(0x4000), beside);
}

TEST_F(ImageMapTest, FunctionsOfAnImage) {
  const RuntimeFunction functions[] = {{0x10, 0x20, 1}, {0x20, 0x30, 2}, {0x40, 0x50, 3}};
  EXPECT_EQ(find_function({}, 0x10), nullptr);
  EXPECT_EQ(find_function(functions, 0xf), nullptr);
  EXPECT_EQ(find_function(functions, 0x10), &functions[0]);
  EXPECT_EQ(find_function(functions, 0x20), &functions[1]);
  EXPECT_EQ(find_function(functions, 0x30), nullptr) << "a gap: thunks";
  EXPECT_EQ(find_function(functions, 0x4f), &functions[2]);
  EXPECT_EQ(find_function(functions, 0x50), nullptr);
}

TEST_F(ImageMapTest, ReadersFindWhatStaysWhileOthersComeAndGo) {
  const Image* stays = add(0x10000, 0x20000);
  std::atomic<bool> stop{false};
  std::atomic<int> looked{0};
  std::thread reader([&] {
    while (!stop.load(std::memory_order_relaxed)) {
      const ReaderGate::Reader inside(gate_);
      ASSERT_EQ(map_.find(0x18000), stays);
      const Image* other = map_.find(0x30000);
      ASSERT_TRUE(other == nullptr || other->end == 0x40000u);
      looked.fetch_add(1, std::memory_order_relaxed);
    }
  });
  for (int i = 0; i < 300; ++i) {
    Image* other = add(0x30000, 0x40000);
    if (i % 2 == 0) {
      map_.remove(other);
      map_.retire(other);
    }
    map_.maintain();
  }
  while (looked.load() == 0) std::this_thread::yield();
  stop = true;
  reader.join();
}

}  // namespace
}  // namespace walkabout::unwind
