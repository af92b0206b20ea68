#include "clr/names/signature.h"

#include <vector>

#include "clr/abi/element_type.h"
#include "clr/abi/signature_bytes.h"
#include "clr/names/type_name.h"

namespace walkabout::clr {
namespace {

constexpr size_t kTypeHandleSize = sizeof(void*);

class Reader : private SignatureBytes {
 public:
  Reader(std::span<const uint8_t> blob, TypeTokens& tokens, const GenericArguments& arguments)
      : SignatureBytes(blob), tokens_(tokens), arguments_(arguments) {}

  using SignatureBytes::ok;

  std::string one() { return type(0); }

  MethodSignature method(int depth, bool* unmanaged = nullptr) {
    const auto [kind, count] = method_head();
    if (unmanaged != nullptr) *unmanaged = kind != 0 && kind != kVarArg;
    MethodSignature result;
    result.returns = type(depth);
    for (uint32_t i = 0; i < count && result.parameters.size() <= kLongestTypeName; ++i) {
      if (i > 0) result.parameters += ", ";
      result.parameters += type(depth);
      if (!ok()) break;
    }
    if (!ok() && result.parameters.empty()) result.parameters = std::string(kUnknownName);
    limit_length(result.parameters);
    return result;
  }

 private:
  std::string failed() {
    fail();
    return std::string(kUnknownName);
  }

  std::string variable(std::span<const std::string> arguments, char letter) {
    const uint32_t index = number();
    if (index < arguments.size()) return arguments[index];
    return ok() ? std::string(1, letter).append(std::to_string(index)) : std::string(kUnknownName);
  }

  std::string type(int depth) {
    if (depth > kDeepestType) {
      fail();
      return "…";
    }
    std::string result = one_type(byte(), depth);
    limit_length(result);
    return result;
  }

  std::string one_type(uint8_t element, int depth) {
    if (const std::string_view keyword = keyword_of(element); !keyword.empty()) return std::string(keyword);
    switch (element) {
      case kElementPointer:
        return type(depth + 1) + "*";
      case kElementByRef:
        return std::string("ref ").append(type(depth + 1));
      case kElementVector:
        return array_of(type(depth + 1), 1);
      case kElementArray:
        return array(depth);
      case kElementVar:
        return variable(arguments_.type, 'T');
      case kElementMethodVar:
        return variable(arguments_.method, 'M');
      case kElementGenericInstance:
        return generic_instance(depth);
      case kElementFunctionPointer:
        return function_pointer(depth);
      case kElementClass:
      case kElementValueType:
        return named(token());
      case kElementRequiredModifier:
      case kElementOptionalModifier:
        token();
        return type(depth + 1);
      case kElementInternalModifier:
        skip(1 + kTypeHandleSize);
        return type(depth + 1);
      case kElementInternal:
        skip(kTypeHandleSize);
        return std::string(kUnknownName);
      case kElementSentinel:
      case kElementPinned:
        return type(depth + 1);
      default:
        return failed();
    }
  }

  std::string named(mdToken token) {
    if (!ok()) return std::string(kUnknownName);
    const std::string name = tokens_.name_of(token);
    return with_arguments(keyword_for(name), {});
  }

  // II.23.2.13
  std::string array(int depth) {
    std::string element = type(depth + 1);
    const uint32_t rank = array_shape();
    return array_of(std::move(element), rank);
  }

  // II.23.2.14
  std::string generic_instance(int depth) {
    const uint8_t kind = byte();
    std::string name(kUnknownName);
    if (kind == kElementInternal)
      skip(kTypeHandleSize);
    else if (kind != kElementClass && kind != kElementValueType)
      return failed();
    else if (const mdToken open = token(); ok())
      name = tokens_.name_of(open);
    std::vector<std::string> arguments;
    const uint32_t count = number();
    size_t length = 0;
    for (uint32_t i = 0; i < count && ok(); ++i) {
      std::string argument = type(depth + 1);
      if (length <= kLongestTypeName) arguments.push_back(std::move(argument));
      length += arguments.back().size() + 1;
    }
    return with_arguments(name, arguments);
  }

  std::string function_pointer(int depth) {
    bool unmanaged = false;
    MethodSignature target = method(depth + 1, &unmanaged);
    if (!target.parameters.empty()) target.parameters += ", ";
    return (unmanaged ? "delegate* unmanaged<" : "delegate*<") + target.parameters + target.returns + ">";
  }

  TypeTokens& tokens_;
  const GenericArguments& arguments_;
};

}  // namespace

bool read_method_signature(std::span<const uint8_t> blob, TypeTokens& tokens,
                           const GenericArguments& arguments, MethodSignature* out) {
  Reader reader(blob, tokens, arguments);
  *out = reader.method(0);
  return reader.ok();
}

std::string read_type(std::span<const uint8_t> blob, TypeTokens& tokens, const GenericArguments& arguments) {
  Reader reader(blob, tokens, arguments);
  return reader.one();
}

}  // namespace walkabout::clr
