#include "agent/linux/calls/state_machines.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/byte_span.h"
#include "clr/abi/element_type.h"
#include "clr/abi/signature_bytes.h"
#include "clr/names/utf16.h"

namespace walkabout::agent {
namespace {

using clr::mdToken;

constexpr uint32_t kLongestName = 1024;
constexpr uint32_t kTable = 0xff000000;
constexpr char16_t kAsyncAttribute[] = u"System.Runtime.CompilerServices.AsyncStateMachineAttribute";
constexpr char16_t kAsyncIteratorAttribute[] =
    u"System.Runtime.CompilerServices.AsyncIteratorStateMachineAttribute";
constexpr char16_t kIteratorAttribute[] = u"System.Runtime.CompilerServices.IteratorStateMachineAttribute";
constexpr char16_t kBuilderField[] = u"<>t__builder";
constexpr std::string_view kState = "<>1__state", kBuilder = "<>t__builder";
constexpr std::string_view kNamespace = "System.Runtime.CompilerServices.";
constexpr std::string_view kPromise =
    "System.Threading.Tasks.Sources.ManualResetValueTaskSourceCore`1";  // of an iterator

// Where the reference to the box lies: what a builder has of references comes first, in the metadata's order.
struct Builder {
  std::string_view name;
  uint32_t box_at;
};
constexpr Builder kBuilders[] = {
    {"AsyncTaskMethodBuilder", 0},
    {"AsyncTaskMethodBuilder`1", 0},
    {"AsyncValueTaskMethodBuilder", 0},
    {"AsyncValueTaskMethodBuilder`1", 0},
    {"PoolingAsyncValueTaskMethodBuilder", 0},
    {"PoolingAsyncValueTaskMethodBuilder`1", 0},
    {"AsyncIteratorMethodBuilder", 0},
    {"AsyncVoidMethodBuilder", 8},  // behind the synchronization context: in its own builder
};

const Builder* builder_of(std::string_view type) {
  if (!type.starts_with(kNamespace)) return nullptr;
  type.remove_prefix(kNamespace.size());
  const auto* found = std::find_if(std::begin(kBuilders), std::end(kBuilders),
                                   [&](const Builder& b) { return b.name == type; });
  return found == std::end(kBuilders) ? nullptr : found;
}

std::string text_of(const std::array<clr::WCHAR, kLongestName>& buffer, uint32_t length) {
  const std::u16string_view text(buffer.data(), std::min(length, kLongestName));
  return clr::to_utf8(text.substr(0, text.find(u'\0')));
}

class Metadata {
 public:
  explicit Metadata(clr::IMetaDataImport2& import) : import_(import) {}

  // Of a TypeDef or TypeRef, or of what a TypeSpec is an instantiation of; without the types around it.
  std::string type_name(mdToken token) {
    std::array<clr::WCHAR, kLongestName> name;
    uint32_t length = 0, flags = 0;
    mdToken other = 0;
    if ((token & kTable) == clr::mdtTypeSpec) {
      clr::PCCOR_SIGNATURE blob = nullptr;
      uint32_t size = 0;
      return clr::succeeded(import_.GetTypeSpecFromToken(token, &blob, &size))
                 ? type_in(clr::SignatureBytes({blob, size}))
                 : "";
    }
    const clr::HRESULT known =
        (token & kTable) == clr::mdtTypeRef
            ? import_.GetTypeRefProps(token, &other, name.data(), kLongestName, &length)
            : import_.GetTypeDefProps(token, name.data(), kLongestName, &length, &flags, &other);
    return clr::succeeded(known) ? text_of(name, length) : "";
  }

  // Of a field's signature.
  std::string field_type(clr::mdFieldDef field) {
    std::array<clr::WCHAR, kLongestName> name;
    mdToken owner = 0;
    uint32_t length = 0, attributes = 0, size = 0, kind = 0, value_size = 0;
    clr::PCCOR_SIGNATURE blob = nullptr;
    clr::UVCP_CONSTANT value = nullptr;
    if (clr::failed(import_.GetFieldProps(field, &owner, name.data(), kLongestName, &length, &attributes,
                                          &blob, &size, &kind, &value, &value_size)))
      return {};
    clr::SignatureBytes bytes({blob, size});
    bytes.byte();  // that it is a field's
    return type_in(bytes);
  }

