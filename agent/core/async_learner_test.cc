#include "agent/core/async_learner.h"

#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "agent/core/fake_managed_code.h"
#include "clr/names/fake_metadata.h"

namespace walkabout::agent {
namespace {

using unwind::AsyncKind;

constexpr clr::ModuleID kCoreLib = 0x100, kApp = 0x200;
constexpr clr::ClassID kObject = 0x10000, kValue = 0x10100, kTask = 0x10200, kMachine = 0x10300,
                       kBox = 0x10400;
constexpr clr::mdTypeDef kMachineToken = clr::mdtTypeDef + 4;
constexpr clr::FunctionID kMoveNext = 0x900, kOther = 0x910;

// An async method and the classes that it needs.
class AsyncLearnerTest : public ::testing::Test {
 protected:
  AsyncLearnerTest() {
    clr_.modules[kCoreLib] = {u"/x/System.Private.CoreLib.dll", &core_};
    clr_.modules[kApp] = {u"/x/App.dll", &app_};
    add(kObject, kCoreLib, 1, u"System.Object", 0, {});
    add(kValue, kCoreLib, 2, u"System.ValueType", kObject, {});
    add(kTask, kCoreLib, 3, u"System.Threading.Tasks.Task", kObject, {{u"m_continuationObject", 32}});
    add(kMachine, kApp, 4, u"<Run>d__3", kValue, {{u"<>1__state", 8}, {u"<>t__builder", 0}});
    core_.types[clr::mdtTypeDef + 6] = {u"System.Runtime.CompilerServices.AsyncTaskMethodBuilder`1", 0};
    add(kBox, kCoreLib, 5, u"AsyncStateMachineBox`1", kTask, {{u"StateMachine", 64}}, {kObject, kMachine});
    core_.types[clr::mdtTypeDef + 5].outer = clr::mdtTypeDef + 6;
    app_.methods[clr::mdtMethodDef + 1] = {u"MoveNext", kMachineToken, {}};
    app_.methods[clr::mdtMethodDef + 2] = {u"Other", kMachineToken, {}};
    clr_.functions[kMoveNext] = {0, kApp, clr::mdtMethodDef + 1, {}};
    clr_.functions[kOther] = {0, kApp, clr::mdtMethodDef + 2, {}};
    registry_.module_loaded(kCoreLib, "/x/System.Private.CoreLib.dll");
  }

  struct Field {
    std::u16string name;
    uint32_t offset;
  };
  void add(clr::ClassID id, clr::ModuleID module, uint32_t number, const std::u16string& name,
           clr::ClassID parent, const std::vector<Field>& fields,
           const std::vector<clr::ClassID>& arguments = {}) {
    clr::FakeMetadata& metadata = module == kCoreLib ? core_ : app_;
    const clr::mdTypeDef token = clr::mdtTypeDef + number;
    metadata.types[token] = {name, 0};
    clr::FakeClr::Class made{module, token, arguments};
    made.parent = parent;
    for (const Field& field : fields) {
      const clr::mdFieldDef field_token = 0x04000000 + ++fields_;
      metadata.fields[field_token] = field.name;
      metadata.fields_of[token].push_back(field_token);
      made.layout.push_back({field_token, field.offset});
    }
    clr_.classes[id] = made;
  }
  base::CodeId compiled(clr::FunctionID function, std::shared_ptr<const clr::MethodName> name = nullptr) {
    const testing::FakeManagedCode& code = code_.emplace_back();
    FoundCode found;
    found.function = function;
    found.start = code.start();
    found.size = static_cast<uint32_t>(code.end() - code.start());
    found.name = std::move(name);
    found.may_ask = true;
    registry_.found(found);
    return registry_.newest_code();
  }

