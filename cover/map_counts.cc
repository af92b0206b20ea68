#include "cover/map_counts.h"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/byte_hash.h"
#include "base/file_name.h"
#include "cover/compiled_source.h"
#include "cover/made_branches.h"
#include "cover/module_view.h"
#include "cover/name_tests.h"
#include "il/body_reader.h"
#include "il/flow.h"
#include "il/probe_plan.h"
#include "precompiled/call_shape.h"
#include "symbols/elf/file_root.h"
#include "symbols/lines/assembly_pdb.h"
#include "symbols/lines/line_budget.h"

namespace walkabout::cover {
namespace {

using pdb::SequencePoint;
using precompiled::Table;

constexpr uint32_t kMethodToken = 0x06000000;
constexpr uint32_t kStaticMethod = 0x10;  // of MethodAttributes
constexpr uint32_t kMostLinesOfPoint = 100'000;

// A statement: its lines, and how often it ran.
struct Statement {
  uint32_t first = 0, last = 0;
  uint64_t hits = 0;
  uint32_t method = 0;
  std::vector<uint32_t> tests;  // in which it ran
};

struct BuiltFile {
  bool is_wanted = false;
  SourceFile file;
  std::vector<Statement> statements;
};

// A line is of the statements that are on it, but for those that have others strictly within their lines.
// tests: of each line those in which it ran, rising.
void add_lines(std::vector<Statement> statements, bool counts, SourceFile* file,
               std::map<uint32_t, std::vector<uint32_t>>* tests) {
  std::stable_sort(statements.begin(), statements.end(),
                   [](const Statement& a, const Statement& b) { return a.first < b.first; });
  for (size_t i = 0; i < statements.size(); ++i) {
    const Statement& outer = statements[i];
    std::vector<bool> is_others(outer.last - outer.first + 1);
    for (size_t j = i + 1; j < statements.size() && statements[j].first < outer.last; ++j) {
      const Statement& inner = statements[j];
      if (inner.first <= outer.first || inner.last >= outer.last) continue;
      for (uint32_t line = inner.first; line <= inner.last; ++line) is_others[line - outer.first] = true;
    }
    for (uint32_t number = outer.first; number <= outer.last; ++number) {
      Line& line = file->lines.try_emplace(number, Line{0, outer.method}).first->second;
      std::vector<uint32_t>* const of_line = tests == nullptr ? nullptr : &(*tests)[number];
      if (is_others[number - outer.first]) continue;
      if (of_line != nullptr) of_line->insert(of_line->end(), outer.tests.begin(), outer.tests.end());
      line.hits = counts ? line.hits + outer.hits : std::max<uint64_t>(line.hits, outer.hits != 0);
    }
  }
  if (tests == nullptr) return;
  for (auto& [number, of_line] : *tests) {
    std::sort(of_line.begin(), of_line.end());
    of_line.erase(std::unique(of_line.begin(), of_line.end()), of_line.end());
  }
}

class ModuleMapper {
 public:
  ModuleMapper(const CountedModule& counted, bool counts, const Mapping& mapping,
               const symbols::AssemblyPdb& assembly, LeftOut& left_out, TestMap* tests)
      : counted_(counted),
        counts_(counts),
        mapping_(mapping),
        assembly_(assembly),
        pdb_(*assembly.pdb()),
        metadata_(*assembly.metadata()),
        view_(metadata_, pdb_),
        left_out_(left_out),
        tests_(tests) {}

  Module map() {
    for (uint32_t row = 1; row <= metadata_.rows(Table::kMethodDef); ++row) map_method(row);
    Module module;
    for (auto& [document, built] : documents_) {
      if (!built.is_wanted) continue;
      const auto row = pdb_.document(document);
      built.file.checksum = checksum_of(*row);
      std::map<uint32_t, std::vector<uint32_t>> tests;
      add_lines(std::move(built.statements), counts_, &built.file, tests_ == nullptr ? nullptr : &tests);
      number_branches(built.file);
      if (tests_ != nullptr && !built.file.lines.empty())
        add_file(row->path, {built.file.checksum, std::move(tests)}, tests_);
      if (!built.file.lines.empty()) module.files[row->path] = std::move(built.file);
    }
    if (!module.files.empty()) left_out_.sources += missing_sources_, left_out_.methods += lost_methods_;
    return module;
  }

