// The calls that a recording counted, method by method: `walkabout count`. A reader of its own, because they
// have no stacks. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "profile/model/profile.h"
#include "recording/call_totals.h"
#include "wire/records.h"

namespace walkabout::profile {

// Code that calls a method, as a person reads it: a method, a native function, a stub.
struct Caller {
  std::string name;
  std::string module;
  Kind kind = Kind::kOther;
  uint64_t calls = 0;
};

struct CountedCalls {
  std::string name;   // "Orders.Cart.Add(Item)"
  std::string match;  // "Orders.Cart.Add": what patterns are compared with
  std::string module;
  uint64_t calls = 0;
  std::string problem;  // why they were not counted; empty: they were
  std::string raw_name = {};
  uint32_t own = 0;                  // where the name begins behind the namespace
  uint32_t index = 0;                // its CountedMethod's
  std::vector<Caller> callers = {};  // the most calls first, and at most as many calls as the method's

  // Of so many it is not known who made them.
  uint64_t not_told() const;
};

struct Calls {
  wire::Session session;
  std::vector<CountedCalls> methods;  // the most calls first
  std::vector<wire::CallPattern> patterns;
  wire::CallState state;
  uint64_t duration_us =
      0;                   // of a process that ran already since all methods were counted, if they ever were
  bool complete = false;   // the agent ended it in good order
  bool asked = false;      // calls were counted at all
  bool by_caller = false;  // also who made them
  // Of those that are not told: of more places than are kept apart; the caller was not found.
  uint64_t no_room = 0, not_found = 0;
  std::vector<wire::Message> messages;
  std::string damage;

  uint64_t total() const;
};

base::Result<Calls> load_calls(const std::string& path);

// Whether it is a recording of calls that were counted: it has no samples. Reads its beginning.
bool counts_calls(const std::string& path);

// As a person reads it.
std::string name_of(const wire::CountedMethod& method);
// Names of methods, no two of which are alike, and their calls; by index.
std::vector<CountedCalls> calls_by_index(const recording::CallTotals& totals);
// The most calls first.
std::vector<CountedCalls> named_calls(const recording::CallTotals& totals);

}  // namespace walkabout::profile
