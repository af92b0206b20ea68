#include "cover/test_map.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>
#include <utility>

namespace walkabout::cover {
namespace {

using nlohmann::json;

constexpr char kTestsVersion[] = "walkabout_tests";
constexpr int kTestMapVersion = 1;
constexpr const char* kKinds[] = {"test", "type", "unknown"};

// "12", "14-20": runs of lines.
std::string ranges_of(const std::set<uint32_t>& lines) {
  std::string text;
  for (auto at = lines.begin(); at != lines.end();) {
    const uint32_t first = *at;
    uint32_t last = first;
    for (++at; at != lines.end() && *at == last + 1; ++at) last = *at;
    text += (text.empty() ? "" : ",") + std::to_string(first);
    if (last != first) text += "-" + std::to_string(last);
  }
  return text;
}

}  // namespace

void add_file(const std::string& path, TestMap::File file, TestMap* map) {
  const auto [entry, fresh] = map->files.try_emplace(path);
  TestMap::File& known = entry->second;
  if (fresh) {
    known = std::move(file);
    return;
  }
  if (known.checksum != file.checksum) return;
  for (auto& [line, flows] : file.lines) {
    std::vector<uint32_t>& all = known.lines[line];
    std::vector<uint32_t> both;
    std::set_union(all.begin(), all.end(), flows.begin(), flows.end(), std::back_inserter(both));
    all = std::move(both);
  }
}

void drop_empty_flows(TestMap* map) {
  std::vector<bool> is_used(map->flows.size());
  for (const auto& [path, file] : map->files) {
    for (const auto& [line, flows] : file.lines) {
      for (const uint32_t flow : flows) is_used[flow] = true;
    }
  }
  std::vector<uint32_t> now(map->flows.size());
  std::vector<TestFlow> kept;
  for (size_t i = 0; i < now.size(); ++i) {
    now[i] = static_cast<uint32_t>(kept.size());
    if (is_used[i] || map->flows[i].kind == TestFlow::Kind::kTest) kept.push_back(std::move(map->flows[i]));
  }
  map->flows = std::move(kept);
  for (auto& [path, file] : map->files) {
    for (auto& [line, flows] : file.lines) {
      for (uint32_t& flow : flows) flow = now[flow];
    }
  }
}

base::Status write_test_map(const TestMap& map, std::ostream& out) {
  std::vector<std::map<std::string, std::set<uint32_t>>> reached(map.flows.size());
  json files = json::object();
  for (const auto& [path, file] : map.files) {
    json lines = json::object();
    for (const auto& [line, flows] : file.lines) {
      lines[std::to_string(line)] = flows;
      for (const uint32_t flow : flows) reached[flow][path].insert(line);
    }
    files[path] = {{"checksum", file.checksum}, {"lines", lines}};
  }
  json tests = json::array();
  for (size_t i = 0; i < map.flows.size(); ++i) {
    json of_test = json::object();
    for (const auto& [path, lines] : reached[i]) of_test[path] = ranges_of(lines);
    tests.push_back({{"kind", kKinds[static_cast<size_t>(map.flows[i].kind)]},
                     {"assembly", map.flows[i].assembly},
                     {"name", map.flows[i].name},
                     {"reaches", of_test}});
  }
  out << json{{kTestsVersion, kTestMapVersion}, {"lost", map.lost}, {"tests", tests}, {"files", files}}.dump(
             -1, ' ', false, json::error_handler_t::replace)
      << '\n';
  return {};
}

base::Result<TestMap> read_test_map(std::string_view text) {
  const base::Status wrong =
      base::Status::error("it is no file that walkabout cover --test-map wrote, or is damaged");
  const json from = json::parse(text, nullptr, false);
  if (!from.is_object() || !from.contains(kTestsVersion)) return wrong;
  if (from[kTestsVersion] != kTestMapVersion)
    return base::Status::error("it is of another version of walkabout; make the map again with this one");
  if (!from.contains("tests") || !from["tests"].is_array() || !from.contains("files") ||
      !from["files"].is_object() || !from.contains("lost") || !from["lost"].is_number_unsigned())
    return wrong;
  TestMap map;
  map.lost = from["lost"].get<uint64_t>();
  for (const json& test : from["tests"]) {
    if (!test.is_object()) return wrong;
    for (const char* field : {"kind", "assembly", "name"}) {
      if (!test.contains(field) || !test[field].is_string()) return wrong;
    }
    const auto kind = std::find(std::begin(kKinds), std::end(kKinds), test["kind"].get<std::string>());
    if (kind == std::end(kKinds)) return wrong;
    map.flows.push_back({static_cast<TestFlow::Kind>(kind - std::begin(kKinds)),
                         test["assembly"].get<std::string>(), test["name"].get<std::string>()});
  }
  for (const auto& [path, file] : from["files"].items()) {
    if (!file.is_object() || !file.contains("lines") || !file["lines"].is_object()) return wrong;
    TestMap::File& read = map.files[path];
    if (file.contains("checksum") && file["checksum"].is_string())
      read.checksum = file["checksum"].get<std::string>();
    for (const auto& [number, flows] : file["lines"].items()) {
      constexpr size_t kMostDigits = 9;
      if (number.empty() || number.size() > kMostDigits ||
          number.find_first_not_of("0123456789") != std::string::npos || !flows.is_array())
        return wrong;
      std::vector<uint32_t>& of_line = read.lines[static_cast<uint32_t>(std::stoul(number))];
      for (const json& flow : flows) {
        if (!flow.is_number_unsigned() || flow.get<uint64_t>() >= map.flows.size()) return wrong;
        of_line.push_back(flow.get<uint32_t>());
      }
    }
  }
  return map;
}

}  // namespace walkabout::cover
