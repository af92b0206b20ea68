#include "clr/events/threading.h"

#include "clr/events/payload.h"

namespace walkabout::clr {
namespace {

// Of an adjustment. AverageThroughput: f64; NewWorkerThreadCount: u32; Reason: u32.
constexpr size_t kNewCount = 8, kReason = 12;

}  // namespace

// Of a worker. ActiveWorkerThreadCount: u32; RetiredWorkerThreadCount: u32.
bool parse_workers(std::span<const uint8_t> payload, uint32_t event_id, uint32_t* workers) {
  const size_t at = event_id == kWorkersAdjusted ? kNewCount : 0;
  if (payload.size() < at + sizeof(uint32_t)) return false;
  *workers = number_at<uint32_t>(payload, at);
  return true;
}

// ThreadAdjustmentReasonMap of the manifest.
std::u16string_view adjustment_text(std::span<const uint8_t> payload) {
  constexpr std::u16string_view kTexts[] = {
      u"pool adjusted: warming up", u"pool adjusted: beginning",        u"pool adjusted: random move",
      u"pool adjusted: climbing",   u"pool adjusted: change seen",      u"pool adjusted: stabilizing",
      u"pool adjusted: starvation", u"pool adjusted: worker timed out", u"pool adjusted: blocked workers"};
  if (payload.size() < kReason + sizeof(uint32_t)) return u"pool adjusted";
  const auto reason = number_at<uint32_t>(payload, kReason);
  return reason < std::size(kTexts) ? kTexts[reason] : u"pool adjusted";
}

}  // namespace walkabout::clr
