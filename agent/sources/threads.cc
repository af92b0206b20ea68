#include "agent/sources/threads.h"

#include <array>
#include <memory>
#include <string_view>

#include "agent/sources/table.h"
#include "agent/sources/texts.h"
#include "clr/events/keywords.h"
#include "clr/events/threading.h"

namespace walkabout::agent {
namespace {

// Empty: none of ours.
std::u16string_view what_of(const RuntimeEvent& event) {
  switch (event.id) {
    case clr::kThreadCreated:
      return u"thread begins";
    case clr::kWorkerStarted:
      return u"pool worker begins";
    case clr::kWorkerStopped:
      return u"pool worker ends";
    case clr::kWorkersAdjusted:
      return clr::adjustment_text(event.payload);
    default:
      return {};
  }
}

}  // namespace

std::unique_ptr<Source> make_threads_source() { return std::make_unique<ThreadsSource>(); }

wire::Source ThreadsSource::declaration(uint64_t /*period_ns*/) const {
  return declared({{"thread events", "count"}},
                  {{"kind", wire::LabelType::kText}, {"workers", wire::LabelType::kNumber}});
}

SourceNeeds ThreadsSource::needs(uint32_t /*runtime*/) const {
  return {0, 0, clr::kThreadingKeyword, clr::kInformational};
}

void ThreadsSource::on_event(const RuntimeEvent& event) {
  const std::u16string_view what = what_of(event);
  if (what.empty()) return;
  if (event.id == clr::kThreadCreated) capture_.thread_begins();
  uint32_t workers = 0;
  if (event.id != clr::kThreadCreated) clr::parse_workers(event.payload, event.id, &workers);
  happened(what, workers);
}

void ThreadsSource::on_thread_end() { happened(u"thread ends", 0); }

void ThreadsSource::happened(std::u16string_view what, uint32_t workers) {
  if (!capture_.is_on()) return;
  const std::array<uint64_t, 1> values{1};
  const std::array<uint64_t, 2> labels{label(*texts_, what), workers};
  capture_.event(values, labels);
}

}  // namespace walkabout::agent
