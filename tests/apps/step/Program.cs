// Calls of every kind, each between two calls of the stepping agent (tests/step), which walks at each instruction.
//   step [ROUNDS [BUDGET [CASE]]]
// A round calls every case once; between rounds the methods are called until the runtime has promoted them once
// more: tier 0, instrumented tier 0, tier 1. Without the agent it only runs. Prints what the cases computed, which
// must not depend on being stepped.
using Stepping;

int rounds = args.Length > 0 ? int.Parse(args[0]) : 3;
ulong budget = args.Length > 1 ? ulong.Parse(args[1]) : 20_000;
string only = args.Length > 2 ? args[2] : "";
Stepper.Connect();
(string Name, Func<long> Run)[] cases =
[
    ("frames", Frames.All), ("vectors", Vectors.All), ("unwinding", Unwinding.All), ("resuming", Unwinding.Catching),
    ("async", Asynchronous.All), ("generics", Generics.All), ("structs", Structs.All), ("tail calls", TailCalls.All),
    ("delegates", Calls.Delegates), ("dispatch", Calls.Dispatch), ("helpers", Calls.Helpers),
    ("pinvoke", Native.Out), ("reverse", Native.Back), ("framework", Framework.All),
    ("null reference", Faults.NullReference), ("division", Faults.Division), ("collections", Collections.All),
    ("longjmp", Native.Jump),
];
foreach (var (name, run) in cases) run();  // everything is compiled and bound before it is stepped
long sum = 0;
for (int round = 0; round < rounds; round++)
{
    foreach (var (name, run) in cases) sum += Stepper.Through($"{name} {round}", run, name.StartsWith(only) ? budget : 0);
    if (only != "") continue;
    sum += Stepper.Through($"osr {round}", Loops.Replaced(round), 4 * budget);
    sum += Stepper.Through($"first call {round}", Cold.Case(round), budget);
    Promote();
}
Console.WriteLine(sum);

// The runtime counts calls once no new tier-0 code has appeared for its delay, and compiles in the background.
void Promote()
{
    for (int pause = 0; pause < 2; pause++)
    {
        for (int i = 0; i < 40; i++)
        {
            foreach (var (_, run) in cases) run();
        }
        Thread.Sleep(250);
    }
}
