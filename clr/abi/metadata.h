// Reading an assembly's metadata, and adding to it. Names come out as UTF-16 with their length including the
// terminating NUL.
// Made by clr/abi/generate.py from clr/abi/abi.json; change those and run it.
#pragma once

#include "clr/abi/class_factory.h"
#include "clr/abi/enums.h"
#include "clr/abi/structs.h"

namespace walkabout::clr {

class IMetaDataAssemblyEmit;
class IMetaDataEmit;

class IMetaDataImport : public IUnknown {
 public:
  static constexpr GUID kIid = guid("7DAC8207-D3AE-4C75-9B67-92801A497D44");

  virtual void CloseEnum(HCORENUM hEnum) = 0;
  virtual HRESULT CountEnum(HCORENUM hEnum, uint32_t* pulCount) = 0;
  virtual HRESULT ResetEnum(HCORENUM hEnum, uint32_t ulPos) = 0;
  virtual HRESULT EnumTypeDefs(HCORENUM* phEnum, mdTypeDef* rTypeDefs, uint32_t cMax,
                               uint32_t* pcTypeDefs) = 0;
  virtual HRESULT EnumInterfaceImpls(HCORENUM* phEnum, mdTypeDef td, mdInterfaceImpl* rImpls, uint32_t cMax,
                                     uint32_t* pcImpls) = 0;
  virtual HRESULT EnumTypeRefs(HCORENUM* phEnum, mdTypeRef* rTypeRefs, uint32_t cMax,
                               uint32_t* pcTypeRefs) = 0;
  virtual HRESULT FindTypeDefByName(const WCHAR* szTypeDef, mdToken tkEnclosingClass, mdTypeDef* ptd) = 0;
  virtual HRESULT GetScopeProps(WCHAR* szName, uint32_t cchName, uint32_t* pchName, GUID* pmvid) = 0;
  virtual HRESULT GetModuleFromScope(mdModule* pmd) = 0;
  virtual HRESULT GetTypeDefProps(mdTypeDef td, WCHAR* szTypeDef, uint32_t cchTypeDef, uint32_t* pchTypeDef,
                                  uint32_t* pdwTypeDefFlags, mdToken* ptkExtends) = 0;
  virtual HRESULT GetInterfaceImplProps(mdInterfaceImpl iiImpl, mdTypeDef* pClass, mdToken* ptkIface) = 0;
  virtual HRESULT GetTypeRefProps(mdTypeRef tr, mdToken* ptkResolutionScope, WCHAR* szName, uint32_t cchName,
                                  uint32_t* pchName) = 0;
  virtual HRESULT ResolveTypeRef(mdTypeRef tr, const GUID& riid, IUnknown** ppIScope, mdTypeDef* ptd) = 0;
  virtual HRESULT EnumMembers(HCORENUM* phEnum, mdTypeDef cl, mdToken* rMembers, uint32_t cMax,
                              uint32_t* pcTokens) = 0;
  virtual HRESULT EnumMembersWithName(HCORENUM* phEnum, mdTypeDef cl, const WCHAR* szName, mdToken* rMembers,
                                      uint32_t cMax, uint32_t* pcTokens) = 0;
  virtual HRESULT EnumMethods(HCORENUM* phEnum, mdTypeDef cl, mdMethodDef* rMethods, uint32_t cMax,
                              uint32_t* pcTokens) = 0;
  virtual HRESULT EnumMethodsWithName(HCORENUM* phEnum, mdTypeDef cl, const WCHAR* szName,
                                      mdMethodDef* rMethods, uint32_t cMax, uint32_t* pcTokens) = 0;
  virtual HRESULT EnumFields(HCORENUM* phEnum, mdTypeDef cl, mdFieldDef* rFields, uint32_t cMax,
                             uint32_t* pcTokens) = 0;
  virtual HRESULT EnumFieldsWithName(HCORENUM* phEnum, mdTypeDef cl, const WCHAR* szName, mdFieldDef* rFields,
                                     uint32_t cMax, uint32_t* pcTokens) = 0;
  virtual HRESULT EnumParams(HCORENUM* phEnum, mdMethodDef mb, mdParamDef* rParams, uint32_t cMax,
                             uint32_t* pcTokens) = 0;
  virtual HRESULT EnumMemberRefs(HCORENUM* phEnum, mdToken tkParent, mdMemberRef* rMemberRefs, uint32_t cMax,
                                 uint32_t* pcTokens) = 0;
  virtual HRESULT EnumMethodImpls(HCORENUM* phEnum, mdTypeDef td, mdToken* rMethodBody, mdToken* rMethodDecl,
                                  uint32_t cMax, uint32_t* pcTokens) = 0;
  virtual HRESULT EnumPermissionSets(HCORENUM* phEnum, mdToken tk, uint32_t dwActions,
                                     mdPermission* rPermission, uint32_t cMax, uint32_t* pcTokens) = 0;
  virtual HRESULT FindMember(mdTypeDef td, const WCHAR* szName, PCCOR_SIGNATURE pvSigBlob, uint32_t cbSigBlob,
                             mdToken* pmb) = 0;
  virtual HRESULT FindMethod(mdTypeDef td, const WCHAR* szName, PCCOR_SIGNATURE pvSigBlob, uint32_t cbSigBlob,
                             mdMethodDef* pmb) = 0;
  virtual HRESULT FindField(mdTypeDef td, const WCHAR* szName, PCCOR_SIGNATURE pvSigBlob, uint32_t cbSigBlob,
                            mdFieldDef* pmb) = 0;
  virtual HRESULT FindMemberRef(mdTypeRef td, const WCHAR* szName, PCCOR_SIGNATURE pvSigBlob,
                                uint32_t cbSigBlob, mdMemberRef* pmr) = 0;
  virtual HRESULT GetMethodProps(mdMethodDef mb, mdTypeDef* pClass, WCHAR* szMethod, uint32_t cchMethod,
                                 uint32_t* pchMethod, uint32_t* pdwAttr, PCCOR_SIGNATURE* ppvSigBlob,
                                 uint32_t* pcbSigBlob, uint32_t* pulCodeRVA, uint32_t* pdwImplFlags) = 0;
  virtual HRESULT GetMemberRefProps(mdMemberRef mr, mdToken* ptk, WCHAR* szMember, uint32_t cchMember,
                                    uint32_t* pchMember, PCCOR_SIGNATURE* ppvSigBlob, uint32_t* pbSig) = 0;
  virtual HRESULT EnumProperties(HCORENUM* phEnum, mdTypeDef td, mdProperty* rProperties, uint32_t cMax,
                                 uint32_t* pcProperties) = 0;
  virtual HRESULT EnumEvents(HCORENUM* phEnum, mdTypeDef td, mdEvent* rEvents, uint32_t cMax,
                             uint32_t* pcEvents) = 0;
  virtual HRESULT GetEventProps(mdEvent ev, mdTypeDef* pClass, const WCHAR* szEvent, uint32_t cchEvent,
                                uint32_t* pchEvent, uint32_t* pdwEventFlags, mdToken* ptkEventType,
                                mdMethodDef* pmdAddOn, mdMethodDef* pmdRemoveOn, mdMethodDef* pmdFire,
                                mdMethodDef* rmdOtherMethod, uint32_t cMax, uint32_t* pcOtherMethod) = 0;
  virtual HRESULT EnumMethodSemantics(HCORENUM* phEnum, mdMethodDef mb, mdToken* rEventProp, uint32_t cMax,
                                      uint32_t* pcEventProp) = 0;
  virtual HRESULT GetMethodSemantics(mdMethodDef mb, mdToken tkEventProp, uint32_t* pdwSemanticsFlags) = 0;
  virtual HRESULT GetClassLayout(mdTypeDef td, uint32_t* pdwPackSize, COR_FIELD_OFFSET* rFieldOffset,
                                 uint32_t cMax, uint32_t* pcFieldOffset, uint32_t* pulClassSize) = 0;
  virtual HRESULT GetFieldMarshal(mdToken tk, PCCOR_SIGNATURE* ppvNativeType, uint32_t* pcbNativeType) = 0;
  virtual HRESULT GetRVA(mdToken tk, uint32_t* pulCodeRVA, uint32_t* pdwImplFlags) = 0;
  virtual HRESULT GetPermissionSetProps(mdPermission pm, uint32_t* pdwAction, const void** ppvPermission,
                                        uint32_t* pcbPermission) = 0;
  virtual HRESULT GetSigFromToken(mdSignature mdSig, PCCOR_SIGNATURE* ppvSig, uint32_t* pcbSig) = 0;
  virtual HRESULT GetModuleRefProps(mdModuleRef mur, WCHAR* szName, uint32_t cchName, uint32_t* pchName) = 0;
  virtual HRESULT EnumModuleRefs(HCORENUM* phEnum, mdModuleRef* rModuleRefs, uint32_t cmax,
                                 uint32_t* pcModuleRefs) = 0;
  virtual HRESULT GetTypeSpecFromToken(mdTypeSpec typespec, PCCOR_SIGNATURE* ppvSig, uint32_t* pcbSig) = 0;
  virtual HRESULT GetNameFromToken(mdToken tk, MDUTF8CSTR* pszUtf8NamePtr) = 0;
  virtual HRESULT EnumUnresolvedMethods(HCORENUM* phEnum, mdToken* rMethods, uint32_t cMax,
                                        uint32_t* pcTokens) = 0;
  virtual HRESULT GetUserString(mdString stk, WCHAR* szString, uint32_t cchString, uint32_t* pchString) = 0;
  virtual HRESULT GetPinvokeMap(mdToken tk, uint32_t* pdwMappingFlags, WCHAR* szImportName,
                                uint32_t cchImportName, uint32_t* pchImportName,
                                mdModuleRef* pmrImportDLL) = 0;
  virtual HRESULT EnumSignatures(HCORENUM* phEnum, mdSignature* rSignatures, uint32_t cmax,
                                 uint32_t* pcSignatures) = 0;
  virtual HRESULT EnumTypeSpecs(HCORENUM* phEnum, mdTypeSpec* rTypeSpecs, uint32_t cmax,
                                uint32_t* pcTypeSpecs) = 0;
  virtual HRESULT EnumUserStrings(HCORENUM* phEnum, mdString* rStrings, uint32_t cmax,
                                  uint32_t* pcStrings) = 0;
  virtual HRESULT GetParamForMethodIndex(mdMethodDef md, uint32_t ulParamSeq, mdParamDef* ppd) = 0;
  virtual HRESULT EnumCustomAttributes(HCORENUM* phEnum, mdToken tk, mdToken tkType,
                                       mdCustomAttribute* rCustomAttributes, uint32_t cMax,
                                       uint32_t* pcCustomAttributes) = 0;
  virtual HRESULT GetCustomAttributeProps(mdCustomAttribute cv, mdToken* ptkObj, mdToken* ptkType,
                                          const void** ppBlob, uint32_t* pcbSize) = 0;
  virtual HRESULT FindTypeRef(mdToken tkResolutionScope, const WCHAR* szName, mdTypeRef* ptr) = 0;
  virtual HRESULT GetMemberProps(mdToken mb, mdTypeDef* pClass, WCHAR* szMember, uint32_t cchMember,
                                 uint32_t* pchMember, uint32_t* pdwAttr, PCCOR_SIGNATURE* ppvSigBlob,
                                 uint32_t* pcbSigBlob, uint32_t* pulCodeRVA, uint32_t* pdwImplFlags,
                                 uint32_t* pdwCPlusTypeFlag, UVCP_CONSTANT* ppValue, uint32_t* pcchValue) = 0;
  virtual HRESULT GetFieldProps(mdFieldDef mb, mdTypeDef* pClass, WCHAR* szField, uint32_t cchField,
                                uint32_t* pchField, uint32_t* pdwAttr, PCCOR_SIGNATURE* ppvSigBlob,
                                uint32_t* pcbSigBlob, uint32_t* pdwCPlusTypeFlag, UVCP_CONSTANT* ppValue,
                                uint32_t* pcchValue) = 0;
  virtual HRESULT GetPropertyProps(mdProperty prop, mdTypeDef* pClass, const WCHAR* szProperty,
                                   uint32_t cchProperty, uint32_t* pchProperty, uint32_t* pdwPropFlags,
                                   PCCOR_SIGNATURE* ppvSig, uint32_t* pbSig, uint32_t* pdwCPlusTypeFlag,
                                   UVCP_CONSTANT* ppDefaultValue, uint32_t* pcchDefaultValue,
                                   mdMethodDef* pmdSetter, mdMethodDef* pmdGetter,
                                   mdMethodDef* rmdOtherMethod, uint32_t cMax, uint32_t* pcOtherMethod) = 0;
  virtual HRESULT GetParamProps(mdParamDef tk, mdMethodDef* pmd, uint32_t* pulSequence, WCHAR* szName,
                                uint32_t cchName, uint32_t* pchName, uint32_t* pdwAttr,
                                uint32_t* pdwCPlusTypeFlag, UVCP_CONSTANT* ppValue, uint32_t* pcchValue) = 0;
  virtual HRESULT GetCustomAttributeByName(mdToken tkObj, const WCHAR* szName, const void** ppData,
                                           uint32_t* pcbData) = 0;
  virtual BOOL IsValidToken(mdToken tk) = 0;
  virtual HRESULT GetNestedClassProps(mdTypeDef tdNestedClass, mdTypeDef* ptdEnclosingClass) = 0;
  virtual HRESULT GetNativeCallConvFromSig(const void* pvSig, uint32_t cbSig, uint32_t* pCallConv) = 0;
  virtual HRESULT IsGlobal(mdToken pd, int* pbGlobal) = 0;

