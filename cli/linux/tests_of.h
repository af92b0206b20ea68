// `walkabout cover --tests-of`, `--tests-of-diff`: which tests reach lines that change, from the map that
// `--test-map` wrote.
#pragma once

#include <string>
#include <vector>

namespace walkabout::cli {

struct TestsOf {
  std::string map;                  // file
  std::vector<std::string> places;  // "Orders.cs:12"
  std::string diff;                 // file; "-": standard input; empty: none
  bool quiet = false;               // names alone
};

// Prints the tests' names, one a line. The exit code.
int print_tests_of(const TestsOf& asked);

}  // namespace walkabout::cli
