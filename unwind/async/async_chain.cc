#include "unwind/async/async_chain.h"

#include "base/hot.h"

namespace walkabout::unwind {
namespace {

using wire::AsyncUnknown;

constexpr uint64_t kArrayItems = 16;   // behind MethodTable and length
constexpr uint32_t kMostListed = 16;   // continuations of a list that are looked at
constexpr uint64_t kBuilderWords = 3;  // of a builder, that may be its task
constexpr size_t kUsualObject = 128;   // bytes of one, within which lies what is wanted of it

// A reference may lead out of the heap that collections know of: to what is never freed.
const AsyncType* type_of(uint64_t object, const AsyncTypes& types, HeapReader& heap) {
  uint64_t method_table = 0;
  if (!HeapReader::is_place(object)) return nullptr;
  heap.expect(object, kUsualObject);
  return heap.load64(object, &method_table) ? types.find(method_table) : nullptr;
}

// machine: where the method's state machine lies.
bool read_state(const AsyncObject& object, HeapReader& heap, uint64_t* machine, int32_t* state) {
  *machine = object.address;
  if (object.type->kind == AsyncKind::kBox) {
    *machine += object.type->machine_at;
    if (object.type->machine_is_object && !heap.load64(*machine, machine)) return false;
  }
  uint32_t value = 0;
  if (*machine == 0 || !heap.load32(*machine + object.type->state_at, &value)) return false;
  *state = static_cast<int32_t>(value);
  return true;
}

// The box of a state machine that is an object by itself: its builder holds it, and it refers back.
bool find_box(const AsyncObject& machine, const AsyncTypes& types, HeapReader& heap, AsyncObject* box) {
  for (uint64_t i = 0; i < kBuilderWords; ++i) {
    uint64_t held = 0, back = 0;
    if (!heap.load64(machine.address + machine.type->machine_at + i * 8, &held)) return false;
    const AsyncType* type = type_of(held, types, heap);
    if (type == nullptr || type->kind != AsyncKind::kBox || !type->machine_is_object) continue;
    if (!heap.load64(held + type->machine_at, &back) || back != machine.address) continue;
    *box = {held, type};
    return true;
  }
  return false;
}

// Where the reference to who awaits this method lies. False where that is not known.
bool field_of_awaiter(const AsyncObject& method, const AsyncTypes& types, HeapReader& heap, uint64_t* field) {
  AsyncObject by = method;
  if (by.type->kind == AsyncKind::kBox && by.type->machine_is_object) {
    AsyncObject machine;
    if (!heap.load64(by.address + by.type->machine_at, &machine.address)) return false;
    machine.type = type_of(machine.address, types, heap);
    if (machine.type == nullptr || machine.type->kind != AsyncKind::kMachine) return false;
    if (machine.type->next != 0) by = machine;  // an iterator's own promise is what is awaited
  } else if (by.type->kind == AsyncKind::kMachine && by.type->next == 0) {
    if (!find_box(method, types, heap, &by)) return false;
  }
  if (by.type->next == 0) return false;
  *field = by.address + by.type->next;
  return true;
}

// Of a state machine that is an object its box, which is what the heap has of every suspended method.
AsyncObject as_box(const AsyncObject& method, const AsyncTypes& types, HeapReader& heap) {
  AsyncObject box;
  return method.type->kind == AsyncKind::kMachine && find_box(method, types, heap, &box) ? box : method;
}

// Of several the first that is still there; 0: all have gone, as those of a task that was not the first of
// WhenAny. False where that is not known.
bool first_of_list(uint64_t list, const AsyncType& type, HeapReader& heap, uint64_t* first) {
  uint64_t items = 0;
  uint32_t size = 0;
  if (!heap.load64(list + type.next, &items) || !heap.load32(list + type.state_at, &size) || items == 0)
    return false;
  for (uint32_t i = 0; i < size && i < kMostListed; ++i) {
    if (!heap.load64(items + kArrayItems + i * uint64_t{8}, first)) return false;
    if (*first != 0) return true;
  }
  *first = 0;
  return size <= kMostListed;
}

class Follower {
 public:
  Follower(const AsyncTypes& types, HeapReader& heap, std::span<wire::Frame> awaiters)
      : types_(types), heap_(heap), awaiters_(awaiters) {}

  AsyncLink follow_one(const AsyncObject& method) {
    const AsyncChain chain = follow(method);
    if (chain.end != AsyncEnd::kTooDeep) return {{}, 0, chain.end, chain.why};
    return {as_box(next_, types_, heap_), next_state_, chain.end, AsyncUnknown::kNone};
  }

  AsyncChain follow(const AsyncObject& method) {
    uint64_t field = 0;
    heap_.trust(method.address);
    if (!field_of_awaiter(method, types_, heap_, &field)) return unknown(AsyncUnknown::kMemory);
    uint64_t awaiter = 0;
    // An iterator that runs without an awaiter: who called it comes to await it, or is on the stack.
    if (is_iterator(method) && heap_.load64(field, &awaiter) && awaiter == 0)
      return unknown(AsyncUnknown::kState);
    for (int links = 0; links < kMostLinks; ++links) {
      uint64_t object = 0;
      if (!heap_.load64(field, &object)) return unknown(AsyncUnknown::kMemory);
      AsyncEnd end{};
      if (!pass(object, &field, &end))
        return {count_, end, end == AsyncEnd::kUnknown ? why_ : AsyncUnknown()};
    }
    return unknown(AsyncUnknown::kMemory);
  }