  struct Member {
    std::string name, type;
  };
  // Of a method or a field, by any token that an instruction may have.
  Member member(mdToken token) {
    std::array<clr::WCHAR, kLongestName> name;
    uint32_t length = 0, attributes = 0, size = 0, more = 0, rva = 0;
    mdToken parent = 0;
    clr::PCCOR_SIGNATURE blob = nullptr;
    clr::UVCP_CONSTANT value = nullptr;
    if ((token & kTable) == clr::mdtMethodSpec &&
        clr::failed(import_.GetMethodSpecProps(token, &token, &blob, &size)))
      return {};
    clr::HRESULT known = clr::E_FAIL;
    if ((token & kTable) == clr::mdtMemberRef)
      known = import_.GetMemberRefProps(token, &parent, name.data(), kLongestName, &length, &blob, &size);
    else if ((token & kTable) == clr::mdtMethodDef)
      known = import_.GetMethodProps(token, &parent, name.data(), kLongestName, &length, &attributes, &blob,
                                     &size, &rva, &more);
    else if ((token & kTable) == clr::mdtFieldDef)
      known = import_.GetFieldProps(token, &parent, name.data(), kLongestName, &length, &attributes, &blob,
                                    &size, &more, &value, &rva);
    if (clr::failed(known)) return {};
    return {text_of(name, length), type_name(parent)};
  }

 private:
  std::string type_in(clr::SignatureBytes bytes) {
    uint8_t element = bytes.byte();
    if (element == clr::kElementGenericInstance) element = bytes.byte();
    if (element != clr::kElementValueType && element != clr::kElementClass) return {};
    const mdToken token = bytes.token();
    return bytes.ok() ? type_name(token) : "";
  }

