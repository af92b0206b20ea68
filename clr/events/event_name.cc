#include "clr/events/event_name.h"

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

#include "clr/abi/element_type.h"
#include "clr/names/short_name.h"
#include "clr/names/type_name.h"
#include "clr/names/utf16.h"

namespace walkabout::clr {
namespace {

constexpr std::string_view kNoType = "dynamicClass";

struct IldasmWord {
  std::string_view ildasm;
  std::string_view ours;
};
// ildasm's words for the primitive types; "int" is its native int.
constexpr IldasmWord kIldasmWords[] = {
    {"int8", "sbyte"},
    {"int16", "short"},
    {"int32", "int"},
    {"int64", "long"},
    {"int", "nint"},
    {"unsigned int8", "byte"},
    {"unsigned int16", "ushort"},
    {"unsigned int32", "uint"},
    {"unsigned int64", "ulong"},
    {"unsigned int", "nuint"},
    {"float32", "float"},
    {"float64", "double"},
    {"wchar", "char"},
    {"refany", "System.TypedReference"},
};
constexpr std::string_view kModifiers[] = {"instance ", "explicit ", "generic ", "vararg ", "pinned "};
constexpr std::string_view kClassWords[] = {"class ", "value class ", "valuetype "};
constexpr std::string_view kFunctionPointer = "fnptr ";
constexpr std::string_view kUnmanaged = "unmanaged ";
constexpr std::string_view kTypeHandle = "pMT: ";  // a method table nobody had a name for

class Parser {
 public:
  explicit Parser(std::string_view text, TypeHandles* handles = nullptr) : rest_(text), handles_(handles) {}

  bool ok() const { return ok_; }
  bool at_end() const { return rest_.empty(); }

  struct Function {
    std::string returns, parameters;
    bool unmanaged = false;
  };
  Function function(int depth) {
    Function result;
    while (take_any(kModifiers)) {
    }
    if (take(kUnmanaged)) {
      result.unmanaged = true;
      rest_.remove_prefix(std::min(rest_.find(' ') + 1, rest_.size()));  // "cdecl "
    }
    result.returns = type(depth);
    while (take(" ")) {
    }
    if (!take("(")) ok_ = false;
    for (bool first = true; ok_ && !take(")"); first = false) {
      if (!first && !take(",")) ok_ = false;
      if (!first) result.parameters += ", ";
      result.parameters += type(depth);
    }
    limit_length(result.parameters);
    return result;
  }

  std::string type(int depth) {
    if (depth > kDeepestType || rest_.empty()) {
      ok_ = false;
      return {};
    }
    std::string result = take(kFunctionPointer) ? function_pointer(depth + 1) : named(depth);
    while (ok_ && suffix(result)) {
    }
    limit_length(result);
    return result;
  }

