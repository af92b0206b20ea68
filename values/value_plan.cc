#include "values/value_plan.h"

#include <algorithm>
#include <array>

#include "base/glob.h"
#include "clr/abi/element_type.h"
#include "clr/abi/signature_bytes.h"
#include "clr/names/signature.h"
#include "clr/names/type_name.h"
#include "clr/names/utf16.h"
#include "il/signature_types.h"
#include "wire/method_pattern.h"

namespace walkabout::values {
namespace {

using base::Bytes;

constexpr uint32_t kNameRoom = 512, kIn = 1, kOut = 2;

std::string small_letters(std::string_view text) {
  std::string small(text);
  std::transform(small.begin(), small.end(), small.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return small;
}

class PlanTokens : public clr::TypeTokens {
 public:
  explicit PlanTokens(clr::ModuleNames& names) : names_(names) {}
  std::string name_of(clr::mdToken token) override { return names_.name_of(token); }

 private:
  clr::ModuleNames& names_;
};

Bytes behind_modifiers(Bytes type) {
  while (!type.empty()) {
    clr::SignatureBytes bytes(type);
    const uint8_t element = bytes.byte();
    const bool modifies =
        element == clr::kElementRequiredModifier || element == clr::kElementOptionalModifier;
    if (!modifies && element != clr::kElementPinned) return type;
    if (modifies) bytes.token();
    type = type.last(bytes.left());
  }
  return type;
}

class Planner {
 public:
  Planner(clr::IMetaDataImport2& import, clr::ModuleNames& names, clr::mdMethodDef method,
          const Redaction& redaction)
      : import_(import),
        names_(names),
        redaction_(redaction),
        token_(method),
        method_(names.method(method)),
        of_type_(method_.owner != 0 ? names.generic_parameters(method_.owner) : std::vector<std::string>()),
        own_(names.generic_parameters(method)) {}

  ValuePlan plan() {
    is_type_handle_ = names_.name_of(method_.owner) == "System.RuntimeTypeHandle";
    if (method_.name == "MoveNext" && plan_machine()) return std::move(plan_);
    il::MethodTypes types;
    if (il::read_types(method_.signature, &types) != il::Cause::kNone) return {};
    plan_.hides_all = redaction_.hides(wire::matched_name(names_.name_of(method_.owner), method_.name));
    uint16_t argument = 0;
    if (types.has_this) add_this(argument++);
    for (uint32_t i = 0; i < types.parameters.size(); ++i) {
      PlannedValue one;
      uint32_t flags = 0;
      one.name = parameter_name(i + 1, &flags);
      one.argument = argument++;
      set_type(types.parameters[i], &one);
      one.at_end = one.by_ref && (flags & (kIn | kOut)) == kOut;
      add(std::move(one));
    }
    add_result(method_.signature);
    return std::move(plan_);
  }

 private:
  void add(PlannedValue one) {
    const size_t most = one.is_result ? kMostValues : kMostValues - 1;
    // Where it is no constant, the code that takes a value calls this type's (values/value_code.h).
    if (is_type_handle_ && one.take == Take::kValue) one.take = Take::kNothing;
    if (plan_.hides_all || redaction_.hides(one.name) || redaction_.hides(one.type)) one.take = Take::kHidden;
    if (plan_.values.size() < most) plan_.values.push_back(std::move(one));
  }

  bool is_value(clr::mdTypeDef type) {
    std::array<clr::WCHAR, kNameRoom> name{};
    uint32_t length = 0, flags = 0;
    clr::mdToken base = 0;
    if (clr::failed(import_.GetTypeDefProps(type, name.data(), kNameRoom, &length, &flags, &base)) ||
        (base & 0x00ffffff) == 0)
      return false;
    const std::string of = names_.name_of(base);
    return (of == "System.ValueType" && names_.name_of(type) != "System.Enum") || of == "System.Enum";
  }

  void add_this(uint16_t argument) {
    PlannedValue one;
    one.name = "this";
    one.is_this = true;
    one.argument = argument;
    one.type = clr::with_arguments(names_.name_of(method_.owner), of_type_);
    one.by_ref = is_value(method_.owner);
    one.signature = own_type(one.by_ref);
    one.element = one.signature[0];
    one.take = one.by_ref ? Take::kValue : Take::kObject;
    // What a constructor of a value has of its own is not there yet.
    if (one.by_ref && method_.name == ".ctor") one.at_end = true;
    add(std::move(one));
  }

  // Of an async method: what its state machine keeps of its arguments, in their order.
  bool plan_machine() {
    if (!names_.has_field(method_.owner, u"<>1__state")) return false;
    const bool is_async = names_.has_field(method_.owner, u"<>t__builder");
    const clr::mdMethodDef kickoff = find_kickoff();
    if (kickoff == 0) return false;
    const clr::ModuleNames::Method of = names_.method(kickoff);
    il::MethodTypes types;
    if (il::read_types(of.signature, &types) != il::Cause::kNone) return false;
    const std::string type = names_.name_of(of.owner);
    plan_.hides_all = redaction_.hides(wire::matched_name(type, of.name));
    if (is_async) plan_.state = field_of(u"<>1__state");
    plan_.own_type = own_type(is_value(method_.owner));
    of_type_ = names_.generic_parameters(of.owner);
    own_ = names_.generic_parameters(kickoff);
    token_ = kickoff;
    if (types.has_this) {
      PlannedValue one;
      one.name = "this";
      one.is_this = true;
      one.type = clr::with_arguments(type, of_type_);
      take_field(u"<>4__this", &one);
      add(std::move(one));
    }
    for (uint32_t i = 0; i < types.parameters.size(); ++i) {
      PlannedValue one;
      uint32_t flags = 0;
      one.name = parameter_name(i + 1, &flags);
      set_type(types.parameters[i], &one);
      take_field(clr::to_utf16(one.name), &one);
      add(std::move(one));
    }
    if (is_async)
      add_machine_result(types.returned);
    else
      add_result(method_.signature);  // whether there is one more
    return true;
  }

  void add_result(Bytes signature) {
    il::MethodTypes types;
    if (il::read_types(signature, &types) != il::Cause::kNone ||
        behind_modifiers(types.returned)[0] == clr::kElementVoid)
      return;
    PlannedValue one;
    one.is_result = true;
    set_type(types.returned, &one);
    add(std::move(one));
  }

  // "Task<int>": an int.
  void add_machine_result(Bytes type) {
    type = behind_modifiers(type);
    clr::SignatureBytes bytes(type);
    if (bytes.byte() != clr::kElementGenericInstance) return;
    bytes.byte();
    const std::string task = names_.name_of(bytes.token());
    if (bytes.number() != 1 || !bytes.ok() || !task.ends_with("Task`1")) return;
    PlannedValue one;
    one.is_result = true;
    set_type(type.last(bytes.left()), &one);
    add(std::move(one));
  }

  clr::mdFieldDef field_of(const std::u16string& name) {
    clr::mdFieldDef found = 0;
    return import_.FindField(method_.owner, name.c_str(), nullptr, 0, &found) == clr::S_OK ? found : 0;
  }

  // The type that it has in the state machine, whose generic parameters are other ones.
  void take_field(const std::u16string& name, PlannedValue* one) {
    one->field = field_of(name);
    one->take = Take::kNothing;
    one->by_ref = false;
    clr::mdTypeDef owner = 0;
    uint32_t length = 0, flags = 0, size = 0, kind = 0, value_size = 0;
    clr::PCCOR_SIGNATURE blob = nullptr;
    clr::UVCP_CONSTANT value = nullptr;
    if (one->field == 0 ||
        clr::failed(import_.GetFieldProps(one->field, &owner, nullptr, 0, &length, &flags, &blob, &size,
                                          &kind, &value, &value_size)) ||
        size < 2)
      return;
    const Bytes type = behind_modifiers(Bytes(blob, size).subspan(1));
    if (type.empty() || type[0] == clr::kElementByRef) return;
    one->signature.assign(type.begin(), type.end());
    one->element = type[0];
    one->take = take_of(type);
  }

  // The method that this state machine is of: of its name, and it says so.
  clr::mdMethodDef find_kickoff() {
    static constexpr const char16_t* kSays[] = {
        u"System.Runtime.CompilerServices.AsyncStateMachineAttribute",
        u"System.Runtime.CompilerServices.IteratorStateMachineAttribute",
        u"System.Runtime.CompilerServices.AsyncIteratorStateMachineAttribute"};
    clr::mdTypeDef outer = 0;
    if (clr::failed(import_.GetNestedClassProps(method_.owner, &outer))) return 0;
    const std::string machine = names_.name_of(method_.owner);
    const size_t begin = machine.rfind("+<"), end = machine.rfind(">d");
    if (begin == std::string::npos || end == std::string::npos || end < begin) return 0;
    const std::u16string name = clr::to_utf16(machine.substr(begin + 2, end - begin - 2));
    clr::HCORENUM all = nullptr;
    clr::mdMethodDef found = 0, one = 0;
    uint32_t count = 0;
    while (found == 0 &&
           clr::succeeded(import_.EnumMethodsWithName(&all, outer, name.c_str(), &one, 1, &count)) &&
           count == 1) {
      const bool is_it = std::any_of(std::begin(kSays), std::end(kSays), [&](const char16_t* attribute) {
        const void* data = nullptr;
        uint32_t size = 0;
        if (import_.GetCustomAttributeByName(one, attribute, &data, &size) != clr::S_OK || size < 4)
          return false;
        // Its prolog, and the type's name behind its length.
        clr::SignatureBytes bytes({static_cast<const uint8_t*>(data) + 2, size - 2});
        const uint32_t length = bytes.number();
        if (length > bytes.left()) return false;
        const std::string_view said(static_cast<const char*>(data) + size - bytes.left(), length);
        return said.substr(0, said.find(',')) == machine;
      });
      if (is_it) found = one;
    }
    import_.CloseEnum(all);
    return found;
  }

  // The type that the method is of, with its own parameters.
  std::vector<uint8_t> own_type(bool is_value) const {
    std::vector<uint8_t> bytes;
    if (!of_type_.empty()) bytes.push_back(clr::kElementGenericInstance);
    bytes.push_back(is_value ? clr::kElementValueType : clr::kElementClass);
    il::append_number((method_.owner & 0x00ffffff) << 2, &bytes);
    if (of_type_.empty()) return bytes;
    il::append_number(static_cast<uint32_t>(of_type_.size()), &bytes);
    for (uint32_t i = 0; i < of_type_.size(); ++i) {
      bytes.push_back(clr::kElementVar);
      il::append_number(i, &bytes);
    }
    return bytes;
  }

  std::string parameter_name(uint32_t number, uint32_t* flags) {
    clr::mdParamDef parameter = 0;
    clr::mdMethodDef method = 0;
    uint32_t sequence = 0, length = 0, kind = 0, value_size = 0;
    clr::UVCP_CONSTANT value = nullptr;
    std::array<clr::WCHAR, kNameRoom> name{};
    if (clr::succeeded(import_.GetParamForMethodIndex(token_, number, &parameter)) &&
        clr::succeeded(import_.GetParamProps(parameter, &method, &sequence, name.data(), kNameRoom, &length,
                                             flags, &kind, &value, &value_size)) &&
        length > 1)
      return clr::to_utf8(std::u16string_view(name.data()));
    return "arg" + std::to_string(number);
  }

  void set_type(Bytes type, PlannedValue* one) {
    PlanTokens tokens(names_);
    one->type = clr::read_type(type, tokens, {of_type_, own_});
    type = behind_modifiers(type);
    if (!type.empty() && type[0] == clr::kElementByRef) {
      one->by_ref = true;
      type = behind_modifiers(type.subspan(1));
    }
    if (type.empty()) return;
    one->signature.assign(type.begin(), type.end());
    one->element = type[0];
    one->take = take_of(type);
  }

  Take take_of(Bytes type) {
    switch (type[0]) {
      case clr::kElementR4:
      case clr::kElementR8:
        return Take::kReal;
      case clr::kElementString:
      case clr::kElementClass:
      case clr::kElementObject:
      case clr::kElementVector:
      case clr::kElementArray:
        return Take::kObject;
      case clr::kElementValueType:
      case clr::kElementVar:
      case clr::kElementMethodVar:
        return Take::kValue;
      case clr::kElementGenericInstance:
        if (type.size() < 2 || type[1] == clr::kElementClass) return Take::kObject;
        return is_characters(type) ? Take::kCharacters : Take::kValue;
      case clr::kElementPointer:
      case clr::kElementFunctionPointer:
      case clr::kElementNativeInt:
      case clr::kElementNativeUInt:
        return Take::kBits;
      default:
        return type[0] >= clr::kElementBoolean && type[0] <= clr::kElementU8 ? Take::kBits : Take::kNothing;
    }
  }

  bool is_characters(Bytes type) {
    clr::SignatureBytes bytes(type);
    bytes.skip(2);
    const clr::mdToken token = bytes.token();
    if (bytes.number() != 1 || bytes.byte() != clr::kElementChar || !bytes.ok()) return false;
    const std::string name = names_.name_of(token);
    return name == "System.ReadOnlySpan`1" || name == "System.Span`1";
  }

  clr::IMetaDataImport2& import_;
  clr::ModuleNames& names_;
  const Redaction& redaction_;
  clr::mdMethodDef token_;
  const clr::ModuleNames::Method method_;
  std::vector<std::string> of_type_, own_;
  bool is_type_handle_ = false;
  ValuePlan plan_;
};

}  // namespace

Redaction::Redaction(std::vector<std::string> globs) : globs_(std::move(globs)) {
  for (std::string& glob : globs_) glob = small_letters(glob);
}

Redaction Redaction::of_lines(std::string_view lines) {
  std::vector<std::string> globs;
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(line.size() + 1, lines.size()));
    if (!line.empty()) globs.emplace_back(line);
  }
  return Redaction(std::move(globs));
}

bool Redaction::hides(std::string_view name) const {
  if (globs_.empty() || name.empty()) return false;
  const std::string small = small_letters(name);
  return std::any_of(globs_.begin(), globs_.end(),
                     [&](const std::string& glob) { return base::matches_glob(glob, small); });
}

ValuePlan plan_values(clr::IMetaDataImport2& import, clr::ModuleNames& names, clr::mdMethodDef method,
                      const Redaction& redaction) {
  return Planner(import, names, method, redaction).plan();
}

}  // namespace walkabout::values
