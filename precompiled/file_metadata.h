// An assembly's metadata as the CLR would answer for it, as far as clr/names asks: so names from a file are
// put together by what puts together those of a process. One thread.
#pragma once

#include "clr/abi/null_metadata.h"
#include "precompiled/metadata_tables.h"

namespace walkabout::precompiled {

class FileMetadata final : public clr::NullIMetaDataImport2 {
 public:
  // metadata must outlive this.
  explicit FileMetadata(const Metadata& metadata) : metadata_(metadata) {}

  // Something was asked for that is not there: what was named since then is not to be believed.
  bool missed() const { return missed_; }

  clr::HRESULT GetScopeProps(clr::WCHAR* name, uint32_t capacity, uint32_t* length, clr::GUID*) override;
  clr::HRESULT GetTypeDefProps(clr::mdTypeDef token, clr::WCHAR* name, uint32_t capacity, uint32_t* length,
                               uint32_t* flags, clr::mdToken* base) override;
  clr::HRESULT GetNestedClassProps(clr::mdTypeDef token, clr::mdTypeDef* outer) override;
  clr::HRESULT GetTypeRefProps(clr::mdTypeRef token, clr::mdToken* scope, clr::WCHAR* name, uint32_t capacity,
                               uint32_t* length) override;
  clr::HRESULT GetMethodProps(clr::mdMethodDef token, clr::mdTypeDef* owner, clr::WCHAR* name,
                              uint32_t capacity, uint32_t* length, uint32_t* attributes,
                              clr::PCCOR_SIGNATURE* blob, uint32_t* blob_size, uint32_t* rva,
                              uint32_t* implementation) override;
  clr::HRESULT EnumGenericParams(clr::HCORENUM* enumeration, clr::mdToken owner, clr::mdGenericParam* tokens,
                                 uint32_t capacity, uint32_t* count) override;
  clr::HRESULT GetGenericParamProps(clr::mdGenericParam token, uint32_t* number, uint32_t* flags,
                                    clr::mdToken* owner, uint32_t* reserved, clr::WCHAR* name,
                                    uint32_t capacity, uint32_t* length) override;

 private:
  clr::HRESULT miss() {
    missed_ = true;
    return clr::E_FAIL;
  }

  const Metadata& metadata_;
  bool missed_ = false;
};

// Copies as the CLR does: what fits, always terminated; the length counts the NUL and is the whole one.
void give_text(std::u16string_view text, clr::WCHAR* buffer, uint32_t capacity, uint32_t* length);

}  // namespace walkabout::precompiled
