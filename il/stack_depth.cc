#include "il/stack_depth.h"

#include <algorithm>
#include <array>

namespace walkabout::il {
namespace {

constexpr uint32_t kUnknownDepth = ~uint32_t{0};
constexpr int8_t kByCall = 100;  // what it takes and leaves is its signature's

// Instructions of one kind in a row of codes, and by how much each changes what lies on the stack. What is
// not named changes nothing.
struct StackChange {
  uint16_t first, last;
  int8_t by;
};
constexpr StackChange kChanges[] = {
    {0x02, 0x09, 1},        // ldarg.0 … ldloc.3
    {0x0a, 0x0d, -1},       // stloc.0 … stloc.3
    {0x0e, 0x0f, 1},        // ldarg.s, ldarga.s
    {0x10, 0x10, -1},       // starg.s
    {0x11, 0x12, 1},        // ldloc.s, ldloca.s
    {0x13, 0x13, -1},       // stloc.s
    {0x14, 0x23, 1},        // ldnull … ldc.r8
    {0x25, 0x25, 1},        // dup
    {0x26, 0x26, -1},       // pop
    {0x28, 0x29, kByCall},  // call, calli
    {0x2c, 0x2d, -1},       // brfalse.s, brtrue.s
    {0x2e, 0x37, -2},       // beq.s … blt.un.s
    {0x39, 0x3a, -1},       // brfalse, brtrue
    {0x3b, 0x44, -2},       // beq … blt.un
    {0x45, 0x45, -1},       // switch
    {0x51, 0x57, -2},       // stind
    {0x58, 0x64, -1},       // add … shr.un
    {0x6f, 0x6f, kByCall},  // callvirt
    {0x70, 0x70, -2},       // cpobj
    {0x72, 0x72, 1},        // ldstr
    {0x73, 0x73, kByCall},  // newobj
    {0x7a, 0x7a, -1},       // throw
    {0x7d, 0x7d, -2},       // stfld
    {0x7e, 0x7f, 1},        // ldsfld, ldsflda
    {0x80, 0x80, -1},       // stsfld
    {0x81, 0x81, -2},       // stobj
    {0x8f, 0x9a, -1},       // ldelema, ldelem
    {0x9b, 0xa2, -3},       // stelem
    {0xa3, 0xa3, -1},       // ldelem
    {0xa4, 0xa4, -3},       // stelem
    {0xd0, 0xd0, 1},        // ldtoken
    {0xd6, 0xdb, -1},       // add.ovf … sub.ovf.un
    {0xdf, 0xdf, -2},       // stind.i
    {0xfe00, 0xfe00, 1},    // arglist
    {0xfe01, 0xfe05, -1},   // ceq … clt.un
    {0xfe06, 0xfe06, 1},    // ldftn
    {0xfe09, 0xfe0a, 1},    // ldarg, ldarga
    {0xfe0b, 0xfe0b, -1},   // starg
    {0xfe0c, 0xfe0d, 1},    // ldloc, ldloca
    {0xfe0e, 0xfe0e, -1},   // stloc
    {0xfe11, 0xfe11, -1},   // endfilter
    {0xfe15, 0xfe15, -1},   // initobj
    {0xfe17, 0xfe18, -3},   // cpblk, initblk
    {0xfe1c, 0xfe1c, 1},    // sizeof
};

constexpr size_t place_of_code(uint16_t code) { return code < 0xfe00 ? code : size_t{0x100} + (code & 0xff); }

constexpr std::array<int8_t, 0x200> make_changes() {
  std::array<int8_t, 0x200> by{};
  for (const StackChange& change : kChanges) {
    for (uint32_t code = change.first; code <= change.last; ++code)
      by[place_of_code(static_cast<uint16_t>(code))] = change.by;
  }
  return by;
}
constexpr std::array<int8_t, 0x200> kChangeBy = make_changes();

std::optional<int64_t> change_of(const Instruction& instruction, const CallShapes& shapes) {
  const int8_t by = kChangeBy[place_of_code(static_cast<uint16_t>(instruction.op))];
  if (by != kByCall) return by;
  const auto shape = shapes(static_cast<uint32_t>(instruction.operand));
  if (!shape) return std::nullopt;
  if (instruction.op == Op::kNewobj) return 1 - int64_t{shape->parameters};
  return int64_t{shape->returns} - shape->parameters - shape->has_this - (instruction.op == Op::kCalli);
}

void expect(const Body& body, Label label, uint32_t depth, std::vector<uint32_t>& depths) {
  const uint32_t index = body.labels[label];
  if (index < depths.size() && depths[index] == kUnknownDepth) depths[index] = depth;
}

}  // namespace

Cause find_stack_depths(const Body& body, const CallShapes& shapes, std::vector<uint32_t>* depths) {
  depths->assign(body.code.size(), kUnknownDepth);
  for (const Clause& clause : body.clauses) {
    const bool caught = clause.kind == ClauseKind::kCatch || clause.kind == ClauseKind::kFilter;
    expect(body, clause.handler_begin, caught, *depths);
    if (clause.kind == ClauseKind::kFilter) expect(body, clause.filter, 1, *depths);
  }
  uint32_t depth = 0;
  for (size_t i = 0; i < body.code.size(); ++i) {
    const Instruction& instruction = body.code[i];
    uint32_t& here = (*depths)[i];
    here = here == kUnknownDepth ? depth : here;
    const auto by = change_of(instruction, shapes);
    if (!by) return Cause::kSignature;
    depth = static_cast<uint32_t>(std::clamp<int64_t>(here + *by, 0, 0xffff));
    const bool leaves = instruction.op == Op::kLeave || instruction.op == Op::kLeaveS;
    const Operand operand = operand_of(instruction.op);
    if (operand == Operand::kSwitch) {
      for (const Label target : body.switches[instruction.operand]) expect(body, target, depth, *depths);
    } else if (is_branch(operand)) {
      expect(body, static_cast<Label>(instruction.operand), leaves ? 0 : depth, *depths);
    }
    if (!flows_on(instruction.op)) depth = 0;
  }
  return Cause::kNone;
}

}  // namespace walkabout::il
