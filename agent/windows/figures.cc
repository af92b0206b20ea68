#include "agent/windows/figures.h"

#include <algorithm>
#include <cstdio>

#include "clr/abi/hresults.h"

namespace walkabout::agent {
namespace {

constexpr size_t kKept = 1u << 20;  // walks whose times are kept

std::string percentiles(const char* what, std::vector<uint32_t> v) {
  std::sort(v.begin(), v.end());
  const auto at = [&v](size_t percent) { return v[(v.size() - 1) * percent / 100] / 1000.0; };
  char text[128];
  std::snprintf(text, sizeof text, "%s p50 %.1f us, p99 %.1f us", what, at(50), at(99));
  return text;
}

uint32_t clamped(uint64_t ns) { return static_cast<uint32_t>(std::min<uint64_t>(ns, UINT32_MAX)); }

}  // namespace

void Figures::walked(const WalkTimes& times) {
  if (stopped_.size() >= kKept) return;
  system_.push_back(clamped(times.system));
  copying_.push_back(clamped(times.copying));
  if (times.clr != 0) clr_.push_back(clamped(times.clr));
  ours_.push_back(clamped(times.ours()));
  stopped_.push_back(clamped(times.stopped()));
}

std::vector<std::string> Figures::sentences() const {
  std::vector<std::string> result;
  for (const auto& [answer, count] : answers_) {
    result.push_back("DoStackSnapshot " + std::string(answer.seeded ? "with a seed" : "without a seed") +
                     ": " + snapshot_answer(answer.result) + " " + std::to_string(count));
  }
  if (stopped_.empty()) return result;
  result.push_back(std::to_string(stopped_.size()) + " walks; a thread was stopped for one: " +
                   percentiles("in all", stopped_) + "; " + percentiles("the system's calls", system_) +
                   "; " + percentiles("walkabout with the CLR", ours_) + "; " +
                   percentiles("of that copying", copying_) +
                   (clr_.empty() ? "" : "; " + percentiles("the CLR's walk", clr_)));
  return result;
}

std::string snapshot_answer(clr::HRESULT answer) {
  switch (answer) {
    case clr::S_OK:
      return "S_OK";
    case clr::S_FALSE:
      return "S_FALSE";
    case clr::E_FAIL:
      return "E_FAIL";
    case clr::E_INVALIDARG:
      return "E_INVALIDARG";
    case clr::CORPROF_E_STACKSNAPSHOT_INVALID_TGT_THREAD:
      return "CORPROF_E_STACKSNAPSHOT_INVALID_TGT_THREAD";
    case clr::CORPROF_E_STACKSNAPSHOT_UNMANAGED_CTX:
      return "CORPROF_E_STACKSNAPSHOT_UNMANAGED_CTX";
    case clr::CORPROF_E_STACKSNAPSHOT_UNSAFE:
      return "CORPROF_E_STACKSNAPSHOT_UNSAFE";
    case clr::CORPROF_E_STACKSNAPSHOT_ABORTED:
      return "CORPROF_E_STACKSNAPSHOT_ABORTED";
    case clr::CORPROF_E_ASYNCHRONOUS_UNSAFE:
      return "CORPROF_E_ASYNCHRONOUS_UNSAFE";
    default: {
      char text[16];
      std::snprintf(text, sizeof text, "0x%08x", static_cast<unsigned>(answer));
      return text;
    }
  }
}

}  // namespace walkabout::agent
