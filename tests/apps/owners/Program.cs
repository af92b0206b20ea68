// Programs that know who holds a lock. One thread takes it and keeps it for MS milliseconds, another one waits for
// it meanwhile; N times each of
//   Computes   the owner computes
//   Sleeps     it is blocked
//   Hands      it is blocked, and has called another method
//   Allocates  it computes and allocates, so that objects move
// with the lock of an object (Monitor), and from .NET 9 on with System.Threading.Lock.
//   owners N MS
// Prints what it did as lines:   KIND-METHOD COUNT MILLISECONDS
using System.Diagnostics;
using System.Runtime.CompilerServices;

if (args.Length < 2) { Console.WriteLine("usage: owners N MS"); return 2; }
int n = int.Parse(args[0]), ms = int.Parse(args[1]);
var holds = new (string Name, Action<int> Hold)[]
{
    ("Computes", Owner.Computes), ("Sleeps", Owner.Sleeps), ("Hands", Owner.Hands), ("Allocates", Owner.Allocates),
};
foreach (var hold in holds)
{
    object monitor = new();
    Run("monitor", hold.Name, hold.Hold, () => Monitor.Enter(monitor), () => Monitor.Exit(monitor));
#if NET9_0_OR_GREATER
    var one = new Lock();
    Run("lock", hold.Name, hold.Hold, one.Enter, one.Exit);
#endif
}
return 0;

void Run(string kind, string name, Action<int> hold, Action enter, Action exit)
{
    using var held = new AutoResetEvent(false);
    using var next = new AutoResetEvent(false);
    var owner = new Thread(() =>
    {
        for (int i = 0; i < n; i++)
        {
            enter();
            held.Set();
            hold(ms);
            exit();
            next.WaitOne();
        }
    }) { Name = "owner" };
    owner.Start();
    long waited = 0;
    for (int i = 0; i < n; i++)
    {
        held.WaitOne();
        long begun = Stopwatch.GetTimestamp();
        enter();
        waited += Stopwatch.GetTimestamp() - begun;
        exit();
        next.Set();
    }
    owner.Join();
    Console.WriteLine($"{kind}{name} {n} {(long)(waited * 1000.0 / Stopwatch.Frequency)}");
}

static class Owner
{
    static double sum;
    static object? last;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Computes(int ms)
    {
        for (long until = Environment.TickCount64 + ms; Environment.TickCount64 < until;)
            for (int i = 1; i < 1000; i++) sum += 1.0 / i;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Sleeps(int ms) => Thread.Sleep(ms);

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Hands(int ms)
    {
        Sleeps(ms / 2);
        Computes(ms - ms / 2);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Allocates(int ms)
    {
        for (long until = Environment.TickCount64 + ms; Environment.TickCount64 < until;)
            for (int i = 1; i < 1000; i++) last = new byte[100];
    }
}
