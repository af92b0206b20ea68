#include "clr/names/module_methods.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "clr/names/utf16.h"

namespace walkabout::clr {
namespace {

constexpr uint32_t kTokensAtOnce = 128;
constexpr size_t kLongestMethodName = 1024;
constexpr mdTypeDef kModuleType = mdtTypeDef | 1;  // its functions and fields of no type (ECMA-335 II.10.8)
// MethodImplAttributes, ECMA-335 II.23.1.11.
constexpr uint32_t kCodeTypeMask = 0x0003, kUnmanagedCode = 0x0004, kInternalCall = 0x1000;

bool has_il(uint32_t attributes, uint32_t rva, uint32_t implementation) {
  return rva != 0 && (attributes & (mdAbstract | mdPinvokeImpl)) == 0 &&
         (implementation & (kCodeTypeMask | kUnmanagedCode | kInternalCall)) == 0;
}

// next: of an enumeration, (handle, tokens, capacity, count).
template <typename Next, typename Visit>
void for_each_token(IMetaDataImport2& import, Next next, Visit visit) {
  HCORENUM all = nullptr;
  std::array<mdToken, kTokensAtOnce> tokens{};
  uint32_t count = 0;
  while (succeeded(next(&all, tokens.data(), kTokensAtOnce, &count)) && count > 0) {
    for (uint32_t i = 0; i < std::min(count, kTokensAtOnce); ++i) visit(tokens[i]);
    count = 0;
  }
  import.CloseEnum(all);
}

}  // namespace

void for_each_method(IMetaDataImport2& import, ModuleNames& names,
                     const std::function<void(const std::string&, const DefinedMethod&)>& visit) {
  const auto methods_of = [&](mdTypeDef type) {
    const std::string name = type == kModuleType ? std::string() : names.name_of(type);
    for_each_token(
        import,
        [&](HCORENUM* all, mdToken* tokens, uint32_t capacity, uint32_t* count) {
          return import.EnumMethods(all, type, tokens, capacity, count);
        },
        [&](mdMethodDef token) {
          std::array<WCHAR, kLongestMethodName> buffer;
          mdTypeDef owner = 0;
          uint32_t length = 0, attributes = 0, rva = 0, implementation = 0, blob_size = 0;
          PCCOR_SIGNATURE blob = nullptr;
          if (failed(import.GetMethodProps(token, &owner, buffer.data(), kLongestMethodName, &length,
                                           &attributes, &blob, &blob_size, &rva, &implementation)) ||
              !has_il(attributes, rva, implementation))
            return;
          const std::u16string_view text(buffer.data(), std::min<size_t>(length, kLongestMethodName));
          visit(name, {token, implementation, to_utf8(text.substr(0, text.find(u'\0')))});
        });
  };
  methods_of(kModuleType);
  for_each_token(
      import,
      [&](HCORENUM* all, mdToken* tokens, uint32_t capacity, uint32_t* count) {
        return import.EnumTypeDefs(all, tokens, capacity, count);
      },
      [&](mdTypeDef type) {
        if (type != kModuleType) methods_of(type);
      });
}

}  // namespace walkabout::clr
