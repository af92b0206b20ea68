#include "il/signature_types.h"

#include "clr/abi/element_type.h"
#include "clr/abi/signature_bytes.h"

namespace walkabout::il {
namespace {

using base::Bytes;
using clr::SignatureBytes;

constexpr uint8_t kLocalsKind = 0x07;
constexpr uint32_t kAsync = 0x2000;
constexpr int kDeepest = 64;

void skip_type(SignatureBytes& bytes, int depth);

void skip_method(SignatureBytes& bytes, int depth) {
  const uint32_t parameters = bytes.method_head().parameters;
  for (uint64_t i = 0; i <= parameters && bytes.ok(); ++i) skip_type(bytes, depth);  // and what it returns
}

void skip_instance(SignatureBytes& bytes, int depth) {
  skip_type(bytes, depth);
  for (uint32_t n = bytes.number(); n > 0 && bytes.ok(); --n) skip_type(bytes, depth);
}

void skip_type(SignatureBytes& bytes, int depth) {
  if (depth > kDeepest) return bytes.fail();
  const uint8_t element = bytes.byte();
  if (clr::is_whole(element)) return;
  switch (element) {
    case clr::kElementPointer:
    case clr::kElementByRef:
    case clr::kElementVector:
    case clr::kElementPinned:
    case clr::kElementSentinel:
      return skip_type(bytes, depth + 1);
    case clr::kElementValueType:
    case clr::kElementClass:
      bytes.token();
      return;
    case clr::kElementVar:
    case clr::kElementMethodVar:
      bytes.number();
      return;
    case clr::kElementArray:
      skip_type(bytes, depth + 1);
      bytes.array_shape();
      return;
    case clr::kElementGenericInstance:
      return skip_instance(bytes, depth + 1);
    case clr::kElementFunctionPointer:
      return skip_method(bytes, depth + 1);
    case clr::kElementRequiredModifier:
    case clr::kElementOptionalModifier:
      bytes.token();
      return skip_type(bytes, depth + 1);
    default:
      return bytes.fail();
  }
}

// Behind modifiers.
bool is_void(Bytes type) {
  SignatureBytes bytes(type);
  for (;;) {
    const uint8_t element = bytes.byte();
    if (element != clr::kElementRequiredModifier && element != clr::kElementOptionalModifier)
      return element == clr::kElementVoid;
    bytes.token();
  }
}

}  // namespace

void append_number(uint32_t number, std::vector<uint8_t>* out) {
  const auto put = [out](uint32_t byte) { out->push_back(static_cast<uint8_t>(byte)); };
  if (number < 0x80) return put(number);
  if (number < 0x4000) return put(0x80 | number >> 8), put(number);
  put(0xc0 | number >> 24), put(number >> 16), put(number >> 8), put(number);
}

Cause read_returned(Bytes method_signature, uint32_t implementation, Returned* returned) {
  if ((implementation & kAsync) != 0) return Cause::kRuntimeAsync;
  SignatureBytes bytes(method_signature);
  bytes.method_head();
  const size_t begin = method_signature.size() - bytes.left();
  skip_type(bytes, 0);
  if (!bytes.ok()) return Cause::kSignature;
  const Bytes type = method_signature.subspan(begin, method_signature.size() - bytes.left() - begin);
  returned->nothing = is_void(type);
  returned->type = type;
  return Cause::kNone;
}

Cause read_types(Bytes method_signature, MethodTypes* types) {
  constexpr uint8_t kHasThis = 0x20, kExplicitThis = 0x40;
  *types = {};
  SignatureBytes bytes(method_signature);
  const uint32_t parameters = bytes.method_head().parameters;
  if (!bytes.ok()) return Cause::kSignature;
  types->has_this = (method_signature[0] & (kHasThis | kExplicitThis)) == kHasThis;
  for (uint64_t i = 0; i <= parameters; ++i) {
    const Bytes type = first_type(method_signature.last(bytes.left()));
    if (type.empty()) return Cause::kSignature;
    bytes.skip(type.size());
    if (i == 0)
      types->returned = type;
    else
      types->parameters.push_back(type);
  }
  return Cause::kNone;
}

Bytes first_type(Bytes signature) {
  SignatureBytes bytes(signature);
  skip_type(bytes, 0);
  return bytes.ok() ? signature.first(signature.size() - bytes.left()) : Bytes();
}

Cause Locals::read(Bytes signature, Locals* locals) {
  *locals = Locals();
  SignatureBytes bytes(signature);
  if (bytes.byte() != kLocalsKind) return Cause::kSignature;
  const uint32_t count = bytes.number();
  const Bytes types = signature.last(bytes.left());
  if (count > kMostLocals) return Cause::kSignature;
  for (uint32_t i = 0; i < count && bytes.ok(); ++i) skip_type(bytes, 0);
  if (!bytes.ok()) return Cause::kSignature;
  locals->count_ = count;
  locals->types_.assign(types.begin(), types.end() - static_cast<ptrdiff_t>(bytes.left()));
  return Cause::kNone;
}

Cause Locals::append(Bytes type, uint16_t* index) {
  if (count_ >= kMostLocals) return Cause::kMoreLocals;
  *index = static_cast<uint16_t>(count_++);
  types_.insert(types_.end(), type.begin(), type.end());
  return Cause::kNone;
}

std::vector<uint8_t> Locals::bytes() const {
  std::vector<uint8_t> out{kLocalsKind};
  append_number(count_, &out);
  out.insert(out.end(), types_.begin(), types_.end());
  return out;
}

}  // namespace walkabout::il
