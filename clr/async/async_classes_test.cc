#include "clr/async/async_classes.h"

#include <gtest/gtest.h>

#include <string>

#include "clr/abi/hresults.h"
#include "clr/names/fake_metadata.h"

namespace walkabout::clr {
namespace {

using Answer = AsyncClasses::Answer;
using unwind::AsyncKind;

constexpr ModuleID kCoreLib = 0x100, kApp = 0x200;

// The classes of a small program, with layouts that are made up.
class AsyncClassesTest : public ::testing::Test {
 protected:
  struct Field {
    std::u16string name;
    uint32_t offset;
  };

  AsyncClassesTest() {
    clr.modules[kCoreLib] = {u"/x/System.Private.CoreLib.dll", &core};
    clr.modules[kApp] = {u"/x/App.dll", &app};
    object = add(kCoreLib, u"System.Object", 0, {});
    value_type = add(kCoreLib, u"System.ValueType", object, {});
    canon = add(kCoreLib, u"System.__Canon", object, {});
    boolean = add(kCoreLib, u"System.Boolean", value_type, {});
    number = add(kCoreLib, u"System.Int32", value_type, {});
    task = add(kCoreLib, u"System.Threading.Tasks.Task", object,
               {{u"m_taskId", 40}, {u"m_continuationObject", 32}, {u"m_stateFlags", 52}});
    task_of_number = add(kCoreLib, u"System.Threading.Tasks.Task`1", task, {{u"m_result", 64}}, {number});
  }

  // Nested types are put as the runtime has them: name of the outer one, "+".
  ClassID add(ModuleID module, const std::u16string& name, ClassID parent, const std::vector<Field>& fields,
              const std::vector<ClassID>& arguments = {}) {
    FakeMetadata& metadata = module == kCoreLib ? core : app;
    const mdTypeDef token = type_token(metadata, name);
    const ClassID id = 0x10000 + 0x100 * ++last_;
    FakeClr::Class made{module, token, arguments};
    made.parent = parent;
    for (const Field& field : fields) {
      const mdFieldDef field_token = 0x04000000 + ++last_;
      metadata.fields[field_token] = field.name;
      metadata.fields_of[token].push_back(field_token);
      made.layout.push_back({field_token, field.offset});
    }
    clr.classes[id] = made;
    return id;
  }
  mdTypeDef type_token(FakeMetadata& metadata, const std::u16string& name) {
    const size_t plus = name.rfind(u'+');
    const std::u16string own = plus == std::u16string::npos ? name : name.substr(plus + 1);
    const mdToken outer = plus == std::u16string::npos ? 0 : type_token(metadata, name.substr(0, plus));
    for (const auto& [token, type] : metadata.types) {
      if (type.name == own && type.outer == outer) return token;
    }
    const mdTypeDef token = mdtTypeDef + ++last_;
    metadata.types[token] = {own, outer};
    return token;
  }
  ClassID add_machine(const std::u16string& name, ClassID parent, std::vector<Field> fields = {}) {
    fields.push_back({u"<>1__state", 24});
    fields.push_back({u"<>t__builder", 16});
    return add(kApp, name, parent, fields);
  }
  ClassID add_box(ClassID result_task, ClassID result, ClassID machine) {
    return add(kCoreLib, u"System.Runtime.CompilerServices.AsyncTaskMethodBuilder`1+AsyncStateMachineBox`1",
               result_task, {{u"_moveNextAction", 56}, {u"StateMachine", 72}}, {result, machine});
  }
  ClassID add_pooled_box(ClassID result) {
    const std::u16string box =
        u"System.Runtime.CompilerServices.PoolingAsyncValueTaskMethodBuilder`1+StateMachineBox";
    const ClassID machine = add_machine(u"App.Program+<Run>d__3", value_type);
    const ClassID base = add(kCoreLib, box, object, {{u"_valueTaskSource", 16}}, {result});
    return add(kCoreLib, box + u"`1", base, {{u"StateMachine", 96}}, {result, machine});
  }
  FunctionID add_method(ModuleID module, const std::u16string& type, const std::u16string& name,
                        const std::u16string& attribute = {}) {
    FakeMetadata& metadata = module == kCoreLib ? core : app;
    const mdMethodDef token = mdtMethodDef + ++last_;
    metadata.methods[token] = {name, type_token(metadata, type), {}};
    if (!attribute.empty()) metadata.custom_attributes[token] = attribute;
    const FunctionID id = 0x900000 + last_;
    clr.functions[id] = {0, module, token};
    return id;
  }
  AsyncClass learn(ClassID type, Answer expected = Answer::kLearnt) {
    AsyncClass learnt;
    EXPECT_EQ(classes.learn(type, &learnt), expected);
    return learnt;
  }

