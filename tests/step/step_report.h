// What was found between one begin and its end, as lines of text: one JSON object each.
// Asks the CLR for names: not in a handler, not while a thread is stepped.
#pragma once

#include <string>

#include "agent/core/code_registry.h"
#include "clr/names/method_name.h"
#include "tests/step/stepper.h"

namespace walkabout::agent::step {

class Report {
 public:
  Report(CodeRegistry& registry, clr::ICorProfilerInfo2* info)
      : registry_(registry), names_(info), info_(info) {}

  // A loaded library by its file's name; not valid if there is none.
  base::CodeId library(const std::string& name) const;
  // The line of a section, and one for each of its examples.
  std::string of(const std::string& section, Stepper& stepper);

 private:
  std::string name_of(wire::Frame frame, bool leaf);
  std::string frames(const wire::Frame* frames, uint32_t from, uint32_t count);
  std::string example(const std::string& section, const Example& e);

  CodeRegistry& registry_;
  clr::MethodNames names_;
  clr::ICorProfilerInfo2* info_;
};

}  // namespace walkabout::agent::step
