// Machine code as the CLR's that declares events, and functions that call one another, for tests.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "symbols/elf/image_code.h"

namespace walkabout::symbols {

class MadeUpCode : public ::testing::Test {
 public:
  MadeUpCode() {
    adder_ = begin_function();
    put("c3");
    write_out_ = begin_function();
    put("c3");
    begin_function();
    // A result that is kept, behind which the first event begins.
    put("e8"), distance(write_out_), put("488905"), distance(kWords);
  }
  ImageCode code() const { return {kBegin, bytes_}; }
  const std::vector<uint32_t>& starts() const { return starts_; }

 protected:
  static constexpr uint64_t kBegin = 0x10000, kWords = 0x80000;

  uint64_t add_provider() { return word(); }
  // As genEventPipe.py's code does it; all before the first function().
  void add_event(uint64_t provider, uint32_t id) {
    put("488b3d"), distance(provider);
    put("48ba0000000080000000");
    declared_[{provider, id}] = here();
    put("be"), number(id);
    put("31c941b80400000041b9010000006a006a00e8"), distance(adder_);
    events_[{provider, id}] = word();
    put("4883c410488905"), distance(events_[{provider, id}]);
  }
  // What writes an event of this provider out, and what only says whether somebody wants it.
  uint64_t writer(uint64_t provider, uint32_t id) { return loader(provider, id, true); }
  uint64_t asker(uint64_t provider, uint32_t id) { return loader(provider, id, false); }
  // One that calls these.
  uint64_t function(const std::vector<uint64_t>& callees) {
    const uint64_t begin = begin_function();
    for (const uint64_t callee : callees) put("e8"), distance(callee);
    put("c3");
    return begin;
  }
  // From now on the event's declaration is no code that is known.
  void spoil(uint64_t provider, uint32_t id) { bytes_[declared_.at({provider, id}) - kBegin] = 0xcc; }
  void finish() { bytes_.resize(bytes_.size() + 16, 0xcc); }

  uint64_t begin_function() {
    while (bytes_.size() % 16 != 0) bytes_.push_back(0xcc);
    starts_.push_back(static_cast<uint32_t>(here()));
    return here();
  }
  void put(std::string_view hex) {
    for (size_t i = 0; i < hex.size(); i += 2)
      bytes_.push_back(
          static_cast<uint8_t>(std::strtoul(std::string(hex.substr(i, 2)).c_str(), nullptr, 16)));
  }
  void distance(uint64_t to) { number(static_cast<uint32_t>(to - here() - 4)); }
  void number(uint32_t value) {
    for (unsigned i = 0; i < 4; ++i) bytes_.push_back(static_cast<uint8_t>(value >> 8 * i));
  }
  uint64_t here() const { return kBegin + bytes_.size(); }
  uint64_t word() { return kWords + 8 * ++words_; }

 private:
  uint64_t loader(uint64_t provider, uint32_t id, bool writes) {
    const uint64_t begin = begin_function();
    put("488b05"), distance(events_.at({provider, id}));
    if (writes) put("e8"), distance(write_out_);
    put("c3");
    return begin;
  }

  std::vector<uint8_t> bytes_;
  std::vector<uint32_t> starts_;
  std::map<std::pair<uint64_t, uint32_t>, uint64_t> events_, declared_;
  uint64_t adder_ = 0, write_out_ = 0, words_ = 0;
};

}  // namespace walkabout::symbols
