#include "symbols/lines/lines_left_out.h"

#include "base/file_name.h"
#include "base/left_out_text.h"
#include "pdb/sequence_points.h"
#include "recording/constants.h"
#include "symbols/lines/line_budget.h"
#include "symbols/lines/source_lines.h"

namespace walkabout::symbols {
namespace {

constexpr size_t kLongestName = 200;  // of a file, in a sentence

std::string decimal(uint64_t n) { return std::to_string(n); }

// Behind "have no source lines".
std::string cause(LineLoss why) {
  switch (why) {
    case LineLoss::kDamaged:
      return ", or not all of them, for their PDB is damaged; build it anew";
    case LineLoss::kTooMany:
      return ", for a method may have at most " + decimal(pdb::kMostPoints) +
             " sequence points; split such methods";
    case LineLoss::kRecordFull:
      return ", for those of one assembly may be at most " + decimal(recording::kMaxRecordBytes >> 20) +
             " MiB with at most " + decimal(kMostDocuments) +
             " source files; a shorter recording has fewer methods";
    case LineLoss::kUsedUp:
    case LineLoss::kCount:
      break;
  }
  return ", for of one recording at most " + decimal(LineBudget::kBytes >> 30) +
         " GiB of assemblies and PDBs are looked through for at most " + decimal(LineBudget::kPoints) +
         " sequence points in " + decimal(LineBudget::kRecordBytes >> 20) +
         " MiB; walkabout symbols looks through the assemblies that have none, and a shorter recording has "
         "fewer methods";
}

}  // namespace

void LinesLeftOut::add(LineLoss why, const std::string& assembly, uint64_t methods) {
  Loss& loss = losses_[static_cast<size_t>(why)];
  if (loss.methods == 0) loss.first = base::file_name_of_any(assembly).substr(0, kLongestName);
  if (loss.methods == 0 || loss.last != assembly) ++loss.assemblies;
  if (loss.last != assembly) loss.last = assembly;
  loss.methods += methods;
}

std::vector<std::string> LinesLeftOut::sentences() const {
  std::vector<std::string> all;
  for (size_t i = 0; i < losses_.size(); ++i) {
    const Loss& loss = losses_[i];
    if (loss.methods == 0) continue;
    all.push_back(base::left_out_text(
        {loss.methods, "method", "methods", loss.first, loss.assemblies, "assembly", "assemblies"},
        cause(static_cast<LineLoss>(i))));
  }
  return all;
}

}  // namespace walkabout::symbols
