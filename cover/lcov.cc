#include <ostream>
#include <string>

#include "cover/file_rows.h"
#include "cover/outputs_of_coverage.h"

namespace walkabout::cover {
namespace {

std::string lcov_name(const Method& method) {
  return method.type + "." + method.name + "(" + method.parameters + ")";
}

void write_file(const std::string& path, const SourceFile& file, std::ostream& out) {
  const Totals totals = totals_of(file);
  out << "TN:\nSF:" << path << '\n';
  const std::vector<MethodRow> methods = methods_by_line(file);
  for (const MethodRow& row : methods) out << "FN:" << row.lines[0] << ',' << lcov_name(*row.method) << '\n';
  for (const MethodRow& row : methods) out << "FNDA:" << row.hits << ',' << lcov_name(*row.method) << '\n';
  out << "FNF:" << totals.methods << "\nFNH:" << totals.methods_hit << '\n';
  for (const auto& [number, branches] : branches_by_line(file)) {
    for (const BranchRow& branch : branches) {
      for (const Arm& arm : branch.arms) {
        out << "BRDA:" << number << ',' << arm.branch << ',' << arm.path << ',';
        if (branch.taken() == 0)
          out << '-';  // it was not reached
        else
          out << arm.hits;
        out << '\n';
      }
    }
  }
  out << "BRF:" << totals.arms << "\nBRH:" << totals.arms_hit << '\n';
  for (const auto& [number, line] : file.lines) out << "DA:" << number << ',' << line.hits << '\n';
  out << "LF:" << totals.lines << "\nLH:" << totals.lines_hit << "\nend_of_record\n";
}

}  // namespace

base::Status write_lcov(const Coverage& coverage, std::ostream& out) {
  for (const auto& [name, module] : coverage.modules) {
    for (const auto& [path, file] : module.files) write_file(path, file, out);
  }
  return {};
}

}  // namespace walkabout::cover
