// A module without metadata: for tests, and to derive from.
// Made by clr/abi/generate.py from clr/abi/abi.json; change those and run it.
#pragma once

#include "clr/abi/metadata.h"

namespace walkabout::clr {

class NullIMetaDataImport2 : public IMetaDataImport2 {
 public:
  HRESULT QueryInterface(const GUID& riid, void** object) override;
  uint32_t AddRef() override { return ++references; }
  uint32_t Release() override { return --references; }

  // IMetaDataImport
  void CloseEnum(HCORENUM) override {}
  HRESULT CountEnum(HCORENUM, uint32_t*) override { return not_overridden("CountEnum"); }
  HRESULT ResetEnum(HCORENUM, uint32_t) override { return not_overridden("ResetEnum"); }
  HRESULT EnumTypeDefs(HCORENUM*, mdTypeDef*, uint32_t, uint32_t*) override {
    return not_overridden("EnumTypeDefs");
  }
  HRESULT EnumInterfaceImpls(HCORENUM*, mdTypeDef, mdInterfaceImpl*, uint32_t, uint32_t*) override {
    return not_overridden("EnumInterfaceImpls");
  }
  HRESULT EnumTypeRefs(HCORENUM*, mdTypeRef*, uint32_t, uint32_t*) override {
    return not_overridden("EnumTypeRefs");
  }
  HRESULT FindTypeDefByName(const WCHAR*, mdToken, mdTypeDef*) override {
    return not_overridden("FindTypeDefByName");
  }
  HRESULT GetScopeProps(WCHAR*, uint32_t, uint32_t*, GUID*) override {
    return not_overridden("GetScopeProps");
  }
  HRESULT GetModuleFromScope(mdModule*) override { return not_overridden("GetModuleFromScope"); }
  HRESULT GetTypeDefProps(mdTypeDef, WCHAR*, uint32_t, uint32_t*, uint32_t*, mdToken*) override {
    return not_overridden("GetTypeDefProps");
  }
  HRESULT GetInterfaceImplProps(mdInterfaceImpl, mdTypeDef*, mdToken*) override {
    return not_overridden("GetInterfaceImplProps");
  }
  HRESULT GetTypeRefProps(mdTypeRef, mdToken*, WCHAR*, uint32_t, uint32_t*) override {
    return not_overridden("GetTypeRefProps");
  }
  HRESULT ResolveTypeRef(mdTypeRef, const GUID&, IUnknown**, mdTypeDef*) override {
    return not_overridden("ResolveTypeRef");
  }
  HRESULT EnumMembers(HCORENUM*, mdTypeDef, mdToken*, uint32_t, uint32_t*) override {
    return not_overridden("EnumMembers");
  }
  HRESULT EnumMembersWithName(HCORENUM*, mdTypeDef, const WCHAR*, mdToken*, uint32_t, uint32_t*) override {
    return not_overridden("EnumMembersWithName");
  }
  HRESULT EnumMethods(HCORENUM*, mdTypeDef, mdMethodDef*, uint32_t, uint32_t*) override {
    return not_overridden("EnumMethods");
  }
  HRESULT EnumMethodsWithName(HCORENUM*, mdTypeDef, const WCHAR*, mdMethodDef*, uint32_t,
                              uint32_t*) override {
    return not_overridden("EnumMethodsWithName");
  }
  HRESULT EnumFields(HCORENUM*, mdTypeDef, mdFieldDef*, uint32_t, uint32_t*) override {
    return not_overridden("EnumFields");
  }
  HRESULT EnumFieldsWithName(HCORENUM*, mdTypeDef, const WCHAR*, mdFieldDef*, uint32_t, uint32_t*) override {
    return not_overridden("EnumFieldsWithName");
  }
  HRESULT EnumParams(HCORENUM*, mdMethodDef, mdParamDef*, uint32_t, uint32_t*) override {
    return not_overridden("EnumParams");
  }
  HRESULT EnumMemberRefs(HCORENUM*, mdToken, mdMemberRef*, uint32_t, uint32_t*) override {
    return not_overridden("EnumMemberRefs");
  }
  HRESULT EnumMethodImpls(HCORENUM*, mdTypeDef, mdToken*, mdToken*, uint32_t, uint32_t*) override {
    return not_overridden("EnumMethodImpls");
  }
  HRESULT EnumPermissionSets(HCORENUM*, mdToken, uint32_t, mdPermission*, uint32_t, uint32_t*) override {
    return not_overridden("EnumPermissionSets");
  }
  HRESULT FindMember(mdTypeDef, const WCHAR*, PCCOR_SIGNATURE, uint32_t, mdToken*) override {
    return not_overridden("FindMember");
  }
  HRESULT FindMethod(mdTypeDef, const WCHAR*, PCCOR_SIGNATURE, uint32_t, mdMethodDef*) override {
    return not_overridden("FindMethod");
  }
  HRESULT FindField(mdTypeDef, const WCHAR*, PCCOR_SIGNATURE, uint32_t, mdFieldDef*) override {
    return not_overridden("FindField");
  }
  HRESULT FindMemberRef(mdTypeRef, const WCHAR*, PCCOR_SIGNATURE, uint32_t, mdMemberRef*) override {
    return not_overridden("FindMemberRef");
  }
  HRESULT GetMethodProps(mdMethodDef, mdTypeDef*, WCHAR*, uint32_t, uint32_t*, uint32_t*, PCCOR_SIGNATURE*,
                         uint32_t*, uint32_t*, uint32_t*) override {
    return not_overridden("GetMethodProps");
  }
  HRESULT GetMemberRefProps(mdMemberRef, mdToken*, WCHAR*, uint32_t, uint32_t*, PCCOR_SIGNATURE*,
                            uint32_t*) override {
    return not_overridden("GetMemberRefProps");
  }
  HRESULT EnumProperties(HCORENUM*, mdTypeDef, mdProperty*, uint32_t, uint32_t*) override {
    return not_overridden("EnumProperties");
  }
  HRESULT EnumEvents(HCORENUM*, mdTypeDef, mdEvent*, uint32_t, uint32_t*) override {
    return not_overridden("EnumEvents");
  }
  HRESULT GetEventProps(mdEvent, mdTypeDef*, const WCHAR*, uint32_t, uint32_t*, uint32_t*, mdToken*,
                        mdMethodDef*, mdMethodDef*, mdMethodDef*, mdMethodDef*, uint32_t,
                        uint32_t*) override {
    return not_overridden("GetEventProps");
  }
  HRESULT EnumMethodSemantics(HCORENUM*, mdMethodDef, mdToken*, uint32_t, uint32_t*) override {
    return not_overridden("EnumMethodSemantics");
  }
  HRESULT GetMethodSemantics(mdMethodDef, mdToken, uint32_t*) override {
    return not_overridden("GetMethodSemantics");
  }
  HRESULT GetClassLayout(mdTypeDef, uint32_t*, COR_FIELD_OFFSET*, uint32_t, uint32_t*, uint32_t*) override {
    return not_overridden("GetClassLayout");
  }
  HRESULT GetFieldMarshal(mdToken, PCCOR_SIGNATURE*, uint32_t*) override {
    return not_overridden("GetFieldMarshal");
  }
  HRESULT GetRVA(mdToken, uint32_t*, uint32_t*) override { return not_overridden("GetRVA"); }
  HRESULT GetPermissionSetProps(mdPermission, uint32_t*, const void**, uint32_t*) override {
    return not_overridden("GetPermissionSetProps");
  }
  HRESULT GetSigFromToken(mdSignature, PCCOR_SIGNATURE*, uint32_t*) override {
    return not_overridden("GetSigFromToken");
  }
  HRESULT GetModuleRefProps(mdModuleRef, WCHAR*, uint32_t, uint32_t*) override {
    return not_overridden("GetModuleRefProps");
  }
  HRESULT EnumModuleRefs(HCORENUM*, mdModuleRef*, uint32_t, uint32_t*) override {
    return not_overridden("EnumModuleRefs");
  }
  HRESULT GetTypeSpecFromToken(mdTypeSpec, PCCOR_SIGNATURE*, uint32_t*) override {
    return not_overridden("GetTypeSpecFromToken");
  }
  HRESULT GetNameFromToken(mdToken, MDUTF8CSTR*) override { return not_overridden("GetNameFromToken"); }
  HRESULT EnumUnresolvedMethods(HCORENUM*, mdToken*, uint32_t, uint32_t*) override {
    return not_overridden("EnumUnresolvedMethods");
  }
  HRESULT GetUserString(mdString, WCHAR*, uint32_t, uint32_t*) override {
    return not_overridden("GetUserString");
  }
  HRESULT GetPinvokeMap(mdToken, uint32_t*, WCHAR*, uint32_t, uint32_t*, mdModuleRef*) override {
    return not_overridden("GetPinvokeMap");
  }
  HRESULT EnumSignatures(HCORENUM*, mdSignature*, uint32_t, uint32_t*) override {
    return not_overridden("EnumSignatures");
  }
  HRESULT EnumTypeSpecs(HCORENUM*, mdTypeSpec*, uint32_t, uint32_t*) override {
    return not_overridden("EnumTypeSpecs");
  }
  HRESULT EnumUserStrings(HCORENUM*, mdString*, uint32_t, uint32_t*) override {
    return not_overridden("EnumUserStrings");
  }
  HRESULT GetParamForMethodIndex(mdMethodDef, uint32_t, mdParamDef*) override {
    return not_overridden("GetParamForMethodIndex");
  }
  HRESULT EnumCustomAttributes(HCORENUM*, mdToken, mdToken, mdCustomAttribute*, uint32_t,
                               uint32_t*) override {
    return not_overridden("EnumCustomAttributes");
  }
  HRESULT GetCustomAttributeProps(mdCustomAttribute, mdToken*, mdToken*, const void**, uint32_t*) override {
    return not_overridden("GetCustomAttributeProps");
  }
  HRESULT FindTypeRef(mdToken, const WCHAR*, mdTypeRef*) override { return not_overridden("FindTypeRef"); }
  HRESULT GetMemberProps(mdToken, mdTypeDef*, WCHAR*, uint32_t, uint32_t*, uint32_t*, PCCOR_SIGNATURE*,
                         uint32_t*, uint32_t*, uint32_t*, uint32_t*, UVCP_CONSTANT*, uint32_t*) override {
    return not_overridden("GetMemberProps");
  }
  HRESULT GetFieldProps(mdFieldDef, mdTypeDef*, WCHAR*, uint32_t, uint32_t*, uint32_t*, PCCOR_SIGNATURE*,
                        uint32_t*, uint32_t*, UVCP_CONSTANT*, uint32_t*) override {
    return not_overridden("GetFieldProps");
  }
  HRESULT GetPropertyProps(mdProperty, mdTypeDef*, const WCHAR*, uint32_t, uint32_t*, uint32_t*,
                           PCCOR_SIGNATURE*, uint32_t*, uint32_t*, UVCP_CONSTANT*, uint32_t*, mdMethodDef*,
                           mdMethodDef*, mdMethodDef*, uint32_t, uint32_t*) override {
    return not_overridden("GetPropertyProps");
  }
  HRESULT GetParamProps(mdParamDef, mdMethodDef*, uint32_t*, WCHAR*, uint32_t, uint32_t*, uint32_t*,
                        uint32_t*, UVCP_CONSTANT*, uint32_t*) override {
    return not_overridden("GetParamProps");
  }
  HRESULT GetCustomAttributeByName(mdToken, const WCHAR*, const void**, uint32_t*) override {
    return not_overridden("GetCustomAttributeByName");
  }
  BOOL IsValidToken(mdToken) override { return 0; }
  HRESULT GetNestedClassProps(mdTypeDef, mdTypeDef*) override {
    return not_overridden("GetNestedClassProps");
  }
  HRESULT GetNativeCallConvFromSig(const void*, uint32_t, uint32_t*) override {
    return not_overridden("GetNativeCallConvFromSig");
  }
  HRESULT IsGlobal(mdToken, int*) override { return not_overridden("IsGlobal"); }

