#include "agent/core/async_learner.h"

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
      classes_(info),
      names_(info),
      types_(all_of(type_slots_)),
      methods_(all_of(code_roles_), all_of(frame_slots_), all_of(machines_)),
      hints_(all_of(hint_words_)) {
  if (attached) classes_.take_sources_from_metadata();
}

// A collectible class may be gone when the spooler comes to ask for it.
void AsyncLearner::class_loaded(clr::ClassID type) {
  if (registry_.has_collectible() && !lives_on(type)) return;
  const base::Lock lock(mutex_);
  loaded_.push_back(type);
}

void AsyncLearner::class_unloaded(clr::ClassID type) {
  const base::Lock lock(mutex_);
  std::erase(loaded_, type);
}

bool AsyncLearner::lives_on(clr::ClassID type) {
  return classes_.is_made_of(type,
                             [this](clr::ModuleID module) { return !registry_.is_collectible(module); });
}

size_t AsyncLearner::learn(uint64_t now_ns) {
  learn_methods();
  return learn_classes(now_ns);
}

void AsyncLearner::learn_methods() {
  const uint32_t end = registry_.newest_code().value;
  for (; next_code_ <= end; ++next_code_) {
    const base::CodeId code(next_code_);
    CompiledMethod method;
    if (!registry_.compiled_method(code, &method)) continue;
    uint32_t role = unwind::kRoleCore;  // whatever may resume a method
    if (method.name != nullptr)
      role = is_move_next(*method.name) ? unwind::kRoleOpaque : unwind::kRoleCore;
    else
      role = role_of_function(method.function);
    full_ |= !methods_.set_code(code, role);
    ++learnt_;
  }
}

size_t AsyncLearner::learn_classes(uint64_t now_ns) {
  std::vector<clr::ClassID> loaded;
  {
    const base::Lock lock(mutex_);
    loaded.swap(loaded_);
  }
  learnt_ += loaded.size();
  std::vector<Waiting> waiting = std::exchange(again_, {});
  // Parents, too: the runtime loads its first classes before it reports any.
  for (clr::ClassID type : loaded) {
    for (; type != 0 && seen_.insert(type).second; type = classes_.parent_of(type)) waiting.push_back({type});
  }
  size_t added = 0;
  for (const Waiting& one : waiting) {
    if (now_ns < one.due_ns) {
      again_.push_back(one);
      continue;
    }
    clr::AsyncClass learnt;
    switch (classes_.learn(one.type, &learnt)) {
      case clr::AsyncClasses::Answer::kNothing:
        break;
      case clr::AsyncClasses::Answer::kLearnt:
        if (lives_on(one.type) && add(one.type, learnt)) ++added;
        break;
      case clr::AsyncClasses::Answer::kLater:
        if (one.wait_ns < kLongestWaitNs) again_.push_back({one.type, now_ns + one.wait_ns, 2 * one.wait_ns});
        break;
    }
  }
  return added;
}

bool AsyncLearner::add(clr::ClassID type, const clr::AsyncClass& learnt) {
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
    added.method = name_of(learnt.machine_class);
  }
  const bool has_room = types_.add(type, added);
  full_ |= !has_room;
  return has_room;
}

// A code of its own stands for the method as somebody who awaits: it has no place in memory.
base::CodeId AsyncLearner::name_of(clr::ClassID machine) {
  const auto [at, fresh] = method_ids_.try_emplace(machine);
  if (!fresh) return at->second;
  clr::MethodName name;
  name.type = names_.class_name(machine);
  name.method = "MoveNext";
  name.returns = "void";
  name.module = classes_.module_file(machine);
  std::tie(name.module_id, name.token) = classes_.move_next(machine);
  return at->second = registry_.async_method(std::move(name));
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
  const uint32_t role = function == 0 ? uint32_t{unwind::kRoleOrdinary} : role_of_function(function);
  if (role != unwind::kRoleOrdinary) ++learnt_;
  full_ |= !methods_.set_frame(frame, role);
}

}  // namespace walkabout::agent
