// The bundled demo: a few named threads with work as a service does it, until the time is over.  demo [SECONDS]
using System.Diagnostics;
using Demo;

double seconds = args.Length > 0 ? double.Parse(args[0]) : 10;
var clock = Stopwatch.StartNew();
bool Running() => clock.Elapsed.TotalSeconds < seconds;

Worker[] workers =
[
    new("orders", () => new Orders().Run(Worker.OnceAtLeast(Running))),
    new("log-matcher", () => new LogMatcher().Run(Worker.OnceAtLeast(Running))),
    new("native-sort", () => new NativeSort().Run(Worker.OnceAtLeast(Running))),
    new("pipeline", () => Pipeline.RunAsync(Worker.OnceAtLeast(Running)).GetAwaiter().GetResult()),
];
foreach (Worker worker in workers) worker.Start();
foreach (Worker worker in workers) worker.Join();

Console.WriteLine($"demo: {clock.Elapsed.TotalSeconds:F1} s, {GC.CollectionCount(0)} collections");
foreach (Worker worker in workers) Console.WriteLine($"  {worker.Name,-12} {worker.Done,8} units");
return workers.All(worker => worker.Done > 0) ? 0 : 1;

/// One named thread and how many units of work it did.
sealed class Worker
{
    readonly Thread _thread;

    public Worker(string name, Func<long> work)
    {
        Name = name;
        _thread = new Thread(() => Done = work()) { Name = name };
    }

    /// True the first time, however late it is.
    public static Func<bool> OnceAtLeast(Func<bool> running)
    {
        bool begun = false;
        return () =>
        {
            bool first = !begun;
            begun = true;
            return first || running();
        };
    }

    public string Name { get; }
    public long Done { get; private set; }
    public void Start() => _thread.Start();
    public void Join() => _thread.Join();
}
