// Every interface, method, enumerator and structure the headers declare, against the facts in abi.json: IIDs,
// vtable slots, how each parameter is passed, values, sizes and offsets.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <set>

#include "clr/abi/abi_layout.h"
#include "clr/abi/callback.h"
#include "clr/abi/hresults.h"
#include "clr/abi/info.h"
#include "clr/abi/info_helpers.h"
#include "clr/abi/metadata.h"
#include "clr/abi/null_info.h"

namespace walkabout::clr {
namespace {

template <typename T>
std::string code_of() {
  if constexpr (std::is_void_v<T>)
    return "v";
  else if constexpr (std::is_pointer_v<T> || std::is_reference_v<T>)
    return "p";
  else
    return (std::is_class_v<T> || std::is_union_v<T> ? "s" : "") + std::to_string(sizeof(T));
}
template <typename R, typename C, typename... Args>
std::string shape_of(R (C::*)(Args...)) {
  return code_of<R>() + "(" + (std::string() + ... + code_of<Args>()) + ")";
}

// The Itanium C++ ABI (2.3): a pointer to a virtual member function is {1 + vtable offset, this adjustment}.
template <typename M>
size_t slot_of(M member) {
  ptrdiff_t words[2];
  static_assert(sizeof(member) == sizeof(words));
  std::memcpy(words, &member, sizeof(words));
  EXPECT_EQ(words[0] & 1, 1) << "not virtual";
  EXPECT_EQ(words[1], 0);
  return static_cast<size_t>(words[0] - 1) / sizeof(void*);
}

struct Method {
  std::string interface, name, shape;
  size_t slot;
};
struct Member {
  std::string owner, name;
  int64_t value;
  size_t size;
};
struct Declared {
  std::vector<std::pair<std::string, GUID>> interfaces;
  std::vector<Method> methods;
  std::vector<std::string> enums;
  std::vector<Member> enumerators;
  std::vector<Member> structs;  // value: size
  std::vector<Member> fields;   // value: offset
  std::vector<Member> hresults;
};

Declared declared() {
  Declared d;
#define INTERFACE(name) d.interfaces.emplace_back(#name, name::kIid);
#define METHOD(interface, name) \
  d.methods.push_back({#interface, #name, shape_of(&interface::name), slot_of(&interface::name)});
#define ENUM(name) d.enums.push_back(#name);
#define ENUMERATOR(owner, name) d.enumerators.push_back({#owner, #name, int64_t{owner::name}, sizeof(owner)});
#define STRUCT(name) d.structs.push_back({#name, "", int64_t{sizeof(name)}, sizeof(name)});
#define FIELD(owner, name) \
  d.fields.push_back({#owner, #name, int64_t{offsetof(owner, name)}, sizeof(owner::name)});
#define HRESULT_VALUE(name) d.hresults.push_back({"", #name, name, sizeof(name)});
#include "clr/abi/abi_test_table.inc"
  return d;
}

const AbiFacts& facts() {
  static const AbiFacts kFacts(
      nlohmann::json::parse(std::ifstream(WALKABOUT_SOURCE_DIR "/clr/abi/abi.json")));
  return kFacts;
}

std::string registry_form(const GUID& id) {
  char text[37];
  std::snprintf(text, sizeof(text), "%08x-%04x-%04x-%02x%02x-%02x%02x%02x%02x%02x%02x", id.data1, id.data2,
                id.data3, id.data4[0], id.data4[1], id.data4[2], id.data4[3], id.data4[4], id.data4[5],
                id.data4[6], id.data4[7]);
  return text;
}

TEST(Abi, InterfaceIdsAreTheFacts) {
  const Declared d = declared();
  ASSERT_EQ(d.interfaces.size(), 39u);
  for (const auto& [name, iid] : d.interfaces) {
    std::string expected = facts().json()["interfaces"][name]["iid"];
    for (char& c : expected) c = static_cast<char>(std::tolower(c));
    EXPECT_EQ(registry_form(iid), expected) << name;
  }
  EXPECT_EQ(registry_form(IUnknown::kIid), "00000000-0000-0000-c000-000000000046");
  EXPECT_EQ(registry_form(IClassFactory::kIid), "00000001-0000-0000-c000-000000000046");
}

TEST(Abi, EveryMethodIsInItsSlotAndPassesItsParametersAsInTheFacts) {
  const Declared d = declared();
  size_t compared = 0;
  for (const auto& [interface, iid] : d.interfaces) {
    size_t slot = facts().first_slot(interface);
    for (const nlohmann::json& fact : facts().json()["interfaces"][interface]["methods"]) {
      ASSERT_LT(compared, d.methods.size());
      const Method& method = d.methods[compared++];
      EXPECT_EQ(method.interface, interface);
      EXPECT_EQ(method.name, fact["name"]) << interface;
      EXPECT_EQ(method.slot, slot++) << interface << "::" << method.name;
      EXPECT_EQ(method.shape, facts().shape(fact)) << interface << "::" << method.name;
    }
  }
  EXPECT_EQ(compared, d.methods.size());
}

TEST(Abi, UnknownAndClassFactoryAreComsFirstSlots) {
  EXPECT_EQ(slot_of(&IUnknown::QueryInterface), 0u);
  EXPECT_EQ(slot_of(&IUnknown::AddRef), 1u);
  EXPECT_EQ(slot_of(&IUnknown::Release), 2u);
  EXPECT_EQ(slot_of(&IClassFactory::CreateInstance), 3u);
  EXPECT_EQ(slot_of(&IClassFactory::LockServer), 4u);
}

// As a C caller would: the object's first word points to the functions.
TEST(Abi, ACallThroughTheRawTableArrives) {
  struct Info : NullICorProfilerInfo15 {
    HRESULT GetFunctionFromIP(const uint8_t* ip, FunctionID* id) override {
      *id = reinterpret_cast<FunctionID>(ip) + 1;
      return S_FALSE;
    }
  } info;
  void** table = *reinterpret_cast<void***>(static_cast<ICorProfilerInfo*>(&info));
  const auto call = reinterpret_cast<HRESULT (*)(void*, const uint8_t*, FunctionID*)>(table[3 + 4]);
  FunctionID id = 0;
  EXPECT_EQ(call(&info, reinterpret_cast<const uint8_t*>(41), &id), S_FALSE);
  EXPECT_EQ(id, 42u);
}

TEST(Abi, EnumeratorsHaveTheFactsValues) {
  const Declared d = declared();
  size_t compared = 0;
  for (const std::string& name : d.enums) {
    for (const auto& [enumerator, value] : facts().enumerators(name)) {
      ASSERT_LT(compared, d.enumerators.size());
      const Member& member = d.enumerators[compared++];
      EXPECT_EQ(member.name, enumerator) << name;
      EXPECT_EQ(member.value, value) << enumerator;
      EXPECT_EQ(member.size, 4u) << name;
    }
  }
  EXPECT_EQ(compared, d.enumerators.size());
  EXPECT_GT(compared, 200u);
}

TEST(Abi, StructuresHaveTheFactsSizesAndOffsets) {
  const Declared d = declared();
  EXPECT_EQ(d.structs.size(), facts().json()["structs"].size());
  size_t compared = 0;
  for (const Member& structure : d.structs) {
    const TypeLayout layout = facts().layout(structure.owner);
    EXPECT_EQ(structure.size, layout.size) << structure.owner;
    for (const FieldLayout& field : layout.fields) {
      ASSERT_LT(compared, d.fields.size());
      const Member& member = d.fields[compared++];
      EXPECT_EQ(member.name, field.name) << structure.owner;
      EXPECT_EQ(static_cast<size_t>(member.value), field.offset) << structure.owner << "." << field.name;
      EXPECT_EQ(member.size, field.size) << structure.owner << "." << field.name;
    }
  }
  EXPECT_EQ(compared, d.fields.size());
}

TEST(Abi, ResultCodesAreTheFacts) {
  const Declared d = declared();
  EXPECT_EQ(d.hresults.size(), facts().json()["hresults"].size());
  for (const Member& code : d.hresults) {
    const std::string expected = facts().json()["hresults"][code.name];
    EXPECT_EQ(static_cast<uint32_t>(code.value), std::stoul(expected, nullptr, 16)) << code.name;
    EXPECT_TRUE(failed(static_cast<HRESULT>(code.value)));
  }
}

}  // namespace
}  // namespace walkabout::clr
