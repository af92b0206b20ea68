#include "verify/dispatch_samples.h"

#include <gtest/gtest.h>

namespace walkabout::profile {
namespace {

wire::Samples samples(base::SourceId source, std::vector<uint64_t> values, std::vector<uint64_t> labels) {
  wire::Samples out;
  out.source = source;
  out.stack.resize(values.size());
  out.values = std::move(values);
  out.labels = std::move(labels);
  return out;
}

TEST(DispatchSamples, ThrowsAndTheCallbacksOfADispatch) {
  constexpr base::SourceId kExceptions(4), kCallbacks(11);
  DispatchSamples dispatched;
  wire::Source exceptions, callbacks;
  exceptions.id = kExceptions;
  exceptions.name = "exceptions";
  callbacks.id = kCallbacks;
  callbacks.name = "callbacks";
  callbacks.labels = {{"object", 0}, {"callback", 0}};
  dispatched.add(exceptions);
  dispatched.add(callbacks);
  const auto at = [](uint32_t base) { return [base](size_t i) { return base + static_cast<uint32_t>(i); }; };
  dispatched.add(samples(kExceptions, {1, 0, 1}, {}), at(10));
  dispatched.add(samples(kCallbacks, {1, 1, 1}, {7, 8, 9, 1, 2, 3}), at(20));
  dispatched.add(samples(kCallbacks, {1, 1}, {7}), at(30));  // damaged
  dispatched.add(samples(base::SourceId(1), {1}, {}), at(40));
  dispatched.add(wire::Text{base::TextId(1), "ExceptionUnwindFunctionEnter", ""});
  dispatched.add(wire::Text{base::TextId(2), "ExceptionCatcherEnter", ""});
  dispatched.add(wire::Text{base::TextId(3), "ExceptionThrown", ""});
  EXPECT_EQ(dispatched.stacks(), (std::vector<uint32_t>{10, 12, 20, 22}));
}

}  // namespace
}  // namespace walkabout::profile
