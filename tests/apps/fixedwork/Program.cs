// The same work in every run, in two threads: JSON and LINQ, regular expressions, qsort with managed comparers.
//   fixedwork [ROUNDS] [--rss]
// --rss: when the work is done and the garbage collected, prints "VmRSS KIB" of this process, idle.
using Demo;

int rounds = args.Length > 0 ? int.Parse(args[0]) : 10;

// A loop condition that holds so many times.
static Func<bool> Times(int count) => () => count-- > 0;

long logLines = 0, orders = 0, articles = 0;
Thread[] threads =
[
    new(() =>
    {
        orders = new Orders().Run(Times(20 * rounds));
        logLines = new LogMatcher().Run(Times(20 * rounds));
    }) { Name = "orders, logs" },
    new(() => articles = new NativeSort().Run(Times(20 * rounds))) { Name = "native-sort" },
];
foreach (Thread thread in threads) thread.Start();
foreach (Thread thread in threads) thread.Join();
Console.WriteLine($"{orders} orders, {logLines} log lines, {articles} articles");

if (args.Contains("--rss"))
{
    GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
    Thread.Sleep(500); // the JIT's and the agent's helper threads come to rest
    string line = File.ReadLines("/proc/self/status").First(text => text.StartsWith("VmRSS:"));
    Console.WriteLine($"VmRSS {line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[1]}");
}
return orders > 0 && logLines > 0 && articles > 0 ? 0 : 1;
