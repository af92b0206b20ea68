#include "precompiled/call_shape.h"

#include "clr/abi/element_type.h"
#include "clr/abi/signature_bytes.h"

namespace walkabout::precompiled {
namespace {

constexpr uint32_t kSignatureRow = 0x00ffffff;
constexpr uint8_t kHasThis = 0x20, kExplicitThis = 0x40;
constexpr uint8_t kRequired = 0x1f, kOptional = 0x20;  // modifiers of a type
constexpr uint8_t kVoid = 0x01;

Bytes signature_at(const Metadata& metadata, uint32_t token) {
  const auto table = static_cast<Table>(token >> 24);
  const uint32_t row = token & kSignatureRow;
  if (!metadata.has(table, row)) return {};
  switch (table) {
    case Table::kMethodDef:
      return metadata.blob(metadata.cell(table, row, 4));
    case Table::kMemberRef:
      return metadata.blob(metadata.cell(table, row, 2));
    case Table::kStandAloneSig:
      return metadata.blob(metadata.cell(table, row, 0));
    default:
      return {};
  }
}

// Of a generic method's instance: the method itself.
uint32_t plain_method(const Metadata& metadata, uint32_t token) {
  const uint32_t row = token & kSignatureRow;
  if (token >> 24 != static_cast<uint32_t>(Table::kMethodSpec) || !metadata.has(Table::kMethodSpec, row))
    return token;
  const uint32_t coded = metadata.cell(Table::kMethodSpec, row, 0);
  const Table table = (coded & 1) == 0 ? Table::kMethodDef : Table::kMemberRef;
  return static_cast<uint32_t>(table) << 24 | (coded >> 1 & kSignatureRow);
}

}  // namespace

std::optional<il::CallShape> call_shape(const Metadata& metadata, uint32_t token) {
  const Bytes signature = signature_at(metadata, plain_method(metadata, token));
  if (signature.empty()) return std::nullopt;
  clr::SignatureBytes from(signature);
  const auto head = from.method_head();
  uint8_t element = from.byte();
  while (from.ok() && (element == kRequired || element == kOptional)) {
    from.token();
    element = from.byte();
  }
  if (!from.ok()) return std::nullopt;
  const bool has_this = (signature[0] & kHasThis) != 0 && (signature[0] & kExplicitThis) == 0;
  return il::CallShape{head.parameters, has_this, element != kVoid};
}

}  // namespace walkabout::precompiled
