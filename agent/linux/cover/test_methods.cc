#include "agent/linux/cover/test_methods.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace walkabout::agent {
namespace {

using precompiled::Metadata;
using precompiled::Table;

constexpr int kMostBases = 16;
constexpr size_t kExtends = 3, kFirstMethod = 5, kMethodName = 3;  // columns

// An attribute of such a name, or of one that ends so ("SkippableFactAttribute"), makes a test.
constexpr std::string_view kTestAttributes[] = {
    "FactAttribute",           "TheoryAttribute",     "TestAttribute",    "TestCaseAttribute",
    "TestCaseSourceAttribute", "TestMethodAttribute", "PropertyAttribute"};

bool names_test(std::string_view name) {
  return std::any_of(std::begin(kTestAttributes), std::end(kTestAttributes),
                     [name](std::string_view end) { return name.ends_with(end); });
}

uint32_t owner_of(const Metadata& metadata, uint32_t method) {
  return metadata.has(Table::kMethodDef, method)
             ? metadata.lower_bound(Table::kTypeDef, kFirstMethod, method + 1) - 1
             : 0;
}

// coded: TypeDefOrRef (ECMA-335 II.24.2.6). Its own name, or one that it is made of.
bool is_test_attribute(const Metadata& metadata, uint32_t coded) {
  for (int step = 0; step < kMostBases; ++step) {
    const uint32_t row = coded >> 2;
    if ((coded & 3) == 1) {
      const auto type = metadata.type_ref(row);
      return type && names_test(type->name);
    }
    const auto type = (coded & 3) == 0 ? metadata.type_def(row) : std::nullopt;
    if (!type) return false;
    if (names_test(type->name)) return true;
    coded = metadata.cell(Table::kTypeDef, row, kExtends);
  }
  return false;
}

// constructor: CustomAttributeType. Of a generic attribute nothing is known.
bool makes_test(const Metadata& metadata, uint32_t constructor) {
  const uint32_t row = constructor >> 3;
  if ((constructor & 7) == 2) return is_test_attribute(metadata, owner_of(metadata, row) << 2);
  if ((constructor & 7) != 3 || !metadata.has(Table::kMemberRef, row)) return false;
  const uint32_t parent = metadata.cell(Table::kMemberRef, row, 0);
  return (parent & 7) <= 1 && is_test_attribute(metadata, parent >> 3 << 2 | (parent & 7));
}

using Roles = std::vector<TestRole>;

// Of a type's methods.
std::pair<Roles::iterator, Roles::iterator> methods_of(const Metadata& metadata, uint32_t type,
                                                       Roles& roles) {
  const auto row = metadata.type_def(type);
  const auto next = metadata.type_def(type + 1);
  const size_t all = roles.size();
  const size_t first = row && row->first_method != 0 ? std::min<size_t>(row->first_method, all) : all;
  const size_t end = next ? std::clamp<size_t>(next->first_method, first, all) : all;
  return {roles.begin() + static_cast<ptrdiff_t>(first), roles.begin() + static_cast<ptrdiff_t>(end)};
}

bool is_compilers(std::string_view name) { return name.starts_with('<'); }
bool is_begin(std::string_view name) { return name == "Main" || name == "<Main>$" || name == "<Main>"; }

}  // namespace

std::vector<TestRole> test_roles(const Metadata& metadata) {
  const uint32_t methods = metadata.rows(Table::kMethodDef);
  std::vector<TestRole> roles(size_t{methods} + 1, TestRole::kNone);
  for (uint32_t type = 1; type <= metadata.rows(Table::kTypeDef); ++type) {
    const auto row = metadata.type_def(type);
    if (!row || is_compilers(row->name)) continue;
    const auto [first, end] = methods_of(metadata, type, roles);
    const auto name_of = [&metadata, begin = roles.begin()](Roles::iterator role) {
      return metadata.string(
          metadata.cell(Table::kMethodDef, static_cast<uint32_t>(role - begin), kMethodName));
    };
    bool begins = false;
    for (auto role = first; role != end; ++role) begins = begins || is_begin(name_of(role));
    for (auto role = first; !begins && role != end; ++role) {
      if (!is_compilers(name_of(role))) *role = TestRole::kOther;
    }
  }
  for (uint32_t row = 1; row <= metadata.rows(Table::kCustomAttribute); ++row) {
    const uint32_t parent = metadata.cell(Table::kCustomAttribute, row, 0);
    const uint32_t method = parent >> 5;
    if ((parent & 31) != 0 || !metadata.has(Table::kMethodDef, method)) continue;
    if (makes_test(metadata, metadata.cell(Table::kCustomAttribute, row, 1))) roles[method] = TestRole::kTest;
  }
  for (uint32_t type = 1; type <= metadata.rows(Table::kTypeDef); ++type) {
    const auto [begin, end] = methods_of(metadata, type, roles);
    if (std::find(begin, end, TestRole::kTest) != end)
      std::replace(begin, end, TestRole::kOther, TestRole::kFixture);
  }
  return roles;
}

}  // namespace walkabout::agent
