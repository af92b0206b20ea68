// Names as .NET 8 to 10 wrote them into real events, and text that is none.
#include "clr/events/event_name.h"

#include <gtest/gtest.h>

#include <random>

#include "clr/names/type_name.h"

namespace walkabout::clr {
namespace {

TEST(ParametersOfEvent, AsTheRuntimeWritesThem) {
  EXPECT_EQ(parameters_of_event("void  ()"), "");
  EXPECT_EQ(parameters_of_event("int32  (int32,class System.String)"), "int, string");
  EXPECT_EQ(parameters_of_event("unmanaged cdecl int32  (int64,int64)"), "long, long");
  EXPECT_EQ(parameters_of_event("void  (unsigned int8&,wchar&,unsigned int,int,float64)"),
            "ref byte, ref char, nuint, nint, double");
  EXPECT_EQ(parameters_of_event("void  (int32*,void**,value class Ns.Point&,class System.String[])"),
            "int*, void**, ref Ns.Point, string[]");
  EXPECT_EQ(parameters_of_event(
                "instance generic !!0  (!0,!1[],!!0&,class System.Collections.Generic.List`1<!!0>,int32[,])"),
            "T0, T1[], ref M0, System.Collections.Generic.List<M0>, int[,]");
  EXPECT_EQ(
      parameters_of_event("class System.String  (class System.Collections.Generic.Dictionary`2<!0,class "
                          "System.Collections.Generic.List`1<!1>>,class System.Func`2<!0,!1>)"),
      "System.Collections.Generic.Dictionary<T0, System.Collections.Generic.List<T1>>, System.Func<T0, T1>");
  EXPECT_EQ(
      parameters_of_event("void  (fnptr void(int32,class System.String),fnptr unmanaged cdecl int32(int32))"),
      "delegate*<int, string, void>, delegate* unmanaged<int, int>");
}

TEST(ParametersOfEvent, MethodTablesWithoutANameAreUnknown) {
  EXPECT_EQ(parameters_of_event("void  (int32[],int,int,pMT: 0x7fd9644811e8)"), "int[], nint, nint, ?");
  EXPECT_EQ(parameters_of_event(
                "class System.Object  (class System.Object,pMT: 0x7fd964349248<class System.Object>)"),
            "object, ?<object>");
  EXPECT_EQ(parameters_of_event("pMT: 0x7fd9644811e8  (pMT: 0x7fd964481000,class System.Object,pMT: "
                                "0x7fd964481200&)"),
            "?, object, ref ?");
}

TEST(ParametersOfEvent, WhoKnowsTheTypesIsAsked) {
  struct Known final : TypeHandles {
    std::string name_of(uint64_t handle) override { return handle == 0x7fd9 ? "Ns.Box`1" : ""; }
  } known;
  EXPECT_EQ(parameters_of_event(
                "pMT: 0x7fd9  (pMT: 0x7fd9,pMT: 0x7fda,pMT: 0x7FD9<class System.Object>[],pMT: 7)", &known),
            "Ns.Box`1, ?, Ns.Box<object>[], ?");
}

TEST(ParametersOfEvent, ATypeCalledLikeAnAddressIsNotAskedFor) {
  struct Asked final : TypeHandles {
    std::string name_of(uint64_t handle) override {
      asked += handle != 0;
      return "";
    }
    int asked = 0;
  } handles;
  for (const char* signature : {"void  (class pMT: 0x41414141)", "void  (value class pMT: 0x41414141&)",
                                "valuetype pMT: 0x41414141  ()", "void  (class Box`1[pMT: 0x41414141])",
                                "void  (class Box`1<class pMT: 0x41414141>)"}) {
    parameters_of_event(signature, &handles);
    EXPECT_EQ(handles.asked, 0) << signature;
  }
  parameters_of_event("void  (class Box`1<pMT: 0x7fd9>)", &handles);
  EXPECT_EQ(handles.asked, 1);
}

TEST(ParametersOfEvent, CompilerMadeNamesKeepTheirBrackets) {
  EXPECT_EQ(parameters_of_event(
                "void  (class Ns.Program+<>c__DisplayClass15_0,value class Ns.Asy+<RunAsync>d__0&)"),
            "Ns.Program+<>c__DisplayClass15_0, ref Ns.Asy+<RunAsync>d__0");
}

TEST(ParametersOfEvent, OtherTextStaysAsItIs) {
  for (const char* text :
       {"", "hello", "void (", "void  (int32", "void  (int32))", "void  (int32,)", "void  (a[b])"}) {
    EXPECT_EQ(parameters_of_event(text), text);
  }
}

TEST(TypeOfEvent, AsTheRuntimeWritesThem) {
  EXPECT_EQ(type_of_event("dynamicClass"), "");
  EXPECT_EQ(type_of_event("System.Int32"), "System.Int32");
  EXPECT_EQ(type_of_event("Ns.Program+<>c"), "Ns.Program+<>c");
  EXPECT_EQ(type_of_event("System.Span`1[System.Byte]"), "System.Span<byte>");
  EXPECT_EQ(type_of_event("Ns.Outer`1+Inner`1[Ns.Point,System.__Canon]"),
            "Ns.Outer<Ns.Point>+Inner<__Canon>");
  EXPECT_EQ(type_of_event("Ns.Outer`1[System.ValueTuple`2[System.Int32[],System.__Canon]]"),
            "Ns.Outer<System.ValueTuple<int[], __Canon>>");
  EXPECT_EQ(
      type_of_event(
          "System.Runtime.CompilerServices.AsyncTaskMethodBuilder`1+AsyncStateMachineBox`1[System.Int32,"
          "Ns.Asy+<RunAsync>d__0]"),
      "System.Runtime.CompilerServices.AsyncTaskMethodBuilder<int>+AsyncStateMachineBox<Ns.Asy+<RunAsync>d__"
      "0>");
}

TEST(TypeOfEvent, OtherTextStaysAsItIs) {
  for (const char* text : {"", "a`1[", "a`1[b", "a`1[b]]", "[", "a&b"}) EXPECT_EQ(type_of_event(text), text);
}

TEST(TypeOfEvent, DepthAndLengthAreBounded) {
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "a`1[";
  EXPECT_EQ(type_of_event(deep), deep);
  std::string wide = "a`1[";
  for (int i = 0; i < 10000; ++i) wide += "b,";
  EXPECT_LE(type_of_event(wide + "b]").size(), kLongestTypeName + 3);
}

TEST(EventNames, RandomTextIsSurvived) {
  constexpr std::string_view kAlphabet = "a`1<>[],&*()! +";
  std::mt19937 random(1);
  for (int round = 0; round < 100000; ++round) {
    std::string text(random() % 20, ' ');
    for (char& c : text) c = kAlphabet[random() % kAlphabet.size()];
    parameters_of_event("void  (" + text + ")");
    type_of_event(text);
  }
}

EventString text(const char16_t* of, size_t length) {
  return {{reinterpret_cast<const uint8_t*>(of), length * sizeof *of}};
}

TEST(NameOfEvent, AStubIsADynamicMethodOfTheRuntimesOwn) {
  MethodLoad event;
  event.type = text(u"dynamicClass", 12);
  event.name = text(u"IL_STUB_PInvoke", 15);
  event.signature = text(u"void  (int32)", 13);
  const auto flags = [&event] {
    const MethodName name = name_of_event(event);
    return std::pair(name.dynamic, name.il_stub);
  };
  EXPECT_EQ(name_of_event(event).method, "IL_STUB_PInvoke");
  EXPECT_EQ(name_of_event(event).type, "");
  EXPECT_EQ(name_of_event(event).parameters, "int");
  EXPECT_EQ(flags(), std::pair(false, false)) << "a method that somebody named so";
  event.dynamic = true;
  EXPECT_EQ(flags(), std::pair(true, true));
  event.name = text(u"Call", 4);
  EXPECT_EQ(flags(), std::pair(true, false));
  event.name = {};
  EXPECT_EQ(name_of_event(event).method, kUnknownName);
}

}  // namespace
}  // namespace walkabout::clr