  clr::IMetaDataImport2& import_;
};

clr::mdTypeDef owner_of(clr::IMetaDataImport2& import, clr::mdMethodDef method) {
  clr::mdTypeDef owner = 0;
  uint32_t length = 0, attributes = 0, size = 0, rva = 0, implementation = 0;
  clr::PCCOR_SIGNATURE blob = nullptr;
  std::array<clr::WCHAR, kLongestName> name;
  return clr::succeeded(import.GetMethodProps(method, &owner, name.data(), kLongestName, &length, &attributes,
                                              &blob, &size, &rva, &implementation))
             ? owner
             : 0;
}

// The own name of the type that an attribute's only argument is: "<RunAsync>d__5" (ECMA-335 II.23.3).
std::u16string type_named_in(base::Bytes attribute) {
  clr::SignatureBytes bytes(attribute);
  bytes.skip(2);
  const uint32_t size = bytes.number();
  if (!bytes.ok() || size > bytes.left()) return {};
  std::string_view text(reinterpret_cast<const char*>(attribute.data() + attribute.size() - bytes.left()),
                        size);
  text = text.substr(0, text.find(','));
  text.remove_prefix(text.rfind('+') + 1);
  return clr::to_utf16(text);
}

// Null: it is of no kind that is known, or there is none.
const Builder* builder_in(clr::IMetaDataImport2& import, clr::mdTypeDef machine) {
  clr::mdFieldDef builder = 0;
  if (import.FindField(machine, kBuilderField, nullptr, 0, &builder) != clr::S_OK) return nullptr;
  return builder_of(Metadata(import).field_type(builder));
}

// A TypeRef; 0: the module has none of that name.
mdToken find_type_ref(clr::IMetaDataImport2& import, std::string_view name) {
  constexpr uint32_t kAtOnce = 64;
  Metadata metadata(import);
  clr::HCORENUM all = nullptr;
  std::array<clr::mdTypeRef, kAtOnce> tokens{};
  uint32_t count = 0;
  mdToken found = 0;
  while (found == 0 && clr::succeeded(import.EnumTypeRefs(&all, tokens.data(), kAtOnce, &count)) &&
         count > 0) {
    for (uint32_t i = 0; i < std::min(count, kAtOnce) && found == 0; ++i)
      found = metadata.type_name(tokens[i]) == name ? tokens[i] : 0;
    count = 0;
  }
  import.CloseEnum(all);
  return found;
}

// Object.GetHashCode, which other classes have their own of: called as it is, it is the object's identity. 0:
// the module cannot call it.
mdToken object_hash_code(clr::IMetaDataImport2& import, clr::IMetaDataEmit& emit) {
  constexpr clr::COR_SIGNATURE kSignature[] = {0x20, 0, clr::kElementI4};  // an instance's
  constexpr char16_t kName[] = u"GetHashCode";
  clr::mdTypeDef object = 0;
  mdToken found = 0;
  if (import.FindTypeDefByName(u"System.Object", 0, &object) == clr::S_OK)
    return import.FindMethod(object, kName, nullptr, 0, &found) == clr::S_OK ? found : 0;
  const mdToken type = find_type_ref(import, "System.Object");
  return type != 0 && clr::succeeded(emit.DefineMemberRef(type, kName, kSignature, sizeof kSignature, &found))
             ? found
             : 0;
}

}  // namespace

std::optional<StateMachine> state_machine_of(clr::IMetaDataImport2& import, clr::mdMethodDef method) {
  struct Attribute {
    const char16_t* type;
    bool async;
  };
  constexpr Attribute kAttributes[] = {
      {kAsyncAttribute, true}, {kIteratorAttribute, false}, {kAsyncIteratorAttribute, true}};
  for (const Attribute& attribute : kAttributes) {
    const void* data = nullptr;
    uint32_t size = 0;
    if (import.GetCustomAttributeByName(method, attribute.type, &data, &size) != clr::S_OK) continue;
    const std::u16string name = type_named_in({static_cast<const uint8_t*>(data), size});
    clr::mdTypeDef machine = 0;
    StateMachine found{0, attribute.async};
    if (name.empty() ||
        import.FindTypeDefByName(name.c_str(), owner_of(import, method), &machine) != clr::S_OK ||
        import.FindMethod(machine, u"MoveNext", nullptr, 0, &found.move_next) != clr::S_OK ||
        (found.async && builder_in(import, machine) == nullptr))
      return std::nullopt;
    return found;
  }
  return std::nullopt;
}

std::optional<StateMachine> state_machine_at(clr::IMetaDataImport2& import, clr::mdMethodDef move_next) {
  if (builder_in(import, owner_of(import, move_next)) == nullptr) return std::nullopt;
  return StateMachine{move_next, true};
}

std::optional<AsyncMachine> read_async_machine(clr::IMetaDataImport2& import, clr::IMetaDataEmit& emit,
                                               clr::mdMethodDef move_next, const il::Body& body) {
  const Builder* const builder = builder_in(import, owner_of(import, move_next));
  if (builder == nullptr) return std::nullopt;
  AsyncMachine machine;
  machine.box_at = builder->box_at;
  Metadata metadata(import);
  for (uint32_t i = 0; i < body.code.size(); ++i) {
    const il::Instruction& one = body.code[i];
    const auto token = static_cast<mdToken>(one.operand);
    if (one.op == il::Op::kLdfld && machine.state == 0 && metadata.member(token).name == kState)
      machine.state = token;
    if (one.op == il::Op::kLdflda && machine.builder == 0 && metadata.member(token).name == kBuilder)
      machine.builder = token;
    if (one.op != il::Op::kCall) continue;
    const Metadata::Member called = metadata.member(token);
    const bool of_builder = builder_of(called.type) != nullptr;
    if (of_builder && (called.name == "AwaitUnsafeOnCompleted" || called.name == "AwaitOnCompleted"))
      machine.awaits.push_back(i);
    if ((of_builder || called.type == kPromise) && called.name == "SetException")
      machine.failures.push_back(i);
  }
  machine.hash_code = object_hash_code(import, emit);
  if (machine.state == 0 || machine.builder == 0 || machine.failures.empty() || machine.hash_code == 0)
    return std::nullopt;
  return machine;
}

}  // namespace walkabout::agent
