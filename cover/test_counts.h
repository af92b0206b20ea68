// For tests: a file of counts, and coverage.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "cover/line_coverage.h"
#include "wire/cover_file.h"

namespace walkabout::cover::testing {

class MadeCounts {
 public:
  explicit MadeCounts(uint32_t probe_size) : probe_size_(probe_size) {}

  // no_room: bits of methods.
  void module(uint32_t id, const std::string& path, const std::vector<uint8_t>& no_room = {},
              wire::CoverKind kind = wire::CoverKind::kModule) {
    wire::CoverModule module;
    module.record.kind = kind;
    module.id = id;
    module.path_size = static_cast<uint32_t>(path.size());
    module.methods = static_cast<uint32_t>(no_room.size() * 8);
    std::memcpy(module.version, "0123456789abcdef", sizeof module.version);
    std::vector<uint8_t> bytes = bytes_of(module);
    bytes.insert(bytes.end(), path.begin(), path.end());
    bytes.insert(bytes.end(), no_room.begin(), no_room.end());
    add(bytes);
  }
  void method(uint32_t module, uint32_t token, uint32_t hash, const std::vector<uint64_t>& counts) {
    const wire::CoverMethod method{{wire::CoverKind::kMethod, 0},        module,  token, hash,
                                   static_cast<uint32_t>(counts.size()), probes_, 0};
    probes_ += static_cast<uint32_t>(counts.size());
    std::vector<uint8_t> bytes = bytes_of(method);
    for (const uint64_t count : counts) {
      const auto* all = reinterpret_cast<const uint8_t*>(&count);
      bytes.insert(bytes.end(), all, all + probe_size_);
    }
    add(bytes);
  }

  // module: of kTestModule. probes: numbers of those that ran in it.
  void test(uint32_t module, uint32_t token, const std::vector<uint32_t>& probes) {
    wire::CoverTest test;
    test.record.kind = wire::CoverKind::kTest;
    test.module = module;
    test.token = token;
    for (const uint32_t probe : probes) {
      std::atomic<uint32_t>& page = test.pages[probe / wire::kCoverPageProbes];
      if (page == 0) {
        page = static_cast<uint32_t>(sizeof(wire::CoverHead) + records_.size() + sizeof(wire::CoverRecord));
        std::vector<uint8_t> pages = bytes_of(wire::CoverRecord{wire::CoverKind::kPages, 0});
        pages.resize(pages.size() + wire::kCoverPageProbes / 8);
        add(pages);
      }
      records_[page - sizeof(wire::CoverHead) + probe % wire::kCoverPageProbes / 8] |=
          static_cast<uint8_t>(1u << probe % 8);
    }
    add(bytes_of(test));
  }

  std::vector<uint8_t> bytes() const {
    wire::CoverHead head;
    head.magic = wire::kCoverMagic;
    head.probe_size = probe_size_;
    head.used = sizeof head + records_.size();
    const auto* begin = reinterpret_cast<const uint8_t*>(&head);
    std::vector<uint8_t> all(begin, begin + sizeof head);
    all.insert(all.end(), records_.begin(), records_.end());
    return all;
  }

 private:
  template <typename Record>
  static std::vector<uint8_t> bytes_of(const Record& record) {
    const auto* begin = reinterpret_cast<const uint8_t*>(&record);
    return {begin, begin + sizeof record};
  }
  void add(std::vector<uint8_t> record) {
    record.resize((record.size() + wire::kCoverAlignment - 1) / wire::kCoverAlignment *
                  wire::kCoverAlignment);
    const auto size = static_cast<uint32_t>(record.size());
    std::memcpy(record.data() + offsetof(wire::CoverRecord, size), &size, sizeof size);
    records_.insert(records_.end(), record.begin(), record.end());
  }

  const uint32_t probe_size_;
  uint32_t probes_ = 0;
  std::vector<uint8_t> records_;
};

// Two methods of a file: of one all ran but an arm, of the other nothing.
inline Coverage some_coverage() {
  SourceFile file;
  file.checksum = "sha256:00";
  file.methods = {{"Shop.Orders", "Save", "int, List<string>"}, {"Shop.Orders/Row", "Never", ""}};
  file.lines = {{10, {1, 0}}, {11, {1, 0}}, {20, {0, 1}}};
  file.arms = {{10, 0, 0, 0, 1}, {10, 0, 0, 1, 0}, {20, 1, 0, 0, 0}, {20, 1, 0, 1, 0}, {20, 1, 0, 2, 0}};
  Coverage coverage;
  coverage.modules["Shop"].files["/src/shop/Orders.cs"] = file;
  coverage.modules["Shop"].files["/src/shop/web/A&B.cs"].methods = {{"Shop.Web", "Get", ""}};
  coverage.modules["Shop"].files["/src/shop/web/A&B.cs"].lines = {{3, {1, 0}}};
  return coverage;
}

}  // namespace walkabout::cover::testing