 private:
  static bool is_iterator(const AsyncObject& method) {
    return method.type->kind == AsyncKind::kMachine && method.type->next != 0;
  }
  AsyncChain unknown(AsyncUnknown why) const { return {count_, AsyncEnd::kUnknown, why}; }

  // False: the chain ends here. field: the next reference.
  bool pass(uint64_t object, uint64_t* field, AsyncEnd* end) {
    *end = AsyncEnd::kRoot;
    why_ = AsyncUnknown::kClass;
    if (object == 0) return false;
    const AsyncType* type = trusted_type_of(object);
    while (type != nullptr && type->kind == AsyncKind::kList) {
      *end = AsyncEnd::kUnknown;
      if (++lists_ > kMostLists || !first_of_list(object, *type, heap_, &object)) return false;
      *end = AsyncEnd::kRoot;
      if (object == 0) return false;
      type = trusted_type_of(object);
    }
    *end = AsyncEnd::kUnknown;
    if (type == nullptr) return false;
    switch (type->kind) {
      case AsyncKind::kTask:
      case AsyncKind::kForward:
        *field = object + type->next;
        return true;
      case AsyncKind::kBox:
      case AsyncKind::kMachine:
        return pass_method({object, type}, field, end);
      case AsyncKind::kNobody:
        *end = AsyncEnd::kRoot;
        return false;
      case AsyncKind::kCompleted:
        *end = AsyncEnd::kCompleted;
        return false;
      case AsyncKind::kList:
        return false;
    }
    return false;
  }

  // Of what an object of the chain refers to.
  const AsyncType* trusted_type_of(uint64_t object) {
    const AsyncType* type = type_of(object, types_, heap_);
    if (type == nullptr) return nullptr;
    heap_.trust(object);
    return type;
  }

  bool pass_method(const AsyncObject& method, uint64_t* field, AsyncEnd* end) {
    uint64_t machine = 0;
    int32_t state = 0;
    why_ = AsyncUnknown::kMemory;
    if (!read_state(method, heap_, &machine, &state)) return false;
    why_ = AsyncUnknown::kState;
    if (state < 0) return false;  // whoever awaits is suspended
    *end = AsyncEnd::kTooDeep;
    next_ = method;
    next_state_ = state;
    if (count_ == awaiters_.size()) return false;
    awaiters_[count_++] =
        wire::Frame::in_code(wire::FrameKind::kJitted, method.type->method, static_cast<uint32_t>(state));
    *end = AsyncEnd::kUnknown;
    why_ = AsyncUnknown::kMemory;
    return field_of_awaiter(method, types_, heap_, field);
  }

  static constexpr int kMostLists = 64;

  const AsyncTypes& types_;
  HeapReader& heap_;
  std::span<wire::Frame> awaiters_;
  uint32_t count_ = 0;
  int lists_ = 0;
  AsyncUnknown why_ = AsyncUnknown::kNone;  // if the chain ends here
  AsyncObject next_;                        // the last that awaits
  int32_t next_state_ = 0;
};

}  // namespace

WALKABOUT_HOT AsyncChain follow_awaiters(const AsyncObject& method, const AsyncTypes& types, HeapReader& heap,
                                         std::span<wire::Frame> awaiters) {
  return Follower(types, heap, awaiters).follow(method);
}

AsyncLink next_awaiter(const AsyncObject& method, const AsyncTypes& types, HeapReader& heap) {
  return Follower(types, heap, {}).follow_one(method);
}

// The builder of a box's state machine holds the box from when it is suspended first to when a pool takes it
// back.
bool is_suspended(const AsyncObject& box, HeapReader& heap, int32_t* state) {
  uint64_t machine = 0;
  if (!read_state(box, heap, &machine, state) || *state < 0) return false;
  for (uint64_t i = 0; i < kBuilderWords; ++i) {
    uint64_t held = 0;
    if (!heap.load64(machine + box.type->builder_at + i * 8, &held)) return false;
    if (held == box.address) return true;
  }
  return false;
}

WALKABOUT_HOT bool read_running_task(uint64_t address, const AsyncTypes& types, HeapReader& heap,
                                     AsyncObject* task) {
  *task = {address, type_of(address, types, heap)};
  uint32_t flags = 0;
  return task->type != nullptr && task->type->kind == AsyncKind::kTask && task->type->state_at != 0 &&
         heap.load32(address + task->type->state_at, &flags) && (flags & kDelegateInvoked) != 0 &&
         (flags & kTaskCompleted) == 0;
}

WALKABOUT_HOT bool read_async_object(uint64_t address, const AsyncTypes& types, HeapReader& heap,
                                     AsyncObject* object, int32_t* state) {
  uint64_t machine = 0;
  *object = {address, type_of(address, types, heap)};
  return object->type != nullptr &&
         (object->type->kind == AsyncKind::kBox || object->type->kind == AsyncKind::kMachine) &&
         read_state(*object, heap, &machine, state);
}

}  // namespace walkabout::unwind
