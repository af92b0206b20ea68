// Numbers the texts that labels stand for: equal ones have one number, whatever their ids in the recordings.
// One thread.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace walkabout::profile {

class TextNumbers {
 public:
  // From 1; `texts` are those of the profile, text N at N - 1.
  uint64_t number(const std::string& text, std::vector<std::string>& texts) {
    const auto [at, added] = numbers_.try_emplace(text, texts.size() + 1);
    if (added) texts.push_back(text);
    return at->second;
  }

 private:
  std::unordered_map<std::string, uint64_t> numbers_;
};

}  // namespace walkabout::profile