 protected:
  ~IMetaDataImport() = default;
};

class IMetaDataImport2 : public IMetaDataImport {
 public:
  static constexpr GUID kIid = guid("FCE5EFA0-8BBA-4F8E-A036-8F2022B08466");

  virtual HRESULT EnumGenericParams(HCORENUM* phEnum, mdToken tk, mdGenericParam* rGenericParams,
                                    uint32_t cMax, uint32_t* pcGenericParams) = 0;
  virtual HRESULT GetGenericParamProps(mdGenericParam gp, uint32_t* pulParamSeq, uint32_t* pdwParamFlags,
                                       mdToken* ptOwner, uint32_t* reserved, WCHAR* wzname, uint32_t cchName,
                                       uint32_t* pchName) = 0;
  virtual HRESULT GetMethodSpecProps(mdMethodSpec mi, mdToken* tkParent, PCCOR_SIGNATURE* ppvSigBlob,
                                     uint32_t* pcbSigBlob) = 0;
  virtual HRESULT EnumGenericParamConstraints(HCORENUM* phEnum, mdGenericParam tk,
                                              mdGenericParamConstraint* rGenericParamConstraints,
                                              uint32_t cMax, uint32_t* pcGenericParamConstraints) = 0;
  virtual HRESULT GetGenericParamConstraintProps(mdGenericParamConstraint gpc, mdGenericParam* ptGenericParam,
                                                 mdToken* ptkConstraintType) = 0;
  virtual HRESULT GetPEKind(uint32_t* pdwPEKind, uint32_t* pdwMAchine) = 0;
  virtual HRESULT GetVersionString(WCHAR* pwzBuf, uint32_t ccBufSize, uint32_t* pccBufSize) = 0;
  virtual HRESULT EnumMethodSpecs(HCORENUM* phEnum, mdToken tk, mdMethodSpec* rMethodSpecs, uint32_t cMax,
                                  uint32_t* pcMethodSpecs) = 0;

