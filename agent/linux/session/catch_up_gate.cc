#include "agent/linux/session/catch_up_gate.h"

#include <utility>

namespace walkabout::agent {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds kStarves = 10ms;
constexpr int kLongestSuspension = 60;  // timeouts

}  // namespace

void CatchUpGate::reset() {
  const Lock lock(mutex_);
  suspended_ = 0;
}

void CatchUpGate::begin() {
  const Lock lock(mutex_);
  modules_.clear();
  gone_ = late_ = {};
  again_ = starving_ = false;
  gave_up_.store(false);
  running_.store(true);
}

// What has gone stays known.
void CatchUpGate::begin_again() {
  const Lock lock(mutex_);
  modules_.clear();
  again_ = true;
  gave_up_.store(false);
}

bool CatchUpGate::ask() {
  Lock lock(mutex_);
  if (gave_up_.load()) {
    asking_ = true;
    return false;
  }
  if (!changed_.wait_for(lock, kStarves, [this] { return suspended_ == 0 && waiting_.load() == 0; })) {
    starving_ = true;
    if (!changed_.wait_for(lock, kLongestSuspension * timeout_, [this] { return suspended_ == 0; }))
      gave_up_.store(true);
  }
  asking_ = true;
  return std::exchange(starving_, false);
}

void CatchUpGate::answered() {
  {
    const Lock lock(mutex_);
    asking_ = false;
    gone_.modules.merge(late_.modules);
    gone_.methods.merge(late_.methods);
    late_ = {};
  }
  changed_.notify_all();
}

bool CatchUpGate::Question::may_go_on() const {
  return may_ask() && (gate_.waiting_.load() == 0 || std::chrono::steady_clock::now() < until_);
}

void CatchUpGate::listed(clr::ModuleID module) { modules_.insert(module); }

void CatchUpGate::pass(Lock& lock) {
  if (!running_.load()) return;
  waiting_.fetch_add(1);
  if (!changed_.wait_for(lock, again_ ? timeout_ / 10 : timeout_,
                         [this] { return gave_up_.load() || (!asking_ && !(starving_ && suspended_ == 0)); }))
    gave_up_.store(true);
  waiting_.fetch_sub(1);
  if (gave_up_.load()) changed_.notify_all();
}

// A question that did not end in time may be reading what has gone: that does not change before its end.
void CatchUpGate::leaves(std::unordered_set<uintptr_t> Gone::*kind, uintptr_t id) {
  if (!running_.load()) return;
  {
    Lock lock(mutex_);
    pass(lock);
    ((asking_ ? late_ : gone_).*kind).insert(id);
  }
  changed_.notify_all();
}

void CatchUpGate::unloads(clr::ModuleID module) { leaves(&Gone::modules, module); }

void CatchUpGate::frees(clr::FunctionID dynamic_method) { leaves(&Gone::methods, dynamic_method); }

void CatchUpGate::suspends() {
  Lock lock(mutex_);
  pass(lock);
  ++suspended_;
  suspensions_.fetch_add(1);
}

void CatchUpGate::resumes() {
  {
    const Lock lock(mutex_);
    if (suspended_ != 0) --suspended_;
  }
  changed_.notify_all();
}

}  // namespace walkabout::agent
