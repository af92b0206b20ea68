// Managed method names as a person wrote them. Compilers turn lambdas, local functions, async methods,
// iterators, accessors, operators and closures into methods with names of their own; this turns them back.
//
//   Demo.Worker+<RunAsync>d__5 . MoveNext              Demo.Worker.RunAsync(…) [async]
//   Demo.Worker+<Items>d__2 . MoveNext (an iterator)   Demo.Worker.Items(…) [iterator]
//   Demo.Program+<>c . <Main>b__0_1                    Demo.Program.Main.(lambda #1)
//   Demo.Program . <Main>g__Fib|0_1 (System.Int32)     Demo.Program.Main.Fib(int) [local]
//   Program . <Main>$ (System.String[])                Program.Main(string[])
//   Demo.Order . .ctor (System.Int32)                  Demo.Order.Order(int)
//   Demo.Order . get_Item (System.Int32)               Demo.Order.this[int].get()
//   Demo.Money . op_Addition (Demo.Money, Demo.Money)  Demo.Money.operator +(Money, Money)
//   Program+add@12 . Invoke (F#)                       Program.add.(closure at line 12)
//   dynamicClass . IL_STUB_PInvoke                     [P/Invoke stub]
//
// Source of the compiler's names: generated_name.h, member_name.h, fsharp_name.h. Any thread, no state.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "wire/records.h"

namespace walkabout::profile {

// How much of what tells methods apart is shown. What is usual may be the same for two methods, as for the
// lambdas of two overloads.
enum class Detail : uint8_t {
  kUsual,
  kMore,  // all the compiler's numbers, types with their namespaces
  kRaw,   // the raw name besides: it is one method's alone
};

struct ReadableName {
  std::string text;
  uint32_t own = 0;  // where it begins behind the namespace
};

ReadableName readable_name(const wire::Method& method, Detail detail = Detail::kUsual);
// Of a name as the agent's labels have it, without parameters: "Demo.Program+<>c.<Main>b__0_1" is
// "Demo.Program.Main.(lambda #1)", "Demo.Worker+<RunAsync>d__5.MoveNext" "Demo.Worker.RunAsync".
std::string readable_label(std::string_view method);
// "Demo.Program+<>c.<Main>b__0_1(System.Int32)": as the metadata has it. Conversions have what they return
// behind that: "Demo.Money.op_Implicit(Demo.Money):int".
std::string raw_name(const wire::Method& method);

}  // namespace walkabout::profile
