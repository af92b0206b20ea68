#include "values/value_code.h"

#include <array>
#include <utility>

#include "clr/abi/element_type.h"
#include "clr/abi/signature_bytes.h"
#include "il/pieces.h"
#include "values/captured.h"
#include "values/primitive_bytes.h"

namespace walkabout::values {
namespace {

using il::Cause;
using il::Instruction;
using il::Op;

constexpr uint16_t kDeepest = 6;  // token, slot, address, type, size, function
constexpr uint32_t kRow = 0x00ffffff, kMemberRefs = 0x0a000000, kLongestName = 512;
constexpr char16_t kTypeHandle[] = u"System.RuntimeTypeHandle";
constexpr clr::COR_SIGNATURE kBitsSignature[] = {
    0, 3, clr::kElementVoid, clr::kElementU8, clr::kElementU8, clr::kElementU8};
constexpr clr::COR_SIGNATURE kRealSignature[] = {
    0, 3, clr::kElementVoid, clr::kElementU8, clr::kElementU8, clr::kElementR8};
constexpr clr::COR_SIGNATURE kObjectSignature[] = {
    0, 3, clr::kElementVoid, clr::kElementU8, clr::kElementU8, clr::kElementObject};
constexpr clr::COR_SIGNATURE kPlaceSignature[] = {
    0, 3, clr::kElementVoid, clr::kElementU8, clr::kElementU8, clr::kElementByRef, clr::kElementU1};
constexpr clr::COR_SIGNATURE kValueSignature[] = {0,
                                                  5,
                                                  clr::kElementVoid,
                                                  clr::kElementU8,
                                                  clr::kElementU8,
                                                  clr::kElementByRef,
                                                  clr::kElementU1,
                                                  clr::kElementNativeInt,
                                                  clr::kElementU4};

Instruction with(Op op, uint64_t operand = 0) { return {op, il::kNoOrigin, operand}; }

Instruction load_argument(uint16_t index) {
  if (index < 4) return with(static_cast<Op>(static_cast<uint16_t>(Op::kLdarg0) + index));
  return with(index <= 0xff ? Op::kLdargS : Op::kLdarg, index);
}
Instruction load_local_address(uint16_t index) {
  return with(index <= 0xff ? Op::kLdlocaS : Op::kLdloca, index);
}

// Its size is its own, and its token tells it.
bool has_own_size(const PlannedValue& value) {
  switch (value.element) {
    case clr::kElementValueType:
    case clr::kElementVar:
    case clr::kElementMethodVar:
      return true;
    case clr::kElementGenericInstance:
      return value.take == Take::kValue;
    default:
      return false;
  }
}

class CodeMaker {
 public:
  struct Parts {
    const ValuePlan& plan;
    const ValuePlace& place;
    const ValueFunctions& functions;
    const ValueTokens& tokens;
    clr::IMetaDataImport2& import;
    clr::IMetaDataEmit& emit;
    const il::Body& body;
  };
  CodeMaker(const Parts& parts, il::Locals& locals, ValueCode& code)
      : plan_(parts.plan),
        place_(parts.place),
        functions_(parts.functions),
        tokens_(parts.tokens),
        import_(parts.import),
        emit_(parts.emit),
        body_(parts.body),
        locals_(locals),
        code_(code),
        token_(parts.place.token) {}

  Cause make() {
    if (plan_.state != 0) {
      if (const Cause cause = begin_machine(); cause != Cause::kNone) return cause;
    }
    add_thrown();
    for (size_t i = 0; i < plan_.values.size(); ++i) {
      const Cause cause = add(static_cast<uint8_t>(i), plan_.values[i]);
      if (cause != Cause::kNone) return cause;
    }
    return Cause::kNone;
  }

