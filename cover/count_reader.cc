#include "cover/count_reader.h"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "wire/cover_file.h"

namespace walkabout::cover {
namespace {

using base::Bytes;
using base::load;
using base::part;

constexpr uint32_t kMethodToken = 0x06000000;

template <typename Number>
std::optional<Number> at(Bytes bytes, size_t offset) {
  return load<Number>(bytes, offset);
}

class CountReader {
 public:
  CountReader(Bytes file, Counted& counted) : file_(file), counted_(counted) {}

  base::Status read() {
    if (file_.empty()) {
      ++counted_.without_file;
      return {};
    }
    const auto magic = at<uint64_t>(file_, offsetof(wire::CoverHead, magic));
    const auto used = at<uint64_t>(file_, offsetof(wire::CoverHead, used));
    each_ = at<uint32_t>(file_, offsetof(wire::CoverHead, probe_size)).value_or(0);
    if (magic != wire::kCoverMagic || !used || (each_ != 1 && each_ != 8))
      return base::Status::error("it is no file of counts");
    ++counted_.processes;
    counted_.counts = counted_.counts || each_ == 8;
    counted_.no_room += at<uint32_t>(file_, offsetof(wire::CoverHead, no_room)).value_or(0);
    counted_.not_mapped += at<uint32_t>(file_, offsetof(wire::CoverHead, not_mapped)).value_or(0);
    const Bytes all = file_.first(static_cast<size_t>(std::min<uint64_t>(*used, file_.size())));
    for (size_t offset = sizeof(wire::CoverHead); offset < all.size();) {
      const auto record = load<wire::CoverRecord>(all, offset);
      if (!record || record->size < sizeof *record || record->size % wire::kCoverAlignment != 0) break;
      const Bytes bytes = part(all, offset, record->size);
      if (bytes.empty()) break;
      read_record(record->kind, bytes);
      offset += record->size;
    }
    return {};
  }

 private:
  void read_record(wire::CoverKind kind, Bytes bytes) {
    if (kind == wire::CoverKind::kModule) {
      read_module(bytes);
    } else if (kind == wire::CoverKind::kMethod) {
      const auto method = load<wire::CoverMethod>(bytes, 0);
      if (method && modules_.count(method->module) != 0)
        add(*modules_[method->module], *method, bytes.subspan(sizeof *method));
    } else if (kind == wire::CoverKind::kLeftAlone) {
      const auto left = load<wire::CoverLeftAlone>(bytes, 0);
      if (left && modules_.count(left->module) != 0)
        modules_[left->module]->left_alone[left->token] = left->cause;
    }
  }

  void read_module(Bytes bytes) {
    const auto module = load<wire::CoverModule>(bytes, 0);
    const Bytes path = module ? part(bytes, sizeof *module, module->path_size) : Bytes();
    if (!module || path.empty()) return;
    CountedModule& known =
        counted_.modules[std::string(std::begin(module->version), std::end(module->version))];
    if (known.path.empty()) known.path.assign(path.begin(), path.end());
    modules_[module->id] = &known;
    const Bytes no_room = bytes.subspan(sizeof *module + path.size());
    for (uint32_t i = 0; i < module->methods && i / 8 < no_room.size(); ++i) {
      if ((no_room[i / 8] >> i % 8 & 1) != 0) known.left_alone[kMethodToken | (i + 1)] = wire::kCoverNoRoom;
    }
  }

  void add(CountedModule& module, const wire::CoverMethod& method, Bytes probes) {
    if (uint64_t{method.probes} * each_ > probes.size()) return;
    const auto [entry, fresh] = module.methods.try_emplace(method.token);
    CountedMethod& known = entry->second;
    if (fresh) {
      known.body_hash = method.body_hash;
      known.counts.resize(method.probes);
    } else if (known.body_hash != method.body_hash || known.counts.size() != method.probes) {
      ++counted_.contradicted;
      return;
    }
    for (uint32_t i = 0; i < method.probes; ++i) {
      uint64_t& count = known.counts[i];
      const uint64_t more = each_ == 1 ? probes[i] != 0 : *load<uint64_t>(probes, uint64_t{i} * each_);
      count = more > std::numeric_limits<uint64_t>::max() - count ? std::numeric_limits<uint64_t>::max()
                                                                  : count + more;
    }
  }

  const Bytes file_;
  Counted& counted_;
  uint32_t each_ = 1;
  std::map<uint32_t, CountedModule*> modules_;  // by what the file calls them
};

}  // namespace

base::Status read_counts(Bytes file, Counted* counted) { return CountReader(file, *counted).read(); }

}  // namespace walkabout::cover
