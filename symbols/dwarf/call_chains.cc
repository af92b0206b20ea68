#include "symbols/dwarf/call_chains.h"

#include <dwarf.h>

#include <map>
#include <utility>

namespace walkabout::symbols {
namespace {

constexpr size_t kDeepest = 1000;  // DIEs in each other; compilers make some tens

constexpr int kMostOrigins = 16;  // of a DIE, one behind the other

enum class Descend : uint8_t { kNo, kYes };

// What functions and their blocks are in.
bool may_have_code(int tag) {
  switch (tag) {
    case DW_TAG_subprogram:
    case DW_TAG_inlined_subroutine:
    case DW_TAG_lexical_block:
    case DW_TAG_try_block:
    case DW_TAG_catch_block:
    case DW_TAG_with_stmt:
    case DW_TAG_namespace:
    case DW_TAG_module:
      return true;
    default:
      return false;
  }
}

std::string text_of(Dwarf_Die* die, unsigned attribute) {
  Dwarf_Attribute found;
  const char* text = dwarf_formstring(dwarf_attr(die, attribute, &found));
  return text == nullptr ? "" : text;
}

// A DIE's own, or that of what it is made of. libdw's dwarf_attr_integrate also opens files that a hostile
// DIE leads to.
std::string name_of(Dwarf_Die die) {
  std::string name;
  for (int i = 0; i < kMostOrigins; ++i) {
    for (const unsigned attribute : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name}) {
      if (std::string linkage = text_of(&die, attribute); !linkage.empty()) return linkage;
    }
    if (name.empty()) name = text_of(&die, DW_AT_name);
    Dwarf_Attribute found;
    Dwarf_Attribute* origin = dwarf_attr(&die, DW_AT_abstract_origin, &found);
    if (origin == nullptr) origin = dwarf_attr(&die, DW_AT_specification, &found);
    Dwarf_Die next;
    if (dwarf_formref_die(origin, &next) == nullptr) break;
    die = next;
  }
  return name;
}

bool number_of(Dwarf_Die* die, unsigned attribute, uint64_t& value) {
  Dwarf_Attribute found;
  Dwarf_Word word = 0;
  if (dwarf_formudata(dwarf_attr(die, attribute, &found), &word) != 0) return false;
  value = word;
  return true;
}

class TreeWalk {
 public:
  TreeWalk(const std::vector<CodeRange>& code, std::span<const uint32_t> offsets, Steps& steps,
           const std::function<uint64_t(const FoundCall&)>& number, std::span<uint64_t> call)
      : code_(code), offsets_(offsets), steps_(steps), number_(number), call_(call) {}

  // Not by recursion: how deep it is a hostile file says.
  bool run(Dwarf_Die* tree) {
    std::vector<Dwarf_Die> path;  // of the DIE that is looked at, below `tree`
    Dwarf_Die die;
    int more = dwarf_child(tree, &die);
    for (;;) {
      while (more != 0) {
        if (more < 0) return false;
        if (path.empty()) return whole_;
        die = path.back();
        path.pop_back();
        more = dwarf_siblingof(&die, &die);
      }
      if (!steps_.take()) return false;
      if (look(die) == Descend::kYes && path.size() < kDeepest) {
        Dwarf_Die child;
        if ((more = dwarf_child(&die, &child)) == 0) {
          path.push_back(die);
          die = child;
          continue;
        }
        if (more < 0) return false;
      }
      more = dwarf_siblingof(&die, &die);
    }
  }

 private:
  Descend look(Dwarf_Die& die) {
    const int tag = dwarf_tag(&die);
    if (!may_have_code(tag)) return Descend::kNo;
    if (tag == DW_TAG_namespace || tag == DW_TAG_module) return Descend::kYes;
    const RangesFound found = hit_ranges(&die, code_, offsets_, steps_, ranges_);
    if (found == RangesFound::kDamaged) whole_ = false;
    if (tag == DW_TAG_inlined_subroutine) enter_call(die);
    // A function of its own inside another's.
    if (tag == DW_TAG_subprogram) set_all(0);
    if (found == RangesFound::kNone || tag == DW_TAG_subprogram) return Descend::kYes;
    return ranges_.empty() ? Descend::kNo : Descend::kYes;
  }

  void set_all(uint64_t call) {
    for (const HitRange& range : ranges_) {
      if (!steps_.take(range.last - range.first)) return;
      for (size_t i = range.first; i < range.last; ++i) call_[i] = call;
    }
  }

  // Whatever was entered before and has the same code is around it.
  void enter_call(Dwarf_Die& die) {
    std::map<uint64_t, uint64_t> numbers;  // by parent: but for damage there is one
    FoundCall call;
    for (const HitRange& range : ranges_) {
      if (!steps_.take(range.last - range.first)) return;
      for (size_t i = range.first; i < range.last; ++i) {
        const auto [known, added] = numbers.try_emplace(call_[i], 0);
        if (added) {
          if (numbers.size() == 1) describe(die, call);
          call.parent = call_[i];
          known->second = number_(call);
        }
        call_[i] = known->second;
      }
    }
  }

  static void describe(Dwarf_Die& die, FoundCall& call) {
    call.function = name_of(die);
    call.has_file = number_of(&die, DW_AT_call_file, call.file);
    number_of(&die, DW_AT_call_line, call.line);
  }

  const std::vector<CodeRange>& code_;
  const std::span<const uint32_t> offsets_;
  Steps& steps_;
  const std::function<uint64_t(const FoundCall&)>& number_;
  const std::span<uint64_t> call_;
  std::vector<HitRange> ranges_;
  bool whole_ = true;
};

}  // namespace

bool find_calls(Dwarf_Die* tree, const std::vector<CodeRange>& code, std::span<const uint32_t> offsets,
                Steps& steps, const std::function<uint64_t(const FoundCall&)>& number,
                std::span<uint64_t> call) {
  return TreeWalk(code, offsets, steps, number, call).run(tree);
}

}  // namespace walkabout::symbols
