// For tests: a runtime whose heap has boxes of one async method, each with its state, its awaiter and its
// builder.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "clr/abi/hresults.h"
#include "clr/abi/null_info.h"
#include "unwind/async/async_type.h"

namespace walkabout::agent::testing {

inline constexpr clr::ClassID kFakeBox = 0x9000;

inline unwind::AsyncType fake_box_type(base::CodeId method) {
  return {.kind = unwind::AsyncKind::kBox,
          .next = 8,
          .machine_at = 16,
          .state_at = 0,
          .builder_at = 8,
          .method = method};
}

// A runtime with a heap of a few objects, which move at each collection.
struct FakeHeapRuntime : clr::NullICorProfilerInfo15 {
  explicit FakeHeapRuntime(bool lists_objects) : lists(lists_objects) {}
  clr::HRESULT QueryInterface(const clr::GUID& iid, void** object) override {
    if (iid == clr::ICorProfilerInfo15::kIid && !lists) return clr::E_FAIL;
    *object = this;
    AddRef();
    return clr::S_OK;
  }
  clr::HRESULT SuspendRuntime() override {
    if (refuses) return clr::E_FAIL;
    ++suspended;
    if (on_suspend) on_suspend();
    return clr::S_OK;
  }
  clr::HRESULT ResumeRuntime() override {
    --suspended;
    return clr::S_OK;
  }
  clr::HRESULT EnumerateGCHeapObjects(clr::ObjectCallback callback, void* state) override {
    EXPECT_EQ(suspended, 1);
    ++walks;
    for (const auto& object : objects) {
      if (callback(reinterpret_cast<clr::ObjectID>(object.get()), state) == 0) break;
    }
    return clr::S_OK;
  }
  clr::HRESULT CreateHandle(clr::ObjectID object, clr::COR_PRF_HANDLE_TYPE type,
                            clr::ObjectHandleID* handle) override {
    EXPECT_EQ(suspended, 1);
    EXPECT_EQ(type, clr::COR_PRF_HANDLE_TYPE_WEAK);
    handles[*handle = ++last_handle] = object;
    return clr::S_OK;
  }
  clr::HRESULT DestroyHandle(clr::ObjectHandleID handle) override {
    EXPECT_EQ(handles.erase(handle), 1u);
    return clr::S_OK;
  }
  clr::HRESULT GetObjectIDFromHandle(clr::ObjectHandleID handle, clr::ObjectID* object) override {
    *object = handles.at(handle);
    return clr::S_OK;
  }
  clr::HRESULT GetGenerationBounds(uint32_t, uint32_t* count, clr::COR_PRF_GC_GENERATION_RANGE* to) override {
    *count = static_cast<uint32_t>(ranges.size());
    std::copy(ranges.begin(), ranges.end(), to);
    return clr::S_OK;
  }

  struct Object {
    uint64_t method_table, next, state, builder;
  };
  Object& box(int32_t state) {
    Object& made = *objects.emplace_back(std::make_unique<Object>());
    made = {kFakeBox, 0, static_cast<uint64_t>(state), reinterpret_cast<uint64_t>(&made)};
    return made;
  }
  void collect() {
    for (auto& object : objects) {
      auto moved = std::make_unique<Object>(*object);
      moved->builder = reinterpret_cast<uint64_t>(moved.get());
      for (auto& [handle, at] : handles)
        if (at == reinterpret_cast<uint64_t>(object.get())) at = reinterpret_cast<uint64_t>(moved.get());
      graves.push_back(std::move(object));
      object = std::move(moved);
    }
  }

  const bool lists;
  bool refuses = false;
  std::function<void()> on_suspend;
  int suspended = 0, walks = 0;
  std::vector<std::unique_ptr<Object>> objects, graves;
  std::unordered_map<clr::ObjectHandleID, clr::ObjectID> handles;
  clr::ObjectHandleID last_handle = 0;
  std::vector<clr::COR_PRF_GC_GENERATION_RANGE> ranges;
};

}  // namespace walkabout::agent::testing