  void learn() { learner_.learn(now_ns_ += 1'000'000'000); }
  // As the callback does.
  void unload(clr::ModuleID module) {
    ASSERT_TRUE(registry_.module_unloaded(module));
    learner_.module_unloads(module);
  }

  std::deque<testing::FakeManagedCode> code_;
  clr::FakeMetadata core_, app_;
  clr::FakeClr clr_;
  uint32_t fields_ = 0;
  uint64_t now_ns_ = 0;
  unwind::ReaderGate gate_;
  CodeRegistry registry_{gate_};
  AsyncLearner learner_{registry_, &clr_};
};

TEST_F(AsyncLearnerTest, ClassesThatWereLoaded) {
  for (const clr::ClassID type : {kObject, kValue, kTask, kMachine, kBox}) learner_.class_loaded(type);
  learn();
  const unwind::AsyncKnowledge known = learner_.knowledge();
  ASSERT_NE(known.types.find(kTask), nullptr);
  EXPECT_EQ(known.types.find(kTask)->kind, AsyncKind::kTask);
  EXPECT_EQ(known.types.find(kValue), nullptr);
  const unwind::AsyncType* box = known.types.find(kBox);
  ASSERT_NE(box, nullptr);
  EXPECT_EQ(box->kind, AsyncKind::kBox);
  EXPECT_EQ(known.methods.machine(box->machine)->places[0], 64u);
  CompiledMethod named;
  ASSERT_TRUE(registry_.compiled_method(box->method, &named));
  EXPECT_EQ(named.name->type, "<Run>d__3");
  EXPECT_EQ(named.name->method, "MoveNext");
  EXPECT_EQ(named.name->module, "App.dll");
}

TEST_F(AsyncLearnerTest, MethodsThatWereCompiled) {
  learner_.class_loaded(kBox);
  const base::CodeId moves = compiled(kMoveNext), other = compiled(kOther);
  const auto role_of = [this](base::CodeId code) {
    return learner_.role_of(wire::Frame::in_code(wire::FrameKind::kJitted, code, 4));
  };
  const auto moves_frame = wire::Frame::in_code(wire::FrameKind::kJitted, moves, 4);
  EXPECT_EQ(learner_.knowledge().methods.role_of(moves_frame), unwind::kRoleUnseen);
  learn();
  EXPECT_EQ(role_of(moves), unwind::kFirstMachine + learner_.knowledge().types.find(kBox)->machine);
  EXPECT_EQ(role_of(other), unwind::kRoleOrdinary);
}

TEST_F(AsyncLearnerTest, PrecompiledCodeByItsAddress) {
  const auto frame = wire::Frame::in_code(wire::FrameKind::kReadyToRun, base::CodeId(1), 0x400);
  const auto thunk = wire::Frame::in_code(wire::FrameKind::kReadyToRun, base::CodeId(1), 0x500);
  EXPECT_EQ(learner_.role_of(frame), unwind::kRoleUnseen);
  learner_.see(frame, kMoveNext);
  learner_.see(thunk, 0);
  EXPECT_GE(learner_.role_of(frame), unwind::kFirstMachine);
  EXPECT_EQ(learner_.role_of(thunk), unwind::kRoleOrdinary);
}

TEST_F(AsyncLearnerTest, ClassesOfACollectibleModuleGoWithIt) {
  registry_.collectible_module(kApp);
  learner_.class_loaded(kBox);
  learner_.class_loaded(kTask);
  learn();
  ASSERT_NE(learner_.knowledge().types.find(kBox), nullptr);
  const uint32_t machine = learner_.knowledge().types.find(kBox)->machine;
  const base::CodeId method = learner_.knowledge().types.find(kBox)->method;
  unload(kApp);
  EXPECT_EQ(learner_.knowledge().types.find(kBox), nullptr);
  EXPECT_NE(learner_.knowledge().types.find(kTask), nullptr);

  // Another one comes at its address, of another module at the same address, too.
  registry_.collectible_module(kApp);
  clr_.classes[kBox].layout[0].ulOffset = 72;
  learner_.class_loaded(kBox);
  learn();
  ASSERT_NE(learner_.knowledge().types.find(kBox), nullptr);
  EXPECT_EQ(learner_.knowledge().types.find(kBox)->machine_at, 72u);
  EXPECT_NE(learner_.knowledge().types.find(kBox)->machine, machine);
  EXPECT_EQ(learner_.knowledge().types.find(kBox)->method, method);
  CompiledMethod named;
  ASSERT_TRUE(registry_.compiled_method(method, &named));
  EXPECT_EQ(named.name->module_id, 0u) << "it may be asked about when it has gone";
}

TEST_F(AsyncLearnerTest, ClassesThatGoBeforeTheyWereLearntAreNotAskedFor) {
  registry_.collectible_module(kApp);
  learner_.class_loaded(kBox);
  learner_.class_loaded(kTask);
  unload(kApp);
  learn();  // the CLR would still answer here
  EXPECT_EQ(learner_.knowledge().types.find(kBox), nullptr);
  EXPECT_NE(learner_.knowledge().types.find(kTask), nullptr);
}

// Between the two the spooler may come to a class of the module.
TEST_F(AsyncLearnerTest, ClassesOfAModuleThatBeginsToGoDoNotStay) {
  registry_.collectible_module(kApp);
  learner_.class_loaded(kBox);
  ASSERT_TRUE(registry_.module_unloaded(kApp));
  learn();
  learner_.module_unloads(kApp);
  EXPECT_EQ(learner_.knowledge().types.find(kBox), nullptr);
  learner_.class_loaded(kBox);
  learn();
  EXPECT_NE(learner_.knowledge().types.find(kBox), nullptr) << "it was forgotten, and is learnt anew";
}

// A class goes with its parent's module, which may be another one of the same context.
TEST_F(AsyncLearnerTest, ClassesGoWithTheirParents) {
  constexpr clr::ModuleID kBase = 0x300;
  constexpr clr::ClassID kParent = 0x10b00, kHeir = 0x10c00;
  clr_.modules[kBase] = {u"/x/Base.dll", &app_};
  add(kParent, kApp, 8, u"Base", kTask, {});
  clr_.classes[kParent].module = kBase;
  add(kHeir, kApp, 9, u"Heir", kParent, {});
  for (const clr::ModuleID module : {kApp, kBase}) registry_.collectible_module(module);
  learner_.class_loaded(kHeir);
  learn();
  ASSERT_NE(learner_.knowledge().types.find(kHeir), nullptr);
  unload(kBase);
  EXPECT_EQ(learner_.knowledge().types.find(kHeir), nullptr);
}

TEST_F(AsyncLearnerTest, ClassesThatObjectsTellOfMayHaveGoneSince) {
  registry_.collectible_module(kApp);
  const std::vector<uint64_t> types = {kBox, kTask};
  const std::vector<uint8_t> live = {0, 1};
  const uint32_t then = learner_.unloads();
  unload(kApp);
  learner_.found(types, live, then);
  learn();
  EXPECT_EQ(learner_.knowledge().types.find(kBox), nullptr);
  EXPECT_NE(learner_.knowledge().types.find(kTask), nullptr);
  learner_.found(types, live, learner_.unloads());
  learn();
  EXPECT_NE(learner_.knowledge().types.find(kBox), nullptr);
}

// A task of arrays is as its elements are.
TEST_F(AsyncLearnerTest, ArraysGoWithTheirElements) {
  constexpr clr::ClassID kBytes = 0x10500, kItems = 0x10600, kOfBytes = 0x10700, kOfItems = 0x10800,
                         kOfNumbers = 0x10900, kNumbers = 0x10a00;
  registry_.collectible_module(kApp);
  for (const auto& [array, element] : {std::pair(kBytes, kValue), std::pair(kItems, kMachine)})
    clr_.classes[array] = {.element_class = element, .rank = 1};
  clr_.classes[kNumbers] = {.element = clr::kElementI4, .rank = 1};  // without a class
  for (const auto& [task, array] :
       {std::pair(kOfBytes, kBytes), std::pair(kOfItems, kItems), std::pair(kOfNumbers, kNumbers)}) {
    add(task, kCoreLib, 7, u"System.Threading.Tasks.Task`1", kTask, {}, {array});
    learner_.class_loaded(task);
  }
  learn();
  EXPECT_NE(learner_.knowledge().types.find(kOfItems), nullptr);
  unload(kApp);
  EXPECT_NE(learner_.knowledge().types.find(kOfBytes), nullptr);
  EXPECT_EQ(learner_.knowledge().types.find(kOfItems), nullptr);
  EXPECT_NE(learner_.knowledge().types.find(kOfNumbers), nullptr);
}

TEST_F(AsyncLearnerTest, ClassesThatWereUnloadedAreNotAskedFor) {
  learner_.class_loaded(kTask);
  learner_.class_unloaded(kTask);
  learn();
  EXPECT_EQ(clr_.class_calls, 0);
}

TEST_F(AsyncLearnerTest, MoveNextThatMayGoIsAskedForAsLongAsItLives) {
  clr::MethodName name;
  name.type = "App.C+<Run>d__1";
  name.method = "MoveNext";
  const auto named = std::make_shared<const clr::MethodName>(name);
  const auto role_of = [this](base::CodeId code) {
    return learner_.role_of(wire::Frame::in_code(wire::FrameKind::kJitted, code, 1));
  };
  registry_.collectible_module(kApp);
  const base::CodeId living = compiled(kMoveNext, named);
  learn();
  EXPECT_GE(role_of(living), unwind::kFirstMachine);
  const base::CodeId gone = compiled(kMoveNext, named);
  unload(kApp);
  learn();
  EXPECT_EQ(role_of(gone), unwind::kRoleOpaque);
}

TEST_F(AsyncLearnerTest, MoveNextOfADynamicMethodIsNotAskedFor) {
  clr::MethodName name;
  name.method = "MoveNext";
  name.dynamic = true;
  const base::CodeId code = compiled(kMoveNext, std::make_shared<const clr::MethodName>(name));
  learn();
  EXPECT_EQ(learner_.role_of(wire::Frame::in_code(wire::FrameKind::kJitted, code, 1)), unwind::kRoleOpaque);
}

// Given up by tries, a class would be lost where passes come fast.
TEST_F(AsyncLearnerTest, ClassThatTheRuntimeCompletesLaterIsLearntThen) {
  std::vector<clr::COR_FIELD_OFFSET> layout;
  layout.swap(clr_.classes[kTask].layout);
  learner_.class_loaded(kTask);
  for (int i = 0; i < 1000; ++i) learner_.learn(now_ns_ += 2'000'000);
  EXPECT_EQ(learner_.knowledge().types.find(kTask), nullptr);
  layout.swap(clr_.classes[kTask].layout);
  for (int i = 0; i < 5; ++i) learner_.learn(now_ns_ += 1'000'000'000);
  EXPECT_NE(learner_.knowledge().types.find(kTask), nullptr);
}

}  // namespace
}  // namespace walkabout::agent
