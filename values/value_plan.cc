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
    il::MethodTypes types;
    if (il::read_types(method_.signature, &types) != il::Cause::kNone) return {};
    hides_all_ = redaction_.hides(wire::matched_name(names_.name_of(method_.owner), method_.name));
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
    if (behind_modifiers(types.returned)[0] != clr::kElementVoid) {
      PlannedValue one;
      one.is_result = true;
      set_type(types.returned, &one);
      add(std::move(one));
    }
    return std::move(plan_);
  }

 private:
  void add(PlannedValue one) {
    const size_t most = one.is_result ? kMostValues : kMostValues - 1;
    if (hides_all_ || redaction_.hides(one.name) || redaction_.hides(one.type)) one.take = Take::kHidden;
    if (plan_.values.size() < most) plan_.values.push_back(std::move(one));
  }

  bool owner_is_value() {
    std::array<clr::WCHAR, kNameRoom> name{};
    uint32_t length = 0, flags = 0;
    clr::mdToken base = 0;
    if (clr::failed(import_.GetTypeDefProps(method_.owner, name.data(), kNameRoom, &length, &flags, &base)) ||
        (base & 0x00ffffff) == 0)
      return false;
    const std::string of = names_.name_of(base);
    return (of == "System.ValueType" && names_.name_of(method_.owner) != "System.Enum") ||
           of == "System.Enum";
  }

  void add_this(uint16_t argument) {
    PlannedValue one;
    one.name = "this";
    one.is_this = true;
    one.argument = argument;
    one.type = clr::with_arguments(names_.name_of(method_.owner), of_type_);
    one.by_ref = owner_is_value();
    one.signature = own_type(one.by_ref);
    one.element = one.signature[0];
    one.take = one.by_ref ? Take::kValue : Take::kObject;
    // What a constructor of a value has of its own is not there yet.
    if (one.by_ref && method_.name == ".ctor") one.at_end = true;
    add(std::move(one));
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
  const clr::mdMethodDef token_;
  const clr::ModuleNames::Method method_;
  const std::vector<std::string> of_type_, own_;
  bool hides_all_ = false;
  ValuePlan plan_;
};

}  // namespace

Redaction::Redaction(std::vector<std::string> globs) : globs_(std::move(globs)) {
  for (std::string& glob : globs_) glob = small_letters(glob);
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
