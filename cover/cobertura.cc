#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <iterator>
#include <map>
#include <ostream>
#include <string>
#include <utility>

#include "cover/file_rows.h"
#include "cover/markup.h"
#include "cover/outputs_of_coverage.h"

namespace walkabout::cover {
namespace {

std::string rate(uint64_t part, uint64_t whole) {
  return whole == 0 ? "1" : fmt::format("{:.4g}", static_cast<double>(part) / static_cast<double>(whole));
}

std::string rates(const Totals& totals) {
  return fmt::format(R"(line-rate="{}" branch-rate="{}")", rate(totals.lines_hit, totals.lines),
                     rate(totals.arms_hit, totals.arms));
}

// Ends with a slash; "/" where there is none.
std::string common_folder(const Coverage& coverage) {
  std::string common;
  bool first = true;
  for (const auto& [name, module] : coverage.modules) {
    for (const auto& [path, file] : module.files) {
      const std::string folder = path.substr(0, path.rfind('/') + 1);
      if (std::exchange(first, false)) common = folder;
      while (!folder.starts_with(common)) common.resize(common.rfind('/', common.size() - 2) + 1);
    }
  }
  return common.empty() ? "/" : common;
}

// A type's part of a file.
struct TypeRows {
  std::vector<const MethodRow*> methods;
  std::vector<uint32_t> lines;
};

class CoberturaWriter {
 public:
  CoberturaWriter(const Coverage& coverage, std::ostream& out)
      : coverage_(coverage), out_(out), folder_(common_folder(coverage)) {}

  void write() {
    const Totals all = totals_of(coverage_);
    print(R"(<?xml version="1.0" encoding="utf-8"?>
<coverage {} lines-covered="{}" lines-valid="{}" branches-covered="{}" branches-valid="{}" complexity="0" version="walkabout" timestamp="{}">
  <sources>
    <source>{}</source>
  </sources>
  <packages>
)",
          rates(all), all.lines_hit, all.lines, all.arms_hit, all.arms, std::time(nullptr), escaped(folder_));
    for (const auto& [name, module] : coverage_.modules) write_package(name, module);
    print("  </packages>\n</coverage>\n");
  }

 private:
  template <typename... Values>
  void print(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::ostreambuf_iterator<char>(out_), format, std::forward<Values>(values)...);
  }

  void write_package(const std::string& name, const Module& module) {
    print("    <package name=\"{}\" {} complexity=\"0\">\n      <classes>\n", escaped(name),
          rates(totals_of(module)));
    for (const auto& [path, file] : module.files) write_file(path, file);
    print("      </classes>\n    </package>\n");
  }

  void write_file(const std::string& path, const SourceFile& file) {
    const auto branches = branches_by_line(file);
    const std::vector<MethodRow> methods = methods_by_line(file);
    std::map<std::string, TypeRows> types;
    for (const MethodRow& method : methods) {
      TypeRows& type = types[method.method->type];
      type.methods.push_back(&method);
      type.lines.insert(type.lines.end(), method.lines.begin(), method.lines.end());
    }
    for (auto& [name, type] : types) {
      std::sort(type.lines.begin(), type.lines.end());
      print("        <class name=\"{}\" filename=\"{}\" {} complexity=\"0\">\n          <methods>\n",
            escaped(name), escaped(path.substr(std::min(path.size(), folder_.size()))),
            rates(totals(file, branches, type.lines)));
      for (const MethodRow* method : type.methods) {
        print("            <method name=\"{}\" signature=\"({})\" {} complexity=\"0\">\n",
              escaped(method->method->name), escaped(method->method->parameters),
              rates(totals(file, branches, method->lines)));
        write_lines(file, branches, method->lines, 14);
        print("            </method>\n");
      }
      print("          </methods>\n");
      write_lines(file, branches, type.lines, 10);
      print("        </class>\n");
    }
  }

  using Branches = std::map<uint32_t, std::vector<BranchRow>>;
  static Totals totals(const SourceFile& file, const Branches& branches, const std::vector<uint32_t>& lines) {
    Totals totals;
    for (const uint32_t number : lines) {
      ++totals.lines;
      totals.lines_hit += file.lines.at(number).hits != 0;
      const auto found = branches.find(number);
      if (found == branches.end()) continue;
      for (const BranchRow& branch : found->second)
        totals.arms += branch.arms.size(), totals.arms_hit += branch.taken();
    }
    return totals;
  }

  void write_lines(const SourceFile& file, const Branches& branches, const std::vector<uint32_t>& lines,
                   int indent) {
    print("{:{}}<lines>\n", "", indent);
    for (const uint32_t number : lines) write_line(file, branches, number, indent + 2);
    print("{:{}}</lines>\n", "", indent);
  }

  void write_line(const SourceFile& file, const Branches& branches, uint32_t number, int indent) {
    const uint64_t hits = file.lines.at(number).hits;
    const auto found = branches.find(number);
    if (found == branches.end()) {
      print("{:{}}<line number=\"{}\" hits=\"{}\" branch=\"false\" />\n", "", indent, number, hits);
      return;
    }
    size_t arms = 0, taken = 0;
    for (const BranchRow& branch : found->second) arms += branch.arms.size(), taken += branch.taken();
    print("{:{}}<line number=\"{}\" hits=\"{}\" branch=\"true\" condition-coverage=\"{}% ({}/{})\">\n", "",
          indent, number, hits, 100 * taken / arms, taken, arms);
    print("{:{}}<conditions>\n", "", indent + 2);
    for (const BranchRow& branch : found->second) {
      print("{:{}}<condition number=\"{}\" type=\"{}\" coverage=\"{}%\" />\n", "", indent + 4,
            branch.arms[0].branch, branch.arms.size() > 2 ? "switch" : "jump",
            100 * branch.taken() / branch.arms.size());
    }
    print("{:{}}</conditions>\n{:{}}</line>\n", "", indent + 2, "", indent);
  }

  const Coverage& coverage_;
  std::ostream& out_;
  const std::string folder_;
};

}  // namespace

base::Status write_cobertura(const Coverage& coverage, std::ostream& out) {
  CoberturaWriter(coverage, out).write();
  return {};
}

}  // namespace walkabout::cover
