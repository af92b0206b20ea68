// For tests: a module without metadata.
// Made by clr/generate.py from clr/abi.json; change those and run it.
#pragma once

#include "clr/metadata.h"

namespace walkabout::clr {

class NullIMetaDataImport2 : public IMetaDataImport2 {
 public:
  HRESULT QueryInterface(const GUID& riid, void** object) override;
  uint32_t AddRef() override { return ++references; }
  uint32_t Release() override { return --references; }

  // IMetaDataImport
  void CloseEnum(HCORENUM) override {}
  HRESULT CountEnum(HCORENUM, uint32_t*) override { return E_NOTIMPL; }
  HRESULT ResetEnum(HCORENUM, uint32_t) override { return E_NOTIMPL; }
  HRESULT EnumTypeDefs(HCORENUM*, mdTypeDef*, uint32_t, uint32_t*) override { return E_NOTIMPL; }
  HRESULT EnumInterfaceImpls(HCORENUM*, mdTypeDef, mdInterfaceImpl*, uint32_t, uint32_t*) override {
    return E_NOTIMPL;
  }
  HRESULT EnumTypeRefs(HCORENUM*, mdTypeRef*, uint32_t, uint32_t*) override { return E_NOTIMPL; }
  HRESULT FindTypeDefByName(const WCHAR*, mdToken, mdTypeDef*) override { return E_NOTIMPL; }
  HRESULT GetScopeProps(WCHAR*, uint32_t, uint32_t*, GUID*) override { return E_NOTIMPL; }
  HRESULT GetModuleFromScope(mdModule*) override { return E_NOTIMPL; }
  HRESULT GetTypeDefProps(mdTypeDef, WCHAR*, uint32_t, uint32_t*, uint32_t*, mdToken*) override {
    return E_NOTIMPL;
  }
  HRESULT GetInterfaceImplProps(mdInterfaceImpl, mdTypeDef*, mdToken*) override { return E_NOTIMPL; }
  HRESULT GetTypeRefProps(mdTypeRef, mdToken*, WCHAR*, uint32_t, uint32_t*) override { return E_NOTIMPL; }
  HRESULT ResolveTypeRef(mdTypeRef, const GUID&, IUnknown**, mdTypeDef*) override { return E_NOTIMPL; }
  HRESULT EnumMembers(HCORENUM*, mdTypeDef, mdToken*, uint32_t, uint32_t*) override { return E_NOTIMPL; }
  HRESULT EnumMembersWithName(HCORENUM*, mdTypeDef, const WCHAR*, mdToken*, uint32_t, uint32_t*) override {
    return E_NOTIMPL;
  }
  HRESULT EnumMethods(HCORENUM*, mdTypeDef, mdMethodDef*, uint32_t, uint32_t*) override { return E_NOTIMPL; }
  HRESULT EnumMethodsWithName(HCORENUM*, mdTypeDef, const WCHAR*, mdMethodDef*, uint32_t,
                              uint32_t*) override {
    return E_NOTIMPL;
  }
  HRESULT EnumFields(HCORENUM*, mdTypeDef, mdFieldDef*, uint32_t, uint32_t*) override { return E_NOTIMPL; }
  HRESULT EnumFieldsWithName(HCORENUM*, mdTypeDef, const WCHAR*, mdFieldDef*, uint32_t, uint32_t*) override {
    return E_NOTIMPL;
  }
  HRESULT EnumParams(HCORENUM*, mdMethodDef, mdParamDef*, uint32_t, uint32_t*) override { return E_NOTIMPL; }
  HRESULT EnumMemberRefs(HCORENUM*, mdToken, mdMemberRef*, uint32_t, uint32_t*) override { return E_NOTIMPL; }
  HRESULT EnumMethodImpls(HCORENUM*, mdTypeDef, mdToken*, mdToken*, uint32_t, uint32_t*) override {
    return E_NOTIMPL;
  }
  HRESULT EnumPermissionSets(HCORENUM*, mdToken, uint32_t, mdPermission*, uint32_t, uint32_t*) override {
    return E_NOTIMPL;
  }
  HRESULT FindMember(mdTypeDef, const WCHAR*, PCCOR_SIGNATURE, uint32_t, mdToken*) override {
    return E_NOTIMPL;
  }
  HRESULT FindMethod(mdTypeDef, const WCHAR*, PCCOR_SIGNATURE, uint32_t, mdMethodDef*) override {
    return E_NOTIMPL;
  }
  HRESULT FindField(mdTypeDef, const WCHAR*, PCCOR_SIGNATURE, uint32_t, mdFieldDef*) override {
    return E_NOTIMPL;
  }
  HRESULT FindMemberRef(mdTypeRef, const WCHAR*, PCCOR_SIGNATURE, uint32_t, mdMemberRef*) override {
    return E_NOTIMPL;
  }
  HRESULT GetMethodProps(mdMethodDef, mdTypeDef*, WCHAR*, uint32_t, uint32_t*, uint32_t*, PCCOR_SIGNATURE*,
                         uint32_t*, uint32_t*, uint32_t*) override {
    return E_NOTIMPL;
  }
  HRESULT GetMemberRefProps(mdMemberRef, mdToken*, WCHAR*, uint32_t, uint32_t*, PCCOR_SIGNATURE*,
                            uint32_t*) override {
    return E_NOTIMPL;
  }
  HRESULT EnumProperties(HCORENUM*, mdTypeDef, mdProperty*, uint32_t, uint32_t*) override {
    return E_NOTIMPL;
  }
  HRESULT EnumEvents(HCORENUM*, mdTypeDef, mdEvent*, uint32_t, uint32_t*) override { return E_NOTIMPL; }
  HRESULT GetEventProps(mdEvent, mdTypeDef*, const WCHAR*, uint32_t, uint32_t*, uint32_t*, mdToken*,
                        mdMethodDef*, mdMethodDef*, mdMethodDef*, mdMethodDef*, uint32_t,
                        uint32_t*) override {
    return E_NOTIMPL;
  }
  HRESULT EnumMethodSemantics(HCORENUM*, mdMethodDef, mdToken*, uint32_t, uint32_t*) override {
    return E_NOTIMPL;
  }
  HRESULT GetMethodSemantics(mdMethodDef, mdToken, uint32_t*) override { return E_NOTIMPL; }
  HRESULT GetClassLayout(mdTypeDef, uint32_t*, COR_FIELD_OFFSET*, uint32_t, uint32_t*, uint32_t*) override {
    return E_NOTIMPL;
  }
  HRESULT GetFieldMarshal(mdToken, PCCOR_SIGNATURE*, uint32_t*) override { return E_NOTIMPL; }
  HRESULT GetRVA(mdToken, uint32_t*, uint32_t*) override { return E_NOTIMPL; }
  HRESULT GetPermissionSetProps(mdPermission, uint32_t*, const void**, uint32_t*) override {
    return E_NOTIMPL;
  }
  HRESULT GetSigFromToken(mdSignature, PCCOR_SIGNATURE*, uint32_t*) override { return E_NOTIMPL; }
  HRESULT GetModuleRefProps(mdModuleRef, WCHAR*, uint32_t, uint32_t*) override { return E_NOTIMPL; }
  HRESULT EnumModuleRefs(HCORENUM*, mdModuleRef*, uint32_t, uint32_t*) override { return E_NOTIMPL; }
  HRESULT GetTypeSpecFromToken(mdTypeSpec, PCCOR_SIGNATURE*, uint32_t*) override { return E_NOTIMPL; }
  HRESULT GetNameFromToken(mdToken, MDUTF8CSTR*) override { return E_NOTIMPL; }
  HRESULT EnumUnresolvedMethods(HCORENUM*, mdToken*, uint32_t, uint32_t*) override { return E_NOTIMPL; }
  HRESULT GetUserString(mdString, WCHAR*, uint32_t, uint32_t*) override { return E_NOTIMPL; }
  HRESULT GetPinvokeMap(mdToken, uint32_t*, WCHAR*, uint32_t, uint32_t*, mdModuleRef*) override {
    return E_NOTIMPL;
  }
  HRESULT EnumSignatures(HCORENUM*, mdSignature*, uint32_t, uint32_t*) override { return E_NOTIMPL; }
  HRESULT EnumTypeSpecs(HCORENUM*, mdTypeSpec*, uint32_t, uint32_t*) override { return E_NOTIMPL; }
  HRESULT EnumUserStrings(HCORENUM*, mdString*, uint32_t, uint32_t*) override { return E_NOTIMPL; }
  HRESULT GetParamForMethodIndex(mdMethodDef, uint32_t, mdParamDef*) override { return E_NOTIMPL; }
  HRESULT EnumCustomAttributes(HCORENUM*, mdToken, mdToken, mdCustomAttribute*, uint32_t,
                               uint32_t*) override {
    return E_NOTIMPL;
  }
  HRESULT GetCustomAttributeProps(mdCustomAttribute, mdToken*, mdToken*, const void**, uint32_t*) override {
    return E_NOTIMPL;
  }
  HRESULT FindTypeRef(mdToken, const WCHAR*, mdTypeRef*) override { return E_NOTIMPL; }
  HRESULT GetMemberProps(mdToken, mdTypeDef*, WCHAR*, uint32_t, uint32_t*, uint32_t*, PCCOR_SIGNATURE*,
                         uint32_t*, uint32_t*, uint32_t*, uint32_t*, UVCP_CONSTANT*, uint32_t*) override {
    return E_NOTIMPL;
  }
  HRESULT GetFieldProps(mdFieldDef, mdTypeDef*, WCHAR*, uint32_t, uint32_t*, uint32_t*, PCCOR_SIGNATURE*,
                        uint32_t*, uint32_t*, UVCP_CONSTANT*, uint32_t*) override {
    return E_NOTIMPL;
  }
  HRESULT GetPropertyProps(mdProperty, mdTypeDef*, const WCHAR*, uint32_t, uint32_t*, uint32_t*,
                           PCCOR_SIGNATURE*, uint32_t*, uint32_t*, UVCP_CONSTANT*, uint32_t*, mdMethodDef*,
                           mdMethodDef*, mdMethodDef*, uint32_t, uint32_t*) override {
    return E_NOTIMPL;
  }
  HRESULT GetParamProps(mdParamDef, mdMethodDef*, uint32_t*, WCHAR*, uint32_t, uint32_t*, uint32_t*,
                        uint32_t*, UVCP_CONSTANT*, uint32_t*) override {
    return E_NOTIMPL;
  }
  HRESULT GetCustomAttributeByName(mdToken, const WCHAR*, const void**, uint32_t*) override {
    return E_NOTIMPL;
  }
  BOOL IsValidToken(mdToken) override { return 0; }
  HRESULT GetNestedClassProps(mdTypeDef, mdTypeDef*) override { return E_NOTIMPL; }
  HRESULT GetNativeCallConvFromSig(const void*, uint32_t, uint32_t*) override { return E_NOTIMPL; }
  HRESULT IsGlobal(mdToken, int*) override { return E_NOTIMPL; }

