#include "cli/process_lines.h"

#include <gtest/gtest.h>

namespace walkabout::cli {
namespace {

// Process i has i times 10 ms of CPU time, in a function below it.
profile::Profile of_processes(uint32_t count) {
  profile::Profile p;
  p.threads.resize(1);
  p.nodes.push_back({});
  p.frames.push_back({"f()", "f", "x.dll", profile::Kind::kManaged, true});
  for (uint32_t i = 0; i < count; ++i) {
    const std::string name = "app" + std::to_string(i) + " (pid 1)";
    p.frames.push_back({name, name, "", profile::Kind::kOther, true});
    const auto node = static_cast<uint32_t>(p.nodes.size());
    p.nodes.push_back({0, i + 1});
    p.nodes.push_back({node, 0});
    if (i > 0) p.samples.push_back({i, i * uint64_t{10'000'000}, 0, node + 1});
    p.total_weight += i * uint64_t{10'000'000};
  }
  return p;
}

std::string lines_of(const profile::Profile& several) {
  return process_lines(several, profile::sum_up(several), 80);
}

TEST(ProcessLines, HeaviestFirstAlsoThoseWithoutASample) {
  EXPECT_EQ(lines_of(of_processes(3)),
            "\n"
            "  total  process\n"
            "  66.7%  app2 (pid 1)\n"
            "  33.3%  app1 (pid 1)\n"
            "   0.0%  app0 (pid 1)\n");
}

TEST(ProcessLines, EightAndHowManyMore) {
  const std::string text = lines_of(of_processes(11));
  EXPECT_NE(text.find("  18.2%  app10 (pid 1)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("app3 (pid 1)\n         and 3 more\n"), std::string::npos) << text;
  EXPECT_EQ(text.find("app2 "), std::string::npos) << text;
}

}  // namespace
}  // namespace walkabout::cli
