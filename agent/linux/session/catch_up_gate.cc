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
    note(late_);
    late_ = {};
  }
  changed_.notify_all();
}

bool CatchUpGate::Question::may_go_on() const {
  return may_ask() && (gate_.waiting_.load() == 0 || std::chrono::steady_clock::now() < until_);
}

void CatchUpGate::listed(clr::ModuleID module) {
  if (gone_.modules.count(module) == 0) modules_.insert(module);
}

void CatchUpGate::pass(Lock& lock) {
  if (!running_.load()) return;
  waiting_.fetch_add(1);
  if (!changed_.wait_for(lock, again_ ? timeout_ / 10 : timeout_,
                         [this] { return gave_up_.load() || (!asking_ && !(starving_ && suspended_ == 0)); }))
    gave_up_.store(true);
  waiting_.fetch_sub(1);
  if (gave_up_.load()) changed_.notify_all();
}

// A question that did not end in time may be reading the sets: they do not change before its end.
void CatchUpGate::leaves(const Gone& gone) {
  {
    Lock lock(mutex_);
    pass(lock);
    if (asking_) {
      late_.modules.insert(gone.modules.begin(), gone.modules.end());
      late_.methods.insert(gone.methods.begin(), gone.methods.end());
    } else {
      note(gone);
    }
  }
  changed_.notify_all();
}

void CatchUpGate::note(const Gone& gone) {
  for (const clr::ModuleID module : gone.modules) modules_.erase(module);
  gone_.modules.insert(gone.modules.begin(), gone.modules.end());
  gone_.methods.insert(gone.methods.begin(), gone.methods.end());
}

void CatchUpGate::unloads(clr::ModuleID module) {
  if (running_.load()) leaves({{module}, {}});
}

void CatchUpGate::frees(clr::FunctionID dynamic_method) {
  if (running_.load()) leaves({{}, {dynamic_method}});
}

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
