#include "cover/line_coverage.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace walkabout::cover {
namespace {

uint64_t sum_of(uint64_t a, uint64_t b) {
  return a > std::numeric_limits<uint64_t>::max() - b ? std::numeric_limits<uint64_t>::max() : a + b;
}

auto place_of(const Arm& arm) { return std::tuple(arm.line, arm.branch, arm.path); }

void merge_file(const SourceFile& from, bool counts, SourceFile* into) {
  const auto joined = [counts](uint64_t a, uint64_t b) { return counts ? sum_of(a, b) : std::max(a, b); };
  std::vector<uint32_t> methods;  // what each is called there
  for (const Method& method : from.methods) {
    const auto found = std::find(into->methods.begin(), into->methods.end(), method);
    methods.push_back(static_cast<uint32_t>(found - into->methods.begin()));
    if (found == into->methods.end()) into->methods.push_back(method);
  }
  for (const auto& [number, line] : from.lines) {
    const auto [entry, fresh] = into->lines.try_emplace(number, Line{0, methods[line.method]});
    entry->second.hits = joined(entry->second.hits, line.hits);
  }
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, Arm> arms;
  for (const Arm& arm : into->arms) arms[place_of(arm)] = arm;
  for (const Arm& arm : from.arms) {
    const auto [entry, fresh] = arms.try_emplace(place_of(arm), arm);
    if (fresh)
      entry->second.method = methods[arm.method];
    else
      entry->second.hits = joined(entry->second.hits, arm.hits);
  }
  into->arms.clear();
  for (const auto& [place, arm] : arms) into->arms.push_back(arm);
}

}  // namespace

void Totals::add(const Totals& other) {
  lines += other.lines, lines_hit += other.lines_hit;
  arms += other.arms, arms_hit += other.arms_hit;
  methods += other.methods, methods_hit += other.methods_hit;
}

Totals totals_of(const SourceFile& file) {
  Totals totals;
  totals.lines = file.lines.size();
  totals.arms = file.arms.size();
  std::vector<bool> has_lines(file.methods.size()), ran(file.methods.size());
  for (const auto& [number, line] : file.lines) {
    totals.lines_hit += line.hits != 0;
    has_lines[line.method] = true;
    if (line.hits != 0) ran[line.method] = true;
  }
  for (const Arm& arm : file.arms) totals.arms_hit += arm.hits != 0;
  totals.methods = static_cast<uint64_t>(std::count(has_lines.begin(), has_lines.end(), true));
  totals.methods_hit = static_cast<uint64_t>(std::count(ran.begin(), ran.end(), true));
  return totals;
}

Totals totals_of(const Module& module) {
  Totals totals;
  for (const auto& [path, file] : module.files) totals.add(totals_of(file));
  return totals;
}

Totals totals_of(const Coverage& coverage) {
  Totals totals;
  for (const auto& [name, module] : coverage.modules) totals.add(totals_of(module));
  return totals;
}

std::vector<std::string> merge(const Coverage& from, Coverage* into) {
  std::vector<std::string> others;
  into->counts = into->counts || from.counts;
  for (const auto& [name, module] : from.modules) {
    Module& merged = into->modules[name];
    for (const auto& [path, file] : module.files) {
      SourceFile& known = merged.files[path];
      if (known.checksum.empty()) known.checksum = file.checksum;
      if (known.checksum == file.checksum || file.checksum.empty())
        merge_file(file, into->counts, &known);
      else
        others.push_back(path);
    }
  }
  return others;
}

}  // namespace walkabout::cover