 private:
  BuiltFile& file_of(uint32_t document) {
    const auto [entry, fresh] = documents_.try_emplace(document);
    if (!fresh) return entry->second;
    const auto row = pdb_.document(document);
    const std::string path = row ? row->path : std::string();
    const bool is_asked = !path.empty() && mapping_.wants(path);
    entry->second.is_wanted = is_asked && ::access(path.c_str(), R_OK) == 0;
    missing_sources_ += is_asked && !entry->second.is_wanted;
    return entry->second;
  }

  // The method's name in the file.
  uint32_t method_in(SourceFile& file, uint32_t row) {
    const uint32_t written = view_.written_method(row);
    const auto [entry, fresh] = names_.try_emplace(written);
    if (fresh) entry->second = view_.name_of(written);
    const auto found = std::find(file.methods.rbegin(), file.methods.rend(), entry->second);
    if (found != file.methods.rend()) return static_cast<uint32_t>(file.methods.rend() - found) - 1;
    file.methods.push_back(entry->second);
    return static_cast<uint32_t>(file.methods.size()) - 1;
  }

  void map_method(uint32_t row) {
    const std::vector<SequencePoint> points = pdb_.sequence_points(row);
    if (std::none_of(points.begin(), points.end(), [](const SequencePoint& p) { return p.line != 0; }))
      return;
    if (view_.is_excluded(row)) return;
    const base::Bytes bytes = assembly_.body_of(row);
    const bool instance = (metadata_.cell(Table::kMethodDef, row, 2) & kStaticMethod) == 0;
    il::Body body;
    il::ProbePlan plan;
    if (counted_.left_alone.count(kMethodToken | row) != 0 ||
        il::read_body(bytes, &body) != il::Cause::kNone ||
        il::plan_probes(
            body, [this](uint32_t token) { return precompiled::call_shape(metadata_, token); }, instance,
            &plan) != il::Cause::kNone) {
      ++lost_methods_;
      return;
    }
    std::vector<uint64_t> counts(plan.probes.size());
    if (const auto found = counted_.methods.find(kMethodToken | row); found != counted_.methods.end()) {
      const auto hash = static_cast<uint32_t>(base::hash_of(il::code_of(bytes), 0));
      if (found->second.body_hash != hash || found->second.counts.size() != counts.size()) {
        ++lost_methods_;
        return;
      }
      counts = found->second.counts;
    }
    const il::Runs runs = il::runs_of(plan, counts);
    std::map<uint32_t, il::Runs> in_tests;
    if (const auto found = counted_.methods.find(kMethodToken | row);
        tests_ != nullptr && found != counted_.methods.end()) {
      for (const auto& [test, ran] : found->second.in_tests)
        in_tests[test] = il::runs_of(plan, std::vector<uint64_t>(ran.begin(), ran.end()));
    }
    const MadeBranches made(view_, row, body, points);
    add_statements(row, body, plan, runs, in_tests, points, made);
    add_arms(row, body, plan, runs, points, made);
  }

  // Of the point there, or of the last before.
  static uint64_t runs_at(const il::ProbePlan& plan, const il::Runs& runs, uint32_t index) {
    const auto behind = std::upper_bound(
        plan.points.begin(), plan.points.end(), index,
        [](uint32_t wanted, const il::ProbePlan::Point& point) { return wanted < point.instruction; });
    return behind == plan.points.begin() ? 0
                                         : runs.points[static_cast<size_t>(behind - plan.points.begin()) - 1];
  }

  void add_statements(uint32_t row, const il::Body& body, const il::ProbePlan& plan, const il::Runs& runs,
                      const std::map<uint32_t, il::Runs>& in_tests, const std::vector<SequencePoint>& points,
                      const MadeBranches& made) {
    for (const SequencePoint& point : points) {
      const auto index = il::index_of(body, point.il);
      if (point.line == 0 || !index || made.is_not_coverable(*index)) continue;
      BuiltFile& built = file_of(point.document);
      if (!built.is_wanted || point.last_line - point.line > kMostLinesOfPoint) continue;
      built.statements.push_back(
          {point.line, point.last_line, runs_at(plan, runs, *index), method_in(built.file, row), {}});
      for (const auto& [test, ran] : in_tests) {
        if (runs_at(plan, ran, *index) != 0) built.statements.back().tests.push_back(test);
      }
    }
  }

