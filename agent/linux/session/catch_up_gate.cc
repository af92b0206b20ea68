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
  unloaded_.clear();
  freed_.clear();
  gave_up_.store(false);
  running_.store(true);
}

bool CatchUpGate::ask() {
  Lock lock(mutex_);
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
  }
  changed_.notify_all();
}

bool CatchUpGate::Question::may_go_on() const {
  return may_ask() && (gate_.waiting_.load() == 0 || std::chrono::steady_clock::now() < until_);
}

void CatchUpGate::listed(clr::ModuleID module) {
  if (unloaded_.count(module) == 0) modules_.insert(module);
}

void CatchUpGate::pass(Lock& lock) {
  if (!running_.load()) return;
  waiting_.fetch_add(1);
  if (!changed_.wait_for(lock, timeout_,
                         [this] { return gave_up_.load() || (!asking_ && !(starving_ && suspended_ == 0)); }))
    gave_up_.store(true);
  waiting_.fetch_sub(1);
  if (gave_up_.load()) changed_.notify_all();
}

// A question that did not end in time may be reading the sets. So they do not change, and no other question
// is asked.
template <typename Note>
void CatchUpGate::leaves(Note note) {
  if (!running_.load()) return;
  {
    Lock lock(mutex_);
    pass(lock);
    if (!asking_) note();
  }
  changed_.notify_all();
}

void CatchUpGate::unloads(clr::ModuleID module) {
  leaves([&] {
    unloaded_.insert(module);
    modules_.erase(module);
  });
}

void CatchUpGate::frees(clr::FunctionID dynamic_method) {
  leaves([&] { freed_.insert(dynamic_method); });
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
