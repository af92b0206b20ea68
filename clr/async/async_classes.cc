#include "clr/async/async_classes.h"

#include <algorithm>
#include <array>

#include "clr/abi/hresults.h"

namespace walkabout::clr {
namespace {

using unwind::AsyncKind;

constexpr uint32_t kMostArguments = 16;
constexpr uint32_t kMostFields = 256;
constexpr int kMostParents = 32;

constexpr std::string_view kCoreLibrary = "System.Private.CoreLib.dll";
constexpr std::string_view kTask = "System.Threading.Tasks.Task";
constexpr std::string_view kBox =
    "System.Runtime.CompilerServices.AsyncTaskMethodBuilder`1+AsyncStateMachineBox`1";
constexpr std::string_view kPooledBase =
    "System.Runtime.CompilerServices.PoolingAsyncValueTaskMethodBuilder`1+StateMachineBox";
constexpr std::string_view kPooledBox =
    "System.Runtime.CompilerServices.PoolingAsyncValueTaskMethodBuilder`1+StateMachineBox`1";
constexpr std::string_view kSource = "System.Threading.Tasks.Sources.ManualResetValueTaskSourceCore`1";
constexpr char16_t kSourceName[] = u"System.Threading.Tasks.Sources.ManualResetValueTaskSourceCore`1";
constexpr char16_t kStateField[] = u"<>1__state";
constexpr char16_t kBuilderField[] = u"<>t__builder";
constexpr char16_t kKickoffAttribute[] = u"System.Runtime.CompilerServices.AsyncStateMachineAttribute";

// Classes of which one reference leads on: the class or its heirs, its field.
struct Reference {
  std::string_view type, field;
  AsyncKind kind = AsyncKind::kForward;
};
constexpr Reference kReferences[] = {
    {kTask, "m_continuationObject", AsyncKind::kTask},
    {"System.Threading.Tasks.AwaitTaskContinuation", "m_action"},
    {"System.Threading.Tasks.ContinueWithTaskContinuation", "m_task"},
    {"System.Runtime.CompilerServices.AsyncMethodBuilderCore+ContinuationWrapper", "_continuation"},
};
// Of delegates only those that continue something.
constexpr std::string_view kDelegate = "System.Delegate";
constexpr std::string_view kContinuations[] = {"System.Action", "System.Action`1"};
constexpr std::string_view kBlocked[] = {"System.Threading.Tasks.Task+SetOnInvokeMres",
                                         "System.Threading.Tasks.Task+SetOnCountdownMres"};
constexpr std::string_view kStarters[] = {
    "System.Runtime.CompilerServices.AsyncMethodBuilderCore",
    "System.Runtime.CompilerServices.AsyncTaskMethodBuilder",
    "System.Runtime.CompilerServices.AsyncTaskMethodBuilder`1",
    "System.Runtime.CompilerServices.AsyncValueTaskMethodBuilder",
    "System.Runtime.CompilerServices.AsyncValueTaskMethodBuilder`1",
    "System.Runtime.CompilerServices.AsyncVoidMethodBuilder",
    "System.Runtime.CompilerServices.AsyncIteratorMethodBuilder",
    "System.Runtime.CompilerServices.PoolingAsyncValueTaskMethodBuilder",
    "System.Runtime.CompilerServices.PoolingAsyncValueTaskMethodBuilder`1",
};

constexpr std::string_view kIteratorStarters[] = {"MoveNextAsync", "DisposeAsync"};
constexpr std::string_view kTasks[] = {kTask, "System.Threading.Tasks.Task`1"};
constexpr std::string_view kResumers[] = {"MoveNext", "ExecuteFromThreadPool"};
constexpr std::string_view kContextCallback = "ExecutionContextCallback",
                           kContext = "System.Threading.ExecutionContext";
constexpr std::string_view kDispatchers = "System.Runtime.CompilerServices.AsyncHelpers+";
constexpr std::string_view kInvoker = "InnerInvoke", kRunner = "ExecuteWithThreadLocal";

// Of an explicit implementation what it implements.
std::string_view last_name(std::string_view name) { return name.substr(name.rfind('.') + 1); }

template <size_t N>
bool is_one_of(std::string_view name, const std::string_view (&names)[N]) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

}  // namespace

AsyncClasses::Answer AsyncClasses::learn(ClassID type, AsyncClass* learnt) {
  if (type == 0 || (type & kNoClass) != 0) return Answer::kNothing;
  const Class& known = class_of(type);
  if (!known.known) return known.incomplete ? Answer::kLater : Answer::kNothing;
  const std::string_view name = known.name;
  if (name == kSource) {
    if (std::find(sources_.begin(), sources_.end(), type) == sources_.end()) sources_.push_back(type);
    return Answer::kNothing;
  }
  *learnt = {};
  if (name == "System.Object" || is_one_of(name, kBlocked)) {
    learnt->type.kind = name == "System.Object" ? AsyncKind::kCompleted : AsyncKind::kNobody;
    return Answer::kLearnt;
  }
  if (name == "System.Collections.Generic.List`1") {
    if (known.arguments.size() != 1 || class_of(known.arguments[0]).name != "System.Object")
      return Answer::kNothing;
    const std::optional<uint32_t> size = offset_of(type, "_size");
    if (!size) return Answer::kLater;
    learnt->type.state_at = *size;
    return learn_reference(type, AsyncKind::kList, "_items", learnt);
  }
  if (is_one_of(name, kContinuations)) {
    const ClassID declaring = find_heir(type, kDelegate);
    return declaring == 0 ? Answer::kNothing
                          : learn_reference(declaring, AsyncKind::kForward, "_target", learnt);
  }
  if (const ClassID box = find_heir(type, kBox); box != 0) return learn_box(type, box, learnt);
  if (const ClassID box = find_heir(type, kPooledBox); box != 0) return learn_pooled(type, box, learnt);
  for (const Reference& reference : kReferences) {
    const ClassID declaring = find_heir(type, reference.type);
    if (declaring == 0) continue;
    if (reference.kind == AsyncKind::kTask)
      learnt->type.state_at = offset_of(declaring, "m_stateFlags").value_or(0);
    return learn_reference(declaring, reference.kind, reference.field, learnt);
  }
  return learn_machine(type, learnt);
}

AsyncMethod AsyncClasses::method(FunctionID function) {
  ClassID type = 0;
  ModuleID module = 0;
  mdToken token = 0;
  if (failed(info_->GetFunctionInfo(function, &type, &module, &token))) return {AsyncMethodKind::kCore, 0};
  ModuleNames& in = names(module);
  const ModuleNames::Method method = in.method(token);
  const bool moves = method.name == "MoveNext";
  if (moves && in.has_field(method.owner, kStateField) && in.has_field(method.owner, kBuilderField))
    return {AsyncMethodKind::kMoveNext, machine_number(module, method.owner)};
  // An iterator's MoveNextAsync may have the builder's Start in itself.
  const bool starts = ((moves || method.name == "Start") && is_one_of(in.name_of(method.owner), kStarters)) ||
                      (is_one_of(last_name(method.name), kIteratorStarters) &&
                       in.has_field(method.owner, kStateField) && in.has_field(method.owner, kBuilderField));
  if (starts || in.has_attribute(token, kKickoffAttribute)) return {AsyncMethodKind::kStarter, 0};
  if ((method.name == kInvoker || method.name == kRunner) && is_one_of(in.name_of(method.owner), kTasks))
    return {method.name == kInvoker ? AsyncMethodKind::kInvoker : AsyncMethodKind::kRunner, 0};
  if (in.name_of(method.owner) == kBox) {
    if (is_one_of(method.name, kResumers)) return {AsyncMethodKind::kResumer, 0};
    if (method.name == kContextCallback) return {AsyncMethodKind::kContext, 0};
  }
  if (moves && in.name_of(method.owner).starts_with(kDispatchers)) return {AsyncMethodKind::kDispatcher, 0};
  if (in.name_of(method.owner) == kContext) return {AsyncMethodKind::kContext, 0};
  return {in.file_name() == kCoreLibrary ? AsyncMethodKind::kCore : AsyncMethodKind::kOrdinary, 0};
}

AsyncClasses::Answer AsyncClasses::learn_reference(ClassID type, AsyncKind kind, std::string_view field,
                                                   AsyncClass* learnt) {
  const std::optional<uint32_t> next = offset_of(type, field);
  if (!next) return Answer::kLater;
  learnt->type.kind = kind;
  learnt->type.next = *next;
  return Answer::kLearnt;
}

AsyncClasses::Answer AsyncClasses::learn_box(ClassID box, ClassID declaring, AsyncClass* learnt) {
  const ClassID task = find_heir(box, kTask);
  if (task == 0) return Answer::kNothing;
  const Answer answer = learn_reference(task, AsyncKind::kBox, "m_continuationObject", learnt);
  return answer == Answer::kLearnt ? finish_box(class_of(declaring), declaring, learnt) : answer;
}

AsyncClasses::Answer AsyncClasses::learn_pooled(ClassID box, ClassID declaring, AsyncClass* learnt) {
  const ClassID base = find_heir(box, kPooledBase);
  if (base == 0 || class_of(declaring).arguments.size() < 2) return Answer::kNothing;
  const Answer answer = learn_reference(base, AsyncKind::kBox, "_valueTaskSource", learnt);
  if (answer != Answer::kLearnt) return answer;
  const std::optional<uint32_t> within = source_awaiter(class_of(declaring).arguments[0]);
  if (!within) return Answer::kLater;
  learnt->type.next += *within;
  return finish_box(class_of(declaring), declaring, learnt);
}

AsyncClasses::Answer AsyncClasses::finish_box(const Class& declaring, ClassID declaring_id,
                                              AsyncClass* learnt) {
  if (declaring.arguments.empty()) return Answer::kNothing;
  const ClassID machine = declaring.arguments.back();
  if (machine == 0 || (machine & kNoClass) != 0) return Answer::kNothing;
  const Class& of = class_of(machine);
  if (!of.known) return Answer::kNothing;
  const std::optional<uint32_t> at = offset_of(declaring_id, "StateMachine");
  const std::optional<uint32_t> state = offset_of(machine, "<>1__state");
  if (!at) return Answer::kLater;
  if (!state) return names(of.module).has_field(of.token, kStateField) ? Answer::kLater : Answer::kNothing;
  const std::optional<uint32_t> builder = offset_of(machine, "<>t__builder");
  if (!builder) return Answer::kNothing;
  learnt->type.machine_at = *at;
  learnt->type.state_at = *state;
  learnt->type.builder_at = *builder;
  learnt->type.machine_is_object = !is_value_type(machine);
  learnt->type.machine = machine_number(of.module, of.token);
  learnt->machine_class = machine;
  learnt->machine_module = of.module;
  return Answer::kLearnt;
}

// Of an iterator its promise leads on, of another async method its box, which its builder holds.
AsyncClasses::Answer AsyncClasses::learn_machine(ClassID type, AsyncClass* learnt) {
  const Class& of = class_of(type);
  if (is_value_type(type) || !names(of.module).has_field(of.token, kStateField) ||
      !names(of.module).has_field(of.token, kBuilderField))
    return Answer::kNothing;
  const std::optional<uint32_t> state = offset_of(type, "<>1__state");
  const std::optional<uint32_t> builder = offset_of(type, "<>t__builder");
  if (!state || !builder) return Answer::kLater;
  learnt->type.kind = AsyncKind::kMachine;
  learnt->type.state_at = *state;
  learnt->type.machine_at = *builder;
  if (names(of.module).has_field(of.token, u"<>v__promiseOfValueOrEnd")) {
    const std::optional<uint32_t> promise = offset_of(type, "<>v__promiseOfValueOrEnd");
    const std::optional<uint32_t> within = source_awaiter_of("System.Boolean");
    if (!promise || !within) return Answer::kLater;
    learnt->type.next = *promise + *within;
  }
  learnt->type.machine_is_object = true;
  learnt->type.machine = machine_number(of.module, of.token);
  learnt->machine_class = type;
  learnt->machine_module = of.module;
  return Answer::kLearnt;
}

// Instantiations over references share a layout, and the runtime may have loaded the shared one alone.
std::optional<uint32_t> AsyncClasses::source_awaiter(ClassID result) {
  const std::string name = class_of(result).name;
  for (const ClassID source : sources_) {
    if (class_of(source).arguments == std::vector<ClassID>{result})
      return offset_of(source, "_continuationState");
  }
  return is_value_type(result) ? source_awaiter_in_metadata() : source_awaiter_of("System.__Canon");
}

std::optional<uint32_t> AsyncClasses::source_awaiter_of(std::string_view result) {
  for (const ClassID source : sources_) {
    const std::vector<ClassID> arguments = class_of(source).arguments;
    if (arguments.size() == 1 && class_of(arguments[0]).name == result)
      return offset_of(source, "_continuationState");
  }
  return source_awaiter_in_metadata();
}

std::optional<uint32_t> AsyncClasses::source_awaiter_in_metadata() const {
  if (!sources_from_metadata_) return std::nullopt;
  for (const auto& [id, module] : modules_) {
    if (module.file_name() == kCoreLibrary &&
        module.begins_with_fields(kSourceName, "_continuation", "_continuationState"))
      return sizeof(ObjectID);
  }
  return std::nullopt;
}

void AsyncClasses::forget(ModuleID module) {
  const auto goes = [this, module](ClassID type, const Class& known) {
    return !known.stays && !is_made_of(type, [module](ModuleID one) { return one != module; });
  };
  std::erase_if(sources_, [&](ClassID type) { return goes(type, class_of(type)); });
  std::erase_if(classes_, [&](const auto& one) { return goes(one.first, one.second); });
  std::erase_if(machines_, [module](const auto& one) { return one.first.first == module; });
  modules_.erase(module);
}

void AsyncClasses::forget() {
  classes_.clear();
  modules_.clear();
  sources_.clear();
  machines_.clear();
}

std::pair<ModuleID, mdMethodDef> AsyncClasses::move_next(ClassID machine) {
  const Class& of = class_of(machine);
  return {of.module, names(of.module).find_method(of.token, u"MoveNext")};
}

const AsyncClasses::Class& AsyncClasses::class_of(ClassID type) {
  Class& result = classes_[type];
  if (result.known || type == 0 || (type & kNoClass) != 0) return result;
  std::array<ClassID, kMostArguments> arguments{};
  uint32_t count = 0;
  const HRESULT answer = info_->GetClassIDInfo2(type, &result.module, &result.token, &result.parent,
                                                kMostArguments, &count, arguments.data());
  result.incomplete = answer == CORPROF_E_DATAINCOMPLETE;
  if (answer != S_OK) return result;
  result.arguments.assign(arguments.begin(), arguments.begin() + std::min(count, kMostArguments));
  result.name = names(result.module).name_of(result.token);
  result.stays = !stays_ || is_made_of(type, stays_);
  result.known = true;
  return result;
}

ClassID AsyncClasses::find_heir(ClassID type, std::string_view name) {
  for (int i = 0; i < kMostParents && type != 0; ++i) {
    const Class& known = class_of(type);
    if (!known.known) return 0;
    if (known.name == name) return type;
    type = known.parent;
  }
  return 0;
}

bool AsyncClasses::is_value_type(ClassID type) {
  const ClassID parent = class_of(type).parent;
  if (parent == 0) return false;
  const std::string& name = class_of(parent).name;
  return name == "System.ValueType" || name == "System.Enum";
}

std::optional<uint32_t> AsyncClasses::offset_of(ClassID type, std::string_view field) {
  std::array<COR_FIELD_OFFSET, kMostFields> fields{};
  uint32_t count = 0, size = 0;
  if (info_->GetClassLayout(type, fields.data(), kMostFields, &count, &size) != S_OK) return std::nullopt;
  const ModuleNames& in = names(class_of(type).module);
  for (uint32_t i = 0; i < std::min(count, kMostFields); ++i) {
    if (in.field(fields[i].ridOfField) == field) return fields[i].ulOffset;
  }
  return std::nullopt;
}

uint32_t AsyncClasses::machine_number(ModuleID module, mdTypeDef token) {
  const auto [at, fresh] = machines_.try_emplace({module, token}, next_machine_);
  if (fresh) ++next_machine_;
  return at->second;
}

ModuleNames& AsyncClasses::names(ModuleID module) {
  const auto known = modules_.find(module);
  return known != modules_.end() ? known->second
                                 : modules_.emplace(module, ModuleNames::of(*info_, module)).first->second;
}

}  // namespace walkabout::clr
