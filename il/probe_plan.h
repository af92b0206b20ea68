// Where a body is to be probed so that it is known afterwards which of its places ran, and which arms of its
// branches were taken, with as few probes as will do: what runs whenever another place runs has none of its
// own. By the IL alone, so whoever has the same body makes the same plan. Pure; any thread.
//
// A point is where a statement can begin: where a block begins, or nothing lies on the evaluation stack, and
// at a `return` of what was just called. Between two points an exception may end the method, and then the
// second did not run; where nothing in between can raise one, both have the same count. (`this` is taken to
// be there: its fields are read without an exception.)
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "il/body.h"
#include "il/cause.h"
#include "il/insertion.h"
#include "il/stack_depth.h"

namespace walkabout::il {

struct ProbePlan {
  enum class Where : uint8_t {
    kPoint = 0,    // before an instruction, whatever leads there
    kNextArm = 1,  // behind a conditional branch that was not taken
    kJumpArm = 2,  // on the way of one that was
  };
  struct Probe {
    Where where = Where::kPoint;
    uint32_t instruction = 0;  // of an arm: the branch
    uint32_t path = 0;         // of an arm: as Arm::path
  };
  // What is counted: by a probe, or by the point at an instruction.
  struct Term {
    bool is_probe = false;
    uint32_t index = 0;
  };
  // It ran as often as its terms did, all together: terms[first_term, first_term + term_count).
  struct Point {
    uint32_t instruction = 0;
    uint32_t first_term = 0, term_count = 0;
  };
  struct Arm {
    uint32_t branch = 0;  // the instruction
    uint32_t path = 0;    // 0: falls through; from 1: its targets
    uint32_t target = 0;  // the instruction that it leads to
    Term term;
  };

  std::vector<Probe> probes;
  std::vector<Point> points;  // by instruction
  std::vector<Arm> arms;      // by branch and path
  std::vector<Term> terms;
};

// instance: the method's first argument is an object that is there, or the address of a value.
Cause plan_probes(const Body& body, const CallShapes& shapes, bool instance, ProbePlan* plan);

// How often each point and each arm ran.
struct Runs {
  std::vector<uint64_t> points, arms;
};
// counts: of the probes. REQUIRES: one of each.
Runs runs_of(const ProbePlan& plan, std::span<const uint64_t> counts);

// piece: what the probe is. What is not kNone left the body as it was. REQUIRES: a plan of this body.
Cause put_probes(const ProbePlan& plan, const std::function<const Piece&(uint32_t probe)>& piece, Body* body);

}  // namespace walkabout::il