 private:
  bool take(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  template <size_t N>
  bool take_any(const std::string_view (&words)[N]) {
    for (const std::string_view word : words) {
      if (take(word)) return true;
    }
    return false;
  }

  std::string function_pointer(int depth) {
    Function target = function(depth);
    if (!target.parameters.empty()) target.parameters += ", ";
    return (target.unmanaged ? "delegate* unmanaged<" : "delegate*<") + target.parameters + target.returns +
           ">";
  }

  std::string named(int depth) {
    if (take("!!")) return std::string("M").append(name(nullptr));
    if (take("!")) return std::string("T").append(name(nullptr));
    // Behind such a word stands a type's name, whatever it is.
    const bool is_name = take_any(kClassWords) || in_names_;
    bool generic = false;
    std::string result = !is_name && take(kTypeHandle) ? unknown_handle() : name(&generic);
    const bool angles = rest_.starts_with("<");
    if (!angles && !(generic && starts_arguments())) return keyword(result);
    return with_arguments(keyword(result), arguments(depth));
  }

  std::string unknown_handle() {
    const std::string_view address = rest_.substr(0, rest_.find_first_of(" <>,)&*[]"));
    rest_.remove_prefix(address.size());
    const std::string known = handles_ == nullptr ? "" : handles_->name_of(number_of(address));
    return known.empty() ? std::string(kUnknownName) : known;
  }

  // Of "0x7f40". 0: it is none.
  static uint64_t number_of(std::string_view hex) {
    if (!hex.starts_with("0x") && !hex.starts_with("0X")) return 0;
    uint64_t number = 0;
    const auto read = std::from_chars(hex.data() + 2, hex.data() + hex.size(), number, 16);
    return read.ec == std::errc() && read.ptr == hex.data() + hex.size() ? number : 0;
  }

  static std::string keyword(const std::string& name) {
    for (const IldasmWord& k : kIldasmWords) {
      if (k.ildasm == name) return std::string(k.ours);
    }
    return std::string(keyword_for(name));
  }

  // A '<' belongs to a compiler-made name ("<>c", "<Main>b__0") unless it follows an arity ("List`1<").
  std::string name(bool* generic) {
    size_t end = 0;
    size_t open = 0;  // '<' of the name that are not closed yet
    bool in_arity = false;
    bool has_arity = false;
    for (; end < rest_.size(); ++end) {
      const char c = rest_[end];
      if (c == '<' && in_arity) break;
      if (c == '<') ++open;
      if (c == '>' && open == 0) break;
      if (c == '>') --open;
      if (open == 0 && std::string_view("[],&*()").find(c) != std::string_view::npos) break;
      in_arity = c == '`' || (in_arity && c >= '0' && c <= '9');
      has_arity = has_arity || c == '`';
    }
    if (end == 0) ok_ = false;
    if (generic != nullptr) *generic = has_arity;
    std::string result(rest_.substr(0, end));
    rest_.remove_prefix(end);
    return result;
  }

  // "[System.Int32]" are arguments, "[]" and "[,]" an array.
  bool starts_arguments() const {
    return rest_.size() > 1 && rest_[0] == '[' && rest_[1] != ']' && rest_[1] != ',';
  }

  std::vector<std::string> arguments(int depth) {
    const std::string_view close = rest_[0] == '<' ? ">" : "]";
    const bool was_in_names = std::exchange(in_names_, in_names_ || close == "]");
    rest_.remove_prefix(1);
    std::vector<std::string> result;
    do {
      result.push_back(type(depth + 1));
    } while (ok_ && take(","));
    in_names_ = was_in_names;
    if (!take(close)) ok_ = false;
    return result;
  }

  bool suffix(std::string& of) {
    if (take("&")) {
      of.insert(0, "ref ");
      return true;
    }
    if (take("*")) {
      of += '*';
      return true;
    }
    if (!rest_.starts_with("[")) return false;
    const size_t close = rest_.find_first_not_of(',', 1);
    if (close == std::string_view::npos || rest_[close] != ']') return ok_ = false;
    rest_.remove_prefix(close + 1);
    of = array_of(std::move(of), static_cast<uint32_t>(close));
    return true;
  }

  std::string_view rest_;
  TypeHandles* handles_;
  bool in_names_ = false;  // "List`1[…]": there are names alone, without a word before them
  bool ok_ = true;
};

}  // namespace

std::string LoadedTypes::name_of(uint64_t handle) {
  ShortName name;
  if (handle != 0) name.of_class(info_, static_cast<ClassID>(handle));
  return to_utf8(name.text());
}

std::string parameters_of_event(std::string_view signature, TypeHandles* handles) {
  Parser parser(signature, handles);
  Parser::Function function = parser.function(0);
  return parser.ok() && parser.at_end() ? std::move(function.parameters) : std::string(signature);
}

std::string type_of_event(std::string_view type) {
  if (type == kNoType) return {};
  Parser parser(type);
  std::string result = parser.type(0);
  // A type's own name is not an argument: "System.Int32" stays.
  const bool plain = type.find_first_of("`[&*") == std::string_view::npos;
  return parser.ok() && parser.at_end() && !plain ? result : std::string(type);
}

MethodName name_of_event(const MethodLoad& event, TypeHandles* handles) {
  MethodName name;
  name.type = type_of_event(event.type.utf8());
  name.method = event.name.utf8();
  if (name.method.empty()) name.method = kUnknownName;  // a DynamicMethod may have none
  name.parameters = parameters_of_event(event.signature.utf8(), handles);
  name.dynamic = event.dynamic;
  name.il_stub = event.dynamic && name.method.starts_with(kStubPrefix);
  return name;
}

}  // namespace walkabout::clr
