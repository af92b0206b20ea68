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
    counted_.unwrapped += at<uint32_t>(file_, offsetof(wire::CoverHead, unwrapped)).value_or(0);
    const Bytes all = file_.first(static_cast<size_t>(std::min<uint64_t>(*used, file_.size())));
    for (size_t offset = sizeof(wire::CoverHead); offset < all.size();) {
      const auto record = load<wire::CoverRecord>(all, offset);
      if (!record || record->size < sizeof *record || record->size % wire::kCoverAlignment != 0) break;
      const Bytes bytes = part(all, offset, record->size);
      if (bytes.empty()) break;
      read_record(record->kind, bytes);
      offset += record->size;
    }
    for (const Bytes& test : tests_) add_test(all, test);
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
    } else if (kind == wire::CoverKind::kTestModule) {
      const auto module = load<wire::CoverModule>(bytes, 0);
      const Bytes path = module ? part(bytes, sizeof *module, module->path_size) : Bytes();
      if (!path.empty())
        test_modules_[module->id] = {{std::begin(module->version), std::end(module->version)},
                                     {path.begin(), path.end()}};
    } else if (kind == wire::CoverKind::kTest) {
      tests_.push_back(bytes);
    }
  }

  // What Counted::tests calls it; none: its assembly is not known.
  std::optional<uint32_t> number_of(uint32_t module, uint32_t token) {
    const auto of = test_modules_.find(module);
    if (module != 0 && of == test_modules_.end()) return std::nullopt;
    CountedTest test{{}, {}, token};
    if (module != 0) test.version = of->second.first, test.path = of->second.second;
    const auto [entry, fresh] = counted_.test_numbers.try_emplace(
        std::pair(test.version, token), static_cast<uint32_t>(counted_.tests.size()));
    if (fresh) counted_.tests.push_back(std::move(test));
    return entry->second;
  }

  void add_test(Bytes all, Bytes record) {
    const auto module = at<uint32_t>(record, offsetof(wire::CoverTest, module));
    const auto token = at<uint32_t>(record, offsetof(wire::CoverTest, token));
    if (record.size() < sizeof(wire::CoverTest)) return;
    const std::optional<uint32_t> number = number_of(*module, *token);
    if (!number) return;
    counted_.lost_in_tests += *at<uint32_t>(record, offsetof(wire::CoverTest, lost));
    std::vector<Bytes> pages;
    for (size_t i = 0; i < wire::kCoverTestPages; ++i) {
      const auto where = *at<uint32_t>(record, offsetof(wire::CoverTest, pages) + i * sizeof(uint32_t));
      pages.push_back(where == 0 ? Bytes() : part(all, where, wire::kCoverPageProbes / 8));
    }
    for (const Placed& placed : placed_) {
      std::vector<uint8_t> ran;
      for (uint64_t i = 0; i < placed.probes; ++i) {
        const uint64_t probe = placed.first_probe + i;
        const uint64_t page = probe / wire::kCoverPageProbes;
        if (page >= pages.size()) break;
        if (pages[page].empty()) {  // on to the next page's first
          i += wire::kCoverPageProbes - 1 - probe % wire::kCoverPageProbes;
          continue;
        }
        if ((pages[page][probe % wire::kCoverPageProbes / 8] >> probe % 8 & 1) == 0) continue;
        ran.resize(placed.probes);
        ran[i] = 1;
      }
      if (ran.empty()) continue;
      std::vector<uint8_t>& known = placed.method->in_tests[*number];
      known.resize(placed.probes);
      for (uint32_t i = 0; i < placed.probes; ++i) known[i] |= ran[i];
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
    placed_.push_back({&known, method.first_probe, method.probes});
  }

  const Bytes file_;
  Counted& counted_;
  uint32_t each_ = 1;
  std::map<uint32_t, CountedModule*> modules_;                            // by what the file calls them
  std::map<uint32_t, std::pair<std::string, std::string>> test_modules_;  // MVID and path
  struct Placed {
    CountedMethod* method;
    uint32_t first_probe, probes;
  };
  std::vector<Placed> placed_;
  std::vector<Bytes> tests_;
};

}  // namespace

base::Status read_counts(Bytes file, Counted* counted) { return CountReader(file, *counted).read(); }

}  // namespace walkabout::cover
