// In which tests each line of a program's sources ran, and which tests a change of lines concerns. What
// `walkabout cover --test-map` writes and reads. Plain values; one thread.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace walkabout::cover {

// What a line ran in.
struct TestFlow {
  enum class Kind : uint8_t {
    kTest = 0,     // a test method, and all that it started
    kType = 1,     // a type's other methods, outside of tests: set-up and fixtures
    kUnknown = 2,  // none of these
  };
  Kind kind = Kind::kUnknown;
  std::string assembly;  // "Shop.Tests"
  std::string name;  // "Shop.Tests.Orders+Inner.Saves", as `dotnet test --filter FullyQualifiedName=` has it
  auto operator<=>(const TestFlow&) const = default;
};

struct TestMap {
  struct File {
    std::string checksum;  // as SourceFile::checksum
    // By line, of all that have code: TestMap::flows, rising.
    std::map<uint32_t, std::vector<uint32_t>> lines;
  };
  std::vector<TestFlow> flows;
  std::map<std::string, File> files;  // by path
  uint64_t lost = 0;                  // runs and methods of which it is not known which test they are of
};

// Lines of a file that the map has already are added; of another text they are not.
void add_file(const std::string& path, TestMap::File file, TestMap* map);

// Types in which nothing ran, and what is unknown where nothing is, go.
void drop_empty_flows(TestMap* map);

base::Status write_test_map(const TestMap& map, std::ostream& out);
// Of write_test_map's. Hostile text.
base::Result<TestMap> read_test_map(std::string_view text);

}  // namespace walkabout::cover