 private:
  // Of an async method: its arguments are taken when it begins, not when it goes on. From here on the token
  // is 0 then.
  Cause begin_machine() {
    constexpr uint8_t kNumber[] = {clr::kElementU8};
    constexpr uint64_t kSignBit = 31;
    const clr::mdToken state = field_token(plan_.state);
    if (state == 0) return Cause::kSignature;
    if (const Cause cause = locals_.append(kNumber, &token_); cause != Cause::kNone) return cause;
    put(&code_.enter,
        {load_argument(0), with(Op::kLdfld, state), with(Op::kLdcI4S, kSignBit), with(Op::kShrUn),
         with(Op::kConvU8), il::load_local(place_.token), with(Op::kMul), il::store_local(token_)});
    return Cause::kNone;
  }

  void add_thrown() {
    if (place_.thrown) {
      put(&code_.enter, {with(Op::kLdnull), il::store_local(*place_.thrown)});
      put(&code_.leaving,
          {il::load_local(place_.token), il::load_local(place_.outcome), il::load_local(*place_.thrown)});
      end(&code_.leaving, functions_.thrown, tokens_.object);
    }
    if (plan_.state == 0) return;
    for (uint32_t i = 0; i < body_.code.size(); ++i) {
      if (body_.code[i].op == Op::kCall && sets_exception(static_cast<clr::mdToken>(body_.code[i].operand)))
        code_.sets_exception.push_back(i);
    }
    uint16_t copy = 0;
    if (code_.sets_exception.empty() || variable_of({clr::kElementObject}, &copy) != Cause::kNone) return;
    put(&code_.failure, {with(Op::kDup), il::store_local(copy), il::load_local(place_.token),
                         with(Op::kLdcI8, 0), il::load_local(copy)});
    end(&code_.failure, functions_.thrown, tokens_.object);
  }

  // What it sets as its result: the argument of its builder's SetResult.
  Cause add_machine_result(const il::Body& body, uint8_t slot, PlannedValue planned) {
    planned.signature.clear();
    for (uint32_t i = 0; i < body.code.size(); ++i) {
      std::vector<uint8_t> type;
      if (body.code[i].op != Op::kCall ||
          !sets_result(static_cast<clr::mdToken>(body.code[i].operand), &type))
        continue;
      if (!planned.signature.empty() && type != planned.signature) return Cause::kSignature;
      planned.signature = std::move(type);
      code_.sets_result.push_back(i);
    }
    if (planned.signature.empty()) return Cause::kNone;
    uint16_t copy = 0;
    if (const Cause cause = variable_of(planned.signature, &copy); cause != Cause::kNone) return cause;
    token_ = place_.token;
    put(&code_.result, {with(Op::kDup), il::store_local(copy)});
    return take(slot, planned, {il::load_local(copy)}, &code_.result, copy);
  }

  Cause add(uint8_t slot, const PlannedValue& value) {
    if (value.take == Take::kNothing || value.take == Take::kHidden) return Cause::kNone;
    if (value.is_result && plan_.state != 0) return add_machine_result(body_, slot, value);
    if (value.is_result) {
      if (!place_.result) return Cause::kNone;
      return take(slot, value, {il::load_local(*place_.result)}, &code_.returning, *place_.result);
    }
    if (value.field != 0) {
      const clr::mdToken field = field_token(value.field);
      if (field == 0) return Cause::kSignature;
      return take(slot, value, {load_argument(0), with(Op::kLdfld, field)}, &code_.enter, {});
    }
    if (!value.at_end) return take(slot, value, {load_argument(value.argument)}, &code_.enter, {});
    // The method may change what its argument refers to.
    if (value.is_this) return take(slot, value, {load_argument(value.argument)}, &code_.returning, {});
    std::vector<uint8_t> type{clr::kElementByRef};
    type.insert(type.end(), value.signature.begin(), value.signature.end());
    uint16_t copy = 0;
    if (const Cause cause = locals_.append(type, &copy); cause != Cause::kNone) return cause;
    put(&code_.enter, {load_argument(value.argument), il::store_local(copy)});
    return take(slot, value, {il::load_local(copy)}, &code_.returning, {});
  }

