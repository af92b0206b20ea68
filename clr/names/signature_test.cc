// Signature blobs written by hand from ECMA-335 II.23.2, whole, cut and random.
#include "clr/names/signature.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "clr/abi/element_type.h"
#include "clr/names/type_name.h"

namespace walkabout::clr {
namespace {

using Blob = std::vector<uint8_t>;

// TypeDefOrRef: TypeDef 1 is 1 << 2, TypeRef 2 is 2 << 2 | 1.
constexpr uint8_t kPoint = 1 << 2;
constexpr uint8_t kList = 2 << 2 | 1;

class Tokens : public TypeTokens {
 public:
  std::string name_of(mdToken token) override {
    if (token == 0x02000001) return "Ns.Point";
    if (token == 0x01000002) return "System.Collections.Generic.List`1";
    if (token == 0x01000003) return "System.Decimal";
    return "?";
  }
};

struct Read {
  bool ok;
  MethodSignature signature;
};

Read read(const Blob& blob, std::vector<std::string> type = {}, std::vector<std::string> method = {}) {
  Tokens tokens;
  Read result;
  result.ok = read_method_signature(blob, tokens, {type, method}, &result.signature);
  return result;
}

// The parameters of a static void method with the one given.
std::string parameter(const Blob& type, const std::vector<std::string>& type_arguments = {}) {
  Blob blob = {0x00, 1, kElementVoid};
  blob.insert(blob.end(), type.begin(), type.end());
  const Read result = read(blob, type_arguments);
  EXPECT_TRUE(result.ok);
  return result.signature.parameters;
}

TEST(Signature, KeywordsForPrimitives) {
  const Read result =
      read({0x20, 4, kElementObject, kElementI4, kElementString, kElementR8, kElementNativeUInt});
  EXPECT_TRUE(result.ok);
  EXPECT_EQ(result.signature.returns, "object");
  EXPECT_EQ(result.signature.parameters, "int, string, double, nuint");
}

TEST(Signature, NoParametersIsEmpty) {
  const Read result = read({0x00, 0, kElementVoid});
  EXPECT_TRUE(result.ok);
  EXPECT_EQ(result.signature.parameters, "");
}

TEST(Signature, ArraysPointersAndReferences) {
  EXPECT_EQ(parameter({kElementVector, kElementString}), "string[]");
  EXPECT_EQ(parameter({kElementArray, kElementI4, 2, 0, 0}), "int[,]");
  EXPECT_EQ(parameter({kElementArray, kElementI4, 2, 1, 5, 2, 0, 0}), "int[,]");
  EXPECT_EQ(parameter({kElementVector, kElementArray, kElementI4, 2, 0, 0}), "int[][,]");
  EXPECT_EQ(parameter({kElementByRef, kElementI4}), "ref int");
  EXPECT_EQ(parameter({kElementPointer, kElementPointer, kElementVoid}), "void**");
}

TEST(Signature, NamedTypesByToken) {
  EXPECT_EQ(parameter({kElementValueType, kPoint}), "Ns.Point");
  EXPECT_EQ(parameter({kElementValueType, 3 << 2 | 1}), "decimal");
  EXPECT_EQ(parameter({kElementClass, 9 << 2 | 2}), "?");
}

TEST(Signature, GenericInstances) {
  EXPECT_EQ(parameter({kElementGenericInstance, kElementClass, kList, 1, kElementI4}),
            "System.Collections.Generic.List<int>");
  EXPECT_EQ(parameter({kElementGenericInstance, kElementClass, kList, 1, kElementGenericInstance,
                       kElementClass, kList, 1, kElementVector, kElementU1}),
            "System.Collections.Generic.List<System.Collections.Generic.List<byte[]>>");
}

TEST(Signature, VariablesTakeTheGivenArguments) {
  const Blob blob = {
      0x30, 2, 3, kElementMethodVar, 1, kElementVar, 0, kElementVector, kElementMethodVar, 0, kElementVar, 7};
  const Read result = read(blob, {"string"}, {"int", "long"});
  EXPECT_TRUE(result.ok);
  EXPECT_EQ(result.signature.returns, "long");
  EXPECT_EQ(result.signature.parameters, "string, int[], T7");
}

TEST(Signature, FunctionPointers) {
  EXPECT_EQ(parameter({kElementFunctionPointer, 0x00, 2, kElementVoid, kElementI4, kElementString}),
            "delegate*<int, string, void>");
  EXPECT_EQ(parameter({kElementFunctionPointer, 0x01, 0, kElementI4}), "delegate* unmanaged<int>");
  EXPECT_EQ(parameter({kElementFunctionPointer, 0x09, 0, kElementI4}), "delegate* unmanaged<int>");
}

TEST(Signature, ModifiersAreNotShown) {
  EXPECT_EQ(parameter({kElementRequiredModifier, kPoint, kElementByRef, kElementOptionalModifier, kList,
                       kElementI4}),
            "ref int");
  EXPECT_EQ(parameter({kElementPinned, kElementString}), "string");
}

TEST(Signature, TypeHandlesOfDynamicMethodsAreUnknown) {
  EXPECT_EQ(parameter({kElementInternal, 1, 2, 3, 4, 5, 6, 7, 8}), "?");
  EXPECT_EQ(parameter({kElementInternalModifier, 1, 1, 2, 3, 4, 5, 6, 7, 8, kElementI4}), "int");
}

TEST(Signature, CompressedNumbersOfAllLengths) {
  std::vector<std::string> arguments(300, "x");
  arguments[200] = "at 200";
  EXPECT_EQ(parameter({kElementVar, 0x80, 200}, arguments), "at 200");
  EXPECT_EQ(parameter({kElementVar, 0xc0, 0, 0, 200}, arguments), "at 200");
  EXPECT_FALSE(read({0x00, 0xff, kElementVoid}).ok);
}

TEST(Signature, OtherKindsOfBlobsAreRefused) {
  EXPECT_FALSE(read({0x06, kElementI4}).ok);     // a field
  EXPECT_FALSE(read({0x07, 1, kElementI4}).ok);  // locals
  EXPECT_FALSE(read({0x0a, 1, kElementI4}).ok);  // a method's arguments
  EXPECT_FALSE(read({}).ok);
}

TEST(Signature, EveryPrefixIsRefusedAndKeepsWhatWasRead) {
  const Blob whole = {0x20,  2, kElementVoid,  kElementI4, kElementGenericInstance, kElementClass,
                      kList, 1, kElementString};
  ASSERT_TRUE(read(whole).ok);
  for (size_t size = 0; size < whole.size(); ++size) {
    EXPECT_FALSE(read(Blob(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size))).ok) << size;
  }
  EXPECT_EQ(read({0x20, 2, kElementVoid, kElementI4}).signature.parameters, "int, ?");
}

TEST(Signature, DepthAndLengthAreBounded) {
  Blob deep = {0x00, 1, kElementVoid};
  deep.insert(deep.end(), 100000, kElementPointer);
  deep.push_back(kElementI4);
  EXPECT_FALSE(read(deep).ok);

  Blob wide = {0x00, 0xc0, 0x01, 0x00, 0x00, kElementVoid};
  for (int i = 0; i < 65536; ++i) wide.insert(wide.end(), {kElementVar, 0});
  const Read result = read(wide, {std::string(900, 'x')});
  EXPECT_LE(result.signature.parameters.size(), kLongestTypeName + 3);
}

TEST(Signature, RandomBytesAreSurvived) {
  std::mt19937 random(1);
  for (int round = 0; round < 200000; ++round) {
    Blob blob(random() % 24);
    for (uint8_t& byte : blob) byte = static_cast<uint8_t>(random() % 4 == 0 ? random() : random() % 0x24);
    const Read result = read(blob, {"A"}, {"B"});
    ASSERT_LE(result.signature.parameters.size(), kLongestTypeName + 3);
  }
}

}  // namespace
}  // namespace walkabout::clr
