// ComPtr's counting and CallbackBase's COM manners.
#include <gtest/gtest.h>

#include "clr/abi/callback_base.h"
#include "clr/abi/com_ptr.h"
#include "clr/abi/null_metadata.h"

namespace walkabout::clr {
namespace {

struct Profiler : CallbackBase {};

TEST(CallbackBase, AnswersEveryCallbackInterfaceAndNoOther) {
  Profiler profiler;
  const GUID known[] = {IUnknown::kIid,
                        ICorProfilerCallback::kIid,
                        ICorProfilerCallback2::kIid,
                        ICorProfilerCallback3::kIid,
                        ICorProfilerCallback4::kIid,
                        ICorProfilerCallback5::kIid,
                        ICorProfilerCallback6::kIid,
                        ICorProfilerCallback7::kIid,
                        ICorProfilerCallback8::kIid,
                        ICorProfilerCallback9::kIid,
                        ICorProfilerCallback10::kIid,
                        ICorProfilerCallback11::kIid};
  for (const GUID& iid : known) {
    void* object = nullptr;
    ASSERT_EQ(profiler.QueryInterface(iid, &object), S_OK);
    EXPECT_EQ(object, static_cast<ICorProfilerCallback*>(&profiler));
  }
  EXPECT_EQ(profiler.Release(), 1 + std::size(known) - 1);
  void* object = &profiler;
  EXPECT_EQ(profiler.QueryInterface(IMetaDataImport::kIid, &object), E_NOINTERFACE);
  EXPECT_EQ(object, nullptr);
  EXPECT_EQ(profiler.QueryInterface(IUnknown::kIid, nullptr), E_POINTER);
}

TEST(CallbackBase, EveryCallbackIsAccepted) {
  Profiler profiler;
  ICorProfilerCallback11& callback = profiler;
  EXPECT_EQ(callback.Initialize(nullptr), S_OK);
  EXPECT_EQ(
      callback.EventPipeEventDelivered(0, 0, 0, 0, nullptr, 0, nullptr, nullptr, nullptr, 0, 0, nullptr),
      S_OK);
  BOOL only_notifications = 0;
  EXPECT_EQ(callback.LoadAsNotificationOnly(&only_notifications), S_OK);
}

TEST(ComPtr, CountsEachHolderOnce) {
  NullIMetaDataImport2 object;
  {
    ComPtr<IMetaDataImport2> first(&object);
    EXPECT_EQ(object.references, 2u);
    ComPtr<IMetaDataImport2> second = first;
    EXPECT_EQ(object.references, 3u);
    ComPtr<IMetaDataImport2> third = std::move(second);
    EXPECT_EQ(object.references, 3u);
    EXPECT_FALSE(second);  // NOLINT(bugprone-use-after-move): that it is empty is the promise
    third = first;
    EXPECT_EQ(object.references, 3u);
    third = third.get() != nullptr ? ComPtr<IMetaDataImport2>() : third;
    EXPECT_EQ(object.references, 2u);
  }
  EXPECT_EQ(object.references, 1u);
}

TEST(ComPtr, AdoptsWhatAnOutParameterHandsOver) {
  NullIMetaDataImport2 object;
  object.AddRef();
  {
    ComPtr<IMetaDataImport2> owner = ComPtr<IMetaDataImport2>::adopt(&object);
    EXPECT_EQ(object.references, 2u);
    *owner.put_unknown() = nullptr;
    EXPECT_EQ(object.references, 1u);
  }
  EXPECT_EQ(object.references, 1u);
}

TEST(ComPtr, QueryCallsTheObject) {
  NullIMetaDataImport2 object;
  const ComPtr<IUnknown> unknown(&object);
  {
    const ComPtr<IMetaDataImport2> import = unknown.query<IMetaDataImport2>();
    EXPECT_EQ(import.get(), &object);
    EXPECT_EQ(object.references, 3u);
  }
  EXPECT_FALSE(unknown.query<ICorProfilerCallback>());
  EXPECT_FALSE(ComPtr<IUnknown>().query<IMetaDataImport2>());
  EXPECT_EQ(object.references, 2u);
}

}  // namespace
}  // namespace walkabout::clr
