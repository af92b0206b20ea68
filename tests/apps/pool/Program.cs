// A thread pool that starves in a known way, or does not.
//   pool tasks N MS     N work items at once, each of which blocks on a task that is done when another item of the pool, queued
//                       after all of them, has run, and MS milliseconds are over
//   pool sleeps N MS    N work items at once that sleep for MS milliseconds
//   pool locks N MS     N work items at once that want one lock, which is held for MS milliseconds
//   pool healthy N MS   N short work items, one every millisecond, and a task that is awaited for MS milliseconds
// Prints lines NAME NUMBER: least, the fewest threads that the pool keeps; most, the most it had; blocked, the most items that
// were blocked at once; waited, the milliseconds that they were blocked in sum.
using System.Diagnostics;
using System.Runtime.CompilerServices;

if (args.Length < 3) { Console.WriteLine("usage: pool tasks|sleeps|healthy N MS"); return 2; }
int n = int.Parse(args[1]), ms = int.Parse(args[2]);
ThreadPool.GetMinThreads(out int least, out _);
using var watch = new Watch();
switch (args[0])
{
    case "tasks": Starving.Run(n, Starving.OnTask, ms); break;
    case "sleeps": Starving.Run(n, Starving.Sleep, ms); break;
    case "locks": Starving.Locks(n, ms); break;
    case "healthy": await Healthy.Run(n, ms); break;
    default: return 2;
}
Console.WriteLine($"least {least}");
Console.WriteLine($"most {watch.Most}");
Console.WriteLine($"blocked {Starving.Most}");
Console.WriteLine($"waited {Starving.Waited}");
return 0;

// Looks how many threads the pool has, on a thread of its own.
sealed class Watch : IDisposable
{
    readonly Thread _thread;
    volatile bool _ends;
    public int Most;

    public Watch()
    {
        _thread = new Thread(Look) { Name = "watch", IsBackground = true };
        _thread.Start();
    }

    void Look()
    {
        for (; !_ends; Thread.Sleep(1)) Most = Math.Max(Most, ThreadPool.ThreadCount);
    }

    public void Dispose()
    {
        _ends = true;
        _thread.Join();
    }
}

static class Starving
{
    static readonly object s_lock = new();
    static int s_blocked;
    static long s_waited;
    public static int Most;
    public static long Waited => Interlocked.Read(ref s_waited) / 10_000;

    public static void Run(int n, Action<TaskCompletionSource<int>, int> block, int ms)
    {
        var done = new CountdownEvent(n);
        var source = new TaskCompletionSource<int>(TaskCreationOptions.RunContinuationsAsynchronously);
        for (int i = 0; i < n; i++)
            ThreadPool.UnsafeQueueUserWorkItem(_ => { Count(source, block, ms); done.Signal(); }, null);
        ThreadPool.UnsafeQueueUserWorkItem(_ => Finish(source, ms), null);
        done.Wait();
    }

    static void Count(TaskCompletionSource<int> source, Action<TaskCompletionSource<int>, int> block, int ms)
    {
        int blocked = Interlocked.Increment(ref s_blocked);
        for (int most = Most; blocked > most && Interlocked.CompareExchange(ref Most, blocked, most) != most; most = Most) { }
        long begun = Stopwatch.GetTimestamp();
        block(source, ms);
        Interlocked.Add(ref s_waited, (long)(Stopwatch.GetElapsedTime(begun).TotalMilliseconds * 10_000));
        Interlocked.Decrement(ref s_blocked);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void OnTask(TaskCompletionSource<int> source, int ms) => _ = Answer(source).Result;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Sleep(TaskCompletionSource<int> source, int ms) => Thread.Sleep(ms);

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Enter(TaskCompletionSource<int> source, int ms)
    {
        lock (s_lock) { }
    }

    public static void Locks(int n, int ms)
    {
        using var held = new ManualResetEventSlim();
        var owner = new Thread(() => { lock (s_lock) { held.Set(); Thread.Sleep(ms); } });
        owner.Start();
        held.Wait();
        Run(n, Enter, 0);
        owner.Join();
    }

    // What is awaited goes on as a work item.
    static async Task<int> Answer(TaskCompletionSource<int> source) => await source.Task + 1;

    static async void Finish(TaskCompletionSource<int> source, int ms)
    {
        await Task.Delay(ms);
        source.SetResult(1);
    }
}

static class Healthy
{
    static long s_sum;

    public static async Task Run(int n, int ms)
    {
        for (int i = 0; i < n; i++)
        {
            ThreadPool.UnsafeQueueUserWorkItem(_ => Interlocked.Increment(ref s_sum), null);
            await Task.Delay(1);
        }
        await Task.Delay(ms);
    }
}
