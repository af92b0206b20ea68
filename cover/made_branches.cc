#include "cover/made_branches.h"

#include <algorithm>
#include <optional>
#include <set>

#include "il/flow.h"

namespace walkabout::cover {
namespace {

using il::Instruction;
using il::Op;

bool is_load_local(Op op) {
  return (op >= Op::kLdloc0 && op <= Op::kLdloc3) || op == Op::kLdlocS || op == Op::kLdloc;
}
bool loads_first_local(const Instruction& i) {
  return i.op == Op::kLdloc0 || ((i.op == Op::kLdlocS || i.op == Op::kLdloc) && i.operand == 0);
}
bool is_load_argument(Op op) {
  return (op >= Op::kLdarg0 && op <= Op::kLdarg3) || op == Op::kLdargS || op == Op::kLdarg;
}
bool is_constant(Op op) { return op >= Op::kLdcI4M1 && op <= Op::kLdcI4; }
bool loads_one(const Instruction& i) {
  return i.op == Op::kLdcI41 || ((i.op == Op::kLdcI4S || i.op == Op::kLdcI4) && i.operand == 1);
}
bool is_brfalse(Op op) { return op == Op::kBrfalse || op == Op::kBrfalseS; }
bool is_brtrue(Op op) { return op == Op::kBrtrue || op == Op::kBrtrueS; }
bool is_equality(Op op) { return op == Op::kBeq || op == Op::kBeqS || op == Op::kBneUn || op == Op::kBneUnS; }
bool is_leave(Op op) { return op == Op::kLeave || op == Op::kLeaveS; }

}  // namespace

class MadeBranches::Rules {
 public:
  Rules(const ModuleView& view, uint32_t method, const il::Body& body,
        const std::vector<pdb::SequencePoint>& points)
      : view_(view),
        code_(body.code),
        body_(body),
        points_(points),
        is_async_(view.is_async(method)),
        is_iterator_(view.is_iterator(method)),
        is_async_iterator_(view.is_async_iterator(method)) {
    if (is_async_) find_dispatches();
  }

  std::vector<uint32_t> written() const {
    std::vector<uint32_t> branches;
    const bool resumes = is_async_ && begins_with_state();
    // A `switch`, or a comparison for each of two states.
    bool skips_first = is_iterator_, skips_second = false;
    for (uint32_t i = 0; i < code_.size(); ++i) {
      if (!il::is_conditional(code_[i].op)) continue;
      if (skips_first) {
        skips_first = false;
        skips_second = code_[i].op != Op::kSwitch;
      } else if (skips_second) {
        skips_second = false;
      } else if (!(resumes && (is_on_state(i) || is_on_completion(i))) && !is_for_breakpoint(i) &&
                 !is_on_cached_delegate(i) && !(is_async_ && is_of_async(i)) &&
                 !(is_async_iterator_ && is_of_async_iterator(i)) && !is_in_filter(i) &&
                 !is_in_made_finally(i)) {
        branches.push_back(i);
      }
    }
    return branches;
  }

  bool is_not_coverable(uint32_t i) const {
    if (code_[i].op != Op::kNop) return false;
    if (i >= 2 && loads_one(code_[i - 2]) && is_brtrue(code_[i - 1].op) && leads_to(i - 1, i + 1) &&
        has_point_at(i))
      return true;
    return is_async_ && is_behind_throw(i);
  }

 private:
  bool is_field_of_compiler(uint32_t i) const {
    return view_.field(static_cast<uint32_t>(code_[i].operand)).starts_with('<');
  }
  bool loads_made_field(uint32_t i) const { return code_[i].op == Op::kLdfld && is_field_of_compiler(i); }
  bool loads_field(uint32_t i, std::string_view name) const {
    return code_[i].op == Op::kLdfld && view_.field(static_cast<uint32_t>(code_[i].operand)) == name;
  }
  bool is_call(uint32_t i) const { return code_[i].op == Op::kCall || code_[i].op == Op::kCallvirt; }
  bool calls(uint32_t i, std::string_view type, std::string_view name) const {
    if (!is_call(i)) return false;
    const ModuleView::Called called = view_.called(static_cast<uint32_t>(code_[i].operand));
    return called.name == name && (type.empty() || called.type == type);
  }
  bool leads_to(uint32_t branch, uint32_t index) const {
    return il::is_branch(il::operand_of(code_[branch].op)) && body_.labels[code_[branch].operand] == index;
  }
  bool has_point_at(uint32_t i) const {
    return std::any_of(points_.begin(), points_.end(),
                       [&](const pdb::SequencePoint& point) { return point.il == code_[i].origin; });
  }