  static void put(il::Piece* piece, const std::vector<Instruction>& code) {
    piece->code.insert(piece->code.end(), code.begin(), code.end());
    piece->stack = kDeepest;
  }
  void begin(il::Piece* piece, uint8_t slot) { put(piece, {il::load_local(token_), with(Op::kLdcI8, slot)}); }
  static void end(il::Piece* piece, uint64_t function, clr::mdSignature signature) {
    put(piece, {with(Op::kLdcI8, function), with(Op::kConvI), with(Op::kCalli, signature)});
  }

  // variable: where it lies already, if it does.
  Cause take(uint8_t slot, const PlannedValue& value, const std::vector<Instruction>& load, il::Piece* piece,
             std::optional<uint16_t> variable) {
    if (value.by_ref) return take_at(slot, value, load.front(), piece);
    switch (value.take) {
      case Take::kBits:
        begin(piece, slot);
        put(piece, load);
        put(piece, {with(Op::kConvU8)});
        end(piece, functions_.bits, tokens_.bits);
        return Cause::kNone;
      case Take::kReal:
        begin(piece, slot);
        put(piece, load);
        put(piece, {with(Op::kConvR8)});
        end(piece, functions_.real, tokens_.real);
        return Cause::kNone;
      case Take::kObject:
        begin(piece, slot);
        put(piece, load);
        end(piece, functions_.object, tokens_.object);
        return Cause::kNone;
      default:
        break;
    }
    uint16_t index = 0;
    if (variable) {
      index = *variable;
    } else {
      if (const Cause cause = variable_of(value.signature, &index); cause != Cause::kNone) return cause;
      put(piece, load);
      put(piece, {il::store_local(index)});
    }
    return take_at(slot, value, load_local_address(index), piece);
  }

  Cause take_at(uint8_t slot, const PlannedValue& value, Instruction address, il::Piece* piece) {
    if (value.take == Take::kCharacters) {
      begin(piece, slot);
      put(piece, {address});
      end(piece, functions_.characters, tokens_.characters);
      return Cause::kNone;
    }
    const uint32_t size = has_own_size(value) ? 0 : primitive_bytes(value.element);
    clr::mdToken type = 0;
    // What is known by its signature alone needs no type.
    if (size == 0) {
      if (tokens_.to_pointer == 0) return Cause::kNone;
      type = token_of(value);
      if (type == 0) return Cause::kSignature;
    }
    begin(piece, slot);
    put(piece, {address});
    if (type != 0) {
      put(piece, {with(Op::kLdtoken, type), with(Op::kCall, tokens_.to_pointer), with(Op::kSizeof, type)});
    } else {
      const uint64_t known = value.take == Take::kObject ? kAnyReference : 0;
      put(piece, {with(Op::kLdcI8, known), with(Op::kConvI), with(Op::kLdcI8, size), with(Op::kConvU4)});
    }
    end(piece, functions_.value, tokens_.value);
    return Cause::kNone;
  }

  clr::mdToken token_of(const PlannedValue& value) {
    clr::SignatureBytes bytes(value.signature);
    const uint8_t element = bytes.byte();
    if (element == clr::kElementValueType || element == clr::kElementClass) return bytes.token();
    clr::mdTypeSpec type = 0;
    const clr::HRESULT got = emit_.GetTokenFromTypeSpec(value.signature.data(),
                                                        static_cast<uint32_t>(value.signature.size()), &type);
    return clr::failed(got) ? 0 : type;
  }

  // One for each type: what is in it is needed at once.
  Cause variable_of(const std::vector<uint8_t>& type, uint16_t* index) {
    for (const auto& [known, at] : variables_) {
      if (known != type) continue;
      *index = at;
      return Cause::kNone;
    }
    if (const Cause cause = locals_.append(type, index); cause != Cause::kNone) return cause;
    variables_.emplace_back(type, *index);
    return Cause::kNone;
  }

