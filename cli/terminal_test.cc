#include "cli/terminal.h"

#include <gtest/gtest.h>

#include "console/numbers.h"

namespace walkabout::cli {
namespace {

TEST(FitName, KeepsWhatFits) {
  EXPECT_EQ(fit_name("Demo.Main(int)", 14), "Demo.Main(int)");
  EXPECT_EQ(fit_name("Demo.Main(int)", 0), "Demo.Main(int)");
}

TEST(FitName, GivesUpParametersFirstThenTheFront) {
  EXPECT_EQ(fit_name("Demo.Main(int, string) [local]", 20), "Demo.Main(…) [local]");
  EXPECT_EQ(fit_name("Demo.Program.Main(int, string)", 9), "….Main(…)");
  EXPECT_EQ(fit_name("abcdefgh", 5), "…efgh");
}

TEST(FitName, GivesUpTheNamespaceBeforeAnythingElse) {
  const std::string name = "Contoso.Shop.Orders.Order.Price(Line, int)";
  const size_t own = name.find("Order.Price");
  EXPECT_EQ(fit_name(name, 42, own), name);
  EXPECT_EQ(fit_name(name, 41, own), "…Shop.Orders.Order.Price(Line, int)");
  EXPECT_EQ(fit_name(name, 34, own), "…Orders.Order.Price(Line, int)");
  EXPECT_EQ(fit_name(name, 29, own), "…Order.Price(Line, int)");
  EXPECT_EQ(fit_name(name, 22, own), "…Order.Price(…)");
  EXPECT_EQ(fit_name(name, 9, own), "…Price(…)");
  EXPECT_EQ(fit_name("Order.Price(int)", 15, 0), "Order.Price(…)");
  EXPECT_EQ(fit_name("A.f(g(int), int) [local]", 18, 2), "…f(…) [local]");
  EXPECT_EQ(fit_name("(closure)", 4, 0), "…re)");
  EXPECT_EQ(fit_name("abc", 2, 99), "…c");
  const std::string generic = "A.Outer<B.Key, int>.Map<C.Value>.Find<D>(int)";
  EXPECT_EQ(fit_name(generic, 35, 2), "…Outer<…>.Map<…>.Find<…>(…)");
  EXPECT_EQ(fit_name(generic, 20, 2), "…Map<…>.Find<…>(…)");
  EXPECT_EQ(fit_name(generic, 12, 2), "….Find<…>(…)");
  EXPECT_EQ(fit_name("A.Outer.Order.Total.get()", 18, 2), "…Order.Total.get()");
  EXPECT_EQ(fit_name("A.Outer.Program.Main.(lambda #0)", 26, 2), "…Program.Main.(lambda #0)");
  EXPECT_EQ(fit_name("A.Money.operator <(Money, int)", 20, 2), "…Money.operator <(…)");
}

TEST(FitName, GivesUpTheRawNameFirst) {
  const std::string name = "Demo.A.B.Run(Line) {Demo.A+B.Run(X.Line)}";
  EXPECT_EQ(fit_name(name, 41, 5), name);
  EXPECT_EQ(fit_name(name, 40, 5), "Demo.A.B.Run(Line)");
  EXPECT_EQ(fit_name(name, 14, 5), "…A.B.Run(Line)");
}

TEST(FitName, OfAVeryLongOneTheEndIsShown) {
  std::string name;
  for (int i = 0; i < 2'000'000; ++i) name += "a.";
  EXPECT_EQ(fit_name(name + "Run(int)", 12, name.size()), "….a.Run(int)");
}

TEST(FitText, KeepsItsEndAsItIs) {
  EXPECT_EQ(fit_text("dotnet app.dll --x=<a>(b)", 12), "… --x=<a>(b)");
  EXPECT_EQ(fit_text("short", 5), "short");
  EXPECT_EQ(fit_text("dotnet build (pid 123)", 0), "dotnet build (pid 123)");
}

TEST(FitName, CountsCharactersNotBytes) {
  EXPECT_EQ(text_width("ä…x"), 3u);
  EXPECT_EQ(fit_name("ääääää", 4), "…äää");
  EXPECT_EQ(fit_name("\x80\x80\x80", 1), "\x80\x80\x80") << "no UTF-8 at all";
}

TEST(Wrap, BreaksBetweenWords) {
  EXPECT_EQ(wrap("one two three", 0), "one two three");
  EXPECT_EQ(wrap("one two three", 7), "one two\nthree");
  EXPECT_EQ(wrap("one two three", 6), "one\ntwo\nthree");
  EXPECT_EQ(wrap("extraordinary x", 5), "extraordinary\nx");
  EXPECT_EQ(wrap("", 5), "");
}

TEST(Numbers, DurationsHaveThreeDigits) {
  EXPECT_EQ(duration(0), "0 s");
  EXPECT_EQ(duration(840), "0.84 us");
  EXPECT_EQ(duration(15'210'000), "15.2 ms");
  EXPECT_EQ(duration(999'400'000), "999 ms");
  EXPECT_EQ(duration(999'600'000), "1.00 s");
  EXPECT_EQ(duration(12'345'000'000), "12.3 s");
  EXPECT_EQ(duration(12'345'678'000'000), "12346 s");
}

TEST(Numbers, ThousandsAreGrouped) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1'000), "1,000");
  EXPECT_EQ(grouped(1'234'567), "1,234,567");
  EXPECT_EQ(counted(1, "tick"), "1 tick");
  EXPECT_EQ(counted(1'000, "tick"), "1,000 ticks");
}

TEST(Numbers, APartOfNothingIsNothing) { EXPECT_EQ(percent(5, 0), 0.0); }

}  // namespace
}  // namespace walkabout::cli