  void add_arms(uint32_t row, const il::Body& body, const il::ProbePlan& plan, const il::Runs& runs,
                const std::vector<SequencePoint>& points, const MadeBranches& made) {
    size_t arm = 0;
    for (const uint32_t branch : made.others()) {
      const SequencePoint& statement = statement_of(points, body.code[branch].origin);
      BuiltFile& built = file_of(statement.document);
      while (arm < plan.arms.size() && plan.arms[arm].branch < branch) ++arm;
      for (; arm < plan.arms.size() && plan.arms[arm].branch == branch; ++arm) {
        const uint32_t end = il::behind_jumps(body, plan.arms[arm].target);
        if (!built.is_wanted || end >= body.code.size() || made.is_not_coverable(end)) continue;
        const uint64_t hits =
            mapping_.reached_arms ? reached(body, plan, runs, plan.arms[arm], end) : runs.arms[arm];
        built.file.arms.push_back({statement.line, method_in(built.file, row), branch, plan.arms[arm].path,
                                   counts_ ? hits : uint64_t{hits != 0}});
      }
    }
  }

  // As coverlet has it: whatever runs at the way's end counts, but where code falls through into the end only
  // what the same branch has jump there.
  static uint64_t reached(const il::Body& body, const il::ProbePlan& plan, const il::Runs& runs,
                          const il::ProbePlan::Arm& arm, uint32_t end) {
    const bool jumps_straight = arm.path != 0 && end == arm.target;
    if (!jumps_straight || end == 0 || !il::flows_on(body.code[end - 1].op)) return runs_at(plan, runs, end);
    uint64_t hits = 0;
    for (size_t i = 0; i < plan.arms.size(); ++i) {
      const il::ProbePlan::Arm& other = plan.arms[i];
      if (other.branch == arm.branch && other.target == end && other.path != 0) hits += runs.arms[i];
    }
    return hits;
  }

  // The last one with a line before it; else the first. REQUIRES: there is one.
  static const SequencePoint& statement_of(const std::vector<SequencePoint>& points, uint32_t il) {
    const SequencePoint* last = nullptr;
    for (const SequencePoint& point : points) {
      if (point.line == 0) continue;
      if (last != nullptr && point.il > il) break;
      last = &point;
    }
    return *last;
  }

  // From where each branch is in its method to which of its line's it is.
  static void number_branches(SourceFile& file) {
    std::stable_sort(file.arms.begin(), file.arms.end(),
                     [](const Arm& a, const Arm& b) { return a.line < b.line; });
    uint32_t number = 0;
    std::optional<Arm> last;
    for (Arm& arm : file.arms) {
      const bool same_line = last && last->line == arm.line;
      const bool same =
          same_line && last->method == arm.method && last->branch == arm.branch && last->path < arm.path;
      number = !same_line ? 0 : same ? number : number + 1;
      last = arm;
      arm.branch = number;
    }
  }

  const CountedModule& counted_;
  const bool counts_;
  const Mapping& mapping_;
  const symbols::AssemblyPdb& assembly_;
  const pdb::PortablePdb& pdb_;
  const precompiled::Metadata& metadata_;
  const ModuleView view_;
  LeftOut& left_out_;
  TestMap* const tests_;
  // Of a module that was not built here nothing is missed.
  uint64_t missing_sources_ = 0, lost_methods_ = 0;
  std::map<uint32_t, BuiltFile> documents_;
  std::map<uint32_t, Method> names_;  // by row
};

}  // namespace

Coverage map_counts(const Counted& counted, const Mapping& mapping, LeftOut* left_out, TestMap* tests) {
  Coverage coverage;
  if (tests != nullptr) *tests = name_tests(counted);
  coverage.counts = counted.counts;
  for (const auto& [version, module] : counted.modules) {
    symbols::LineBudget budget;
    symbols::AssemblyPdb assembly({base::AssemblyId(1), module.path, version}, budget);
    assembly.look(symbols::FileRoot());
    const std::string file(base::file_name(module.path));
    if (assembly.pdb() == nullptr) {
      left_out->modules.push_back(file + ": " + assembly.why());
      continue;
    }
    Module mapped = ModuleMapper(module, counted.counts, mapping, assembly, *left_out, tests).map();
    if (mapped.files.empty()) continue;
    Coverage one;
    one.counts = counted.counts;
    one.modules[file.substr(0, file.rfind('.'))] = std::move(mapped);
    for (const std::string& other : merge(one, &coverage))
      left_out->modules.push_back(other + ", of one of two builds of " + file + ": its text differs");
  }
  if (tests != nullptr) drop_empty_flows(tests);
  return coverage;
}

}  // namespace walkabout::cover
