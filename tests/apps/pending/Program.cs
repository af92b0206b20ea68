// Async methods of every kind that wait, and the program knows how many: it prints each logical stack, from where it waits to who
// awaits it, with the number of the await at which each method stands, and how many there are; then "ready", and what it is told to
// do on standard input: "collect", "background" (collect so), "start N" (as many more, which it prints), "collectible" and "unload" (one
// in an assembly that can be unloaded), "end" (completes all and waits for them).
// Arguments: how many of each kind, how many other objects.
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;

static class Waits
{
    static TaskCompletionSource go = new(TaskCreationOptions.RunContinuationsAsynchronously);
    static readonly List<object> kept = new();
    static readonly SortedDictionary<string, int> known = new();
    static void Know(string stack, int count = 1) => known[stack] = known.GetValueOrDefault(stack) + count;

    // Of each kind one operation; the task of the outermost is kept.
    static async Task Outer() { await Middle(); }
    static async Task Middle() { await Task.CompletedTask; await Leaf(); }
    static async Task Leaf() { await Task.CompletedTask; await Task.CompletedTask; await go.Task; }

    static async Task ValueTop() { await ValueLeaf().ConfigureAwait(false); }
    static async ValueTask<int> ValueLeaf() { await go.Task.ConfigureAwait(false); return 3; }

    static async Task<T> GenericTop<T>(T value) { return await GenericLeaf(value); }
    static async Task<T> GenericLeaf<T>(T value) { await go.Task; return value; }

    static async Task PooledTop() { await PooledLeaf(); }
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    static async ValueTask<int> PooledLeaf() { await go.Task; return 3; }

    static async Task IterateTop() { await foreach (int n in Items(true)) GC.KeepAlive(n); }
    static async IAsyncEnumerable<int> Items(bool waits)
    {
        if (waits)
            await go.Task;
        yield return 1;
        await Task.Yield();
        yield return 2;
    }

    static async Task WhenTop() { await Task.WhenAll(WhenLeaf(1), WhenLeaf(2), WhenLeaf(3)); }
    static async Task WhenLeaf(int n) { await go.Task; GC.KeepAlive(n); }

    // Awaits on lines of their own, in the order of the code but not of what runs.
    static async Task Lines(int n)
    {
        try
        {
            if (n < 0)
                await Task.Yield();
            foreach (int _ in new[] { 1, 2 })
                await Task.CompletedTask;
            switch (n)
            {
                case -5:
                    await Task.Delay(1);
                    break;
                default:
                    await Task.WhenAny(
                        go.Task);
                    break;
            }
        }
        finally
        {
            await Task.CompletedTask;
        }
    }

    static async void Nobody() { await go.Task; }

    static async Task SharedLeaf() { await go.Task; }
    static async Task SharedFirst(Task shared) { await shared; }
    static async Task SharedSecond(Task shared) { await shared; }

    static async Task Delayed() { await DelayedLeaf().WaitAsync(TimeSpan.FromHours(1)); }
    static async Task DelayedLeaf() { await Task.Delay(TimeSpan.FromHours(1), cancel.Token); }
    static CancellationTokenSource cancel = new();

    // One that runs: who awaits it waits.
    static readonly ManualResetEventSlim runs = new(), mayEnd = new();
    static async Task RunningTop() { await RunningLeaf(); }
    static async Task RunningLeaf() { await Task.Yield(); runs.Set(); mayEnd.Wait(); }

    // None of these waits.
    static async Task<int> Done(int n) { await Task.Yield(); return n; }
    static async Task Failed() { await Task.Yield(); throw new InvalidOperationException(); }
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    static async ValueTask<int> PooledDone() { await Task.Yield(); return 3; }

