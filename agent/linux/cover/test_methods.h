// Which methods of a test assembly are tests, and which of the others say whose code runs outside of tests
// (constructors, set-up, fixtures). By names of attributes: xunit's, NUnit's, MSTest's, TUnit's and those
// made of them. Hostile bytes. Pure; any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "precompiled/metadata_tables.h"

namespace walkabout::agent {

enum class TestRole : uint8_t {
  kNone,     // the compiler's, or of the type that the process begins in
  kOther,    // outside of tests it is of its type
  kFixture,  // the same, of a type that has tests
  kTest,
};

// By row of MethodDef; [0] is none.
std::vector<TestRole> test_roles(const precompiled::Metadata& metadata);

}  // namespace walkabout::agent
