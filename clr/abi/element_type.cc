#include "clr/abi/element_type.h"

namespace walkabout::clr {
namespace {

struct Keyword {
  CorElementType element;
  std::string_view type;
  std::string_view keyword;
};

constexpr Keyword kKeywords[] = {
    {kElementVoid, "System.Void", "void"},
    {kElementBoolean, "System.Boolean", "bool"},
    {kElementChar, "System.Char", "char"},
    {kElementI1, "System.SByte", "sbyte"},
    {kElementU1, "System.Byte", "byte"},
    {kElementI2, "System.Int16", "short"},
    {kElementU2, "System.UInt16", "ushort"},
    {kElementI4, "System.Int32", "int"},
    {kElementU4, "System.UInt32", "uint"},
    {kElementI8, "System.Int64", "long"},
    {kElementU8, "System.UInt64", "ulong"},
    {kElementR4, "System.Single", "float"},
    {kElementR8, "System.Double", "double"},
    {kElementString, "System.String", "string"},
    {kElementObject, "System.Object", "object"},
    {kElementNativeInt, "System.IntPtr", "nint"},
    {kElementNativeUInt, "System.UIntPtr", "nuint"},
    {kElementTypedByRef, "System.TypedReference", "System.TypedReference"},
    {0, "System.Decimal", "decimal"},
    // The type argument of code that all reference types share: no type anyone wrote, so without its
    // namespace.
    {0, "System.__Canon", "__Canon"},
};

}  // namespace

std::string_view keyword_of(CorElementType element) {
  for (const Keyword& k : kKeywords) {
    if (k.element == element && element != 0) return k.keyword;
  }
  return {};
}

std::string_view keyword_for(std::string_view type_name) {
  for (const Keyword& k : kKeywords) {
    if (k.type == type_name) return k.keyword;
  }
  return type_name;
}

}  // namespace walkabout::clr
