// Source lines in the formats that can say them: a line where it is certain, and nothing that looks certain
// where it is not.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <protozero/pbf_reader.hpp>
#include <sstream>
#include <string>

#include "formats/collapsed.h"
#include "formats/pprof.h"
#include "formats/speedscope.h"
#include "formats/test_profile.h"

namespace walkabout::formats {
namespace {

// Main at a certain line, Sort at one of two, and Main once more at another line.
profile::Profile with_lines() {
  profile::Profile p = testing::small_profile();
  p.frames[0].place = {"/src/Program.cs", {10}, true};
  p.frames[1].place = {"/src/Sorter.cs", {20, 22}, false};
  p.frames.push_back(p.frames[0]);
  p.frames.back().place.lines = {11};
  p.nodes[4].frame = static_cast<uint32_t>(p.frames.size()) - 1;
  return p;
}

struct Location {
  uint64_t function = 0;
  int64_t line = 0;
};

TEST(Lines, PprofHasCertainLinesAlone) {
  const std::string message = pprof_message(with_lines());
  std::vector<Location> locations;
  std::vector<std::string> strings;
  std::vector<int64_t> files;
  protozero::pbf_reader all(message);
  while (all.next()) {
    if (all.tag() == 4) {
      protozero::pbf_reader location = all.get_message();
      Location& found = locations.emplace_back();
      while (location.next(4)) {
        protozero::pbf_reader line = location.get_message();
        while (line.next())
          line.tag() == 1 ? found.function = line.get_uint64() : found.line = line.get_int64();
      }
    } else if (all.tag() == 5) {
      protozero::pbf_reader function = all.get_message();
      files.push_back(0);
      while (function.next()) {
        const auto tag = function.tag();
        const int64_t value = function.get_int64();
        if (tag == 4) files.back() = value;
      }
    } else if (all.tag() == 6) {
      strings.push_back(all.get_string());
    } else {
      all.skip();
    }
  }
  ASSERT_EQ(locations.size(), 5u);
  EXPECT_EQ(locations[0].line, 10);
  EXPECT_EQ(locations[1].line, 0) << "20 or 22";
  EXPECT_EQ(locations[4].line, 11);
  EXPECT_EQ(locations[4].function, locations[0].function) << "one function at two lines";
  ASSERT_EQ(files.size(), 4u);
  EXPECT_EQ(strings.at(static_cast<size_t>(files[0])), "/src/Program.cs");
}

TEST(Lines, CollapsedNamesThem) {
  std::ostringstream out;
  ASSERT_TRUE(write_collapsed(with_lines(), out).ok());
  EXPECT_NE(out.str().find("Demo.Program.Main(string[]) (Program.cs:10);Demo.Sorter.Sort<int>(List<int>) "
                           "(Sorter.cs:20 or 22);qsort "),
            std::string::npos)
      << out.str();
}

TEST(Lines, SpeedscopeHasFileAndLine) {
  std::ostringstream out;
  ASSERT_TRUE(write_speedscope(with_lines(), out).ok());
  const auto frames = nlohmann::json::parse(out.str())["shared"]["frames"];
  EXPECT_EQ(frames[0]["file"], "/src/Program.cs");
  EXPECT_EQ(frames[0]["line"], 10);
  EXPECT_FALSE(frames[1].contains("line"));
  EXPECT_EQ(frames[1]["name"], "Demo.Sorter.Sort<int>(List<int>) (Sorter.cs:20 or 22)");
  EXPECT_EQ(frames[2]["file"], "libc.so.6");
}

// Main with Sort inlined into it, and qsort called from there.
profile::Profile with_inlined() {
  profile::Profile p = testing::small_profile();
  p.frames[1].inlined = true;
  p.frames[1].name += profile::kInlinedMark;
  return p;
}

TEST(Inlined, PprofHasOneLocationWithALineForEachMethod) {
  const std::string message = pprof_message(with_inlined());
  std::vector<std::vector<uint64_t>> functions;  // of each location, by its id - 1
  std::vector<size_t> depths;                    // of each sample
  std::vector<std::string> strings;
  protozero::pbf_reader all(message);
  while (all.next()) {
    if (all.tag() == 4) {
      protozero::pbf_reader location = all.get_message();
      functions.emplace_back();
      while (location.next(4)) {
        protozero::pbf_reader line = location.get_message();
        while (line.next(1)) functions.back().push_back(line.get_uint64());
      }
    } else if (all.tag() == 2) {
      protozero::pbf_reader sample = all.get_message();
      sample.next(1);
      const auto ids = sample.get_packed_uint64();
      depths.push_back(static_cast<size_t>(std::distance(ids.begin(), ids.end())));
    } else if (all.tag() == 6) {
      strings.push_back(all.get_string());
    } else {
      all.skip();
    }
  }
  ASSERT_EQ(functions.size(), 5u) << "one for each frame, and that of both methods";
  EXPECT_EQ(functions[4], (std::vector<uint64_t>{functions[1][0], functions[0][0]})) << "the leaf first";
  EXPECT_EQ(depths, (std::vector<size_t>{1, 2, 1, 2})) << "qsort, and the location that called it";
  EXPECT_EQ(std::count(strings.begin(), strings.end(), "Demo.Sorter.Sort<int>(List<int>)"), 1)
      << "pprof itself says that it is inlined";
}

TEST(Inlined, OthersHaveFramesWithTheMark) {
  std::ostringstream out;
  ASSERT_TRUE(write_collapsed(with_inlined(), out).ok());
  EXPECT_NE(out.str().find("Main(string[]);Demo.Sorter.Sort<int>(List<int>) [inlined];qsort "),
            std::string::npos)
      << out.str();
}

}  // namespace
}  // namespace walkabout::formats
