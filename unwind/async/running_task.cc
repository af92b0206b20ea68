#include "unwind/async/running_task.h"

#include "base/hot.h"

namespace walkabout::unwind {
namespace {

// The last of the task's own methods, which needs the task afterwards. 0: there is none, or the stack is that
// of a task within a task.
size_t last_of_task(const SearchedStack& stack, size_t invoker) {
  size_t last = invoker;
  for (size_t next = invoker + 1; next < stack.size(); ++next) {
    const uint32_t role = stack.role_of(next);
    if (!is_of_task(role)) continue;
    if (last != invoker || role != kRoleRunner || stack.role_of(invoker) != kRoleInvoker) return 0;
    last = next;
  }
  return last;
}

// Of the values up to that method's caller the only one that is a task that runs.
class RunningTaskSearch {
 public:
  RunningTaskSearch(const SearchedStack& stack, AsyncTypes& types, HeapReader& heap)
      : stack_(stack), types_(types), heap_(heap) {}

  bool is_task(uint64_t value, AsyncObject* task) {
    return heap_.may_be_object(value) && !stack_.contains(value) &&
           read_running_task(value, types_, heap_, task);
  }

  bool search(uint64_t top, AsyncObject* task, uint64_t* found_at) {
    *task = {};
    return stack_.each_value_below(top, [&](uint64_t value, uint64_t at) {
      if (value != 0 && value == task->address) {
        *found_at = at;
        return true;
      }
      AsyncObject other;
      if (!is_task(value, &other)) return true;
      if (task->type != nullptr) return false;
      *task = other;
      *found_at = at;
      return true;
    }) && task->type != nullptr;
  }

 private:
  const SearchedStack& stack_;
  AsyncTypes& types_;
  HeapReader& heap_;
};

}  // namespace

WALKABOUT_HOT TaskFind find_running_task(const SearchedStack& stack, size_t invoker,
                                         const AsyncKnowledge& known, HeapReader& heap, AsyncObject* task) {
  const size_t last = last_of_task(stack, invoker);
  if (last == 0 || !stack.knows_stack_pointer(last + 1)) return TaskFind::kNone;
  if (!heap.reads()) return TaskFind::kNotReadable;
  const uint64_t top = stack.stack_pointer(last + 1);
  if (top - stack.leaf().sp() > SearchedStack::kMostBytes) return TaskFind::kNone;
  RunningTaskSearch tasks(stack, known.types, heap);
  const uint32_t below = known.hints.find(stack.frame(last));
  uint64_t value = 0;
  if (below != 0 && top - below >= stack.stack_pointer(last) && stack.load_word(top - below, &value) &&
      tasks.is_task(value, task))
    return TaskFind::kFound;
  uint64_t found_at = 0;
  if (!tasks.search(top, task, &found_at)) return TaskFind::kNone;
  // Where the registers are not known, the task may be in one, and this one another.
  if (stack.leaf().pc() == 0 && found_at < stack.stack_pointer(last)) return TaskFind::kNone;
  if (found_at >= stack.stack_pointer(last))
    known.hints.keep(stack.frame(last), static_cast<uint32_t>(top - found_at));
  return TaskFind::kFound;
}

}  // namespace walkabout::unwind
