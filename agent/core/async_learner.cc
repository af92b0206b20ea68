#include "agent/core/async_learner.h"

#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <tuple>
#include <utility>

namespace walkabout::agent {
namespace {

template <typename T>
std::span<T> all_of(PagedArray<T>& array) {
  return {&array[0], array.size()};
}

uint32_t role_of_method(const clr::AsyncMethod& method) {
  using clr::AsyncMethodKind;
  switch (method.kind) {
    case AsyncMethodKind::kOrdinary:
      return unwind::kRoleOrdinary;
    case AsyncMethodKind::kCore:
      return unwind::kRoleCore;
    case AsyncMethodKind::kStarter:
      return unwind::kRoleStarter;
    case AsyncMethodKind::kInvoker:
      return unwind::kRoleInvoker;
    case AsyncMethodKind::kRunner:
      return unwind::kRoleRunner;
    case AsyncMethodKind::kResumer:
      return unwind::kRoleResumer;
    case AsyncMethodKind::kContext:
      return unwind::kRoleContext;
    case AsyncMethodKind::kDispatcher:
      return unwind::kRoleOpaque;
    case AsyncMethodKind::kMoveNext:
      break;
  }
  return method.machine < AsyncLearner::kMachines ? unwind::kFirstMachine + method.machine
                                                  : uint32_t{unwind::kRoleOpaque};
}

// Where the CLR must not be asked, the name has to do.
bool is_move_next(const clr::MethodName& name) { return name.method == "MoveNext"; }

}  // namespace

AsyncLearner::AsyncLearner(CodeRegistry& registry, clr::ICorProfilerInfo2* info, bool attached)
    : registry_(registry),
      classes_(info, [this](clr::ModuleID module) { return registry_.stays(module); }),
      names_(info),
      types_(all_of(type_slots_), all_of(other_type_slots_)),
      methods_(all_of(code_roles_), all_of(frame_slots_), all_of(machines_)),
      hints_(all_of(hint_words_)) {
  if (attached) classes_.take_sources_from_metadata();
}

void AsyncLearner::class_loaded(clr::ClassID type) {
  const bool may_go = registry_.has_collectible() && !lives_on(type);
  const base::Lock lock(mutex_);
  loaded_.push_back({type, may_go});
}

// The runtime may answer only when its callback is over: so the wait is bounded.
template <typename Work>
void AsyncLearner::between_questions(Work work) {
  unloading_.fetch_add(1, std::memory_order_relaxed);
  for (int waits = 0; !asking_.try_lock(); ++waits) {
    if (waits == kMostWaits || gave_up_.load(std::memory_order_relaxed)) {
      unloading_.fetch_sub(1, std::memory_order_relaxed);
      return gave_up_.store(true, std::memory_order_relaxed);
    }
    ::usleep(kWaitUs);
  }
  unloading_.fetch_sub(1, std::memory_order_relaxed);
  work();
  asking_.unlock();
}

// Who waits for the question at hand is not to wait for all of them.
void AsyncLearner::let_unloads_pass() const {
  for (int waits = 0; unloading_.load(std::memory_order_relaxed) != 0 && waits < kMostWaits; ++waits)
    ::usleep(kWaitUs);
}

void AsyncLearner::class_unloaded(clr::ClassID type) {
  between_questions([this, type]() WALKABOUT_REQUIRES(asking_) { forget(type); });
}

void AsyncLearner::module_unloads(clr::ModuleID module) {
  between_questions([this, module]() WALKABOUT_REQUIRES(asking_) {
    const auto goes = [this, module](clr::ClassID type) {
      return !classes_.is_made_of(type, [module](clr::ModuleID one) { return one != module; });
    };
    {
      const base::Lock lock(mutex_);
      std::erase_if(loaded_, [&goes](const Loaded& one) { return one.may_go && goes(one.type); });
    }
    forget_all(goes);
    std::erase_if(method_ids_, [&goes](const auto& one) { return goes(one.first); });
    classes_.forget(module);
    names_.forget();
    roles_.clear();
  });
}

template <typename Such>
void AsyncLearner::forget_all(Such such) {
  std::vector<clr::ClassID> gone;
  std::copy_if(may_go_.begin(), may_go_.end(), std::back_inserter(gone), such);
  for (const clr::ClassID type : gone) forget(type);
}

// What may go may have gone.
void AsyncLearner::forget_after_giving_up() {
  if (!gave_up_.exchange(false, std::memory_order_relaxed)) return;
  {
    const base::Lock lock(mutex_);
    std::erase_if(loaded_, [](const Loaded& one) { return one.may_go; });
  }
  forget_all([](clr::ClassID) { return true; });
  method_ids_.clear();
  classes_.forget();
  names_.forget();
  roles_.clear();
}

void AsyncLearner::forget(clr::ClassID type) {
  {
    const base::Lock lock(mutex_);
    std::erase_if(loaded_, [type](const Loaded& one) { return one.type == type; });
  }
  for (Waiting& one : waiting_) one.done |= one.type == type;
  stay_.erase(type);
  may_go_.erase(type);
  method_ids_.erase(type);
  types_.forget(type);
}

// A handler that searched the table of before reads no more once all threads have stood.
void AsyncLearner::renew_types() {
  const uint32_t stands = stands_.load(std::memory_order_seq_cst);
  if (!types_.is_crowded() || stands == renewed_at_) return;
  types_.renew();
  renewed_at_ = stands;
}

void AsyncLearner::found(std::span<const uint64_t> types, std::span<const uint8_t> lives, uint32_t unloads) {
  const base::Lock asking(asking_);
  const bool all_live = registry_.unloads() == unloads;
  const base::Lock lock(mutex_);
  for (size_t i = 0; i < types.size(); ++i) {
    if (lives[i] != 0 || all_live) loaded_.push_back({types[i], lives[i] == 0});
  }
}

bool AsyncLearner::lives_on(clr::ClassID type) {
  return classes_.is_made_of(type, [this](clr::ModuleID module) { return registry_.stays(module); });
}

size_t AsyncLearner::learn(uint64_t now_ns) {
  learn_methods();
  return learn_classes(now_ns);
}

void AsyncLearner::learn_methods() {
  const uint32_t end = registry_.newest_code().value;
  for (; next_code_ <= end; ++next_code_) {
    const base::CodeId code(next_code_);
    let_unloads_pass();
    const base::Lock asking(asking_);
    CompiledMethod method;
    if (!registry_.compiled_method(code, &method)) continue;
    full_ |= !methods_.set_code(code, role_of_code(method));
    ++learnt_;
  }
}

uint32_t AsyncLearner::role_of_code(const CompiledMethod& method) {
  if (method.name == nullptr || (method.function != 0 && method.alive_at == registry_.unloads()))
    return role_of_function(method.function);
  return is_move_next(*method.name) ? unwind::kRoleOpaque
                                    : unwind::kRoleCore;  // whatever may resume a method
}

size_t AsyncLearner::take_loaded() {
  std::vector<Loaded> loaded;
  {
    const base::Lock lock(mutex_);
    loaded.swap(loaded_);
  }
  for (const Loaded& one : loaded) note(one.type, one.may_go);
  return loaded.size();
}

// Parents, too: the runtime loads its first classes before it reports any.
void AsyncLearner::note(clr::ClassID type, bool may_go) {
  for (; type != 0; type = classes_.parent_of(type)) {
    may_go = may_go && !lives_on(type);
    if (!(may_go ? may_go_ : stay_).insert(type).second) return;
    waiting_.push_back({type, may_go});
  }
}

size_t AsyncLearner::learn_classes(uint64_t now_ns) {
  size_t added = 0;
  for (size_t i = 0;; ++i) {
    let_unloads_pass();
    const base::Lock asking(asking_);
    forget_after_giving_up();
    if (i == 0) {
      learnt_ += take_loaded();
      renew_types();
    }
    if (i >= waiting_.size()) {
      std::erase_if(waiting_, [](const Waiting& one) { return one.done; });
      return added;
    }
    if (!waiting_[i].done && learn_class(waiting_[i], now_ns)) ++added;
  }
}

bool AsyncLearner::learn_class(Waiting& one, uint64_t now_ns) {
  if (now_ns < one.due_ns) return false;
  clr::AsyncClass learnt;
  const clr::AsyncClasses::Answer answer = classes_.learn(one.type, &learnt);
  one.done = answer != clr::AsyncClasses::Answer::kLater || one.wait_ns >= kLongestWaitNs;
  one.due_ns = now_ns + one.wait_ns;
  one.wait_ns *= 2;
  return answer == clr::AsyncClasses::Answer::kLearnt &&
         (one.may_go || !registry_.has_collectible() || lives_on(one.type)) && add(one, learnt);
}

bool AsyncLearner::add(const Waiting& one, const clr::AsyncClass& learnt) {
  unwind::AsyncType added = learnt.type;
  if (learnt.machine_class != 0) {
    unwind::AsyncMachine* machine = methods_.machine_to_fill(added.machine);
    full_ |= machine == nullptr;
    if (machine == nullptr) return false;
    if (!added.machine_is_object) machine->state_at.store(added.state_at, std::memory_order_relaxed);
    if (added.kind == unwind::AsyncKind::kBox && !added.machine_is_object &&
        !machine->add_place(added.machine_at))
      return false;
    if (added.machine_is_object) machine->is_object.store(true, std::memory_order_relaxed);
    added.method = name_of(learnt.machine_class, one.may_go);
  }
  const bool has_room = types_.add(one.type, added);
  full_ |= !has_room;
  return has_room;
}

// A code of its own stands for the method as somebody who awaits: it has no place in memory.
// Of one that may go nobody asks later where its IL is. Loaded again it has the same code: there is no end to
// loading and unloading.
base::CodeId AsyncLearner::name_of(clr::ClassID machine, bool may_go) {
  const auto [at, fresh] = method_ids_.try_emplace(machine);
  if (!fresh) return at->second;
  clr::MethodName name;
  name.type = names_.class_name(machine);
  name.method = "MoveNext";
  name.returns = "void";
  name.module = classes_.module_file(machine);
  if (!may_go) {
    std::tie(name.module_id, name.token) = classes_.move_next(machine);
    return at->second = registry_.async_method(std::move(name));
  }
  const auto [again, first] = codes_by_name_.try_emplace({name.module, name.type});
  if (first) again->second = registry_.async_method(std::move(name));
  return at->second = again->second;
}

uint32_t AsyncLearner::role_of_function(clr::FunctionID function) {
  const auto [at, fresh] = roles_.try_emplace(function, unwind::kRoleOrdinary);
  if (!fresh) return at->second;
  return at->second = role_of_method(classes_.method(function));
}

uint32_t AsyncLearner::role_of(wire::Frame frame) {
  const uint32_t role = methods_.role_of(frame);
  if (role != unwind::kRoleUnseen || frame.kind() != wire::FrameKind::kJitted) return role;
  learn_methods();
  return methods_.role_of(frame);
}

void AsyncLearner::see(wire::Frame frame, clr::FunctionID function) {
  const base::Lock asking(asking_);
  const uint32_t role = function == 0 ? uint32_t{unwind::kRoleOrdinary} : role_of_function(function);
  if (role != unwind::kRoleOrdinary) ++learnt_;
  full_ |= !methods_.set_frame(frame, role);
}

}  // namespace walkabout::agent
