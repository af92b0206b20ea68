// The names of tests that processes told apart, from their assemblies' metadata. Hostile files. One thread.
#pragma once

#include "cover/count_reader.h"
#include "cover/test_map.h"

namespace walkabout::cover {

// A map without files: its flows are Counted::tests, by the same numbers.
TestMap name_tests(const Counted& counted);

}  // namespace walkabout::cover
