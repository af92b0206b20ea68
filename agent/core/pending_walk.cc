#include "agent/core/pending_walk.h"

#include <cstring>

#include "base/clock.h"
#include "base/table_place.h"

namespace walkabout::agent {
namespace {

constexpr uint64_t kObjectsBetweenLooks = 1024, kLinksBetweenLooks = 64;  // at the clock
// What is followed next is fetched into the cache: first where its reference lies, then what that leads to.
constexpr size_t kFieldsAhead = 24, kObjectsAhead = 12;
constexpr uint64_t kLine = 64;
constexpr uint64_t kCollectorsBits = 7;  // of an object's first word

// Nothing is refused: all loads are plain.
bool refuse(void*, uint64_t, void*, size_t) { return false; }

unwind::HeapReader heap_reader() {
  unwind::HeapReader reader({{}, nullptr, true}, refuse, nullptr);
  reader.trust_all();
  return reader;
}

}  // namespace

PendingWalk::PendingWalk(const unwind::AsyncTypes& types) : types_(types), heap_(heap_reader()) {}

const unwind::AsyncType* PendingWalk::box_of_class(uint64_t method_table) {
  const size_t mask = slots_.all.size() - 1;
  size_t i = base::table_place(method_table, slots_.all.size());
  for (; slots_.all[i].method_table != 0; i = (i + 1) & mask) {
    if (slots_.all[i].method_table == method_table) return slots_.all[i].box;
  }
  const unwind::AsyncType* type = types_.find(method_table);
  if (type != nullptr && type->kind != unwind::AsyncKind::kBox) type = nullptr;
  if (classes_ == kMostClasses) return type;
  class_list_[classes_++] = method_table;
  slots_.all[i] = {method_table, type};
  return type;
}

bool PendingWalk::in_time() {
  if (base::monotonic_ns() < end_ns_) return true;
  whole_ = false;
  return false;
}

bool PendingWalk::look(uint64_t object) {
  if (++objects_ % kObjectsBetweenLooks == 0 && !in_time()) return false;
  uint64_t first = 0;
  std::memcpy(&first, reinterpret_cast<const void*>(object), sizeof first);
  first &= ~kCollectorsBits;
  if (first != last_class_) {
    last_class_ = first;
    last_box_ = box_of_class(first);
  }
  if (last_box_ == nullptr) return true;
  int32_t state = 0;
  if (!unwind::is_suspended({object, last_box_}, heap_, &state)) return true;
  if (found_ == kMost) {
    whole_ = false;
    return false;
  }
  operations_[found_++] = {object,
                           0,
                           last_box_,
                           last_box_->method,
                           state,
                           unwind::AsyncEnd::kUnknown,
                           wire::AsyncUnknown::kLeftOut};
  return true;
}

void PendingWalk::fetch(size_t ahead) const {
  if (ahead + kFieldsAhead < found_) {
    const PendingOperation& one = operations_[ahead + kFieldsAhead];
    __builtin_prefetch(reinterpret_cast<const void*>(one.box + one.type->next));
  }
  if (ahead + kObjectsAhead >= found_) return;
  const PendingOperation& one = operations_[ahead + kObjectsAhead];
  uint64_t object = 0;
  std::memcpy(&object, reinterpret_cast<const void*>(one.box + one.type->next), sizeof object);
  __builtin_prefetch(reinterpret_cast<const void*>(object));
  __builtin_prefetch(reinterpret_cast<const void*>(object + kLine));
}

void PendingWalk::finish() {
  for (size_t i = 0; i < found_; ++i) {
    if (i % kLinksBetweenLooks == 0 && !in_time()) return;
    fetch(i);
    PendingOperation& one = operations_[i];
    const unwind::AsyncLink link = unwind::next_awaiter({one.box, one.type}, types_, heap_);
    one.end = link.end;
    one.why = link.why;
    if (link.end == unwind::AsyncEnd::kTooDeep) one.awaiter = link.awaiter.address;
  }
}

}  // namespace walkabout::agent
