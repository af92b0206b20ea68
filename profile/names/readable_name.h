// Managed method names as a person wrote them. The compiler turns lambdas, local functions, async methods and
// iterators into methods with names like "<Main>b__0_0" in types like "<>c__DisplayClass3_0"; this turns them
// back.
//
//   Demo.Worker+<RunAsync>d__5 . MoveNext              Demo.Worker.RunAsync(…) [async]
//   Demo.Worker+<Items>d__2 . MoveNext (an iterator)   Demo.Worker.Items(…) [iterator]
//   Demo.Program+<>c . <Main>b__0_1                    Demo.Program.Main.(lambda #1)
//   Demo.Program . <Main>g__Fib|0_1 (System.Int32)     Demo.Program.Main.Fib(int) [local]
//   Program . <Main>$ (System.String[])                Program.Main(string[])
//   dynamicClass . IL_STUB_PInvoke                     [P/Invoke stub]
//
// Source of the compiler's names: Roslyn, GeneratedNames.cs and GeneratedNameKind.cs. Any thread, no state.
#pragma once

#include <string>

#include "wire/records.h"

namespace walkabout::profile {

std::string readable_name(const wire::Method& method);
// "Demo.Program+<>c.<Main>b__0_1(System.Int32)": as the metadata has it.
std::string raw_name(const wire::Method& method);

}  // namespace walkabout::profile
