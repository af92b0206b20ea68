// For tests: a module without metadata.
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
  HRESULT CountEnum(HCORENUM, uint32_t*) override { return asked("CountEnum"); }
  HRESULT ResetEnum(HCORENUM, uint32_t) override { return asked("ResetEnum"); }
  HRESULT EnumTypeDefs(HCORENUM*, mdTypeDef*, uint32_t, uint32_t*) override { return asked("EnumTypeDefs"); }
  HRESULT EnumInterfaceImpls(HCORENUM*, mdTypeDef, mdInterfaceImpl*, uint32_t, uint32_t*) override {
    return asked("EnumInterfaceImpls");
  }
  HRESULT EnumTypeRefs(HCORENUM*, mdTypeRef*, uint32_t, uint32_t*) override { return asked("EnumTypeRefs"); }
  HRESULT FindTypeDefByName(const WCHAR*, mdToken, mdTypeDef*) override { return asked("FindTypeDefByName"); }
  HRESULT GetScopeProps(WCHAR*, uint32_t, uint32_t*, GUID*) override { return asked("GetScopeProps"); }
  HRESULT GetModuleFromScope(mdModule*) override { return asked("GetModuleFromScope"); }
  HRESULT GetTypeDefProps(mdTypeDef, WCHAR*, uint32_t, uint32_t*, uint32_t*, mdToken*) override {
    return asked("GetTypeDefProps");
  }
  HRESULT GetInterfaceImplProps(mdInterfaceImpl, mdTypeDef*, mdToken*) override {
    return asked("GetInterfaceImplProps");
  }
  HRESULT GetTypeRefProps(mdTypeRef, mdToken*, WCHAR*, uint32_t, uint32_t*) override {
    return asked("GetTypeRefProps");
  }
  HRESULT ResolveTypeRef(mdTypeRef, const GUID&, IUnknown**, mdTypeDef*) override {
    return asked("ResolveTypeRef");
  }
  HRESULT EnumMembers(HCORENUM*, mdTypeDef, mdToken*, uint32_t, uint32_t*) override {
    return asked("EnumMembers");
  }
  HRESULT EnumMembersWithName(HCORENUM*, mdTypeDef, const WCHAR*, mdToken*, uint32_t, uint32_t*) override {
    return asked("EnumMembersWithName");
  }
  HRESULT EnumMethods(HCORENUM*, mdTypeDef, mdMethodDef*, uint32_t, uint32_t*) override {
    return asked("EnumMethods");
  }
  HRESULT EnumMethodsWithName(HCORENUM*, mdTypeDef, const WCHAR*, mdMethodDef*, uint32_t,
                              uint32_t*) override {
    return asked("EnumMethodsWithName");
  }
  HRESULT EnumFields(HCORENUM*, mdTypeDef, mdFieldDef*, uint32_t, uint32_t*) override {
    return asked("EnumFields");
  }
  HRESULT EnumFieldsWithName(HCORENUM*, mdTypeDef, const WCHAR*, mdFieldDef*, uint32_t, uint32_t*) override {
    return asked("EnumFieldsWithName");
  }
  HRESULT EnumParams(HCORENUM*, mdMethodDef, mdParamDef*, uint32_t, uint32_t*) override {
    return asked("EnumParams");
  }
  HRESULT EnumMemberRefs(HCORENUM*, mdToken, mdMemberRef*, uint32_t, uint32_t*) override {
    return asked("EnumMemberRefs");
  }
  HRESULT EnumMethodImpls(HCORENUM*, mdTypeDef, mdToken*, mdToken*, uint32_t, uint32_t*) override {
    return asked("EnumMethodImpls");
  }
  HRESULT EnumPermissionSets(HCORENUM*, mdToken, uint32_t, mdPermission*, uint32_t, uint32_t*) override {
    return asked("EnumPermissionSets");
  }
  HRESULT FindMember(mdTypeDef, const WCHAR*, PCCOR_SIGNATURE, uint32_t, mdToken*) override {
    return asked("FindMember");
  }
  HRESULT FindMethod(mdTypeDef, const WCHAR*, PCCOR_SIGNATURE, uint32_t, mdMethodDef*) override {
    return asked("FindMethod");
  }
  HRESULT FindField(mdTypeDef, const WCHAR*, PCCOR_SIGNATURE, uint32_t, mdFieldDef*) override {
    return asked("FindField");
  }
  HRESULT FindMemberRef(mdTypeRef, const WCHAR*, PCCOR_SIGNATURE, uint32_t, mdMemberRef*) override {
    return asked("FindMemberRef");
  }
  HRESULT GetMethodProps(mdMethodDef, mdTypeDef*, WCHAR*, uint32_t, uint32_t*, uint32_t*, PCCOR_SIGNATURE*,
                         uint32_t*, uint32_t*, uint32_t*) override {
    return asked("GetMethodProps");
  }
  HRESULT GetMemberRefProps(mdMemberRef, mdToken*, WCHAR*, uint32_t, uint32_t*, PCCOR_SIGNATURE*,
                            uint32_t*) override {
    return asked("GetMemberRefProps");
  }
  HRESULT EnumProperties(HCORENUM*, mdTypeDef, mdProperty*, uint32_t, uint32_t*) override {
    return asked("EnumProperties");
  }
  HRESULT EnumEvents(HCORENUM*, mdTypeDef, mdEvent*, uint32_t, uint32_t*) override {
    return asked("EnumEvents");
  }
  HRESULT GetEventProps(mdEvent, mdTypeDef*, const WCHAR*, uint32_t, uint32_t*, uint32_t*, mdToken*,
                        mdMethodDef*, mdMethodDef*, mdMethodDef*, mdMethodDef*, uint32_t,
                        uint32_t*) override {
    return asked("GetEventProps");
  }
  HRESULT EnumMethodSemantics(HCORENUM*, mdMethodDef, mdToken*, uint32_t, uint32_t*) override {
    return asked("EnumMethodSemantics");
  }
  HRESULT GetMethodSemantics(mdMethodDef, mdToken, uint32_t*) override { return asked("GetMethodSemantics"); }
  HRESULT GetClassLayout(mdTypeDef, uint32_t*, COR_FIELD_OFFSET*, uint32_t, uint32_t*, uint32_t*) override {
    return asked("GetClassLayout");
  }
  HRESULT GetFieldMarshal(mdToken, PCCOR_SIGNATURE*, uint32_t*) override { return asked("GetFieldMarshal"); }
  HRESULT GetRVA(mdToken, uint32_t*, uint32_t*) override { return asked("GetRVA"); }
  HRESULT GetPermissionSetProps(mdPermission, uint32_t*, const void**, uint32_t*) override {
    return asked("GetPermissionSetProps");
  }
  HRESULT GetSigFromToken(mdSignature, PCCOR_SIGNATURE*, uint32_t*) override {
    return asked("GetSigFromToken");
  }
  HRESULT GetModuleRefProps(mdModuleRef, WCHAR*, uint32_t, uint32_t*) override {
    return asked("GetModuleRefProps");
  }
  HRESULT EnumModuleRefs(HCORENUM*, mdModuleRef*, uint32_t, uint32_t*) override {
    return asked("EnumModuleRefs");
  }
  HRESULT GetTypeSpecFromToken(mdTypeSpec, PCCOR_SIGNATURE*, uint32_t*) override {
    return asked("GetTypeSpecFromToken");
  }
  HRESULT GetNameFromToken(mdToken, MDUTF8CSTR*) override { return asked("GetNameFromToken"); }
  HRESULT EnumUnresolvedMethods(HCORENUM*, mdToken*, uint32_t, uint32_t*) override {
    return asked("EnumUnresolvedMethods");
  }
  HRESULT GetUserString(mdString, WCHAR*, uint32_t, uint32_t*) override { return asked("GetUserString"); }
  HRESULT GetPinvokeMap(mdToken, uint32_t*, WCHAR*, uint32_t, uint32_t*, mdModuleRef*) override {
    return asked("GetPinvokeMap");
  }
  HRESULT EnumSignatures(HCORENUM*, mdSignature*, uint32_t, uint32_t*) override {
    return asked("EnumSignatures");
  }
  HRESULT EnumTypeSpecs(HCORENUM*, mdTypeSpec*, uint32_t, uint32_t*) override {
    return asked("EnumTypeSpecs");
  }
  HRESULT EnumUserStrings(HCORENUM*, mdString*, uint32_t, uint32_t*) override {
    return asked("EnumUserStrings");
  }
  HRESULT GetParamForMethodIndex(mdMethodDef, uint32_t, mdParamDef*) override {
    return asked("GetParamForMethodIndex");
  }
  HRESULT EnumCustomAttributes(HCORENUM*, mdToken, mdToken, mdCustomAttribute*, uint32_t,
                               uint32_t*) override {
    return asked("EnumCustomAttributes");
  }
  HRESULT GetCustomAttributeProps(mdCustomAttribute, mdToken*, mdToken*, const void**, uint32_t*) override {
    return asked("GetCustomAttributeProps");
  }
  HRESULT FindTypeRef(mdToken, const WCHAR*, mdTypeRef*) override { return asked("FindTypeRef"); }
  HRESULT GetMemberProps(mdToken, mdTypeDef*, WCHAR*, uint32_t, uint32_t*, uint32_t*, PCCOR_SIGNATURE*,
                         uint32_t*, uint32_t*, uint32_t*, uint32_t*, UVCP_CONSTANT*, uint32_t*) override {
    return asked("GetMemberProps");
  }
  HRESULT GetFieldProps(mdFieldDef, mdTypeDef*, WCHAR*, uint32_t, uint32_t*, uint32_t*, PCCOR_SIGNATURE*,
                        uint32_t*, uint32_t*, UVCP_CONSTANT*, uint32_t*) override {
    return asked("GetFieldProps");
  }
  HRESULT GetPropertyProps(mdProperty, mdTypeDef*, const WCHAR*, uint32_t, uint32_t*, uint32_t*,
                           PCCOR_SIGNATURE*, uint32_t*, uint32_t*, UVCP_CONSTANT*, uint32_t*, mdMethodDef*,
                           mdMethodDef*, mdMethodDef*, uint32_t, uint32_t*) override {
    return asked("GetPropertyProps");
  }
  HRESULT GetParamProps(mdParamDef, mdMethodDef*, uint32_t*, WCHAR*, uint32_t, uint32_t*, uint32_t*,
                        uint32_t*, UVCP_CONSTANT*, uint32_t*) override {
    return asked("GetParamProps");
  }
  HRESULT GetCustomAttributeByName(mdToken, const WCHAR*, const void**, uint32_t*) override {
    return asked("GetCustomAttributeByName");
  }
  BOOL IsValidToken(mdToken) override { return 0; }
  HRESULT GetNestedClassProps(mdTypeDef, mdTypeDef*) override { return asked("GetNestedClassProps"); }
  HRESULT GetNativeCallConvFromSig(const void*, uint32_t, uint32_t*) override {
    return asked("GetNativeCallConvFromSig");
  }
  HRESULT IsGlobal(mdToken, int*) override { return asked("IsGlobal"); }

  // IMetaDataImport2
  HRESULT EnumGenericParams(HCORENUM*, mdToken, mdGenericParam*, uint32_t, uint32_t*) override {
    return asked("EnumGenericParams");
  }
  HRESULT GetGenericParamProps(mdGenericParam, uint32_t*, uint32_t*, mdToken*, uint32_t*, WCHAR*, uint32_t,
                               uint32_t*) override {
    return asked("GetGenericParamProps");
  }
  HRESULT GetMethodSpecProps(mdMethodSpec, mdToken*, PCCOR_SIGNATURE*, uint32_t*) override {
    return asked("GetMethodSpecProps");
  }
  HRESULT EnumGenericParamConstraints(HCORENUM*, mdGenericParam, mdGenericParamConstraint*, uint32_t,
                                      uint32_t*) override {
    return asked("EnumGenericParamConstraints");
  }
  HRESULT GetGenericParamConstraintProps(mdGenericParamConstraint, mdGenericParam*, mdToken*) override {
    return asked("GetGenericParamConstraintProps");
  }
  HRESULT GetPEKind(uint32_t*, uint32_t*) override { return asked("GetPEKind"); }
  HRESULT GetVersionString(WCHAR*, uint32_t, uint32_t*) override { return asked("GetVersionString"); }
  HRESULT EnumMethodSpecs(HCORENUM*, mdToken, mdMethodSpec*, uint32_t, uint32_t*) override {
    return asked("EnumMethodSpecs");
  }

  // Whatever is not overridden comes here.
  virtual HRESULT asked(const char* /*method*/) { return E_NOTIMPL; }

  uint32_t references = 1;
};

inline HRESULT NullIMetaDataImport2::QueryInterface(const GUID& riid, void** object) {
  const bool known = riid == IUnknown::kIid || riid == IMetaDataImport2::kIid;
  *object = known ? this : nullptr;
  if (known) AddRef();
  return known ? S_OK : E_NOINTERFACE;
}

}  // namespace walkabout::clr
