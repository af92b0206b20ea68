// One line of `walkabout check`: whether something is in order, what it is, and what to do about it. Plain
// values. No text in it ever holds the value of an environment variable: names only.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace walkabout::cli {

enum class Verdict {
  kOk,
  kWarn,  // profiling works, but not as well as it could
  kNo,    // it does not
};

struct CheckResult {
  Verdict verdict = Verdict::kOk;
  std::string about;  // one word: "engine"
  std::string what;
  std::string remedy;  // may be empty
};
using CheckResults = std::vector<CheckResult>;

// An error's sentence: what is the matter; what to do.
inline CheckResult result_of(Verdict verdict, std::string about, const base::Status& error) {
  const std::string text = error.message();
  const size_t split = text.find("; ");
  if (split == std::string::npos) return {verdict, std::move(about), text, ""};
  return {verdict, std::move(about), text.substr(0, split), text.substr(split + 2)};
}

inline size_t count(const CheckResults& results, Verdict verdict) {
  return static_cast<size_t>(std::count_if(results.begin(), results.end(),
                                           [verdict](const CheckResult& r) { return r.verdict == verdict; }));
}

}  // namespace walkabout::cli