  bool begins_with_state() const {
    return code_.size() > 3 && is_load_argument(code_[0].op) && loads_field(1, "<>1__state") &&
           il::stores_local(code_[2].op);
  }
  // Where the method goes on.
  bool is_on_state(uint32_t i) const {
    for (uint32_t back = 1; back <= 2 && back < i; ++back) {
      if (loads_first_local(code_[i - back])) return true;
    }
    return false;
  }
  bool is_on_completion(uint32_t i) const { return i > 0 && calls(i - 1, {}, "get_IsCompleted"); }

  // Source: docs/compilers/CSharp/Expression Breakpoints.md of dotnet/roslyn.
  bool is_for_breakpoint(uint32_t i) const {
    return i > 0 && i + 2 < code_.size() && loads_one(code_[i - 1]) && code_[i + 1].op == Op::kNop &&
           leads_to(i, i + 2);
  }

  bool is_on_cached_delegate(uint32_t i) const {
    for (uint32_t back = 1; back <= 2 && back < i; ++back) {
      const Instruction& before = code_[i - back];
      if (before.op != Op::kLdsfld) continue;
      const auto token = static_cast<uint32_t>(before.operand);
      if (view_.field(token).starts_with("<>9_") || view_.type_of_field(token) == "<>O") return true;
    }
    return false;
  }

  // Behind handlers with an await in them the handlers' code stands, chosen by a number.
  void find_dispatches() {
    constexpr uint32_t kNearby = 5;
    uint32_t handlers = 1;
    for (const il::Clause& clause : body_.clauses) {
      const uint32_t end = body_.labels[clause.handler_end];
      const bool has_next =
          std::any_of(body_.clauses.begin(), body_.clauses.end(),
                      [&](const il::Clause& other) { return body_.labels[other.handler_begin] == end; });
      if (has_next) {
        ++handlers;
        continue;
      }
      uint32_t at = end;
      for (uint32_t n = 0; n < handlers; ++n) {
        for (uint32_t i = at + 1; i <= at + kNearby && i < code_.size(); ++i) {
          if (!is_equality(code_[i].op)) continue;
          if (i >= 2 && is_constant(code_[i - 1].op) && is_load_local(code_[i - 2].op)) dispatches_.insert(i);
          at = i;
          break;
        }
      }
      handlers = 1;
    }
  }

  bool is_of_async(uint32_t i) const {
    return dispatches_.count(i) != 0 || is_on_exception_type(i) || is_on_enumerator(i) ||
           is_on_exception(i) || is_on_disposal(i) || is_on_cleanup(i);
  }

  // `ex as Exception`, of an exception that goes on.
  bool is_on_exception_type(uint32_t i) const {
    if (!is_brtrue(code_[i].op)) return false;
    for (uint32_t back = 1; back <= 3 && back < i; ++back) {
      const Instruction& before = code_[i - back];
      if (before.op == Op::kIsinst && view_.type(static_cast<uint32_t>(before.operand)) == "Exception" &&
          is_load_local(code_[i - back - 1].op))
        return true;
    }
    return false;
  }

  // Of `await foreach`: was there one?
  bool is_on_enumerator(uint32_t i) const {
    if (!is_brfalse(code_[i].op) || i < 2 || !is_load_argument(code_[i - 2].op) || !loads_made_field(i - 1))
      return false;
    for (uint32_t ahead = i + 1; ahead <= i + 3 && ahead < code_.size(); ++ahead) {
      if (calls(ahead, "IAsyncDisposable", "DisposeAsync")) return true;
    }
    return false;
  }

  // Did one leave the loop?
  bool is_on_exception(uint32_t i) const {
    if (!is_brfalse(code_[i].op)) return false;
    for (uint32_t back = 1; back <= 3 && back <= i; ++back) {
      if (!loads_made_field(i - back)) continue;
      for (uint32_t more = 1; more <= 3 && back + more <= i; ++more) {
        if (calls(i - back - more, {}, "GetResult")) return true;
      }
    }
    return false;
  }

