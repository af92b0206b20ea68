#include "agent/linux/cover/flow_class.h"

#include <array>
#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

#include "agent/linux/cover/test_flow.h"
#include "clr/abi/hresults.h"

namespace walkabout::agent {
namespace {

using Signature = std::vector<uint8_t>;

constexpr uint32_t kReadAndWrite = 1;  // ofWrite
constexpr uint8_t kCoreLibraryKey[] = {0x7c, 0xec, 0x85, 0xd7, 0xbe, 0xa7, 0x79, 0x8e};

// Of ECMA-335 II.23.2.
constexpr uint8_t kVoid = 0x01, kInt64 = 0x0a, kUint64 = 0x0b, kValueType = 0x11, kClass = 0x12, kVar = 0x13,
                  kGenericInst = 0x15, kNativeInt = 0x18, kObject = 0x1c;
constexpr uint8_t kStaticCall = 0x00, kInstanceCall = 0x20, kField = 0x06;

// Of ECMA-335 II.23.1.
constexpr uint32_t kTypeFlags = 0x00100181;  // public abstract sealed beforefieldinit
constexpr uint32_t kMethodFlags = 0x96;      // public static hidebysig
constexpr uint32_t kStarterFlags = 0x1891;   // private static hidebysig specialname rtspecialname
constexpr uint32_t kFieldFlags = 0x16;       // public static
constexpr uint16_t kFatHeader = 0x3003;

Signature operator+(Signature a, const Signature& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// A TypeRef as signatures have it (ECMA-335 II.23.2.8).
Signature coded(clr::mdToken type_ref) {
  const uint32_t value = (type_ref & 0xffffff) << 2 | 1;
  if (value < 0x80) return {static_cast<uint8_t>(value)};
  if (value < 0x4000) return {static_cast<uint8_t>(0x80 | value >> 8), static_cast<uint8_t>(value)};
  return {static_cast<uint8_t>(0xc0 | value >> 24), static_cast<uint8_t>(value >> 16),
          static_cast<uint8_t>(value >> 8), static_cast<uint8_t>(value)};
}

// Code, byte by byte.
class Code {
 public:
  Code& op(std::initializer_list<uint8_t> bytes) {
    bytes_.insert(bytes_.end(), bytes);
    return *this;
  }
  Code& op(uint8_t code, uint32_t token) { return op({code}).number(token); }
  Code& call_native(uint64_t function, clr::mdSignature signature) {
    return op({0x21}).number(function).op({0xd3}).op(0x29, signature);  // ldc.i8, conv.i, calli
  }
  Code& load(uint64_t value) { return op({0x21}).number(value); }
  // A fat body.
  std::vector<uint8_t> body() const {
    constexpr uint16_t kStack = 4;
    Code whole;
    whole.number(kFatHeader).number(kStack).number(static_cast<uint32_t>(bytes_.size())).number(uint32_t{0});
    return whole.bytes_ + bytes_;
  }

 private:
  template <typename Number>
  Code& number(Number value) {
    std::array<uint8_t, sizeof value> bytes{};
    std::memcpy(bytes.data(), &value, sizeof value);
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return *this;
  }
  Signature bytes_;
};

class FlowClassMaker {
 public:
  FlowClassMaker(clr::ICorProfilerInfo12& info, clr::ModuleID module) : info_(info), module_(module) {}

  std::optional<FlowClass> make(uint32_t lane) {
    if (clr::failed(
            info_.GetModuleMetaData(module_, kReadAndWrite, clr::IMetaDataEmit::kIid, emit_.put_unknown())))
      return std::nullopt;
    const clr::mdToken library = core_library();
    const clr::mdToken object = type_ref(library, u"System.Object");
    local_ref_ = type_ref(library, u"System.Threading.AsyncLocal`1");
    args_ref_ = type_ref(library, u"System.Threading.AsyncLocalValueChangedArgs`1");
    action_ref_ = type_ref(library, u"System.Action`1");
    clr::mdTypeDef type = 0;
    check(emit_->DefineTypeDef(text(u"<WalkaboutTestFlow>"), kTypeFlags, object, nullptr, &type));
    if (failed_) return std::nullopt;
    const Signature longs = {kInt64};
    const Signature local = of(kClass, local_ref_, longs), args = of(kValueType, args_ref_, longs);
    clr::mdFieldDef flow = 0;
    const Signature field = Signature{kField} + local;
    check(emit_->DefineField(type, text(u"Flow"), kFieldFlags, field.data(), size_of(field), 0, nullptr, 0,
                             &flow));
    const clr::mdMethodDef changed =
        method(type, u"Changed", kMethodFlags, Signature{kStaticCall, 1, kVoid} + args);
    const clr::mdMethodDef starter = method(type, u".cctor", kStarterFlags, {kStaticCall, 0, kVoid});
    FlowClass made;
    made.enter = method(type, u"Enter", kMethodFlags, {kStaticCall, 1, kInt64, kInt64});
    made.leave = method(type, u"Leave", kMethodFlags, {kStaticCall, 1, kVoid, kInt64});

    const clr::mdToken set_value = member(spec(local), u"set_Value", {kInstanceCall, 1, kVoid, kVar, 0});
    const clr::mdToken value = member(spec(args), u"get_CurrentValue", {kInstanceCall, 0, kVar, 0});
    const Signature var = {kVar, 0};
    const clr::mdToken new_local =
        member(spec(local), u".ctor",
               Signature{kInstanceCall, 1, kVoid} + of(kClass, action_ref_, of(kValueType, args_ref_, var)));
    const clr::mdToken new_action =
        member(spec(of(kClass, action_ref_, args)), u".ctor", {kInstanceCall, 2, kVoid, kObject, kNativeInt});
    const clr::mdSignature entering = signature({kStaticCall, 1, kInt64, kInt64});
    const clr::mdSignature telling = signature({kStaticCall, 2, kVoid, kUint64, kInt64});

    constexpr uint8_t kBeyondSet = 0x0b;  // the bytes of `flow.Value = argument 0`
    body(made.enter, Code()
                         .op({0x02})  // ldarg.0
                         .call_native(reinterpret_cast<uint64_t>(&walkabout_cover_enter), entering)
                         .op({0x25, 0x15, 0x6a, 0x2e, kBeyondSet})  // dup, ldc.i4.m1, conv.i8, beq.s
                         .op(0x7e, flow)                            // ldsfld
                         .op({0x02})
                         .op(0x6f, set_value)  // callvirt
                         .op({0x2a}));         // ret
    body(made.leave, Code()
                         .op({0x02, 0x15, 0x6a, 0x2e, kBeyondSet})
                         .op(0x7e, flow)
                         .op({0x02})
                         .op(0x6f, set_value)
                         .op({0x2a}));
    body(changed, Code()
                      .load(lane)
                      .op({0x0f, 0x00})  // ldarga.s 0
                      .op(0x28, value)
                      .call_native(reinterpret_cast<uint64_t>(&walkabout_cover_flow), telling)
                      .op({0x2a}));
    body(starter, Code()
                      .op({0x14, 0xfe})  // ldnull, ldftn
                      .op(0x06, changed)
                      .op(0x73, new_action)  // newobj
                      .op(0x73, new_local)
                      .op(0x80, flow)  // stsfld
                      .op({0x2a}));
    return failed_ ? std::nullopt : std::optional(made);
  }

 private:
  static const clr::WCHAR* text(const char16_t* text) { return reinterpret_cast<const clr::WCHAR*>(text); }
  static uint32_t size_of(const Signature& signature) { return static_cast<uint32_t>(signature.size()); }
  void check(clr::HRESULT result) { failed_ = failed_ || clr::failed(result); }

  clr::mdToken core_library() {
    const auto assembly = emit_.query<clr::IMetaDataAssemblyEmit>();
    clr::mdAssemblyRef library = 0;
    clr::ASSEMBLYMETADATA any{};
    if (!assembly)
      failed_ = true;
    else
      check(assembly->DefineAssemblyRef(kCoreLibraryKey, sizeof kCoreLibraryKey,
                                        text(u"System.Private.CoreLib"), &any, nullptr, 0, 0, &library));
    return library;
  }
  clr::mdToken type_ref(clr::mdToken library, const char16_t* name) {
    clr::mdTypeRef type = 0;
    if (!failed_) check(emit_->DefineTypeRefByName(library, text(name), &type));
    return type;
  }
  // A generic type of one argument.
  static Signature of(uint8_t kind, clr::mdToken type, const Signature& argument) {
    return Signature{kGenericInst, kind} + coded(type) + Signature{1} + argument;
  }
  clr::mdToken spec(const Signature& type) {
    clr::mdTypeSpec token = 0;
    check(emit_->GetTokenFromTypeSpec(type.data(), size_of(type), &token));
    return token;
  }
  clr::mdToken member(clr::mdToken parent, const char16_t* name, const Signature& signature) {
    clr::mdMemberRef token = 0;
    check(emit_->DefineMemberRef(parent, text(name), signature.data(), size_of(signature), &token));
    return token;
  }
  clr::mdSignature signature(const Signature& bytes) {
    clr::mdSignature token = 0;
    check(emit_->GetTokenFromSig(bytes.data(), size_of(bytes), &token));
    return token;
  }
  clr::mdMethodDef method(clr::mdTypeDef type, const char16_t* name, uint32_t flags,
                          const Signature& signature) {
    clr::mdMethodDef token = 0;
    check(emit_->DefineMethod(type, text(name), flags, signature.data(), size_of(signature), 0, 0, &token));
    return token;
  }
  // The runtime reads it from there, for as long as there is the module.
  void body(clr::mdMethodDef method, const Code& code) {
    if (failed_) return;
    const std::vector<uint8_t> bytes = code.body();
    auto* const kept = new uint8_t[bytes.size()];
    std::memcpy(kept, bytes.data(), bytes.size());
    check(info_.SetILFunctionBody(module_, method, kept));
  }

  clr::ICorProfilerInfo12& info_;
  const clr::ModuleID module_;
  clr::ComPtr<clr::IMetaDataEmit> emit_;
  clr::mdToken local_ref_ = 0, args_ref_ = 0, action_ref_ = 0;
  bool failed_ = false;
};

}  // namespace

std::optional<FlowClass> add_flow_class(clr::ICorProfilerInfo12& info, clr::ModuleID module, uint32_t lane) {
  return FlowClassMaker(info, module).make(lane);
}

}  // namespace walkabout::agent
