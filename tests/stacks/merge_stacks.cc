#include "tests/stacks/merge_stacks.h"

#include <algorithm>

namespace walkabout::stacks {
namespace {

bool overlap(uint64_t a_begin, uint64_t a_end, uint64_t b_begin, uint64_t b_end) {
  return a_begin < b_end && b_begin < a_end;
}

bool merge_runs(const std::vector<Run>& from, std::vector<Run>* to) {
  for (const Run& run : from) {
    const auto at = std::lower_bound(to->begin(), to->end(), run.address,
                                     [](const Run& r, uint64_t address) { return r.address < address; });
    if (at != to->end() && at->address == run.address) {
      if (at->bytes != run.bytes) return false;
      continue;
    }
    if (at != to->end() && run.end() > at->address) return false;
    if (at != to->begin() && (at - 1)->end() > run.address) return false;
    to->insert(at, run);
  }
  return true;
}

bool merge_functions(const std::vector<unwind::RuntimeFunction>& from,
                     std::vector<unwind::RuntimeFunction>* to) {
  for (const unwind::RuntimeFunction& f : from) {
    const auto at = std::lower_bound(
        to->begin(), to->end(), f.begin,
        [](const unwind::RuntimeFunction& known, uint32_t begin) { return known.begin < begin; });
    if (at == to->end() || at->begin != f.begin) to->insert(at, f);
  }
  return true;
}

bool merge_image(const RecordedImage& from, StackFile* to) {
  for (RecordedImage& known : to->images) {
    if (known.code == from.code) {
      return merge_runs(from.cfi, &known.cfi) && merge_runs(from.plt, &known.plt) &&
             merge_functions(from.functions, &known.functions) && merge_runs(from.unwind, &known.unwind);
    }
    if (overlap(known.begin, known.end, from.begin, from.end)) return false;
  }
  to->images.push_back(from);
  return true;
}

bool merge_region(const RecordedRegion& from, StackFile* to) {
  for (const RecordedRegion& known : to->regions) {
    if (known.code == from.code && known.begin == from.begin) return true;
    if (overlap(known.begin, known.begin + known.size, from.begin, from.begin + from.size)) return false;
  }
  to->regions.push_back(from);
  return true;
}

}  // namespace

bool merge(const StackFile& from, StackFile* to) {
  StackFile merged = *to;
  const auto image = [&](const RecordedImage& i) { return merge_image(i, &merged); };
  const auto region = [&](const RecordedRegion& p) { return merge_region(p, &merged); };
  if (!std::all_of(from.images.begin(), from.images.end(), image)) return false;
  if (!std::all_of(from.regions.begin(), from.regions.end(), region)) return false;
  merged.stacks.insert(merged.stacks.end(), from.stacks.begin(), from.stacks.end());
  *to = std::move(merged);
  return true;
}

}  // namespace walkabout::stacks
