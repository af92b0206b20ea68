// AbiFacts: reads abi.json's declarations by its own small rules, so that abi_test.cc has something to
// compare with.
#include "clr/abi/abi_layout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

namespace walkabout::clr {

namespace {
const std::map<std::string, size_t> kScalars = {
    {"BYTE", 1},    {"UINT8", 1},   {"USHORT", 2},         {"WCHAR", 2},    {"ULONG", 4},
    {"ULONG32", 4}, {"DWORD", 4},   {"UINT32", 4},         {"UINT", 4},     {"int", 4},
    {"BOOL", 4},    {"HRESULT", 4}, {"UINT64", 8},         {"UINT_PTR", 8}, {"SIZE_T", 8},
    {"LONG32", 4},  {"HANDLE", 8},  {"CorElementType", 4}, {"HCORENUM", 8}, {"EVENTPIPE_SESSION", 8},
};

bool is_pointer(const std::string& text) {
  static const std::regex kPointer(
      R"(.*[*\[].*|(_\w+\(.*\)\s*)?LP?C?(W|BY|GUI|VOI)\w+ .*|REF\w+ .*|PC?COR_SIGNATURE .*|(HCORENUM|HANDLE|ObjectHandleID) .*)"
      R"(|Object(Reference)?Callback .*|PVOID.*)");
  return std::regex_match(text, kPointer);
}
}  // namespace

size_t AbiFacts::first_slot(const std::string& interface) const {
  const std::string base = facts_["interfaces"][interface]["base"];
  if (base == "IUnknown") return 3;
  return first_slot(base) + facts_["interfaces"][base]["methods"].size();
}

TypeLayout AbiFacts::type(const std::string& declaration) const {
  std::string name = declaration.substr(0, declaration.find_last_of(' '));
  while (facts_["typedefs"].contains(name)) {
    const std::string to = facts_["typedefs"][name];
    if (to.ends_with('*')) return {8, 8, {}};
    name = to;
  }
  if (auto found = kScalars.find(name); found != kScalars.end()) return {found->second, found->second, {}};
  if (facts_["enums"].contains(name) || name.starts_with("md")) return {4, 4, {}};
  if (facts_["structs"].contains(name)) return layout(name);
  ADD_FAILURE() << "abi_layout_test.cc knows no type " << name;
  return {};
}

TypeLayout AbiFacts::layout(const std::string& structure) const {
  static const std::regex kArray(R"((.*)\[(\d+)\])");
  const bool is_union = structure == "FunctionIDOrClientID";
  TypeLayout result{0, 1, {}};
  for (std::string field : facts_["structs"][structure]) {
    size_t count = 1;
    if (std::smatch match; std::regex_match(field, match, kArray)) {
      count = std::stoul(match[2]);
      field = std::string(match[1]);
    }
    const TypeLayout member = is_pointer(field) ? TypeLayout{8, 8, {}} : type(field);
    const size_t offset = is_union ? 0 : (result.size + member.align - 1) / member.align * member.align;
    result.fields.push_back({field.substr(field.find_last_of(" *") + 1), offset, member.size * count});
    result.size = std::max(result.size, offset + member.size * count);
    result.align = std::max(result.align, member.align);
  }
  result.size = (result.size + result.align - 1) / result.align * result.align;
  return result;
}

std::string AbiFacts::code(const std::string& declaration) const {
  if (is_pointer(declaration)) return "p";
  const TypeLayout layout = type(declaration);
  return (layout.fields.empty() ? "" : "s") + std::to_string(layout.size);
}

std::string AbiFacts::shape(const nlohmann::json& method) const {
  const std::string returns = method["returns"];
  std::string result = returns == "void" ? "v(" : code(returns + " r") + "(";
  for (const std::string param : method["params"]) result += code(param);
  return result + ")";
}

std::vector<std::pair<std::string, int64_t>> AbiFacts::enumerators(const std::string& name) const {
  std::vector<std::pair<std::string, int64_t>> result;
  auto value_of = [&](const std::string& term) -> int64_t {
    for (const auto& [known, value] : result) {
      if (known == term) return value;
    }
    return std::stoll(term, nullptr, 0);
  };
  int64_t next = 0;
  for (const std::string text : facts_["enums"][name]) {
    std::string word;
    std::vector<std::string> terms;
    for (char c : text + '|') {
      if (c == '=' || c == '|')
        terms.push_back(std::exchange(word, ""));
      else if (c != ' ')
        word += c;
    }
    if (terms.size() > 1) {
      next = 0;
      for (size_t i = 1; i < terms.size(); ++i) next |= value_of(terms[i]);
    }
    result.emplace_back(terms[0], next++);
  }
  return result;
}

namespace {

AbiFacts sample() {
  return AbiFacts(nlohmann::json::parse(R"({
    "interfaces": {"IA": {"base": "IUnknown", "methods": [{}, {}]}, "IB": {"base": "IA", "methods": [{}]}},
    "enums": {"E": ["kA", "kB", "kC = 0x10", "kD", "kE = kC | 1 | kB", "kF = -2"]},
    "typedefs": {"ID": "UINT_PTR", "mdToken": "LONG32", "Deep": "mdToken"},
    "structs": {"S": ["DWORD a", "ID b", "Deep c[3]"], "T": ["USHORT a", "S b", "BYTE *c"]}
  })"));
}

TEST(AbiFacts, SlotsFollowTheBases) {
  EXPECT_EQ(sample().first_slot("IA"), 3u);
  EXPECT_EQ(sample().first_slot("IB"), 5u);
}

TEST(AbiFacts, EnumeratorsCountUpAndCombine) {
  const std::vector<std::pair<std::string, int64_t>> expected = {{"kA", 0},    {"kB", 1},    {"kC", 0x10},
                                                                 {"kD", 0x11}, {"kE", 0x11}, {"kF", -2}};
  EXPECT_EQ(sample().enumerators("E"), expected);
}

TEST(AbiFacts, LayoutPadsAsTheCompilerDoes) {
  const TypeLayout s = sample().layout("S");
  ASSERT_EQ(s.fields.size(), 3u);
  EXPECT_EQ(s.fields[1].offset, 8u);
  EXPECT_EQ(s.fields[2].name, "c");
  EXPECT_EQ(s.fields[2].size, 12u);
  EXPECT_EQ(s.size, 32u);
  const TypeLayout t = sample().layout("T");
  EXPECT_EQ(t.fields[1].offset, 8u);
  EXPECT_EQ(t.fields[2].name, "c");
  EXPECT_EQ(t.size, 48u);
}

TEST(AbiFacts, ShapeDistinguishesPointersIntegersAndStructs) {
  const nlohmann::json method = {{"returns", "void"},
                                 {"params", {"ID a", "Deep *b", "S c", "BYTE d[ ]", "BOOL e"}}};
  EXPECT_EQ(sample().shape(method), "v(8ps32p4)");
}

}  // namespace
}  // namespace walkabout::clr
