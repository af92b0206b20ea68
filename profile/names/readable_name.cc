#include "profile/names/readable_name.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "profile/names/dynamic_name.h"
#include "profile/names/fsharp_name.h"
#include "profile/names/generated_name.h"
#include "profile/names/member_name.h"
#include "profile/names/readable_type.h"

namespace walkabout::profile {
namespace {

using wire::Method;
using wire::MethodFlag;

bool has(const Method& method, MethodFlag flag) { return (method.flags & static_cast<uint32_t>(flag)) != 0; }

std::vector<std::string_view> list_of(std::string_view types) {
  return trim(types).empty() ? std::vector<std::string_view>() : split_outside_brackets(types, ',');
}

class Namer {
 public:
  Namer(const Method& method, bool more)
      : method_(method),
        more_(more),
        type_(parse_type(method.type)),
        parameters_(list_of(method.parameters)) {
    const NameAndArguments own = split_arguments(method.method);
    member_ = own.name;
    arguments_ = list_of(own.arguments);
  }

  ReadableName name() {
    if (const std::string_view file = fsharp_file(method_.type); !file.empty()) return of_startup(file);
    if (type_.segments.size() > 1 && is_state_machine(last()) && member_ == "MoveNext")
      return state_machine();
    if (const auto closure = fsharp_closure(last()); closure && type_.segments.size() > 1)
      return of_fsharp(*closure);
    if (take_apart(member_).is) return of_compiler();
    return of_person();
  }

 private:
  std::string_view last() const { return type_.segments.back().name; }

  // Arguments of a state machine or closure are those of the method it was made from.
  void leave_last_segment() {
    if (arguments_.empty()) arguments_ = type_.segments.back().arguments;
    type_.segments.pop_back();
  }
  void leave_closures() {
    while (type_.segments.size() > 1 && is_closure(last())) leave_last_segment();
  }

  std::string types(const std::vector<std::string_view>& list) const {
    return more_ ? whole_types(list) : short_types(list);
  }
  std::string parameters(size_t from = 0) const {
    return types({parameters_.begin() + static_cast<ptrdiff_t>(from), parameters_.end()});
  }
  std::string arguments() const { return arguments_.empty() ? "" : "<" + types(arguments_) + ">"; }

  NameContext context() const {
    // Nobody wrote a constructor of a type that the compiler made.
    return {is_made_type(last()) ? "" : readable_type_segment(last()), more_};
  }

  ReadableName with_owner(const std::string& rest) const {
    ReadableName out{std::string(type_.name_space), 0};
    if (!out.text.empty()) out.text += '.';
    out.own = static_cast<uint32_t>(out.text.size());
    for (const TypeSegment& segment : type_.segments) {
      const std::string name = readable_segment(segment, more_);
      if (!name.empty()) out.text += name + '.';
    }
    out.text += rest;
    return out;
  }

  ReadableName with_owner(const Readable& member, const std::string& shown_parameters) const {
    std::string rest = member.path + arguments() + member.lambda;
    if (member.lambda.empty()) rest += "(" + shown_parameters + ")";
    if (!member.tags.empty()) rest += " [" + member.tags + "]";
    return with_owner(rest);
  }

  ReadableName state_machine() {
    const std::string_view segment = last();
    leave_last_segment();
    leave_closures();
    std::string inner(take_apart(segment).inner);
    std::replace(inner.begin(), inner.end(), '-', '.');  // the compiler has no dots in the names of types
    const bool is_iterator = has(method_, MethodFlag::kIterator);
    NameContext context = this->context();
    context.no_accessor = !is_iterator;
    Readable member = readable_member(inner, context);
    member.tag(is_iterator ? "iterator" : "async");
    if (more_ && !number_of(segment).empty()) member.tag("#" + std::string(number_of(segment)));
    return with_owner(member, "…");
  }

  ReadableName of_compiler() {
    leave_closures();
    return with_owner(readable_member(member_, context()), parameters());
  }

  // The code of a closure, of a computation expression's task or sequence; other members are shown as they
  // are.
  ReadableName of_fsharp(const FSharpClosure& closure) {
    leave_last_segment();
    const bool is_sequence = member_ == "GenerateNext";
    const std::string name = fsharp_member(closure.name);
    if (member_ == "MoveNext" || is_sequence) {
      Readable member{name, "", ""};
      member.tag(is_sequence || has(method_, MethodFlag::kIterator) ? "iterator" : "async");
      member.tag("at line " + std::string(closure.line));
      if (!closure.number.empty()) member.tag("#" + std::string(closure.number));
      return with_owner(member, "…");
    }
    const std::string path = name + arguments() + ".(" + readable(closure) + ")";
    if (member_ == "Invoke" && !more_) return with_owner(path);
    const MemberName own = member_name({member_, {}, parameters_, {}, false, false}, more_);
    return with_owner(path + "." + own.name + "(" + parameters(own.index_parameters) + ")");
  }

  // The code of an F# file's top level, and the closures in it.
  ReadableName of_startup(std::string_view file) const {
    const std::string code = std::string(file.substr(0, file.find('+'))) + ".(startup code).";
    const auto closure = fsharp_closure(last());
    const bool is_closure = closure && file.find('+') != std::string_view::npos;
    const std::string within = is_closure ? "(" + readable(*closure) + ")." : "";
    return {code + within + std::string(member_) + arguments() + "(" + parameters() + ")", 0};
  }

  ReadableName of_person() {
    const NameContext context = this->context();
    const Member member{member_,
                        context.owner,
                        parameters_,
                        method_.returns,
                        has(method_, MethodFlag::kPlainName),
                        !arguments_.empty()};
    const MemberName name = member_name(member, more_);
    return with_owner(name.name + arguments() + "(" + parameters(name.index_parameters) + ")");
  }

  const Method& method_;
  const bool more_;
  TypeName type_;
  std::string_view member_;
  std::vector<std::string_view> arguments_;
  std::vector<std::string_view> parameters_;
};

}  // namespace

ReadableName readable_name(const Method& method, Detail detail) {
  ReadableName out;
  if (is_without_type(method))
    out.text = dynamic_name(method, detail != Detail::kUsual);
  else
    out = Namer(method, detail != Detail::kUsual).name();
  if (detail == Detail::kRaw) out.text += " {" + raw_name(method) + "}";
  return out;
}

std::string readable_label(std::string_view text) {
  const std::vector<std::string_view> parts = split_outside_brackets(text, '.');
  std::string_view member = parts.back();
  if (parts.size() < 2 || member.empty()) return std::string(text);
  // The dot of ".ctor" is its own.
  if (parts[parts.size() - 2].empty()) member = text.substr(text.size() - member.size() - 1);
  if (member.size() >= text.size()) return std::string(text);
  Method method;
  method.type = text.substr(0, text.size() - member.size() - 1);
  method.method = member;
  for (const std::string_view prefix : {"set_", "add_", "remove_"}) {
    if (member.starts_with(prefix)) method.parameters = "?";  // as it has one
  }
  std::string out = readable_name(method).text;
  // Whether it is of an async method or an iterator is not known.
  if (const size_t machine = out.rfind("(…)"); machine != std::string::npos) return out.substr(0, machine);
  for (const std::string_view unknown : {"(?)", "()"}) {
    const size_t at = out.rfind(unknown);
    if (at != std::string::npos) return out.erase(at, unknown.size());
  }
  return out;
}

std::string raw_name(const Method& method) {
  return (method.type.empty() ? "" : method.type + ".") + method.method + "(" + method.parameters + ")" +
         (method.returns.empty() ? "" : ":" + method.returns);
}

}  // namespace walkabout::profile
