#include "verify/oracle_exceptions.h"

#include <algorithm>
#include <unordered_set>

namespace walkabout::profile {
namespace {

// Matches the two lists from the root end, leaving out ranges of ours that the rule allows.
class Matching {
 public:
  Matching(const OracleStack& ours, const OracleStack& clr) : ours_(ours), clr_(clr) {}

  // What is left of ours, if all of the CLR's was found.
  std::optional<OracleStack> run() {
    if (!match(ours_.size(), clr_.size()) || kept_.size() == ours_.size()) return std::nullopt;
    OracleStack rest;  // kept_ was filled from the leaf on
    for (const size_t i : kept_) rest.push_back(ours_[i]);
    return rest;
  }

 private:
  // Whether ours[0, i) can become clr[0, j). On success kept_ holds the indices that stay, leaf first.
  bool match(size_t i, size_t j) {
    if (i == 0 && j == 0) return true;
    if (!failed_.empty() && failed_.count(i << 32 | j) != 0) return false;
    if (i > 0 && j > 0 && same_method(ours_[i - 1], clr_[j - 1]) && match(i - 1, j - 1)) {
      kept_.push_back(i - 1);
      return true;
    }
    if (leave_out(i, j)) return true;
    failed_.insert(i << 32 | j);
    return false;
  }

  // ours[t, i) has been unwound, or is empty and ours[i] itself threw; t is the one that threw.
  bool leave_out(size_t i, size_t j) {
    for (size_t t = 0; t <= i && t < ours_.size(); ++t) {
      if (!ours_[t].throws) continue;
      if (t == 0 && j == 0 && i > 0) return true;  // the dispatcher runs
      if (t > 0 && handler_of(ours_[t - 1], i) && match(t - 1, j)) return true;
    }
    return false;
  }

  bool handler_of(const OracleFrame& handler, size_t parent) const {
    return parent < ours_.size() && handler.funclet && !ours_[parent].funclet &&
           handler.frame.code() == ours_[parent].frame.code() && same_method(handler, ours_[parent]);
  }

  const OracleStack& ours_;
  const OracleStack& clr_;
  std::vector<size_t> kept_;
  std::unordered_set<uint64_t> failed_;
};

}  // namespace

std::optional<OracleStack> exception_dispatcher(const OracleStack& ours, const OracleStack& clr) {
  OracleStack rest;
  auto theirs = clr.begin();
  for (const OracleFrame& frame : ours) {
    const bool reported = theirs != clr.end() && same_method(frame, *theirs);
    if (frame.dispatcher && !reported) continue;
    rest.push_back(frame);
    if (reported) ++theirs;
  }
  if (rest.size() == ours.size()) return std::nullopt;
  return rest;
}

std::optional<OracleStack> unwound_frames(const OracleStack& ours, const OracleStack& clr) {
  if (std::none_of(ours.begin(), ours.end(), [](const OracleFrame& frame) { return frame.throws; }))
    return std::nullopt;
  return Matching(ours, clr).run();
}

std::optional<OracleStack> catch_being_left(const OracleStack& ours, const OracleStack& clr) {
  if (clr.empty() || clr.size() >= ours.size()) return std::nullopt;
  const OracleFrame& last = ours[clr.size() - 1];
  // A catch is being left: the topmost frame threw. The last one is a handler: what is below it threw.
  if (!ours[0].throws || !last.funclet || !ours[clr.size()].throws || last.frame != clr.back().frame ||
      !std::equal(clr.begin(), clr.end(), ours.begin(), same_method))
    return std::nullopt;
  return OracleStack(ours.begin(), ours.begin() + static_cast<ptrdiff_t>(clr.size()));
}

}  // namespace walkabout::profile
