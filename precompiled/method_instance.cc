#include "precompiled/method_instance.h"

#include <algorithm>
#include <utility>

#include "clr/abi/element_type.h"
#include "clr/abi/signature_bytes.h"
#include "clr/names/type_name.h"

namespace walkabout::precompiled {
namespace {

constexpr size_t kLongest = 512;
constexpr uint32_t kMostArguments = 64;
constexpr uint8_t kElementVarOfRuntime = 0x3b;
constexpr uint8_t kElementNativeValueType = 0x3d;
constexpr uint8_t kElementModule = 0x3f;

enum MethodFlag : uint32_t {
  kInstantiation = 0x04,
  kConstrained = 0x20,
  kOwnerType = 0x40,
  kUpdateContext = 0x80,
  // Without these: unboxing and instantiating stubs, a slot or a MemberRef instead of the method's token,
  // variants of later versions.
  kPlainFlags = kInstantiation | kOwnerType | kUpdateContext,
  kMostFlags = 0x1ff,
};

class Reader : private clr::SignatureBytes {
 public:
  explicit Reader(Bytes bytes)
      : SignatureBytes(bytes.first(std::min(bytes.size(), kLongest))), size_(left()) {}

  using SignatureBytes::ok;
  size_t size() const { return size_ - left(); }

  MethodInstance method() {
    MethodInstance method;
    const uint32_t flags = number();
    if (flags > kMostFlags) fail();
    method.plain = (flags & ~uint32_t{kPlainFlags}) == 0;
    if ((flags & kUpdateContext) != 0) method.module = number();
    if ((flags & kOwnerType) != 0) {
      method.owner = type(method.module, 0);
      method.module = method.owner->module;
    }
    method.method = number();
    if ((flags & kInstantiation) != 0) arguments(0, &method.arguments);
    if ((flags & kConstrained) != 0) type(method.module, 0);
    return method;
  }

 private:
  // Arguments are in the image's own context, wherever what is instantiated is.
  void arguments(int depth, std::vector<InstanceType>* out) {
    const uint32_t count = number();
    if (count > kMostArguments) fail();
    for (uint32_t i = 0; i < count && ok(); ++i) out->push_back(type(0, depth));
  }

  InstanceType type(uint32_t module, int depth) {
    InstanceType type;
    if (depth > clr::kDeepestType) fail();
    if (!ok()) return type;
    type.module = module;
    type.element = byte();
    switch (type.element) {
      case kElementModule:
        return this->type(number(), depth + 1);
      case clr::kElementClass:
      case clr::kElementValueType:
        type.token = token();
        break;
      case clr::kElementGenericInstance: {
        const InstanceType open = this->type(module, depth + 1);
        if (open.element != clr::kElementClass && open.element != clr::kElementValueType) fail();
        type.module = open.module;
        type.token = open.token;
        arguments(depth + 1, &type.arguments);
        break;
      }
      case clr::kElementVar:
      case clr::kElementMethodVar:
      case kElementVarOfRuntime:
        number();
        break;
      case clr::kElementPointer:
      case clr::kElementByRef:
      case clr::kElementVector:
      case kElementNativeValueType:
        this->type(module, depth + 1);
        break;
      case clr::kElementArray:
        this->type(module, depth + 1);
        array_shape();
        break;
      case kElementCanon:
        break;
      default:
        if (clr::keyword_of(type.element).empty()) fail();
    }
    return type;
  }

  const size_t size_;  // of all the bytes
};

}  // namespace

std::optional<MethodInstance> read_method_instance(Bytes bytes, size_t* size) {
  Reader reader(bytes);
  MethodInstance method = reader.method();
  if (!reader.ok()) return std::nullopt;
  *size = reader.size();
  return method;
}

}  // namespace walkabout::precompiled
