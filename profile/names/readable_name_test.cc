#include "profile/names/readable_name.h"

#include <gtest/gtest.h>

namespace walkabout::profile {
namespace {

std::string name(const std::string& type, const std::string& method, const std::string& parameters = "",
                 uint32_t flags = 0) {
  return readable_name({base::MethodId(1), type, method, parameters, "Demo.dll", flags});
}
constexpr auto kIterator = static_cast<uint32_t>(wire::MethodFlag::kIterator);

TEST(ReadableName, OrdinaryMethods) {
  EXPECT_EQ(name("Demo.Worker", "Run", "System.Int32, System.String[]"), "Demo.Worker.Run(int, string[])");
  EXPECT_EQ(name("Demo.Outer+Inner", "Run"), "Demo.Outer.Inner.Run()");
  EXPECT_EQ(name("Demo.Worker", ".ctor", "System.Object"), "Demo.Worker..ctor(object)");
  EXPECT_EQ(name("Demo.Worker", "Map<System.Int32>", "System.Func`2<System.Int32,System.Int32>"),
            "Demo.Worker.Map<int>(Func<int, int>)");
  EXPECT_EQ(name("System.Collections.Generic.List`1<System.String>", "Add", "System.String"),
            "System.Collections.Generic.List<string>.Add(string)");
  EXPECT_EQ(name("Demo.Worker", "System.IDisposable.Dispose"), "Demo.Worker.System.IDisposable.Dispose()");
}

TEST(ReadableName, AsyncMethodsAndIterators) {
  EXPECT_EQ(name("Demo.Worker+<RunAsync>d__5", "MoveNext"), "Demo.Worker.RunAsync(…) [async]");
  EXPECT_EQ(name("Demo.Worker+<Items>d__2", "MoveNext", "", kIterator), "Demo.Worker.Items(…) [iterator]");
  EXPECT_EQ(name("Demo.Worker+<RunAsync>d__5`1<System.Int32>", "MoveNext"),
            "Demo.Worker.RunAsync<int>(…) [async]");
  EXPECT_EQ(name("Demo.Worker+<Items>d__2", "System.Collections.IEnumerator.Reset"),
            "Demo.Worker.Items.System.Collections.IEnumerator.Reset()");
  EXPECT_EQ(name("Demo.Enumerator", "MoveNext"), "Demo.Enumerator.MoveNext()");
}

TEST(ReadableName, Lambdas) {
  EXPECT_EQ(name("Demo.Program+<>c", "<Main>b__0_0", "System.Int32"), "Demo.Program.Main.(lambda #0)");
  EXPECT_EQ(name("Demo.Program+<>c__DisplayClass3_0", "<Main>b__2"), "Demo.Program.Main.(lambda #2)");
  EXPECT_EQ(name("Demo.Program", "<Main>b__0_1"), "Demo.Program.Main.(lambda #1)");
  EXPECT_EQ(name("Demo.Program+<>c__1`1<System.Int32>", "<Map>b__1_0"), "Demo.Program.Map<int>.(lambda #0)");
  EXPECT_EQ(name("Demo.Program+<>c+<<Main>b__0_0>d", "MoveNext"), "Demo.Program.Main.(lambda #0) [async]");
}

TEST(ReadableName, LocalFunctions) {
  EXPECT_EQ(name("Demo.Program", "<Main>g__Fib|0_1", "System.Int32"), "Demo.Program.Main.Fib(int) [local]");
  EXPECT_EQ(name("Demo.Program+<>c__DisplayClass0_0", "<Main>g__Fib|1", "System.Int32"),
            "Demo.Program.Main.Fib(int) [local]");
  EXPECT_EQ(name("Demo.Program+<<Main>g__Work|0_1>d", "MoveNext"), "Demo.Program.Main.Work(…) [local async]");
}

TEST(ReadableName, TopLevelStatements) {
  EXPECT_EQ(name("Program", "<Main>$", "System.String[]"), "Program.Main(string[])");
  EXPECT_EQ(name("Program", "<Main>", "System.String[]"), "Program.Main(string[])");
  EXPECT_EQ(name("Program", "<<Main>$>g__Fib|0_0", "System.Int32"), "Program.Main.Fib(int) [local]");
  EXPECT_EQ(name("Program+<>c", "<<Main>$>b__0_3"), "Program.Main.(lambda #3)");
  EXPECT_EQ(name("Program+<<Main>$>d__0", "MoveNext"), "Program.Main(…) [async]");
}

TEST(ReadableName, OtherCompilerMadeTypes) {
  EXPECT_EQ(name("Demo.Program+<>c", ".cctor"), "Demo.Program.(closure)..cctor()");
  EXPECT_EQ(name("<>f__AnonymousType0`1<System.Int32>", "ToString"), "(anonymous type #0).ToString()");
  const std::string hash(64, 'A');
  EXPECT_EQ(name("Demo.<File>F" + hash + "__Helper", "Run"), "Demo.Helper.Run()");
}

TEST(ReadableName, CompilerMadeTypesAsArguments) {
  EXPECT_EQ(
      name("System.Box<Demo.Pipeline+<ConsumeAsync>d__3>", "MoveNext", "ref Demo.Pipeline+<RunAsync>d__0"),
      "System.Box<Pipeline.ConsumeAsync>.MoveNext(ref Pipeline.RunAsync)");
  EXPECT_EQ(name("System.Box", "Start<Demo.Pipeline+<>c+<<Main>b__0_0>d>"),
            "System.Box.Start<Pipeline.(closure).Main.(lambda #0)>()");
}

TEST(ReadableName, StubsAndDynamicMethods) {
  EXPECT_EQ(name("dynamicClass", "IL_STUB_PInvoke", "native int"), "[P/Invoke stub]");
  EXPECT_EQ(name("", "IL_STUB_ReversePInvoke"), "[reverse P/Invoke stub]");
  EXPECT_EQ(name("dynamicClass", "IL_STUB_Delegate_Thing"), "[Delegate Thing stub]");
  EXPECT_EQ(name("dynamicClass", "lambda_method12", "System.Int32"), "lambda_method12(int) [dynamic]");
}

TEST(ReadableName, BrokenNamesDoNotHurt) {
  for (const std::string broken :
       {"<", "<>", "<<", "<a", "<a>b__", "<a>g__", "<a>g__|", ">", "", "<a>$<", "`1"}) {
    name("A+" + broken, broken);
    name(broken, broken);
    name("A+" + broken, "MoveNext");
  }
  const std::string deep = std::string(20'000, '<') + "x" + std::string(20'000, '>');
  EXPECT_FALSE(name("A", deep).empty());
}

TEST(RawName, IsWhatTheMetadataHas) {
  EXPECT_EQ(raw_name({base::MethodId(1), "Demo.Program+<>c", "<Main>b__0_0", "System.Int32", "Demo.dll", 0}),
            "Demo.Program+<>c.<Main>b__0_0(System.Int32)");
}

}  // namespace
}  // namespace walkabout::profile
