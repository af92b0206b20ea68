// What a profiler's ticks cost, found inside one process: two threads work without end (JSON, LINQ and regular
// expressions; qsort with managed comparers), and by turns the profiler ticks and does not.
//   ticks PAIRS none               nothing is switched: what the measurement itself makes of nothing
//   ticks PAIRS events             this process's own perf events are switched off and on (an agent's, in the process)
//   ticks PAIRS CONTROL ACK        `perf record --control fifo:CONTROL,ACK` is told to
// Prints a line a pair of windows: CPU time of the process for the same work, in the window with ticks over the one
// without. At the end: "cpus N", how many CPUs were busy in the median window.
using Demo;

if (args.Length < 2 || args.Length > 3)
{
    Console.Error.WriteLine("usage: ticks PAIRS none|events|CONTROL ACK");
    return 2;
}
int pairs = int.Parse(args[0]);
Switch ticks = args.Length == 3 ? new PerfControl(args[1], args[2]) : args[1] == "events" ? new OwnEvents() : new Nothing();

// A loop condition that holds once.
static Func<bool> Once()
{
    int left = 1;
    return () => left-- > 0;
}

var orders = new Orders();
var logs = new LogMatcher();
var sort = new NativeSort();
Worker[] workers =
[
    new("orders, logs", () => { orders.Run(Once()); logs.Run(Once()); }),
    new("native-sort", () => sort.Run(Once())),
];
Thread.Sleep(8000); // what is compiled again has been

var windows = new List<(bool Ticking, Window Window)>();
for (int i = 0; i < pairs; i++)
{
    foreach (bool ticking in i % 2 == 0 ? new[] { true, false } : [false, true])
    {
        ticks.Set(ticking);
        Thread.Sleep(20);
        windows.Add((ticking, Window.Of(workers, 250)));
    }
}

// A unit of each worker counts as what it takes on average; so it does not matter which of them got further.
double[] worth = new double[workers.Length];
for (int i = 0; i < worth.Length; i++)
{
    worth[i] = windows.Sum(entry => entry.Window.Busy[i]) / windows.Sum(entry => entry.Window.Units[i]);
}
double Cost(Window window) => window.Process / window.Units.Zip(worth, (units, each) => units * each).Sum();
for (int i = 0; i < pairs; i++)
{
    var pair = windows.Skip(2 * i).Take(2);
    Console.WriteLine($"{Cost(pair.Single(entry => entry.Ticking).Window) / Cost(pair.Single(entry => !entry.Ticking).Window):F5}");
}
Console.WriteLine($"cpus {windows.Select(entry => entry.Window.Process / entry.Window.Wall).Order().ElementAt(windows.Count / 2):F2}");
Environment.Exit(0); // the workers never end
return 0;