 protected:
  ~IMetaDataImport2() = default;
};

class IMetaDataAssemblyImport : public IUnknown {
 public:
  static constexpr GUID kIid = guid("EE62470B-E94B-424E-9B7C-2F00C9249F93");

  virtual HRESULT GetAssemblyProps(mdAssembly mda, const void** ppbPublicKey, uint32_t* pcbPublicKey,
                                   uint32_t* pulHashAlgId, WCHAR* szName, uint32_t cchName, uint32_t* pchName,
                                   ASSEMBLYMETADATA* pMetaData, uint32_t* pdwAssemblyFlags) = 0;
  virtual HRESULT GetAssemblyRefProps(mdAssemblyRef mdar, const void** ppbPublicKeyOrToken,
                                      uint32_t* pcbPublicKeyOrToken, WCHAR* szName, uint32_t cchName,
                                      uint32_t* pchName, ASSEMBLYMETADATA* pMetaData,
                                      const void** ppbHashValue, uint32_t* pcbHashValue,
                                      uint32_t* pdwAssemblyRefFlags) = 0;
  virtual HRESULT GetFileProps(mdFile mdf, WCHAR* szName, uint32_t cchName, uint32_t* pchName,
                               const void** ppbHashValue, uint32_t* pcbHashValue, uint32_t* pdwFileFlags) = 0;
  virtual HRESULT GetExportedTypeProps(mdExportedType mdct, WCHAR* szName, uint32_t cchName,
                                       uint32_t* pchName, mdToken* ptkImplementation, mdTypeDef* ptkTypeDef,
                                       uint32_t* pdwExportedTypeFlags) = 0;
  virtual HRESULT GetManifestResourceProps(mdManifestResource mdmr, WCHAR* szName, uint32_t cchName,
                                           uint32_t* pchName, mdToken* ptkImplementation, uint32_t* pdwOffset,
                                           uint32_t* pdwResourceFlags) = 0;
  virtual HRESULT EnumAssemblyRefs(HCORENUM* phEnum, mdAssemblyRef* rAssemblyRefs, uint32_t cMax,
                                   uint32_t* pcTokens) = 0;
  virtual HRESULT EnumFiles(HCORENUM* phEnum, mdFile* rFiles, uint32_t cMax, uint32_t* pcTokens) = 0;
  virtual HRESULT EnumExportedTypes(HCORENUM* phEnum, mdExportedType* rExportedTypes, uint32_t cMax,
                                    uint32_t* pcTokens) = 0;
  virtual HRESULT EnumManifestResources(HCORENUM* phEnum, mdManifestResource* rManifestResources,
                                        uint32_t cMax, uint32_t* pcTokens) = 0;
  virtual HRESULT GetAssemblyFromScope(mdAssembly* ptkAssembly) = 0;
  virtual HRESULT FindExportedTypeByName(const WCHAR* szName, mdToken mdtExportedType,
                                         mdExportedType* ptkExportedType) = 0;
  virtual HRESULT FindManifestResourceByName(const WCHAR* szName,
                                             mdManifestResource* ptkManifestResource) = 0;
  virtual void CloseEnum(HCORENUM hEnum) = 0;
  virtual HRESULT FindAssembliesByName(const WCHAR* szAppBase, const WCHAR* szPrivateBin,
                                       const WCHAR* szAssemblyName, IUnknown** ppIUnk, uint32_t cMax,
                                       uint32_t* pcAssemblies) = 0;