  // The state machine's field, as its own code names it.
  clr::mdToken field_token(clr::mdFieldDef field) {
    if (plan_.own_type.empty() || plan_.own_type[0] != clr::kElementGenericInstance) return field;
    std::array<clr::WCHAR, kLongestName> name{};
    clr::mdTypeDef owner = 0;
    uint32_t length = 0, flags = 0, size = 0, kind = 0, value_size = 0;
    clr::PCCOR_SIGNATURE blob = nullptr;
    clr::UVCP_CONSTANT value = nullptr;
    clr::mdTypeSpec type = 0;
    clr::mdMemberRef member = 0;
    if (clr::failed(import_.GetFieldProps(field, &owner, name.data(), kLongestName, &length, &flags, &blob,
                                          &size, &kind, &value, &value_size)) ||
        length >= kLongestName ||
        clr::failed(emit_.GetTokenFromTypeSpec(plan_.own_type.data(),
                                               static_cast<uint32_t>(plan_.own_type.size()), &type)))
      return 0;
    if (import_.FindMemberRef(type, name.data(), blob, size, &member) == clr::S_OK) return member;
    return clr::succeeded(emit_.DefineMemberRef(type, name.data(), blob, size, &member)) ? member : 0;
  }

  // Whether that method sets an async method's exception.
  bool sets_exception(clr::mdToken method) {
    std::array<clr::WCHAR, kLongestName> name{};
    uint32_t length = 0, blob_size = 0;
    clr::mdToken parent = 0;
    clr::PCCOR_SIGNATURE blob = nullptr;
    return (method & ~kRow) == kMemberRefs &&
           clr::succeeded(import_.GetMemberRefProps(method, &parent, name.data(), kLongestName, &length,
                                                    &blob, &blob_size)) &&
           std::u16string_view(name.data()) == u"SetException";
  }

  // Whether that method sets an async method's result, and of what type.
  bool sets_result(clr::mdToken method, std::vector<uint8_t>* type) {
    if ((method & ~kRow) != kMemberRefs) return false;
    std::array<clr::WCHAR, kLongestName> name{};
    uint32_t length = 0, size = 0, blob_size = 0;
    clr::mdToken parent = 0, scope = 0;
    clr::PCCOR_SIGNATURE blob = nullptr;
    if (clr::failed(import_.GetMemberRefProps(method, &parent, name.data(), kLongestName, &length, &blob,
                                              &blob_size)) ||
        std::u16string_view(name.data()) != u"SetResult" ||
        clr::failed(import_.GetTypeSpecFromToken(parent, &blob, &size)))
      return false;
    clr::SignatureBytes bytes({blob, size});
    if (bytes.byte() != clr::kElementGenericInstance) return false;
    bytes.byte();
    const clr::mdToken builder = bytes.token();
    if (bytes.number() != 1 || !bytes.ok()) return false;
    name = {};
    if ((builder & ~kRow) == clr::mdtTypeDef) {
      uint32_t flags = 0;
      if (clr::failed(import_.GetTypeDefProps(builder, name.data(), kLongestName, &length, &flags, &scope)))
        return false;
    } else if (clr::failed(import_.GetTypeRefProps(builder, &scope, name.data(), kLongestName, &length))) {
      return false;
    }
    if (!std::u16string_view(name.data()).ends_with(u"MethodBuilder`1")) return false;
    const base::Bytes argument = base::Bytes(blob, size).last(bytes.left());
    type->assign(argument.begin(), argument.end());
    return true;
  }

