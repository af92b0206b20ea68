#include "precompiled/file_metadata.h"

#include <algorithm>
#include <string>

#include "clr/names/utf16.h"

namespace walkabout::precompiled {
namespace {

using clr::HRESULT;

constexpr clr::mdToken kRowOfToken = 0x00ffffff;

std::u16string full_name(std::string_view space, std::string_view name) {
  std::string whole(space);
  if (!whole.empty()) whole += '.';
  return clr::to_utf16(whole.append(name));
}

}  // namespace

void give_text(std::u16string_view text, clr::WCHAR* buffer, uint32_t capacity, uint32_t* length) {
  if (length != nullptr) *length = static_cast<uint32_t>(text.size() + 1);
  if (buffer == nullptr || capacity == 0) return;
  const size_t kept = std::min<size_t>(text.size(), capacity - 1);
  std::copy_n(text.begin(), kept, buffer);
  buffer[kept] = u'\0';
}

HRESULT FileMetadata::GetScopeProps(clr::WCHAR* name, uint32_t capacity, uint32_t* length, clr::GUID*) {
  give_text(clr::to_utf16(metadata_.module_name()), name, capacity, length);
  return clr::S_OK;
}

HRESULT FileMetadata::GetTypeDefProps(clr::mdTypeDef token, clr::WCHAR* name, uint32_t capacity,
                                      uint32_t* length, uint32_t* flags, clr::mdToken* /*base*/) {
  const auto type = metadata_.type_def(token & kRowOfToken);
  if (!type || type->name.empty()) return miss();
  give_text(full_name(type->space, type->name), name, capacity, length);
  *flags = type->flags;
  return clr::S_OK;
}

HRESULT FileMetadata::GetNestedClassProps(clr::mdTypeDef token, clr::mdTypeDef* outer) {
  const uint32_t row = metadata_.outer_of(token & kRowOfToken);
  if (row == 0) return miss();
  *outer = clr::mdtTypeDef | row;
  return clr::S_OK;
}

HRESULT FileMetadata::GetTypeRefProps(clr::mdTypeRef token, clr::mdToken* scope, clr::WCHAR* name,
                                      uint32_t capacity, uint32_t* length) {
  const auto type = metadata_.type_ref(token & kRowOfToken);
  if (!type || type->name.empty()) return miss();
  give_text(full_name(type->space, type->name), name, capacity, length);
  *scope = type->scope;
  return clr::S_OK;
}

HRESULT FileMetadata::GetMethodProps(clr::mdMethodDef token, clr::mdTypeDef* owner, clr::WCHAR* name,
                                     uint32_t capacity, uint32_t* length, uint32_t* attributes,
                                     clr::PCCOR_SIGNATURE* blob, uint32_t* blob_size, uint32_t* /*rva*/,
                                     uint32_t* /*implementation*/) {
  const auto method = metadata_.method_def(token & kRowOfToken);
  if (!method || method->name.empty() || method->signature.empty() || method->owner == 0) return miss();
  give_text(clr::to_utf16(method->name), name, capacity, length);
  *owner = clr::mdtTypeDef | method->owner;
  if (attributes != nullptr) *attributes = method->attributes;
  *blob = method->signature.data();
  *blob_size = static_cast<uint32_t>(method->signature.size());
  return clr::S_OK;
}

HRESULT FileMetadata::EnumGenericParams(clr::HCORENUM* /*enumeration*/, clr::mdToken owner,
                                        clr::mdGenericParam* tokens, uint32_t capacity, uint32_t* count) {
  const Metadata::Range range = metadata_.generic_parameters(owner);
  *count = std::min(range.count, capacity);
  for (uint32_t i = 0; i < *count; ++i) tokens[i] = clr::mdtGenericParam | (range.first + i);
  return *count != 0 ? clr::S_OK : clr::S_FALSE;
}

HRESULT FileMetadata::GetGenericParamProps(clr::mdGenericParam token, uint32_t* /*number*/,
                                           uint32_t* /*flags*/, clr::mdToken* /*owner*/,
                                           uint32_t* /*reserved*/, clr::WCHAR* name, uint32_t capacity,
                                           uint32_t* length) {
  const auto parameter = metadata_.generic_parameter(token & kRowOfToken);
  if (!parameter) return miss();
  give_text(clr::to_utf16(*parameter), name, capacity, length);
  return clr::S_OK;
}

}  // namespace walkabout::precompiled
