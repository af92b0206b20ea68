#include "profile/names/readable_name.h"

#include <gtest/gtest.h>

namespace walkabout::profile {
namespace {

std::string name(const std::string& type, const std::string& method, const std::string& parameters = "",
                 uint32_t flags = 0, const std::string& returns = "", Detail detail = Detail::kUsual) {
  return readable_name({base::MethodId(1), type, method, parameters, "Demo.dll", flags, returns}, detail)
      .text;
}
std::string more(const std::string& type, const std::string& method, const std::string& parameters = "") {
  return name(type, method, parameters, 0, "", Detail::kMore);
}
constexpr auto kIterator = static_cast<uint32_t>(wire::MethodFlag::kIterator);
constexpr auto kPlainName = static_cast<uint32_t>(wire::MethodFlag::kPlainName);

TEST(ReadableName, OrdinaryMethods) {
  EXPECT_EQ(name("Demo.Worker", "Run", "System.Int32, System.String[]"), "Demo.Worker.Run(int, string[])");
  EXPECT_EQ(name("Demo.Outer+Inner", "Run"), "Demo.Outer.Inner.Run()");
  EXPECT_EQ(name("Demo.Worker", "Map<System.Int32>", "System.Func`2<System.Int32,System.Int32>"),
            "Demo.Worker.Map<int>(Func<int, int>)");
  EXPECT_EQ(name("System.Collections.Generic.List`1<System.String>", "Add", "System.String"),
            "System.Collections.Generic.List<string>.Add(string)");
}

TEST(ReadableName, KnowsWhereTheNamespaceEnds) {
  const auto own = [](const std::string& type, const std::string& method) {
    const ReadableName name = readable_name({base::MethodId(1), type, method, "", "Demo.dll", 0, ""});
    return name.text.substr(name.own);
  };
  EXPECT_EQ(own("Ns.Sub.Outer+Inner", "Run"), "Outer.Inner.Run()");
  EXPECT_EQ(own("Program", "<Main>$"), "Program.Main()");
  EXPECT_EQ(own("Ns.Worker+<RunAsync>d__5", "MoveNext"), "Worker.RunAsync(…) [async]");
  EXPECT_EQ(own("", "lambda_method1"), "lambda_method1() [dynamic]");
}

TEST(ReadableName, Constructors) {
  EXPECT_EQ(name("Demo.Worker", ".ctor", "System.Object"), "Demo.Worker.Worker(object)");
  EXPECT_EQ(name("Demo.Worker", ".cctor"), "Demo.Worker.static Worker()");
  EXPECT_EQ(name("Demo.Outer+Map<int,string>", ".ctor", "int"), "Demo.Outer.Map<int, string>.Map(int)");
  EXPECT_EQ(name("Demo.Map`1", ".ctor"), "Demo.Map<T>.Map()");
  EXPECT_EQ(name("Demo.Worker+<>c", "<.ctor>b__1_0"), "Demo.Worker.Worker.(lambda #0)");
  EXPECT_EQ(name("Demo.Worker+<>c", "<.cctor>b__1_0"), "Demo.Worker.static Worker.(lambda #0)");
  EXPECT_EQ(name("Demo.Worker", "<.ctor>g__Check|0_1", "int"), "Demo.Worker.Worker.Check(int) [local]");
}

TEST(ReadableName, PropertiesIndexersAndEvents) {
  EXPECT_EQ(name("Demo.Order", "get_Total"), "Demo.Order.Total.get()");
  EXPECT_EQ(name("Demo.Order", "set_Total", "System.Decimal"), "Demo.Order.Total.set(decimal)");
  EXPECT_EQ(name("Demo.Order", "get_Item", "System.Int32, System.String"),
            "Demo.Order.this[int, string].get()");
  EXPECT_EQ(name("Demo.Order", "set_Item", "int, Demo.Line"), "Demo.Order.this[int].set(Line)");
  EXPECT_EQ(name("Demo.Order", "get_Item"), "Demo.Order.Item.get()");
  EXPECT_EQ(name("System.String", "get_Chars", "int"), "System.String.Chars[int].get()");
  EXPECT_EQ(name("Demo.Order", "add_Paid", "System.EventHandler"), "Demo.Order.Paid.add(EventHandler)");
  EXPECT_EQ(name("Demo.Order", "remove_Paid", "System.EventHandler"), "Demo.Order.Paid.remove(EventHandler)");
  EXPECT_EQ(name("Demo.Order+<get_Lines>d__4", "MoveNext", "", kIterator),
            "Demo.Order.Lines.get(…) [iterator]");
  EXPECT_EQ(name("Demo.Order+<>c", "<set_Total>b__4_0"), "Demo.Order.Total.set.(lambda #0)");
}

TEST(ReadableName, MethodsThatOnlyLookLikeAccessors) {
  EXPECT_EQ(name("Demo.Order", "get_Total", "", kPlainName), "Demo.Order.get_Total()");
  EXPECT_EQ(name("Demo.Order", "get_Foo<Ns.Point>"), "Demo.Order.get_Foo<Point>()")
      << "accessors have no arguments";
  EXPECT_EQ(name("Demo.Order+<get_Data>d__4", "MoveNext"), "Demo.Order.get_Data(…) [async]")
      << "nor are they async";
  EXPECT_EQ(name("Demo.Order+<<get_Data>g__Load|0_0>d", "MoveNext"),
            "Demo.Order.Data.get.Load(…) [local async]");
  EXPECT_EQ(name("Demo.Order", "op_Addition", "int", kPlainName), "Demo.Order.op_Addition(int)");
  EXPECT_EQ(name("Demo.Order", "set_Nothing"), "Demo.Order.set_Nothing()");
  EXPECT_EQ(name("Demo.Order", "add_Two", "int, int"), "Demo.Order.add_Two(int, int)");
  EXPECT_EQ(name("Demo.Order", "get_"), "Demo.Order.get_()");
  EXPECT_EQ(name("Demo.Order", "op_"), "Demo.Order.op_()");
}

TEST(ReadableName, Operators) {
  EXPECT_EQ(name("Demo.Money", "op_Addition", "Demo.Money, Demo.Money"),
            "Demo.Money.operator +(Money, Money)");
  EXPECT_EQ(name("Demo.Money", "op_UnaryNegation", "Demo.Money"), "Demo.Money.operator -(Money)");
  EXPECT_EQ(name("Demo.Money", "op_LessThan", "Demo.Money, int"), "Demo.Money.operator <(Money, int)");
  EXPECT_EQ(name("Demo.Money", "op_UnsignedRightShift", "int, int"), "Demo.Money.operator >>>(int, int)");
  EXPECT_EQ(name("Demo.Money", "op_True", "Demo.Money"), "Demo.Money.operator true(Money)");
  EXPECT_EQ(name("Demo.Money", "op_CheckedAddition", "int, int"), "Demo.Money.operator checked +(int, int)");
  EXPECT_EQ(name("Demo.Money", "op_AdditionAssignment", "int"), "Demo.Money.operator +=(int)");
  EXPECT_EQ(name("Demo.Money", "op_IncrementAssignment"), "Demo.Money.operator ++()");
  EXPECT_EQ(name("Demo.Money", "op_Implicit", "Demo.Money", 0, "System.Decimal"),
            "Demo.Money.implicit operator decimal(Money)");
  EXPECT_EQ(name("Demo.Money", "op_CheckedExplicit", "Demo.Money", 0, "int"),
            "Demo.Money.explicit operator checked int(Money)");
  EXPECT_EQ(name("Demo.Money", "op_Explicit", "Demo.Money"), "Demo.Money.explicit operator(Money)");
  EXPECT_EQ(name("Demo.Money", "op_Unheard", "int"), "Demo.Money.op_Unheard(int)");
}

TEST(ReadableName, ExplicitImplementations) {
  EXPECT_EQ(name("Demo.Worker", "System.IDisposable.Dispose"), "Demo.Worker.IDisposable.Dispose()");
  EXPECT_EQ(name("Demo.Bag", "System.Collections.Generic.IEnumerable<System.Int32>.GetEnumerator"),
            "Demo.Bag.IEnumerable<int>.GetEnumerator()");
  EXPECT_EQ(name("Demo.Bag", "System.Collections.IList.get_Item", "int"), "Demo.Bag.IList.this[int].get()");
  EXPECT_EQ(name("Demo.Bag", "Ns.ICounted.get_Count"), "Demo.Bag.ICounted.Count.get()");
  EXPECT_EQ(name("Demo.Bag", "Ns.IMap<System.String,System.Int32>.Find<System.Char>", "char"),
            "Demo.Bag.IMap<string, int>.Find<char>(char)");
  EXPECT_EQ(
      name("Demo.Int", "System.Numerics.IAdditionOperators<Demo.Int,Demo.Int,Demo.Int>.op_Addition", "int"),
      "Demo.Int.IAdditionOperators<Int, Int, Int>.operator +(int)");
  EXPECT_EQ(name("Demo.Bag+<>c", "<System.IDisposable.Dispose>b__0_1"),
            "Demo.Bag.IDisposable.Dispose.(lambda #1)");
  EXPECT_EQ(more("Demo.Worker", "System.IDisposable.Dispose"), "Demo.Worker.System.IDisposable.Dispose()");
}

TEST(ReadableName, AsyncMethodsAndIterators) {
  EXPECT_EQ(name("Demo.Worker+<RunAsync>d__5", "MoveNext"), "Demo.Worker.RunAsync(…) [async]");
  EXPECT_EQ(name("Demo.Worker+<Items>d__2", "MoveNext", "", kIterator), "Demo.Worker.Items(…) [iterator]");
  EXPECT_EQ(name("Demo.Worker+<RunAsync>d__5`1<System.Int32>", "MoveNext"),
            "Demo.Worker.RunAsync<int>(…) [async]");
  EXPECT_EQ(name("Demo.Worker+<Items>d__2", "System.Collections.IEnumerator.Reset"),
            "Demo.Worker.Items.IEnumerator.Reset()");
  EXPECT_EQ(name("Demo.Worker+<Items>d__2", ".ctor", "int"), "Demo.Worker.Items..ctor(int)");
  EXPECT_EQ(name("Demo.Bag+<System-Collections-Generic-IEnumerable<System-Int32>-GetEnumerator>d__2",
                 "MoveNext", "", kIterator),
            "Demo.Bag.IEnumerable<int>.GetEnumerator(…) [iterator]");
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
  EXPECT_EQ(name("Program", "<Main>", "System.String[]"), "Program.Main(string[]) [entry point]");
  EXPECT_EQ(name("Program", "<<Main>$>g__Fib|0_0", "System.Int32"), "Program.Main.Fib(int) [local]");
  EXPECT_EQ(name("Program+<>c", "<<Main>$>b__0_3"), "Program.Main.(lambda #3)");
  EXPECT_EQ(name("Program+<<Main>$>d__0", "MoveNext"), "Program.Main(…) [async]");
}

TEST(ReadableName, OtherCompilerMadeTypes) {
  EXPECT_EQ(name("Demo.Program+<>c", ".cctor"), "Demo.Program.(closure)..cctor()");
  EXPECT_EQ(name("<>f__AnonymousType0`1<System.Int32>", "ToString"), "(anonymous type #0).ToString()");
  EXPECT_EQ(name("Demo.Program", "<>n__0", "int"), "Demo.Program.(base call #0)(int)");
  EXPECT_EQ(name("Demo.Order", "<Clone>$"), "Demo.Order.Clone()");
  const std::string hash(64, 'A');
  EXPECT_EQ(name("Demo.<File>F" + hash + "__Helper", "Run"), "Demo.Helper.Run()");
  EXPECT_EQ(name("<File>F" + hash + "__Helper", "Run"), "Helper.Run()");
  EXPECT_EQ(name("Demo.<File>F" + hash + "__Helper", ".ctor"), "Demo.Helper.Helper()");
  EXPECT_EQ(name("Demo.<File>F" + hash + "__Helper", ".cctor"), "Demo.Helper.static Helper()");
}

TEST(ReadableName, CompilerMadeTypesAsArguments) {
  EXPECT_EQ(
      name("System.Box<Demo.Pipeline+<ConsumeAsync>d__3>", "MoveNext", "ref Demo.Pipeline+<RunAsync>d__0"),
      "System.Box<Pipeline.ConsumeAsync>.MoveNext(ref Pipeline.RunAsync)");
  EXPECT_EQ(name("System.Box", "Start<Demo.Pipeline+<>c+<<Main>b__0_0>d>"),
            "System.Box.Start<Pipeline.(closure).Main.(lambda #0)>()");
}

TEST(ReadableName, OfFSharp) {
  EXPECT_EQ(name("Program+add@12", "Invoke", "int"), "Program.add.(closure at line 12)");
  EXPECT_EQ(name("Program+add@12-1", "Invoke", "int"), "Program.add.(closure #1 at line 12)");
  EXPECT_EQ(name("Ns.Module+map@7<int>", "Invoke", "int"), "Ns.Module.map<int>.(closure at line 7)");
  EXPECT_EQ(name("Program+work@40", "MoveNext"), "Program.work(…) [async at line 40]");
  EXPECT_EQ(name("Program+items@50", "GenerateNext", "ref object"), "Program.items(…) [iterator at line 50]");
  EXPECT_EQ(name("Program+items@50", "Close"), "Program.items.(closure at line 50).Close()");
  EXPECT_EQ(name("Program", "|Even|Odd|", "int"), "Program.(|Even|Odd|)(int)");
  EXPECT_EQ(name("Program", "op_PipeRight", "int, int"), "Program.(|>)(int, int)");
  EXPECT_EQ(name("Program", "op_PlusPlusGreater", "int, int"), "Program.(++>)(int, int)");
  EXPECT_EQ(name("Program+Shape", "NewCircle", "double"), "Program.Shape.NewCircle(double)");
  EXPECT_EQ(name("<StartupCode$app>.$Program", "main@"), "Program.(startup code).main@()");
  EXPECT_EQ(name("<StartupCode$app>.$Async+clo@193-1", "Invoke", "object"),
            "Async.(startup code).(closure #1 at line 193).Invoke(object)");
  EXPECT_EQ(name("Program+r@5-3", "System.Collections.Generic.IEnumerable<System.Int32>.GetEnumerator"),
            "Program.r.(closure #3 at line 5).IEnumerable<int>.GetEnumerator()");
  EXPECT_EQ(name("Program+mail@box", "Invoke"), "Program.mail@box.Invoke()");
}

TEST(ReadableName, StubsAndDynamicMethods) {
  EXPECT_EQ(name("dynamicClass", "IL_STUB_PInvoke", "native int"), "[P/Invoke stub]");
  EXPECT_EQ(name("", "IL_STUB_ReversePInvoke"), "[reverse P/Invoke stub]");
  EXPECT_EQ(name("dynamicClass", "IL_STUB_Delegate_Thing"), "[Delegate Thing stub]");
  EXPECT_EQ(name("dynamicClass", "lambda_method12", "System.Int32"), "lambda_method12(int) [dynamic]");
  EXPECT_EQ(name("", "lambda_method3", "System.Runtime.CompilerServices.Closure, object, A.HttpContext"),
            "lambda_method3(object, HttpContext) [dynamic]");
  EXPECT_EQ(name("", "Regex7_TryMatchAtCurrentPosition", "System.Text.RegularExpressions.RegexRunner, int"),
            "Regex7.TryMatchAtCurrentPosition(RegexRunner, int) [compiled regex]");
  EXPECT_EQ(name("", "Regex_Match"), "Regex_Match() [dynamic]");
}

TEST(ReadableName, ATypeKnownByItsAddressAloneIsNotKnown) {
  EXPECT_EQ(name("", "lambda_method3",
                 "pMT: 0x7f4000000000  (pMT: 0x7f40067f0000,class System.Object,pMT: 0x7f40067fa488)"),
            "lambda_method3(?, object, ?) [dynamic]");
  EXPECT_EQ(name("", "lambda_method3", "pMT: )"), "lambda_method3(?) [dynamic]");
}

TEST(ReadableName, WithMoreOverloadsDiffer) {
  EXPECT_EQ(more("Demo.Worker+<RunAsync>d__5", "MoveNext"), "Demo.Worker.RunAsync(…) [async #5]");
  EXPECT_EQ(more("Demo.Program+<>c", "<Main>b__3_0", "int"), "Demo.Program.Main.(lambda #3_0)");
  EXPECT_EQ(more("Demo.Program", "<Main>g__Fib|0_1", "int"), "Demo.Program.Main.Fib(int) [local #0_1]");
  EXPECT_EQ(more("Demo.Program", "Run", "A.Line, List`1<B.Line>"), "Demo.Program.Run(A.Line, List<B.Line>)");
  const std::string hash(64, 'A');
  EXPECT_EQ(more("Demo.<File>F" + hash + "__Helper", "Run"), "Demo.Helper@File.Run()");
  EXPECT_EQ(name("A", "Run", "B", 0, "", Detail::kRaw), "A.Run(B) {A.Run(B)}");
}

TEST(ReadableName, BrokenNamesDoNotHurt) {
  for (const std::string broken : {"<",
                                   "<>",
                                   "<<",
                                   "<a",
                                   "<a>b__",
                                   "<a>g__",
                                   "<a>g__|",
                                   ">",
                                   "",
                                   "<a>$<",
                                   "`1",
                                   ".",
                                   "..",
                                   "a.",
                                   ".<",
                                   "@1",
                                   "a@",
                                   "a@1-",
                                   "op_",
                                   "|",
                                   "||",
                                   "get_",
                                   "set_",
                                   "<StartupCode$",
                                   "<StartupCode$>.$",
                                   "<a>d__",
                                   "<.ctor>d"}) {
    for (const Detail detail : {Detail::kUsual, Detail::kMore, Detail::kRaw}) {
      name("A+" + broken, broken, broken, 0, broken, detail);
      name(broken, broken, broken, 0, broken, detail);
      name("A+" + broken, "MoveNext", broken, 0, broken, detail);
      name("", broken, broken, 0, broken, detail);
    }
  }
  const std::string deep = std::string(20'000, '<') + "x" + std::string(20'000, '>');
  EXPECT_FALSE(name("A", deep).empty());
}

TEST(ReadableLabel, HasNoParameters) {
  EXPECT_EQ(readable_label("Demo.Worker.Run"), "Demo.Worker.Run");
  EXPECT_EQ(readable_label("Demo.Worker..ctor"), "Demo.Worker.Worker");
  EXPECT_EQ(readable_label("Demo.Worker..cctor"), "Demo.Worker.static Worker");
  EXPECT_EQ(readable_label("Demo.Outer+Inner.get_Total"), "Demo.Outer.Inner.Total.get");
  EXPECT_EQ(readable_label("Demo.Order.set_Total"), "Demo.Order.Total.set");
  EXPECT_EQ(readable_label("Demo.Money.op_Addition"), "Demo.Money.operator +");
  EXPECT_EQ(readable_label("Demo.Program+<>c.<Main>b__0_1"), "Demo.Program.Main.(lambda #1)");
  EXPECT_EQ(readable_label("Demo.Worker+<RunAsync>d__5.MoveNext"), "Demo.Worker.RunAsync");
  EXPECT_EQ(readable_label("Program.<<Main>$>g__Fib|0_0"), "Program.Main.Fib [local]");
  EXPECT_EQ(readable_label("lambda_method3"), "lambda_method3");
  for (const char* text : {"", ".", "..", "..ctor", ".ctor", "a.", "<"}) readable_label(text);
}

TEST(RawName, IsWhatTheMetadataHas) {
  EXPECT_EQ(raw_name({base::MethodId(1), "Money", "op_Implicit", "Money", "Demo.dll", 0, "A.Line"}),
            "Money.op_Implicit(Money):A.Line");
  EXPECT_EQ(
      raw_name({base::MethodId(1), "Demo.Program+<>c", "<Main>b__0_0", "System.Int32", "Demo.dll", 0, ""}),
      "Demo.Program+<>c.<Main>b__0_0(System.Int32)");
}

}  // namespace
}  // namespace walkabout::profile
