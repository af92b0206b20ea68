// For tests: what abi.json says a C type is to the calling convention, told without the headers under test.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace walkabout::clr {

struct FieldLayout {
  std::string name;
  size_t offset = 0;
  size_t size = 0;
};
struct TypeLayout {
  size_t size = 0;
  size_t align = 0;
  std::vector<FieldLayout> fields;
};

class AbiFacts {
 public:
  explicit AbiFacts(nlohmann::json facts) : facts_(std::move(facts)) {}

  const nlohmann::json& json() const { return facts_; }
  // Slot of the first method `interface` adds: 3 (IUnknown's) and all of its bases.
  size_t first_slot(const std::string& interface) const;
  // "4(p48)": how a method returns and takes its values. Digits are integers of that size, p pointers, v
  // void, s16 a structure of 16 bytes by value.
  std::string shape(const nlohmann::json& method) const;
  // Enumerators in order with their values.
  std::vector<std::pair<std::string, int64_t>> enumerators(const std::string& name) const;
  TypeLayout layout(const std::string& structure) const;

 private:
  TypeLayout type(const std::string& declaration) const;
  std::string code(const std::string& declaration) const;

  nlohmann::json facts_;
};

}  // namespace walkabout::clr
