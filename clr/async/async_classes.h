// Learns of classes what leads from an async method to the one that awaits it, and of methods what they are
// to that: from their names, their parents and the places of their fields, as the runtime gives them.
//
// One thread at a time, which may call ICorProfilerInfo at any time (the spooler), or in a callback.
// REQUIRES: every ClassID was reported by the runtime (ClassLoadFinished) and lives: .NET 8 crashes when it
// is asked about another.
//
// Source: Task.cs, TaskContinuation.cs, AsyncTaskMethodBuilderT.cs, PoolingAsyncValueTaskMethodBuilderT.cs
// and ManualResetValueTaskSourceCore.cs of System.Private.CoreLib; the C# compiler's names of fields.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "clr/abi/element_type.h"
#include "clr/abi/hresults.h"
#include "clr/abi/info.h"
#include "clr/names/module_names.h"
#include "unwind/async/async_type.h"

namespace walkabout::clr {

struct AsyncClass {
  unwind::AsyncType type;       // but for the method
  ClassID machine_class = 0;    // kBox, kMachine: the state machine, with its type arguments
  ModuleID machine_module = 0;  // the one that has it
};

// What a method is, where it is of interest. kCore: an ordinary one of System.Private.CoreLib, or one of
// which nothing is known. A task's own: kInvoker calls its delegate, kRunner runs it.
// kResumer: a box's own, that resumes its method and needs the box afterwards; kContext: what it does so
// through. kDispatcher: resumes methods that the runtime suspends by itself (runtime-async); who awaits them
// is not known.
enum class AsyncMethodKind : uint8_t {
  kOrdinary,
  kCore,
  kStarter,
  kInvoker,
  kRunner,
  kResumer,
  kContext,
  kDispatcher,
  kMoveNext
};
struct AsyncMethod {
  AsyncMethodKind kind = AsyncMethodKind::kOrdinary;
  uint32_t machine = 0;  // kMoveNext: as AsyncType::machine
};

class AsyncClasses {
 public:
  // info must outlive this. stays: whether the module is there for good; without it all are.
  explicit AsyncClasses(ICorProfilerInfo2* info, std::function<bool(ModuleID)> stays = {})
      : info_(info), stays_(std::move(stays)) {}

  // The runtime does not report the classes that it had before: where an awaiter lies in a value type, of
  // which no object tells, is taken from the order of its fields. References come first, in the metadata's
  // order (methodtablebuilder.cpp); whoever follows one looks at what is there.
  void take_sources_from_metadata() { sources_from_metadata_ = true; }

  enum class Answer : uint8_t {
    kNothing,  // the class is of no interest
    kLearnt,
    kLater,  // the runtime has not loaded all of it yet: ask again
  };
  Answer learn(ClassID type, AsyncClass* learnt);
  // Whether the class, its parents, its elements if it is an array, and all that its type arguments are made
  // of are of such modules. Asks the runtime and keeps nothing: no memory, no lock; false where it does not
  // say.
  template <typename Such>
  bool is_made_of(ClassID type, Such such) {
    constexpr size_t kMost = 24;
    ClassID open[kMost] = {type};
    for (size_t left = 1; left != 0;) {
      ModuleID module = 0;
      mdTypeDef token = 0;
      ClassID parent = 0;
      uint32_t count = 0;
      const ClassID one = open[--left];
      if (one == 0 || (one & kNoClass) != 0) return false;
      CorElementType element = 0;
      uint32_t rank = 0;
      if (info_->IsArrayClass(one, &element, &open[left], &rank) == S_OK) {
        if (open[left] == 0 && keyword_of(element).empty()) return false;
        if (open[left] != 0) ++left;  // else of numbers or texts
        continue;
      }
      const auto room = static_cast<uint32_t>(kMost - left);
      if (info_->GetClassIDInfo2(one, &module, &token, &parent, room, &count, &open[left]) != S_OK ||
          count > room || !such(module))
        return false;
      left += count;
      if (parent != 0 && left == kMost) return false;
      if (parent != 0) open[left++] = parent;
    }
    return true;
  }
  // 0: none, or not known.
  ClassID parent_of(ClassID type) { return class_of(type).parent; }
  // Of a state machine: the module, and in it the method that runs it; 0: there is none.
  std::pair<ModuleID, mdMethodDef> move_next(ClassID machine);
  // "App.dll".
  const std::string& module_file(ClassID type) { return names(class_of(type).module).file_name(); }
  // REQUIRES: the method is not dynamic, and lives.
  AsyncMethod method(FunctionID function);
  // The module is about to be unloaded, and what is made of it with it: other classes may come at their ids.
  void forget(ModuleID module);
  // All that it keeps.
  void forget();

 private:
  // Bits of a ClassID that is no class: a type variable, a pointer.
  static constexpr ClassID kNoClass = 2;
  struct Class {
    bool known = false;
    bool incomplete = false;  // not known yet
    bool stays = true;        // it is made of nothing that may go
    ModuleID module = 0;
    mdTypeDef token = 0;
    ClassID parent = 0;
    std::vector<ClassID> arguments;
    std::string name;
  };

  const Class& class_of(ClassID type);
  // The class itself or the nearest parent of this name; 0: none.
  ClassID find_heir(ClassID type, std::string_view name);
  std::optional<uint32_t> offset_of(ClassID type, std::string_view field);
  // Where a ManualResetValueTaskSourceCore<T> keeps who awaits it, from its start.
  std::optional<uint32_t> source_awaiter(ClassID result);
  std::optional<uint32_t> source_awaiter_of(std::string_view result);
  std::optional<uint32_t> source_awaiter_in_metadata() const;
  Answer learn_box(ClassID box, ClassID declaring, AsyncClass* learnt);
  Answer learn_pooled(ClassID box, ClassID declaring, AsyncClass* learnt);
  Answer learn_machine(ClassID type, AsyncClass* learnt);
  Answer learn_reference(ClassID type, unwind::AsyncKind kind, std::string_view field, AsyncClass* learnt);
  Answer finish_box(const Class& declaring, ClassID declaring_id, AsyncClass* learnt);
  bool is_value_type(ClassID type);
  uint32_t machine_number(ModuleID module, mdTypeDef token);
  ModuleNames& names(ModuleID module);

  ICorProfilerInfo2* info_;
  std::function<bool(ModuleID)> stays_;
  std::unordered_map<ClassID, Class> classes_;
  std::unordered_map<ModuleID, ModuleNames> modules_;
  bool sources_from_metadata_ = false;
  std::vector<ClassID> sources_;  // instantiations of ManualResetValueTaskSourceCore`1
  std::map<std::pair<ModuleID, mdTypeDef>, uint32_t> machines_;
  uint32_t next_machine_ = 0;  // no number is given twice
};

}  // namespace walkabout::clr