  // IMetaDataImport2
  HRESULT EnumGenericParams(HCORENUM*, mdToken, mdGenericParam*, uint32_t, uint32_t*) override {
    return E_NOTIMPL;
  }
  HRESULT GetGenericParamProps(mdGenericParam, uint32_t*, uint32_t*, mdToken*, uint32_t*, WCHAR*, uint32_t,
                               uint32_t*) override {
    return E_NOTIMPL;
  }
  HRESULT GetMethodSpecProps(mdMethodSpec, mdToken*, PCCOR_SIGNATURE*, uint32_t*) override {
    return E_NOTIMPL;
  }
  HRESULT EnumGenericParamConstraints(HCORENUM*, mdGenericParam, mdGenericParamConstraint*, uint32_t,
                                      uint32_t*) override {
    return E_NOTIMPL;
  }
  HRESULT GetGenericParamConstraintProps(mdGenericParamConstraint, mdGenericParam*, mdToken*) override {
    return E_NOTIMPL;
  }
  HRESULT GetPEKind(uint32_t*, uint32_t*) override { return E_NOTIMPL; }
  HRESULT GetVersionString(WCHAR*, uint32_t, uint32_t*) override { return E_NOTIMPL; }
  HRESULT EnumMethodSpecs(HCORENUM*, mdToken, mdMethodSpec*, uint32_t, uint32_t*) override {
    return E_NOTIMPL;
  }

  uint32_t references = 1;
};

inline HRESULT NullIMetaDataImport2::QueryInterface(const GUID& riid, void** object) {
  const bool known = riid == IUnknown::kIid || riid == IMetaDataImport2::kIid;
  *object = known ? this : nullptr;
  if (known) AddRef();
  return known ? S_OK : E_NOINTERFACE;
}

}  // namespace walkabout::clr
