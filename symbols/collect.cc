#include "symbols/collect.h"

#include <algorithm>

namespace walkabout::symbols {

void HitCollector::on_module(const wire::Module& record) {
  if (record.kind == wire::ModuleKind::kElf || record.kind == wire::ModuleKind::kVdso)
    modules_[record.code] = record;
}

void HitCollector::on_nodes(const wire::Nodes& record, uint32_t first_id) {
  const size_t count = record.frame.size();
  if (frames_.size() < first_id + count) {
    frames_.resize(first_id + count);
    uses_.resize(first_id + count);
  }
  for (size_t i = 0; i < count; ++i) {
    frames_[first_id + i] = record.frame[i];
    use(record.parent[i], kCaller);
  }
}

void HitCollector::on_samples(const wire::Samples& record) {
  for (const base::StackId stack : record.stack) use(stack.value, kLeaf);
}

void HitCollector::use(uint32_t node, Use use) {
  if (node < uses_.size()) uses_[node] |= use;
}

std::vector<ModuleHits> HitCollector::hits() const {
  std::map<base::CodeId, std::vector<uint32_t>> offsets;
  for (size_t node = 1; node < frames_.size(); ++node) {
    const wire::Frame frame = frames_[node];
    if (frame.kind() != wire::FrameKind::kNative) continue;
    if ((uses_[node] & kLeaf) != 0) offsets[frame.code()].push_back(frame.offset());
    if ((uses_[node] & kCaller) != 0 && frame.offset() > 0)
      offsets[frame.code()].push_back(frame.offset() - 1);
  }
  std::vector<ModuleHits> hits;
  for (auto& [code, list] : offsets) {
    const auto module = modules_.find(code);
    if (module == modules_.end()) continue;
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    hits.push_back({module->second, std::move(list)});
  }
  return hits;
}

}  // namespace walkabout::symbols
