#include "agent/core/code_registry.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>
#include <vector>

#include "agent/core/fake_code_heap.h"
#include "base/clock.h"
#include "clr/events/test_inlining.h"

namespace walkabout::agent {
namespace {

using Heap = testing::FakeCodeHeap;

clr::EventString text(const char16_t* s, size_t units) {
  return {{reinterpret_cast<const uint8_t*>(s), units * 2}};
}

clr::MethodLoad load_of(const Heap& heap) {
  clr::MethodLoad event;
  event.method_id = Heap::kMethod;
  event.module_id = 77;
  event.start = heap.start();
  event.size = Heap::kSize;
  event.tier = 4;
  event.name = text(u"Main", 4);
  return event;
}

class CodeRegistryTest : public ::testing::Test {
 protected:
  // The id of the compiled method at pc; 0: none.
  uint32_t code_at(uint64_t pc) {
    const unwind::ReaderGate::Reader inside(gate_);
    const unwind::JitRegion* region = registry_.jitted().find(pc);
    return region != nullptr ? region->code.load() : 0;
  }
  Heap heap_;
  unwind::ReaderGate gate_;
  CodeRegistry registry_{gate_};
};

TEST_F(CodeRegistryTest, AJittedMethodIsFoundWithAllItsRegions) {
  registry_.jitted(load_of(heap_));
  const uint32_t id = code_at(heap_.start());
  ASSERT_NE(id, 0u);
  EXPECT_EQ(code_at(heap_.start() + Heap::kSize - 1), id);
  EXPECT_EQ(code_at(heap_.start() + Heap::kSize), 0u);
  CompiledMethod method;
  ASSERT_TRUE(registry_.compiled_method(base::CodeId(id), &method));
  EXPECT_EQ(method.function, Heap::kMethod);
  EXPECT_EQ(method.tier, static_cast<wire::Tier>(4));
  EXPECT_EQ(method.name, nullptr) << "the CLR is asked later";
  EXPECT_EQ(registry_.without_unwind_data(), 0u);
}

clr::testing::Payload inlined(size_t calls) {
  clr::testing::InlinedEvent event{Heap::kMethod, {{Heap::kMethod, 0, calls > 0 ? 1u : 0u, 0}}, {{0, 0, 4}}};
  for (size_t i = 0; i < calls; ++i) event.nodes.push_back({0x99, 0, 0, 0});
  return event.data();
}

TEST_F(CodeRegistryTest, WhatWasInlinedIsKeptWithItsCode) {
  const base::CodeId code = registry_.jitted(load_of(heap_));
  EXPECT_EQ(code.value, code_at(heap_.start()));
  const clr::testing::Payload said = inlined(1);
  registry_.inlined(code, Heap::kMethod, said);
  CompiledMethod method;
  ASSERT_TRUE(registry_.compiled_method(code, &method));
  ASSERT_NE(method.inlined, nullptr);
  EXPECT_EQ(*method.inlined, std::string(said.begin(), said.end()));
  EXPECT_EQ(registry_.told_of_inlining(), 1u);
  EXPECT_EQ(registry_.inlining_lost(), 0u);
}

TEST_F(CodeRegistryTest, WhereNothingWasInlinedNothingIsKept) {
  const base::CodeId code = registry_.jitted(load_of(heap_));
  registry_.inlined(code, Heap::kMethod, inlined(0));
  CompiledMethod method;
  ASSERT_TRUE(registry_.compiled_method(code, &method));
  EXPECT_EQ(method.inlined, nullptr);
  EXPECT_EQ(registry_.told_of_inlining(), 1u);
  EXPECT_EQ(registry_.inlining_lost(), 0u);
}

// Nobody can say which code it is of, or may ask for names of what was inlined there.
TEST_F(CodeRegistryTest, WhatWasInlinedElsewhereIsCountedAsLost) {
  registry_.inlined({}, Heap::kMethod, inlined(1));
  EXPECT_EQ(registry_.inlining_lost(), 1u);
  registry_.inlined(registry_.jitted(load_of(heap_)), Heap::kMethod + 1, inlined(1));
  EXPECT_EQ(registry_.inlining_lost(), 2u) << "it is another method's";
  clr::MethodLoad dynamic = load_of(heap_);
  dynamic.dynamic = true;
  registry_.inlined(registry_.jitted(dynamic), Heap::kMethod, inlined(1));
  EXPECT_EQ(registry_.inlining_lost(), 3u);
  registry_.collectible_module(77);
  registry_.inlined(registry_.jitted(load_of(heap_)), Heap::kMethod, inlined(1));
  EXPECT_EQ(registry_.inlining_lost(), 4u);
}

TEST_F(CodeRegistryTest, WhatWasInlinedHasItsBound) {
  const base::CodeId code = registry_.jitted(load_of(heap_));
  const clr::testing::Payload large = inlined(CodeRegistry::kMostInlined / 40);
  for (int i = 0; i < 3; ++i) registry_.inlined(code, Heap::kMethod, large);
  EXPECT_EQ(registry_.inlining_lost(), 2u) << "one fits into the bound";
}

// The runtime reports the module whose loader the code belongs to: for an instantiation, not always its
// method's.
TEST_F(CodeRegistryTest, WhatMustNotBeRequestedOfTheClrHasItsModulesName) {
  const auto module_of = [this](const clr::MethodLoad& event) {
    registry_.jitted(event);
    CompiledMethod method;
    EXPECT_TRUE(registry_.compiled_method(base::CodeId(code_at(heap_.start())), &method));
    return method.name != nullptr ? method.name->module : "no name";
  };
  clr::MethodLoad event = load_of(heap_);
  registry_.collectible_module(event.module_id);
  registry_.module_loaded(event.module_id, "/app/Demo.dll");
  EXPECT_EQ(module_of(event), "Demo.dll");
  event.generic = true;
  EXPECT_EQ(module_of(event), "");
  event.generic = false;
  event.dynamic = true;
  EXPECT_EQ(module_of(event), "");
}

TEST_F(CodeRegistryTest, WithoutUnwindDataThePrologIsDecoded) {
  heap_.set<uint64_t>(Heap::kCode - 8, 0);
  heap_.set<uint8_t>(Heap::kCode, 0x55);
  registry_.jitted(load_of(heap_));
  EXPECT_EQ(registry_.without_unwind_data(), 1u);
  const unwind::ReaderGate::Reader inside(gate_);
  const unwind::JitRegion* region = registry_.jitted().find(heap_.start() + Heap::kSize - 1);
  ASSERT_NE(region, nullptr);
  EXPECT_EQ(region->size, Heap::kSize);
  EXPECT_EQ(region->unwind_size, 6u);
}

TEST_F(CodeRegistryTest, AnIdIsNeverUsedTwice) {
  registry_.jitted(load_of(heap_));
  const uint32_t first = code_at(heap_.start());
  registry_.jitted(load_of(heap_));
  const uint32_t second = code_at(heap_.start());
  EXPECT_GT(second, first);
  registry_.unloaded({Heap::kMethod, heap_.start()});
  registry_.jitted(load_of(heap_));
  EXPECT_GT(code_at(heap_.start()), second);
}

TEST_F(CodeRegistryTest, UnloadedCodeIsErasedAtTheSecondCall) {
  registry_.jitted(load_of(heap_));
  const base::CodeId id(code_at(heap_.start()));
  const uint32_t generation = registry_.generation();
  registry_.unloaded({Heap::kMethod, heap_.start()});
  EXPECT_EQ(code_at(heap_.start()), 0u) << "for walks at once";
  EXPECT_NE(registry_.generation(), generation) << "what walks remember is void";
  CompiledMethod method;
  EXPECT_TRUE(registry_.compiled_method(id, &method)) << "samples with it may not have been taken yet";
  registry_.erase_unloaded();
  EXPECT_TRUE(registry_.compiled_method(id, &method));
  registry_.erase_unloaded();
  EXPECT_FALSE(registry_.compiled_method(id, &method));
  EXPECT_EQ(registry_.compiled_methods(), 0u);
}

TEST_F(CodeRegistryTest, CodeOverCodeThatWasNotUnloadedChangesTheGeneration) {
  registry_.jitted(load_of(heap_));
  const uint32_t generation = registry_.generation();
  registry_.jitted(load_of(heap_));
  EXPECT_NE(registry_.generation(), generation);
  registry_.erase_unloaded();
  registry_.erase_unloaded();
  EXPECT_EQ(registry_.compiled_methods(), 1u);
}

TEST_F(CodeRegistryTest, CodeThatMayVanishKeepsTheEventsNames) {
  const auto named = [&](bool dynamic, bool generic) {
    clr::MethodLoad event = load_of(heap_);
    event.dynamic = dynamic;
    event.generic = generic;
    registry_.jitted(event);
    CompiledMethod method;
    EXPECT_TRUE(registry_.compiled_method(base::CodeId(code_at(heap_.start())), &method));
    return method.name != nullptr ? method.name->method : "";
  };
  EXPECT_EQ(named(false, false), "");
  EXPECT_EQ(named(true, false), "Main");
  EXPECT_EQ(named(false, true), "") << "nothing is collectible yet";
  registry_.collectible_module(5);
  EXPECT_EQ(named(false, true), "Main") << "may be over a collectible type";
  EXPECT_EQ(named(false, false), "");
  registry_.collectible_module(77);
  EXPECT_EQ(named(false, false), "Main");
}

// As a program that loads, uses and unloads a plugin all the time: no event says that a method went.
TEST_F(CodeRegistryTest, CodeOfAnUnloadedCollectibleModuleIsErased) {
  constexpr uint32_t kRounds = 300, kSize = 64;  // more than fit into the map's tail
  const std::vector<uint8_t> heap((kRounds + 1) * kSize);
  const uint64_t first = reinterpret_cast<uint64_t>(heap.data()) + kSize;
  registry_.jitted(load_of(heap_));
  const uint32_t stays = code_at(heap_.start());
  for (uint32_t i = 0; i < kRounds; ++i) {
    clr::MethodLoad event;
    event.method_id = event.start = first + i * kSize;
    event.module_id = 1000 + i;
    event.size = kSize;
    registry_.collectible_module(event.module_id);
    registry_.jitted(event);
    const base::CodeId id(code_at(event.start));
    const uint32_t generation = registry_.generation();
    registry_.module_unloaded(event.module_id);
    EXPECT_EQ(code_at(event.start), 0u);
    EXPECT_NE(registry_.generation(), generation) << "what walks remember is void";
    CompiledMethod method;
    EXPECT_TRUE(registry_.compiled_method(id, &method)) << "samples with it may not have been taken yet";
    registry_.erase_unloaded();
    registry_.erase_unloaded();
    EXPECT_FALSE(registry_.compiled_method(id, &method));
    EXPECT_FALSE(registry_.knows_compiled_method(event.start));
  }
  registry_.maintain();
  EXPECT_EQ(registry_.compiled_methods(), 1u);
  EXPECT_EQ(registry_.jitted().size(), 2u) << "the living method's regions";
  EXPECT_EQ(code_at(heap_.start()), stays);
  EXPECT_FALSE(registry_.has_collectible());
}

TEST_F(CodeRegistryTest, CodeWhereAnUnloadedModulesWasStays) {
  registry_.collectible_module(77);
  registry_.jitted(load_of(heap_));
  clr::MethodLoad other = load_of(heap_);
  other.module_id = 5;
  registry_.jitted(other);
  const uint32_t id = code_at(heap_.start());
  registry_.module_unloaded(77);
  EXPECT_EQ(code_at(heap_.start()), id);
  registry_.erase_unloaded();
  registry_.erase_unloaded();
  EXPECT_EQ(registry_.compiled_methods(), 1u);
}

TEST_F(CodeRegistryTest, AManyTimesReplacedMethodOfACollectibleModuleIsErasedOnce) {
  registry_.collectible_module(77);
  for (int i = 0; i < 300; ++i) {
    registry_.jitted(load_of(heap_));
    registry_.erase_unloaded();
    registry_.erase_unloaded();
    EXPECT_EQ(registry_.compiled_methods(), 1u);
  }
  registry_.module_unloaded(77);
  registry_.erase_unloaded();
  registry_.erase_unloaded();
  EXPECT_EQ(registry_.compiled_methods(), 0u);
}

TEST_F(CodeRegistryTest, AfterASessionsEndCodeMayBeUnreportedUntilTheNextEvent) {
  EXPECT_EQ(registry_.unreported_until_ns(), 0u);
  registry_.session_ended(7);
  EXPECT_EQ(registry_.unreported_until_ns(), 7 + CodeRegistry::kLongestShutdownNs);
  registry_.jitted(load_of(heap_));
  EXPECT_EQ(registry_.unreported_until_ns(), 0u);
}

TEST_F(CodeRegistryTest, AMethodWithoutPlaceOrSizeIsNone) {
  clr::MethodLoad event = load_of(heap_);
  event.size = 0;
  registry_.jitted(event);
  event = load_of(heap_);
  event.start = 0;
  registry_.jitted(event);
  EXPECT_EQ(registry_.compiled_methods(), 0u);
}

TEST_F(CodeRegistryTest, ImagesHaveIdsOfTheSameKindAndComeAndGo) {
  registry_.jitted(load_of(heap_));
  wire::Module about;
  about.path = "/lib/x.so";
  uint32_t generation = registry_.generation();
  unwind::Image* image =
      registry_.add_image(about, [](unwind::Image& i) { i.begin = 0x1000, i.end = 0x2000; });
  EXPECT_NE(registry_.generation(), generation);
  EXPECT_NE(image->code.value, code_at(heap_.start()));
  wire::Module found;
  ASSERT_TRUE(registry_.module(image->code, &found));
  EXPECT_EQ(found.path, "/lib/x.so");
  EXPECT_EQ(registry_.all_images().size(), 1u);
  generation = registry_.generation();
  const base::CodeId code = image->code;
  registry_.remove_image(image);
  EXPECT_NE(registry_.generation(), generation);
  EXPECT_TRUE(registry_.all_images().empty());
  EXPECT_TRUE(registry_.module(code, &found)) << "samples of it may come yet";
  registry_.maintain();
  EXPECT_EQ(registry_.images().held(), 0u) << "nobody walks";
  EXPECT_FALSE(registry_.module(base::CodeId(999), &found));
}

// The memory goes away when it returns.
TEST_F(CodeRegistryTest, AnImageIsNotRemovedWhileAReaderMayReadIt) {
  unwind::Image* image = registry_.add_image({}, [](unwind::Image& i) { i.begin = 0x1000, i.end = 0x2000; });
  const unwind::ReaderGate::Reader inside(gate_);
  const uint64_t begin = base::monotonic_ns();
  registry_.remove_image(image);
  EXPECT_GE(base::monotonic_ns() - begin, 4'000'000u) << "it waits, though not for ever";
}

// Callbacks come concurrently: whatever is published at once is there.
TEST_F(CodeRegistryTest, ManyThreadsPublishAtOnce) {
  constexpr uint32_t kThreads = 8, kEach = 200, kImages = 20, kSize = 64;
  const std::vector<uint8_t> heap((kThreads * kEach + 1) * kSize);
  const uint64_t first = reinterpret_cast<uint64_t>(heap.data()) + kSize;
  std::vector<std::thread> threads;
  for (uint32_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (uint32_t i = 0; i < kEach; ++i) {
        clr::MethodLoad event;
        event.method_id = event.start = first + (t * kEach + i) * kSize;
        event.size = kSize;
        registry_.jitted(event);
        if (i >= kImages) continue;
        registry_.add_image({}, [&](unwind::Image& image) {
          image.begin = 0x20'0000'0000 + (t * kImages + i) * 0x1000;
          image.end = image.begin + 0x1000;
        });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(registry_.compiled_methods(), kThreads * kEach);
  EXPECT_EQ(registry_.all_images().size(), kThreads * kImages);
  std::set<uint32_t> ids;
  for (uint64_t i = 0; i < kThreads * kEach; ++i) ids.insert(code_at(first + i * kSize + 8));
  EXPECT_EQ(ids.size(), kThreads * kEach) << "each its own";
  EXPECT_EQ(ids.count(0), 0u);
}

TEST_F(CodeRegistryTest, CodeFoundAtAnAttachIsLikeJittedCode) {
  registry_.found({Heap::kMethod, heap_.start(), Heap::kSize, nullptr});
  const uint32_t id = code_at(heap_.start());
  ASSERT_NE(id, 0u);
  EXPECT_TRUE(registry_.knows_compiled_method(heap_.start()));
  CompiledMethod method;
  ASSERT_TRUE(registry_.compiled_method(base::CodeId(id), &method));
  EXPECT_EQ(method.function, Heap::kMethod);
  EXPECT_EQ(method.tier, wire::Tier::kUnknown);
  EXPECT_EQ(method.name, nullptr) << "the CLR is asked later";
  EXPECT_EQ(registry_.without_unwind_data(), 0u);
  registry_.unloaded({Heap::kMethod, heap_.start()});
  EXPECT_EQ(code_at(heap_.start()), 0u);
  EXPECT_FALSE(registry_.knows_compiled_method(heap_.start()));
}

TEST_F(CodeRegistryTest, WhatAnEventReportedBeforeItWasFoundStays) {
  registry_.jitted(load_of(heap_));
  const uint32_t id = code_at(heap_.start());
  registry_.found({Heap::kMethod, heap_.start(), Heap::kSize, nullptr});
  EXPECT_EQ(code_at(heap_.start()), id);
  EXPECT_EQ(registry_.compiled_methods(), 1u);
}

TEST_F(CodeRegistryTest, FoundCodeWithoutAddressOrSizeIsNone) {
  registry_.found({Heap::kMethod, 0, Heap::kSize, nullptr});
  registry_.found({Heap::kMethod, heap_.start(), 0, nullptr});
  EXPECT_EQ(registry_.compiled_methods(), 0u);
}

TEST_F(CodeRegistryTest, WhatACallbackReportedTakesThePlaceOfWhatWasThere) {
  registry_.compiled({Heap::kMethod + 8, heap_.start(), Heap::kSize, nullptr});
  registry_.compiled({Heap::kMethod, heap_.start(), Heap::kSize, nullptr});
  EXPECT_TRUE(registry_.knows_compiled_method(heap_.start(), Heap::kMethod));
  EXPECT_FALSE(registry_.knows_compiled_method(heap_.start(), Heap::kMethod + 8));
  EXPECT_FALSE(registry_.knows_compiled_method(heap_.start() + 16, Heap::kMethod));
  registry_.erase_unloaded();
  registry_.erase_unloaded();
  EXPECT_EQ(registry_.compiled_methods(), 1u);
}

TEST_F(CodeRegistryTest, WhatACallbackReportedGoesWithItsModule) {
  registry_.collectible_module(77);
  EXPECT_TRUE(registry_.is_collectible(77));
  EXPECT_FALSE(registry_.is_collectible(5));
  registry_.compiled({Heap::kMethod, heap_.start(), Heap::kSize, nullptr, 77});
  ASSERT_NE(code_at(heap_.start()), 0u);
  registry_.module_unloaded(77);
  EXPECT_EQ(code_at(heap_.start()), 0u);
}

TEST_F(CodeRegistryTest, FoundDynamicCodeKeepsItsName) {
  auto name = std::make_shared<clr::MethodName>();
  name->method = "Call";
  name->dynamic = true;
  registry_.found({Heap::kMethod, heap_.start(), Heap::kSize, name});
  CompiledMethod method;
  ASSERT_TRUE(registry_.compiled_method(base::CodeId(code_at(heap_.start())), &method));
  ASSERT_NE(method.name, nullptr);
  EXPECT_EQ(method.name->method, "Call");
}

}  // namespace
}  // namespace walkabout::agent
