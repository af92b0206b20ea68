#include "il/try_finally.h"

#include <algorithm>

#include "il/pieces.h"

namespace walkabout::il {
namespace {

bool is_in(const Body& body, uint32_t index, Label begin, Label end) {
  return index >= body.labels[begin] && index < body.labels[end];
}

// The runtime refuses a return from within a try or a handler as well.
bool is_in_clause(const Body& body, uint32_t index) {
  return std::any_of(body.clauses.begin(), body.clauses.end(), [&](const Clause& clause) {
    return is_in(body, index, clause.try_begin, clause.try_end) ||
           is_in(body, index, clause.handler_begin, clause.handler_end) ||
           (clause.kind == ClauseKind::kFilter && is_in(body, index, clause.filter, clause.handler_begin));
  });
}

Cause can_wrap(const Body& body) {
  for (uint32_t i = 0; i < body.code.size(); ++i) {
    const Op op = body.code[i].op;
    if (op == Op::kJmp) return Cause::kJmp;
    if (op == Op::kRet && is_in_clause(body, i)) return Cause::kReturnInClause;
  }
  return Cause::kNone;
}

class Wrapper {
 public:
  Wrapper(const Around& around, Body& body) : around_(around), body_(body) {}

  uint32_t wrap() {
    const uint16_t deepest =
        std::max<uint16_t>({around_.enter.stack, around_.returning.stack, around_.leaving.stack, 1});
    body_.header.max_stack = std::max(body_.header.max_stack, deepest);  // where they run it is empty
    put(around_.enter, kNoOrigin);
    const uint32_t try_begin = here();
    end_ = body_.add_label(0);  // until it is known
    const auto old_labels = static_cast<Label>(body_.labels.size() - 1);
    std::vector<uint32_t> moved(body_.code.size() + 1);
    for (uint32_t i = 0; i < body_.code.size(); ++i) {
      moved[i] = here();
      move(body_.code[i]);
    }
    moved.back() = here();
    for (Label label = 0; label < old_labels; ++label) body_.labels[label] = moved[body_.labels[label]];
    if (around_.thrown) note_thrown(try_begin);
    const uint32_t handler = here();
    put(around_.leaving, kNoOrigin);
    put({Op::kEndfinally, kNoOrigin, 0});
    body_.labels[end_] = here();
    const Label begin = body_.add_label(try_begin), middle = body_.add_label(handler);
    body_.clauses.push_back({ClauseKind::kFinally, begin, middle, middle, end_, 0, 0});
    if (returns_) {
      if (around_.result) put(load_local(*around_.result));
      put({Op::kRet, kNoOrigin, 0});
    }
    body_.code = std::move(code_);
    return tail_calls_;
  }

 private:
  uint32_t here() const { return static_cast<uint32_t>(code_.size()); }
  void put(const Instruction& instruction) { code_.push_back(instruction); }
  void put(const Piece& piece, uint32_t origin) {
    for (Instruction instruction : piece.code) {
      instruction.origin = origin;
      put(instruction);
    }
  }

  // Its handler is never run.
  void note_thrown(uint32_t try_begin) {
    const uint32_t filter = here();
    put(store_local(*around_.thrown));
    put({Op::kLdcI40, kNoOrigin, 0});
    put({Op::kEndfilter, kNoOrigin, 0});
    const uint32_t handler = here();
    put({Op::kPop, kNoOrigin, 0});
    put({Op::kRethrow, kNoOrigin, 0});
    const Label begin = body_.add_label(try_begin), middle = body_.add_label(filter),
                handler_begin = body_.add_label(handler), handler_end = body_.add_label(here());
    body_.clauses.push_back({ClauseKind::kFilter, begin, middle, handler_begin, handler_end, middle, 0});
  }

  void move(const Instruction& old) {
    if (old.op == Op::kTail) {
      ++tail_calls_;
    } else if (old.op == Op::kRet) {
      if (around_.result) {
        Instruction store = store_local(*around_.result);
        store.origin = old.origin;
        put(store);
      }
      put(around_.returning, old.origin);
      put({Op::kLeave, old.origin, end_});
      returns_ = true;
    } else {
      put(old);
    }
  }

  const Around& around_;
  Body& body_;
  std::vector<Instruction> code_;
  Label end_ = 0;
  uint32_t tail_calls_ = 0;
  bool returns_ = false;
};

}  // namespace

Cause wrap_in_finally(const Around& around, Body* body, uint32_t* tail_calls) {
  const Cause cause = can_wrap(*body);
  if (cause != Cause::kNone) return cause;
  const uint32_t left_out = Wrapper(around, *body).wrap();
  if (tail_calls != nullptr) *tail_calls = left_out;
  return Cause::kNone;
}

}  // namespace walkabout::il