  // IMetaDataImport2
  HRESULT EnumGenericParams(HCORENUM*, mdToken, mdGenericParam*, uint32_t, uint32_t*) override {
    return not_overridden("EnumGenericParams");
  }
  HRESULT GetGenericParamProps(mdGenericParam, uint32_t*, uint32_t*, mdToken*, uint32_t*, WCHAR*, uint32_t,
                               uint32_t*) override {
    return not_overridden("GetGenericParamProps");
  }
  HRESULT GetMethodSpecProps(mdMethodSpec, mdToken*, PCCOR_SIGNATURE*, uint32_t*) override {
    return not_overridden("GetMethodSpecProps");
  }
  HRESULT EnumGenericParamConstraints(HCORENUM*, mdGenericParam, mdGenericParamConstraint*, uint32_t,
                                      uint32_t*) override {
    return not_overridden("EnumGenericParamConstraints");
  }
  HRESULT GetGenericParamConstraintProps(mdGenericParamConstraint, mdGenericParam*, mdToken*) override {
    return not_overridden("GetGenericParamConstraintProps");
  }
  HRESULT GetPEKind(uint32_t*, uint32_t*) override { return not_overridden("GetPEKind"); }
  HRESULT GetVersionString(WCHAR*, uint32_t, uint32_t*) override {
    return not_overridden("GetVersionString");
  }
  HRESULT EnumMethodSpecs(HCORENUM*, mdToken, mdMethodSpec*, uint32_t, uint32_t*) override {
    return not_overridden("EnumMethodSpecs");
  }

  // Whatever is not overridden comes here.
  virtual HRESULT not_overridden(const char* /*method*/) { return E_NOTIMPL; }

  uint32_t references = 1;
};

inline HRESULT NullIMetaDataImport2::QueryInterface(const GUID& riid, void** object) {
  const bool known = riid == IUnknown::kIid || riid == IMetaDataImport2::kIid;
  *object = known ? this : nullptr;
  if (known) AddRef();
  return known ? S_OK : E_NOINTERFACE;
}

}  // namespace walkabout::clr