    static void Start(int n)
    {
        for (int i = 0; i < n; ++i)
        {
            kept.Add(Outer()); Know("Leaf#3 Middle#2 Outer#1");
            kept.Add(ValueTop()); Know("ValueLeaf#1 ValueTop#1");
            kept.Add(GenericTop(i)); kept.Add(GenericTop("text")); Know("GenericLeaf#1 GenericTop#1", 2);
            kept.Add(PooledTop()); Know("PooledLeaf#1 PooledTop#1");
            kept.Add(IterateTop()); Know("Items#1 IterateTop#1");
            kept.Add(WhenTop()); Know("WhenLeaf#1 WhenTop#1", 3);
            Nobody(); Know("Nobody#1");
            kept.Add(Lines(i)); Know("Lines#4");
            Task shared = SharedLeaf();
            kept.Add(SharedFirst(shared)); kept.Add(SharedSecond(shared));
            Know("SharedLeaf#1 SharedFirst#1"); Know("SharedSecond#1");
            kept.Add(Delayed()); Know("DelayedLeaf#1 Delayed#1");
            Func<Task> lambda = async () => { await go.Task; };
            kept.Add(lambda()); Know("Lambda#1");
        }
    }

    static void Print()
    {
        foreach (var (stack, count) in known)
            Console.WriteLine($"{count} {stack}");
        Console.WriteLine("ready");
    }

    static void WhatDoesNotWait(int n)
    {
        List<Task> ended = new();
        for (int i = 0; i < n; ++i)
        {
            ended.Add(Done(i));
            ended.Add(Failed());
            ended.Add(PooledDone().AsTask());
            IAsyncEnumerator<int> standing = Items(false).GetAsyncEnumerator();
            kept.Add(standing);
            ended.Add(standing.MoveNextAsync().AsTask());
        }
        try { Task.WaitAll(ended.ToArray()); } catch (AggregateException) { }
        kept.AddRange(ended);
    }

    // In an assembly that can be unloaded.
    static (AssemblyLoadContext Context, Type Type, Task Task)? other;
    [MethodImpl(MethodImplOptions.NoInlining)]
    static void StartCollectible()
    {
        var context = new AssemblyLoadContext("collectible", isCollectible: true);
        Type type = context.LoadFromAssemblyPath(typeof(Waits).Assembly.Location).GetType("Waits")!;
        var task = (Task)type.GetMethod("Outer", BindingFlags.NonPublic | BindingFlags.Static)!.Invoke(null, null)!;
        other = (context, type, task);
        Know("Leaf#3 Middle#2 Outer#1");
    }
    [MethodImpl(MethodImplOptions.NoInlining)]
    static void UnloadCollectible()
    {
        var (context, type, task) = other!.Value;
        ((TaskCompletionSource)type.GetField("go", BindingFlags.NonPublic | BindingFlags.Static)!.GetValue(null)!).SetResult();
        task.Wait();
        other = null;
        context.Unload();
        Know("Leaf#3 Middle#2 Outer#1", -1);
    }

    static int Main(string[] args)
    {
        int n = int.Parse(args[0]), others = int.Parse(args[1]);
        object[] filled = new object[others];
        for (int i = 0; i < others; ++i)
            filled[i] = new object[1];
        if (n > 0)
            WhatDoesNotWait(Math.Min(n, 50));
        Start(n);
        Task running = RunningTop();
        runs.Wait();
        Know("RunningTop#1");
        GC.Collect();
        GC.WaitForPendingFinalizers();
        GC.Collect();
        Print();
        while (Console.ReadLine() is string line && line != "end")
        {
            if (line == "collect")
                GC.Collect();
            else if (line == "background")
                GC.Collect(2, GCCollectionMode.Forced, blocking: false);
            else if (line == "collectible")
                StartCollectible();
            else if (line == "unload")
            {
                UnloadCollectible();
                for (int i = 0; i < 3; ++i)
                {
                    GC.Collect();
                    GC.WaitForPendingFinalizers();
                }
            }
            else
                Start(int.Parse(line.Split(' ')[1]));
            Print();
        }
        mayEnd.Set();
        go.SetResult();
        cancel.Cancel();
        foreach (object one in kept)
            try { (one as Task)?.Wait(); } catch (AggregateException) { }
        GC.KeepAlive(filled);
        Console.WriteLine("ended");
        return 0;
    }
}
