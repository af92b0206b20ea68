#include "profile/names/operator_name.h"

#include <algorithm>
#include <array>
#include <utility>

namespace walkabout::profile {
namespace {

constexpr std::string_view kPrefix = "op_";

constexpr std::array<std::pair<std::string_view, std::string_view>, 27> kOperators{{
    {"Addition", "+"},
    {"Subtraction", "-"},
    {"Multiply", "*"},
    {"Division", "/"},
    {"Modulus", "%"},
    {"ExclusiveOr", "^"},
    {"BitwiseAnd", "&"},
    {"BitwiseOr", "|"},
    {"LogicalAnd", "&&"},
    {"LogicalOr", "||"},
    {"LeftShift", "<<"},
    {"RightShift", ">>"},
    {"UnsignedRightShift", ">>>"},
    {"Equality", "=="},
    {"Inequality", "!="},
    {"GreaterThan", ">"},
    {"LessThan", "<"},
    {"GreaterThanOrEqual", ">="},
    {"LessThanOrEqual", "<="},
    {"UnaryNegation", "-"},
    {"UnaryPlus", "+"},
    {"LogicalNot", "!"},
    {"OnesComplement", "~"},
    {"True", "true"},
    {"False", "false"},
    {"Increment", "++"},
    {"Decrement", "--"},
}};

std::string_view sign_of(std::string_view word) {
  const auto found = std::find_if(kOperators.begin(), kOperators.end(),
                                  [word](const auto& one) { return one.first == word; });
  return found == kOperators.end() ? std::string_view() : found->second;
}

// "+=" of "AdditionAssignment", "++" of "IncrementAssignment".
std::string assignment(std::string_view word) {
  constexpr std::string_view kAssignment = "Assignment";
  if (!word.ends_with(kAssignment)) return "";
  word.remove_suffix(kAssignment.size());
  const std::string sign(word == "Multiplication" ? "*" : sign_of(word));
  return sign.empty() || sign == "++" || sign == "--" ? sign : sign + "=";
}

}  // namespace

std::string operator_name(std::string_view name, std::string_view returns) {
  if (!name.starts_with(kPrefix)) return "";
  name.remove_prefix(kPrefix.size());
  std::string checked;
  if (constexpr std::string_view kChecked = "Checked"; name.starts_with(kChecked)) {
    name.remove_prefix(kChecked.size());
    checked = "checked ";
  }
  if (name == "Implicit" || name == "Explicit") {
    const std::string to = returns.empty() ? "" : " " + std::string(returns);
    const std::string kind = name == "Implicit" ? "implicit" : "explicit";
    return kind + " operator" + (checked.empty() ? "" : " checked") + to;
  }
  std::string sign(sign_of(name));
  if (sign.empty()) sign = assignment(name);
  return sign.empty() ? "" : "operator " + checked + sign;
}

}  // namespace walkabout::profile