  // Of `await using`: is there anything to dispose of?
  bool is_on_disposal(uint32_t i) const {
    if (!is_brfalse(code_[i].op) || i == 0) return false;
    const bool is_variable = is_load_local(code_[i - 1].op) || loads_made_field(i - 1);
    bool disposes = false;
    for (uint32_t ahead = i + 1; ahead <= i + 3 && ahead < code_.size(); ++ahead)
      disposes = disposes || calls(ahead, "IAsyncDisposable", "DisposeAsync");
    if (!is_variable || !disposes) return false;
    for (uint32_t back = 1; back <= 4 && back < i; ++back) {
      if (is_leave(code_[i - back].op) && code_[i - back - 1].op == Op::kStfld &&
          is_field_of_compiler(i - back - 1))
        return true;
    }
    return false;
  }

  bool is_on_cleanup(uint32_t i) const {
    if (!is_equality(code_[i].op) || i == 0 || !is_constant(code_[i - 1].op)) return false;
    for (uint32_t back = 2; back <= 5 && back <= i; ++back) {
      if (!loads_made_field(i - back)) continue;
      for (uint32_t more = 1; more <= 4 && back + more <= i; ++more) {
        if (calls(i - back - more, "ExceptionDispatchInfo", "Throw")) return true;
      }
    }
    return false;
  }

  bool is_of_async_iterator(uint32_t i) const {
    if (code_[i].op == Op::kSwitch) {
      for (uint32_t back = 1; back <= 5 && back < i; ++back) {
        if (loads_field(i - back, "<>1__state")) return true;
      }
    }
    return is_brfalse(code_[i].op) && i >= 2 && loads_field(i - 1, "<>w__disposeMode");
  }

  bool is_in_filter(uint32_t i) const {
    return std::any_of(body_.clauses.begin(), body_.clauses.end(), [&](const il::Clause& clause) {
      return clause.kind == il::ClauseKind::kFilter && i >= body_.labels[clause.filter] &&
             i < body_.labels[clause.handler_begin];
    });
  }

  // One without a line.
  bool is_in_made_finally(uint32_t i) const {
    return std::any_of(body_.clauses.begin(), body_.clauses.end(), [&](const il::Clause& clause) {
      const uint32_t begin = body_.labels[clause.handler_begin], end = body_.labels[clause.handler_end];
      return clause.kind == il::ClauseKind::kFinally && i >= begin && i < end &&
             std::none_of(points_.begin(), points_.end(), [&](const pdb::SequencePoint& point) {
               return point.line != 0 && point.il >= code_[begin].origin &&
                      (end == code_.size() || point.il < code_[end].origin);
             });
    });
  }

  // Behind a handler's end that throws its exception on.
  bool is_behind_throw(uint32_t i) const {
    const auto throws_before = [this](uint32_t from) {
      for (uint32_t at = from; at-- > 0;) {
        if (code_[at].op != Op::kNop) return calls(at, "ExceptionDispatchInfo", "Throw");
      }
      return false;
    };
    if (throws_before(i)) return true;
    for (uint32_t at = i; at-- > 0;) {
      if (leads_to(at, i) || leads_to(at, at + 1)) return throws_before(at);
    }
    return false;
  }

  const ModuleView& view_;
  const std::vector<Instruction>& code_;
  const il::Body& body_;
  const std::vector<pdb::SequencePoint>& points_;
  const bool is_async_, is_iterator_, is_async_iterator_;
  std::set<uint32_t> dispatches_;
};

MadeBranches::MadeBranches(const ModuleView& view, uint32_t method, const il::Body& body,
                           const std::vector<pdb::SequencePoint>& points)
    : rules_(std::make_unique<const Rules>(view, method, body, points)) {}
MadeBranches::~MadeBranches() = default;

std::vector<uint32_t> MadeBranches::others() const { return rules_->written(); }

bool MadeBranches::is_not_coverable(uint32_t index) const { return rules_->is_not_coverable(index); }

}  // namespace walkabout::cover