 protected:
  ~IMetaDataAssemblyImport() = default;
};

class IMetaDataEmit : public IUnknown {
 public:
  static constexpr GUID kIid = guid("BA3FEE4C-ECB9-4E41-83B7-183FA41CD859");

  virtual HRESULT SetModuleProps(const WCHAR* szName) = 0;
  virtual HRESULT Save(const WCHAR* szFile, uint32_t dwSaveFlags) = 0;
  virtual HRESULT SaveToStream(IUnknown* pIStream, uint32_t dwSaveFlags) = 0;
  virtual HRESULT GetSaveSize(uint32_t fSave, uint32_t* pdwSaveSize) = 0;
  virtual HRESULT DefineTypeDef(const WCHAR* szTypeDef, uint32_t dwTypeDefFlags, mdToken tkExtends,
                                mdToken* rtkImplements, mdTypeDef* ptd) = 0;
  virtual HRESULT DefineNestedType(const WCHAR* szTypeDef, uint32_t dwTypeDefFlags, mdToken tkExtends,
                                   mdToken* rtkImplements, mdTypeDef tdEncloser, mdTypeDef* ptd) = 0;
  virtual HRESULT SetHandler(IUnknown* pUnk) = 0;
  virtual HRESULT DefineMethod(mdTypeDef td, const WCHAR* szName, uint32_t dwMethodFlags,
                               PCCOR_SIGNATURE pvSigBlob, uint32_t cbSigBlob, uint32_t ulCodeRVA,
                               uint32_t dwImplFlags, mdMethodDef* pmd) = 0;
  virtual HRESULT DefineMethodImpl(mdTypeDef td, mdToken tkBody, mdToken tkDecl) = 0;
  virtual HRESULT DefineTypeRefByName(mdToken tkResolutionScope, const WCHAR* szName, mdTypeRef* ptr) = 0;
  virtual HRESULT DefineImportType(IMetaDataAssemblyImport* pAssemImport, const void* pbHashValue,
                                   uint32_t cbHashValue, IMetaDataImport* pImport, mdTypeDef tdImport,
                                   IMetaDataAssemblyEmit* pAssemEmit, mdTypeRef* ptr) = 0;
  virtual HRESULT DefineMemberRef(mdToken tkImport, const WCHAR* szName, PCCOR_SIGNATURE pvSigBlob,
                                  uint32_t cbSigBlob, mdMemberRef* pmr) = 0;
  virtual HRESULT DefineImportMember(IMetaDataAssemblyImport* pAssemImport, const void* pbHashValue,
                                     uint32_t cbHashValue, IMetaDataImport* pImport, mdToken mbMember,
                                     IMetaDataAssemblyEmit* pAssemEmit, mdToken tkParent,
                                     mdMemberRef* pmr) = 0;
  virtual HRESULT DefineEvent(mdTypeDef td, const WCHAR* szEvent, uint32_t dwEventFlags, mdToken tkEventType,
                              mdMethodDef mdAddOn, mdMethodDef mdRemoveOn, mdMethodDef mdFire,
                              mdMethodDef* rmdOtherMethods, mdEvent* pmdEvent) = 0;
  virtual HRESULT SetClassLayout(mdTypeDef td, uint32_t dwPackSize, COR_FIELD_OFFSET* rFieldOffsets,
                                 uint32_t ulClassSize) = 0;
  virtual HRESULT DeleteClassLayout(mdTypeDef td) = 0;
  virtual HRESULT SetFieldMarshal(mdToken tk, PCCOR_SIGNATURE pvNativeType, uint32_t cbNativeType) = 0;
  virtual HRESULT DeleteFieldMarshal(mdToken tk) = 0;
  virtual HRESULT DefinePermissionSet(mdToken tk, uint32_t dwAction, const void* pvPermission,
                                      uint32_t cbPermission, mdPermission* ppm) = 0;
  virtual HRESULT SetRVA(mdMethodDef md, uint32_t ulRVA) = 0;
  virtual HRESULT GetTokenFromSig(PCCOR_SIGNATURE pvSig, uint32_t cbSig, mdSignature* pmsig) = 0;
  virtual HRESULT DefineModuleRef(const WCHAR* szName, mdModuleRef* pmur) = 0;
  virtual HRESULT SetParent(mdMemberRef mr, mdToken tk) = 0;
  virtual HRESULT GetTokenFromTypeSpec(PCCOR_SIGNATURE pvSig, uint32_t cbSig, mdTypeSpec* ptypespec) = 0;
  virtual HRESULT SaveToMemory(void* pbData, uint32_t cbData) = 0;
  virtual HRESULT DefineUserString(const WCHAR* szString, uint32_t cchString, mdString* pstk) = 0;
  virtual HRESULT DeleteToken(mdToken tkObj) = 0;
  virtual HRESULT SetMethodProps(mdMethodDef md, uint32_t dwMethodFlags, uint32_t ulCodeRVA,
                                 uint32_t dwImplFlags) = 0;
  virtual HRESULT SetTypeDefProps(mdTypeDef td, uint32_t dwTypeDefFlags, mdToken tkExtends,
                                  mdToken* rtkImplements) = 0;
  virtual HRESULT SetEventProps(mdEvent ev, uint32_t dwEventFlags, mdToken tkEventType, mdMethodDef mdAddOn,
                                mdMethodDef mdRemoveOn, mdMethodDef mdFire, mdMethodDef* rmdOtherMethods) = 0;
  virtual HRESULT SetPermissionSetProps(mdToken tk, uint32_t dwAction, const void* pvPermission,
                                        uint32_t cbPermission, mdPermission* ppm) = 0;
  virtual HRESULT DefinePinvokeMap(mdToken tk, uint32_t dwMappingFlags, const WCHAR* szImportName,
                                   mdModuleRef mrImportDLL) = 0;
  virtual HRESULT SetPinvokeMap(mdToken tk, uint32_t dwMappingFlags, const WCHAR* szImportName,
                                mdModuleRef mrImportDLL) = 0;
  virtual HRESULT DeletePinvokeMap(mdToken tk) = 0;
  virtual HRESULT DefineCustomAttribute(mdToken tkOwner, mdToken tkCtor, const void* pCustomAttribute,
                                        uint32_t cbCustomAttribute, mdCustomAttribute* pcv) = 0;
  virtual HRESULT SetCustomAttributeValue(mdCustomAttribute pcv, const void* pCustomAttribute,
                                          uint32_t cbCustomAttribute) = 0;
  virtual HRESULT DefineField(mdTypeDef td, const WCHAR* szName, uint32_t dwFieldFlags,
                              PCCOR_SIGNATURE pvSigBlob, uint32_t cbSigBlob, uint32_t dwCPlusTypeFlag,
                              const void* pValue, uint32_t cchValue, mdFieldDef* pmd) = 0;
  virtual HRESULT DefineProperty(mdTypeDef td, const WCHAR* szProperty, uint32_t dwPropFlags,
                                 PCCOR_SIGNATURE pvSig, uint32_t cbSig, uint32_t dwCPlusTypeFlag,
                                 const void* pValue, uint32_t cchValue, mdMethodDef mdSetter,
                                 mdMethodDef mdGetter, mdMethodDef* rmdOtherMethods, mdProperty* pmdProp) = 0;
  virtual HRESULT DefineParam(mdMethodDef md, uint32_t ulParamSeq, const WCHAR* szName, uint32_t dwParamFlags,
                              uint32_t dwCPlusTypeFlag, const void* pValue, uint32_t cchValue,
                              mdParamDef* ppd) = 0;
  virtual HRESULT SetFieldProps(mdFieldDef fd, uint32_t dwFieldFlags, uint32_t dwCPlusTypeFlag,
                                const void* pValue, uint32_t cchValue) = 0;
  virtual HRESULT SetPropertyProps(mdProperty pr, uint32_t dwPropFlags, uint32_t dwCPlusTypeFlag,
                                   const void* pValue, uint32_t cchValue, mdMethodDef mdSetter,
                                   mdMethodDef mdGetter, mdMethodDef* rmdOtherMethods) = 0;
  virtual HRESULT SetParamProps(mdParamDef pd, const WCHAR* szName, uint32_t dwParamFlags,
                                uint32_t dwCPlusTypeFlag, const void* pValue, uint32_t cchValue) = 0;
  virtual HRESULT DefineSecurityAttributeSet(mdToken tkObj, void* rSecAttrs, uint32_t cSecAttrs,
                                             uint32_t* pulErrorAttr) = 0;
  virtual HRESULT ApplyEditAndContinue(IUnknown* pImport) = 0;
  virtual HRESULT TranslateSigWithScope(IMetaDataAssemblyImport* pAssemImport, const void* pbHashValue,
                                        uint32_t cbHashValue, IMetaDataImport* import,
                                        PCCOR_SIGNATURE pbSigBlob, uint32_t cbSigBlob,
                                        IMetaDataAssemblyEmit* pAssemEmit, IMetaDataEmit* emit,
                                        PCOR_SIGNATURE pvTranslatedSig, uint32_t cbTranslatedSigMax,
                                        uint32_t* pcbTranslatedSig) = 0;
  virtual HRESULT SetMethodImplFlags(mdMethodDef md, uint32_t dwImplFlags) = 0;
  virtual HRESULT SetFieldRVA(mdFieldDef fd, uint32_t ulRVA) = 0;
  virtual HRESULT Merge(IMetaDataImport* pImport, IUnknown* pHostMapToken, IUnknown* pHandler) = 0;
  virtual HRESULT MergeEnd() = 0;

