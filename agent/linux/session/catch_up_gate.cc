#include "agent/linux/session/catch_up_gate.h"

#include <utility>

namespace walkabout::agent {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds kStarves = 10ms;
constexpr std::chrono::microseconds kGoesOn = 500us;  // what has starved
constexpr int kLongestSuspension = 60;                // in times of the patience

}  // namespace

void CatchUpGate::reset() {
  const Lock lock(mutex_);
  suspended_ = 0;
}

void CatchUpGate::begin() {
  const Lock lock(mutex_);
  modules_.clear();
  unloaded_.clear();
  gave_up_.store(false);
  running_.store(true);
}

bool CatchUpGate::ask() {
  Lock lock(mutex_);
  if (!changed_.wait_for(lock, kStarves, [this] { return suspended_ == 0 && waiting_.load() == 0; })) {
    starving_ = true;
    // A suspension whose end was not reported is over.
    if (!changed_.wait_for(lock, kLongestSuspension * patience_, [this] { return suspended_ == 0; }))
      suspended_ = 0;
  }
  asking_ = true;
  return std::exchange(starving_, false);
}

void CatchUpGate::answered() {
  {
    const Lock lock(mutex_);
    asking_ = false;
  }
  changed_.notify_all();
}

bool CatchUpGate::Question::may_go_on() const {
  if (gate_.waiting_.load() == 0) return true;
  return goes_first_ && std::chrono::steady_clock::now() - begun_ < kGoesOn;
}

void CatchUpGate::listed(clr::ModuleID module) {
  if (unloaded_.count(module) == 0) modules_.insert(module);
}

bool CatchUpGate::pass(Lock& lock) {
  if (!running_.load()) return false;
  waiting_.fetch_add(1);
  const bool passed =
      changed_.wait_for(lock, patience_, [this] { return !asking_ && !(starving_ && suspended_ == 0); });
  waiting_.fetch_sub(1);
  if (!passed) gave_up_.store(true);
  return passed;
}

void CatchUpGate::unloads(clr::ModuleID module) {
  if (!running_.load()) return;
  Lock lock(mutex_);
  if (pass(lock)) {
    unloaded_.insert(module);
    modules_.erase(module);
  }
  lock.unlock();
  changed_.notify_all();
}

void CatchUpGate::suspends() {
  Lock lock(mutex_);
  pass(lock);
  ++suspended_;
  ++suspensions_;
}

void CatchUpGate::resumes() {
  {
    const Lock lock(mutex_);
    if (suspended_ != 0) --suspended_;
  }
  changed_.notify_all();
}

void CatchUpGate::frees() {
  if (!running_.load()) return;
  {
    Lock lock(mutex_);
    pass(lock);
  }
  changed_.notify_all();
}

}  // namespace walkabout::agent
