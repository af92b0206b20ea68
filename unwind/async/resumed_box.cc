#include "unwind/async/resumed_box.h"

#include "base/hot.h"

namespace walkabout::unwind {

WALKABOUT_HOT bool find_resumed_box(const SearchedStack& stack, size_t method, uint32_t machine,
                                    const AsyncTypes& types, HeapReader& heap, AsyncObject* box,
                                    int32_t* state) {
  const auto is_between = [&stack](size_t i) {
    return stack.frame(i).kind() == wire::FrameKind::kStub || stack.role_of(i) == kRoleContext;
  };
  size_t resumer = method + 1;
  while (resumer < stack.size() && is_between(resumer)) ++resumer;
  if (!stack.knows_stack_pointer(resumer + 1) || stack.role_of(resumer) != kRoleResumer ||
      stack.leaf().pc() == 0 || stack.is_again(method, kFirstMachine + machine))
    return false;
  *box = {};
  const auto consider = [&](uint64_t value, uint64_t) {
    if (value == box->address || !heap.may_be_object(value) || stack.contains(value)) return true;
    AsyncObject object;
    int32_t object_state = 0;
    if (!read_async_object(value, types, heap, &object, &object_state) ||
        object.type->kind != AsyncKind::kBox || object.type->machine != machine)
      return true;
    if (box->type != nullptr) return false;  // two are none
    *box = object;
    *state = object_state;
    return true;
  };
  return stack.each_value_below(stack.stack_pointer(resumer + 1), consider) && box->type != nullptr;
}

}  // namespace walkabout::unwind