 protected:
  ~IMetaDataEmit() = default;
};

class IMetaDataAssemblyEmit : public IUnknown {
 public:
  static constexpr GUID kIid = guid("211EF15B-5317-4438-B196-DEC87B887693");

  virtual HRESULT DefineAssembly(const void* pbPublicKey, uint32_t cbPublicKey, uint32_t ulHashAlgId,
                                 const WCHAR* szName, const ASSEMBLYMETADATA* pMetaData,
                                 uint32_t dwAssemblyFlags, mdAssembly* pma) = 0;
  virtual HRESULT DefineAssemblyRef(const void* pbPublicKeyOrToken, uint32_t cbPublicKeyOrToken,
                                    const WCHAR* szName, const ASSEMBLYMETADATA* pMetaData,
                                    const void* pbHashValue, uint32_t cbHashValue,
                                    uint32_t dwAssemblyRefFlags, mdAssemblyRef* pmdar) = 0;
  virtual HRESULT DefineFile(const WCHAR* szName, const void* pbHashValue, uint32_t cbHashValue,
                             uint32_t dwFileFlags, mdFile* pmdf) = 0;
  virtual HRESULT DefineExportedType(const WCHAR* szName, mdToken tkImplementation, mdTypeDef tkTypeDef,
                                     uint32_t dwExportedTypeFlags, mdExportedType* pmdct) = 0;
  virtual HRESULT DefineManifestResource(const WCHAR* szName, mdToken tkImplementation, uint32_t dwOffset,
                                         uint32_t dwResourceFlags, mdManifestResource* pmdmr) = 0;
  virtual HRESULT SetAssemblyProps(mdAssembly pma, const void* pbPublicKey, uint32_t cbPublicKey,
                                   uint32_t ulHashAlgId, const WCHAR* szName,
                                   const ASSEMBLYMETADATA* pMetaData, uint32_t dwAssemblyFlags) = 0;
  virtual HRESULT SetAssemblyRefProps(mdAssemblyRef ar, const void* pbPublicKeyOrToken,
                                      uint32_t cbPublicKeyOrToken, const WCHAR* szName,
                                      const ASSEMBLYMETADATA* pMetaData, const void* pbHashValue,
                                      uint32_t cbHashValue, uint32_t dwAssemblyRefFlags) = 0;
  virtual HRESULT SetFileProps(mdFile file, const void* pbHashValue, uint32_t cbHashValue,
                               uint32_t dwFileFlags) = 0;
  virtual HRESULT SetExportedTypeProps(mdExportedType ct, mdToken tkImplementation, mdTypeDef tkTypeDef,
                                       uint32_t dwExportedTypeFlags) = 0;
  virtual HRESULT SetManifestResourceProps(mdManifestResource mr, mdToken tkImplementation, uint32_t dwOffset,
                                           uint32_t dwResourceFlags) = 0;

 protected:
  ~IMetaDataAssemblyEmit() = default;
};

}  // namespace walkabout::clr
