#include "symbols/hit_collector.h"

#include <algorithm>

namespace walkabout::symbols {

void HitCollector::on_module(const wire::Module& record) {
  if (record.kind == wire::ModuleKind::kElf || record.kind == wire::ModuleKind::kVdso)
    modules_[record.code] = record;
}

void HitCollector::on_nodes(const wire::Nodes& record, uint32_t first_id) {
  if (record.new_tree) {
    add_hits(earlier_);
    frames_.clear();
    uses_.clear();
  }
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

void HitCollector::on_caller_counts(const wire::CallerCounts& record) {
  for (const wire::Frame frame : record.caller) {
    if (frame.kind() == wire::FrameKind::kNative && frame.offset() > 0) callers_.insert(frame);
  }
}

void HitCollector::use(uint32_t node, Use use) {
  if (node < uses_.size()) uses_[node] |= use;
}

void HitCollector::add_hits(Offsets& to) const {
  for (size_t node = 1; node < frames_.size(); ++node) {
    const wire::Frame frame = frames_[node];
    if (frame.kind() != wire::FrameKind::kNative) continue;
    if ((uses_[node] & kLeaf) != 0) to[frame.code()].push_back(frame.offset());
    if ((uses_[node] & kCaller) != 0 && frame.offset() > 0) to[frame.code()].push_back(frame.offset() - 1);
  }
  for (auto& [code, list] : to) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
}

std::vector<ModuleHits> HitCollector::hits() const {
  Offsets offsets = earlier_;
  for (const wire::Frame frame : callers_) offsets[frame.code()].push_back(frame.offset() - 1);
  add_hits(offsets);
  std::vector<ModuleHits> hits;
  for (auto& [code, list] : offsets) {
    const auto module = modules_.find(code);
    if (module != modules_.end()) hits.push_back({module->second, std::move(list)});
  }
  return hits;
}

}  // namespace walkabout::symbols