  const ValuePlan& plan_;
  const ValuePlace& place_;
  const ValueFunctions& functions_;
  const ValueTokens& tokens_;
  clr::IMetaDataImport2& import_;
  clr::IMetaDataEmit& emit_;
  const il::Body& body_;
  il::Locals& locals_;
  ValueCode& code_;
  uint16_t token_;
  std::vector<std::pair<std::vector<uint8_t>, uint16_t>> variables_;
};

// Where the runtime's own types are, to this module: the library that its classes' base is of, or itself.
clr::mdToken library_of(clr::IMetaDataImport2& import) {
  clr::HCORENUM all = nullptr;
  std::array<clr::mdTypeDef, 64> types{};
  uint32_t count = 0;
  clr::mdToken library = 0;
  while (
      library == 0 &&
      clr::succeeded(import.EnumTypeDefs(&all, types.data(), static_cast<uint32_t>(types.size()), &count)) &&
      count > 0) {
    for (uint32_t i = 0; i < count && library == 0; ++i) {
      uint32_t length = 0, flags = 0;
      clr::mdToken base = 0, scope = 0;
      std::array<clr::WCHAR, 64> name{};
      if (clr::failed(import.GetTypeDefProps(types[i], nullptr, 0, &length, &flags, &base)) ||
          (base & ~kRow) != clr::mdtTypeRef ||
          clr::failed(
              import.GetTypeRefProps(base, &scope, name.data(), static_cast<uint32_t>(name.size()), &length)))
        continue;
      const std::u16string_view of(name.data());
      if (of == u"System.Object" || of == u"System.ValueType" || of == u"System.Enum") library = scope;
    }
  }
  import.CloseEnum(all);
  return library;
}

clr::mdToken type_handle(clr::IMetaDataImport2& import, clr::IMetaDataEmit& emit) {
  clr::mdToken type = 0;
  if (import.FindTypeDefByName(kTypeHandle, 0, &type) == clr::S_OK) return type;
  const clr::mdToken library = library_of(import);
  if (library == 0) return 0;
  if (import.FindTypeRef(library, kTypeHandle, &type) == clr::S_OK) return type;
  return clr::succeeded(emit.DefineTypeRefByName(library, kTypeHandle, &type)) ? type : 0;
}

clr::mdMemberRef to_pointer(clr::IMetaDataImport2& import, clr::IMetaDataEmit& emit) {
  const clr::mdToken type = type_handle(import, emit);
  if (type == 0) return 0;
  std::vector<uint8_t> signature{0, 1, clr::kElementNativeInt, clr::kElementValueType};
  const bool is_reference = (type & ~kRow) == clr::mdtTypeRef;
  il::append_number((type & kRow) << 2 | (is_reference ? 1 : 0), &signature);
  const auto size = static_cast<uint32_t>(signature.size());
  clr::mdToken method = 0;
  if (!is_reference)
    return import.FindMethod(type, u"ToIntPtr", signature.data(), size, &method) == clr::S_OK ? method : 0;
  return clr::succeeded(emit.DefineMemberRef(type, u"ToIntPtr", signature.data(), size, &method)) ? method
                                                                                                  : 0;
}

}  // namespace

bool make_value_tokens(clr::IMetaDataImport2& import, clr::IMetaDataEmit& emit, ValueTokens* tokens) {
  const auto make = [&emit](const auto& signature, clr::mdSignature* token) {
    return clr::succeeded(emit.GetTokenFromSig(signature, sizeof signature, token));
  };
  if (!make(kBitsSignature, &tokens->bits) || !make(kRealSignature, &tokens->real) ||
      !make(kObjectSignature, &tokens->object) || !make(kValueSignature, &tokens->value) ||
      !make(kPlaceSignature, &tokens->characters))
    return false;
  tokens->to_pointer = to_pointer(import, emit);
  return true;
}

Cause make_value_code(const ValuePlan& plan, const ValuePlace& place, const ValueFunctions& functions,
                      const ValueTokens& tokens, clr::IMetaDataImport2& import, clr::IMetaDataEmit& emit,
                      const il::Body& body, il::Locals* locals, ValueCode* code) {
  il::Locals with_more = *locals;
  ValueCode made;
  const Cause cause = CodeMaker({plan, place, functions, tokens, import, emit, body}, with_more, made).make();
  if (cause != Cause::kNone) return cause;
  *locals = std::move(with_more);
  *code = std::move(made);
  return Cause::kNone;
}

}  // namespace walkabout::values
