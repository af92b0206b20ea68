// Programs for Windows whose threads know their own stacks: each prints, as JSON, which method may call which on the thread
// named "known" (["caller", "callee"]); every sample of it must be a way through them from the first.
//   winstack managed|alloc|exceptions|native|all [SECONDS]      winstack threads COUNT      winstack park WHERE [SECONDS]
//   winstack callbacks
using System.Diagnostics;
using System.Text.Json;

string what = args.Length > 0 ? args[0] : "all";
double seconds = args.Length > 1 && double.TryParse(args[1], out double given) ? given : 2;
switch (what)
{
    case "threads":
        Console.WriteLine(Short.Run((int)seconds));
        return 0;
    case "callbacks":
        Console.WriteLine(Callbacks.Run());
        return 0;
    case "park":
        return Parked.Run(args[1], args.Length > 2 ? double.Parse(args[2]) : 2);
}
var clock = Stopwatch.StartNew();
var known = new Thread(() => Known.Run(what, () => clock.Elapsed.TotalSeconds < seconds)) { Name = "known" };
known.Start();
known.Join();
Console.WriteLine(JsonSerializer.Serialize(new { edges = Known.Edges, sum = Known.Sum }));
return 0;