  FakeClr clr;
  FakeMetadata core, app;
  uint32_t last_ = 0;
  AsyncClasses classes{&clr};
  ClassID object = 0, value_type = 0, canon = 0, boolean = 0, number = 0, task = 0, task_of_number = 0;
};

TEST_F(AsyncClassesTest, TasksAndTheirHeirs) {
  EXPECT_EQ(learn(task).type.next, 32u);
  const AsyncClass heir = learn(task_of_number);
  EXPECT_EQ(heir.type.kind, AsyncKind::kTask);
  EXPECT_EQ(heir.type.next, 32u);
}

TEST_F(AsyncClassesTest, BoxOfAStateMachine) {
  const ClassID machine = add_machine(u"App.Program+<Run>d__3", value_type);
  const AsyncClass box = learn(add_box(task_of_number, number, machine));
  EXPECT_EQ(box.type.kind, AsyncKind::kBox);
  EXPECT_EQ(box.type.next, 32u);
  EXPECT_EQ(box.type.machine_at, 72u);
  EXPECT_EQ(box.type.state_at, 24u);
  EXPECT_FALSE(box.type.machine_is_object);
  EXPECT_EQ(box.machine_class, machine);
  EXPECT_EQ(box.machine_module, kApp);
}

TEST_F(AsyncClassesTest, HeirOfABox) {
  const ClassID machine = add_machine(u"App.Program+<Run>d__3", value_type);
  const ClassID heir = add(kCoreLib, u"DebugFinalizableAsyncStateMachineBox`1",
                           add_box(task_of_number, number, machine), {}, {number, machine});
  EXPECT_EQ(learn(heir).type.machine_at, 72u);
}

TEST_F(AsyncClassesTest, MoveNextHasTheNumberOfItsMachineWhateverItsArguments) {
  const ClassID machine = add_machine(u"App.Program+<Run>d__3", value_type);
  const ClassID other = add_machine(u"App.Program+<Other>d__4", value_type);
  const FunctionID moves = add_method(kApp, u"App.Program+<Run>d__3", u"MoveNext");
  const AsyncMethod method = classes.method(moves);
  EXPECT_EQ(method.kind, AsyncMethodKind::kMoveNext);
  EXPECT_EQ(learn(add_box(task_of_number, number, machine)).type.machine, method.machine);
  EXPECT_NE(learn(add_box(task_of_number, number, other)).type.machine, method.machine);
}

TEST_F(AsyncClassesTest, OtherMethods) {
  add(kApp, u"App.Program+<Items>d__1", object, {{u"<>1__state", 16}});
  EXPECT_EQ(classes.method(add_method(kApp, u"App.Program+<Items>d__1", u"MoveNext")).kind,
            AsyncMethodKind::kOrdinary);
  EXPECT_EQ(classes.method(add_method(kApp, u"App.Program", u"Start")).kind, AsyncMethodKind::kOrdinary);
  EXPECT_EQ(
      classes
          .method(add_method(kCoreLib, u"System.Runtime.CompilerServices.AsyncMethodBuilderCore", u"Start"))
          .kind,
      AsyncMethodKind::kStarter);
  EXPECT_EQ(classes
                .method(add_method(kCoreLib, u"System.Runtime.CompilerServices.AsyncIteratorMethodBuilder",
                                   u"MoveNext"))
                .kind,
            AsyncMethodKind::kStarter);
  EXPECT_EQ(classes
                .method(add_method(kApp, u"App.Program", u"Run",
                                   u"System.Runtime.CompilerServices.AsyncStateMachineAttribute"))
                .kind,
            AsyncMethodKind::kStarter);
  EXPECT_EQ(classes.method(0xdead).kind, AsyncMethodKind::kCore);
  const auto of_core = [this](const std::u16string& type, const std::u16string& name) {
    return classes.method(add_method(kCoreLib, type, name)).kind;
  };
  EXPECT_EQ(of_core(u"System.Threading.Tasks.Task`1", u"InnerInvoke"), AsyncMethodKind::kInvoker);
  EXPECT_EQ(of_core(u"System.Threading.Tasks.Task", u"ExecuteWithThreadLocal"), AsyncMethodKind::kRunner);
  EXPECT_EQ(of_core(u"System.Threading.Tasks.Task", u"Wait"), AsyncMethodKind::kCore);
  EXPECT_EQ(of_core(u"System.Threading.ExecutionContext", u"RunInternal"), AsyncMethodKind::kContext);
  EXPECT_EQ(of_core(u"System.Runtime.CompilerServices.AsyncHelpers+ThunkTaskCore", u"MoveNext"),
            AsyncMethodKind::kDispatcher);
  EXPECT_EQ(of_core(u"System.Runtime.CompilerServices.AsyncHelpers+ThunkTaskCore", u"HandleSuspended"),
            AsyncMethodKind::kCore);
  EXPECT_EQ(of_core(u"System.Runtime.CompilerServices.AsyncTaskMethodBuilder`1+AsyncStateMachineBox`1",
                    u"ExecutionContextCallback"),
            AsyncMethodKind::kContext);
  EXPECT_EQ(classes.method(add_method(kApp, u"App.Program", u"InnerInvoke")).kind,
            AsyncMethodKind::kOrdinary);
  EXPECT_EQ(classes
                .method(add_method(kCoreLib,
                                   u"System.Runtime.CompilerServices.AsyncTaskMethodBuilder`1+"
                                   u"AsyncStateMachineBox`1",
                                   u"MoveNext"))
                .kind,
            AsyncMethodKind::kResumer);
}

TEST_F(AsyncClassesTest, PooledBoxGoesOnByItsSource) {
  const ClassID box = add_pooled_box(number);
  learn(box, Answer::kLater);
  const auto source = [this](ClassID result, uint32_t at) {
    learn(add(kCoreLib, u"System.Threading.Tasks.Sources.ManualResetValueTaskSourceCore`1", value_type,
              {{u"_continuationState", at}}, {result}),
          Answer::kNothing);
  };
  source(canon, 8);
  learn(box, Answer::kLater);  // a number is no reference
  source(number, 24);
  EXPECT_EQ(learn(box).type.next, 40u);
  EXPECT_EQ(learn(box).type.machine_at, 96u);
}

TEST_F(AsyncClassesTest, PooledBoxOfAReferenceHasTheSharedSource) {
  const ClassID box = add_pooled_box(add(kCoreLib, u"System.String", object, {}));
  learn(add(kCoreLib, u"System.Threading.Tasks.Sources.ManualResetValueTaskSourceCore`1", value_type,
            {{u"_continuationState", 8}}, {canon}),
        Answer::kNothing);
  EXPECT_EQ(learn(box).type.next, 24u);
}

TEST_F(AsyncClassesTest, IteratorAndMachineOfADebugBuild) {
  learn(add(kCoreLib, u"System.Threading.Tasks.Sources.ManualResetValueTaskSourceCore`1", value_type,
            {{u"_continuationState", 8}}, {boolean}),
        Answer::kNothing);
  const ClassID iterator =
      add_machine(u"App.Program+<Items>d__5", object, {{u"<>v__promiseOfValueOrEnd", 64}});
  const AsyncClass learnt = learn(iterator);
  EXPECT_EQ(learnt.type.kind, AsyncKind::kMachine);
  EXPECT_EQ(learnt.type.next, 72u);
  EXPECT_EQ(learnt.type.state_at, 24u);
  EXPECT_TRUE(learn(add_box(task_of_number, number, iterator)).type.machine_is_object);
  const AsyncClass debug = learn(add_machine(u"App.Program+<Run>d__6", object));
  EXPECT_EQ(debug.type.next, 0u);
  EXPECT_EQ(debug.type.machine_at, 16u);
}

TEST_F(AsyncClassesTest, DelegatesForwardersListsAndEnds) {
  const ClassID any_delegate = add(kCoreLib, u"System.Delegate", object, {{u"_target", 8}});
  const ClassID multicast =
      add(kCoreLib, u"System.MulticastDelegate", any_delegate, {{u"_invocationList", 48}});
  EXPECT_EQ(learn(add(kCoreLib, u"System.Action", multicast, {})).type.next, 8u);
  learn(add(kCoreLib, u"System.EventHandler", multicast, {}), Answer::kNothing);
  const ClassID continuation =
      add(kCoreLib, u"System.Threading.Tasks.AwaitTaskContinuation", object, {{u"m_action", 16}});
  EXPECT_EQ(learn(add(kCoreLib, u"System.Threading.Tasks.SynchronizationContextAwaitTaskContinuation",
                      continuation, {{u"m_syncContext", 24}}))
                .type.next,
            16u);
  const AsyncClass list = learn(add(kCoreLib, u"System.Collections.Generic.List`1", object,
                                    {{u"_items", 8}, {u"_size", 16}}, {object}));
  EXPECT_EQ(list.type.kind, AsyncKind::kList);
  EXPECT_EQ(list.type.next, 8u);
  EXPECT_EQ(list.type.state_at, 16u);
  learn(
      add(kCoreLib, u"System.Collections.Generic.List`1", object, {{u"_items", 8}, {u"_size", 16}}, {number}),
      Answer::kNothing);
  EXPECT_EQ(learn(object).type.kind, AsyncKind::kCompleted);
  EXPECT_EQ(learn(add(kCoreLib, u"System.Threading.Tasks.Task+SetOnInvokeMres", object, {})).type.kind,
            AsyncKind::kNobody);
}

TEST_F(AsyncClassesTest, WhatIsNotLoadedYetIsAskedForAgain) {
  clr.classes[task].layout_answer = CORPROF_E_DATAINCOMPLETE;
  learn(task, Answer::kLater);
  clr.classes[task].layout_answer = S_OK;
  learn(task);
}

TEST_F(AsyncClassesTest, WhatTheRuntimeDoesNotKnowIsNothing) {
  learn(0, Answer::kNothing);
  learn(0x77777700, Answer::kNothing);
  learn(task | 2, Answer::kNothing);  // a type variable
}

TEST_F(AsyncClassesTest, StateMachineOfAnotherCompilerIsNone) {
  const ClassID machine = add(kApp, u"App.Program+run@5", value_type, {{u"ResumptionPoint", 8}});
  learn(add_box(task_of_number, number, machine), Answer::kNothing);
}

}  // namespace
}  // namespace walkabout::clr
