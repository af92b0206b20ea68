#include "clr/abi/profiler_server.h"

#include <gtest/gtest.h>

#include "clr/abi/callback_base.h"

namespace walkabout::clr {
namespace {

constexpr GUID kOurs = guid("5C3E63B4-0D52-4B4B-9E7E-3F1D2E7A90B1");
constexpr GUID kOther = guid("5C3E63B4-0D52-4B4B-9E7E-3F1D2E7A90B2");

int g_made = 0;
IUnknown* make() {
  ++g_made;
  return new CallbackBase;
}

TEST(ProfilerServer, TheClrsWayToTheProfiler) {
  void* object = nullptr;
  ASSERT_EQ(serve_profiler<make>(kOurs, kOurs, IClassFactory::kIid, &object), S_OK);
  auto* factory = static_cast<IClassFactory*>(object);
  void *profiler = nullptr, *again = nullptr;
  ASSERT_EQ(factory->CreateInstance(nullptr, ICorProfilerCallback2::kIid, &profiler), S_OK);
  ASSERT_EQ(factory->CreateInstance(nullptr, ICorProfilerCallback2::kIid, &again), S_OK);
  EXPECT_EQ(profiler, again);
  EXPECT_EQ(g_made, 1);
  EXPECT_EQ(static_cast<ICorProfilerCallback2*>(profiler)->Shutdown(), S_OK);
}

TEST(ProfilerServer, WhatItHasNotIsRefused) {
  void* object = nullptr;
  EXPECT_EQ(serve_profiler<make>(kOurs, kOther, IClassFactory::kIid, &object), CLASS_E_CLASSNOTAVAILABLE);
  EXPECT_EQ(serve_profiler<make>(kOurs, kOurs, ICorProfilerCallback::kIid, &object), E_NOINTERFACE);
  EXPECT_EQ(object, nullptr);
  ProfilerFactory<make> factory;
  EXPECT_EQ(factory.CreateInstance(&factory, ICorProfilerCallback::kIid, &object), CLASS_E_NOAGGREGATION);
  EXPECT_EQ(factory.CreateInstance(nullptr, IClassFactory::kIid, &object), E_NOINTERFACE);
}

}  // namespace
}  // namespace walkabout::clr
