// Chains of async methods of every kind, over and over until the time is over. Who awaits whom is known by the names:
// the test has the list. Two chains of each kind run at once, red and blue, through the same methods: the colour of what burns
// at the leaf must be that of the method at the top. Each method burns before it awaits and after, where it is resumed by the
// one that it awaited, which is still on the stack then.
using System.Diagnostics;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;
using System.Threading.Channels;
using System.Threading.Tasks.Sources;

static class Burn
{
    [ThreadStatic] static byte[]? kept;

    static void For(int microseconds)
    {
        long end = Stopwatch.GetTimestamp() + microseconds * Stopwatch.Frequency / 1_000_000;
        while (Stopwatch.GetTimestamp() < end)
            for (int i = 0; i < 20; ++i)
                kept = new byte[64];
    }
    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Red() => For(100);
    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Blue() => For(100);
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void As(bool red)
    {
        if (red)
            Red();
        else
            Blue();
    }
}

static class Chains
{
    static long end;
    static bool Done => Stopwatch.GetTimestamp() > end;
    static readonly TaskCompletionSource go = new();  // completed when all chains are awaited

    // Tasks, resumed by a yield.
    static async Task TaskRed() { await go.Task; while (!Done) await Task1(true); }
    static async Task TaskBlue() { await go.Task; while (!Done) await Task1(false); }
    static async Task Task1(bool red) { Burn.As(red); await Task2(red); Burn.As(red); }
    static async Task Task2(bool red) { Burn.As(red); await Task3(red).ConfigureAwait(false); Burn.As(red); }
    static async Task Task3(bool red) { Burn.As(red); await Task4(red); Burn.As(red); }
    static async Task Task4(bool red) { Burn.As(red); await Task.Yield(); Burn.As(red); }

    // Value tasks, resumed by a timer.
    static async Task ValueRed() { await go.Task; while (!Done) await Value1(true); }
    static async Task ValueBlue() { await go.Task; while (!Done) await Value1(false); }
    static async ValueTask Value1(bool red) { Burn.As(red); await Value2(red); Burn.As(red); }
    static async ValueTask<int> Value2(bool red) { Burn.As(red); int n = await Value3(red).ConfigureAwait(false); Burn.As(red); return n; }
    static async ValueTask<int> Value3(bool red) { Burn.As(red); await Task.Delay(1); Burn.As(red); return 3; }

    // Generic methods, over a reference, which shares code, and over a number.
    static async Task GenericRed() { await go.Task; while (!Done) await Generic1("red", true); }
    static async Task GenericBlue() { await go.Task; while (!Done) await Generic1(4711, false); }
    static async Task<T> Generic1<T>(T value, bool red) { Burn.As(red); T got = await Generic2(value, red); Burn.As(red); return got; }
    static async Task<T> Generic2<T>(T value, bool red) { Burn.As(red); await Task.Yield(); Burn.As(red); return value; }

    // Pooled builders.
    static async Task PooledRed() { await go.Task; while (!Done) await Pooled1(true); }
    static async Task PooledBlue() { await go.Task; while (!Done) await Pooled1(false); }
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    static async ValueTask Pooled1(bool red) { Burn.As(red); await Pooled2(red); Burn.As(red); }
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    static async ValueTask<int> Pooled2(bool red) { Burn.As(red); int n = await Pooled3(red); Burn.As(red); return n; }
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    static async ValueTask<int> Pooled3(bool red) { Burn.As(red); await Task.Yield(); Burn.As(red); return 3; }

    // Async iterators, one over the other.
    static async Task IteratorRed() { await go.Task; while (!Done) await Iterate1(true); }
    static async Task IteratorBlue() { await go.Task; while (!Done) await Iterate1(false); }
    static async Task Iterate1(bool red) { await foreach (int n in Iterate2(red)) Burn.As(red); }
    static async IAsyncEnumerable<int> Iterate2(bool red)
    {
        await foreach (int n in Iterate3(red))
        {
            Burn.As(red);
            yield return n;
            Burn.As(red);
        }
    }
    static async IAsyncEnumerable<int> Iterate3(bool red)
    {
        for (int i = 0; i < 3; ++i)
        {
            Burn.As(red);
            await Task.Yield();
            Burn.As(red);
            yield return i;
        }
    }

    // One that awaits several, one of which is run by the pool.
    static async Task WhenRed() { await go.Task; while (!Done) await When1(true); }
    static async Task WhenBlue() { await go.Task; while (!Done) await When1(false); }
    static async Task When1(bool red) { await Task.WhenAll(When2(red), Task.Run(() => When3(red))); Burn.As(red); }
    static async Task When2(bool red) { Burn.As(red); await Task.Yield(); Burn.As(red); }
    static async Task When3(bool red) { Burn.As(red); await Task.Yield(); Burn.As(red); }

    // A semaphore that both want, a wait that may be given up, a lambda.
    static readonly SemaphoreSlim semaphore = new(1);
    static async Task WaitRed() { await go.Task; while (!Done) await Wait1(true); }
    static async Task WaitBlue() { await go.Task; while (!Done) await Wait1(false); }
    static async Task Wait1(bool red) { Burn.As(red); await Wait2(red).WaitAsync(TimeSpan.FromMinutes(10)); Burn.As(red); }
    static async Task Wait2(bool red)
    {
        Func<Task> inside = async () => { Burn.As(red); await Task.Yield(); Burn.As(red); };
        await semaphore.WaitAsync();
        try
        {
            await inside();
            Burn.As(red);
        }
        finally
        {
            semaphore.Release();
        }
    }

    // Async void, which nobody can await. Who waits for it is resumed in the middle of it.
    static async Task VoidRed() { await go.Task; while (!Done) await Void1(true); }
    static async Task VoidBlue() { await go.Task; while (!Done) await Void1(false); }
    static async Task Void1(bool red) { var done = new TaskCompletionSource(); Void2(red, done); await done.Task; Burn.As(red); }
    static async void Void2(bool red, TaskCompletionSource done) { Burn.As(red); await Task.Yield(); Burn.As(red); done.SetResult(); }

    // The first of two, whichever it is.
    static async Task AnyRed() { await go.Task; while (!Done) await Any1(true); }
    static async Task AnyBlue() { await go.Task; while (!Done) await Any1(false); }
    static async Task Any1(bool red) { Task other = Any3(red); await Task.WhenAny(Any2(red), other); Burn.As(red); await other; }
    static async Task Any2(bool red) { await Task.Yield(); Burn.As(red); }
    static async Task Any3(bool red) { await Task.Yield(); Burn.As(red); }

    // Two that await one.
    static async Task ListRed() { await go.Task; while (!Done) await List1(true); }
    static async Task ListBlue() { await go.Task; while (!Done) await List1(false); }
    static async Task List1(bool red) { Task both = List4(red); await Task.WhenAll(List2(red, both), List3(red, both)); Burn.As(red); }
    static async Task List2(bool red, Task both) { await both; Burn.As(red); }
    static async Task List3(bool red, Task both) { await both.ConfigureAwait(false); Burn.As(red); }
    static async Task List4(bool red) { await Task.Yield(); Burn.As(red); }

    // A source of the program's own, whose completion resumes who awaits it in the middle of another method.
    sealed class Source : IValueTaskSource<int>
    {
        ManualResetValueTaskSourceCore<int> core;
        public ValueTask<int> Next() { core.Reset(); return new(this, core.Version); }
        public void Complete(int result) => core.SetResult(result);
        public int GetResult(short token) => core.GetResult(token);
        public ValueTaskSourceStatus GetStatus(short token) => core.GetStatus(token);
        public void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
            core.OnCompleted(continuation, state, token, flags);
    }
    static async Task SourceRed() { await go.Task; while (!Done) await Source1(true); }
    static async Task SourceBlue() { await go.Task; while (!Done) await Source1(false); }
    static async Task Source1(bool red)
    {
        var source = new Source();
        Task reads = Source2(red, source);
        await Source3(red, source);
        await reads;
    }
    static async Task Source2(bool red, Source source) { await source.Next(); Burn.As(red); }
    static async Task Source3(bool red, Source source) { await Task.Yield(); Burn.As(red); source.Complete(1); Burn.As(red); }

    // A channel, with one that writes and one that reads.
    static async Task ChannelRed() { await go.Task; while (!Done) await Channel1(true); }
    static async Task ChannelBlue() { await go.Task; while (!Done) await Channel1(false); }
    static async Task Channel1(bool red)
    {
        Channel<int> channel = Channel.CreateBounded<int>(1);
        await Task.WhenAll(Channel2(red, channel.Reader), Channel3(red, channel.Writer));
    }
    static async Task Channel2(bool red, ChannelReader<int> reader)
    {
        await foreach (int n in reader.ReadAllAsync())
            Burn.As(red);
    }
    static async Task Channel3(bool red, ChannelWriter<int> writer)
    {
        for (int i = 0; i < 4; ++i)
        {
            await writer.WriteAsync(i);
            Burn.As(red);
        }
        writer.Complete();
    }

    // For figures of cost: a chain of eleven, of which ten await. They live as long as the program, or are new each time.
    static async Task Deep(int left)
    {
        if (left > 0)
            await Deep(left - 1);
        else
            while (!Done) { await Task.Yield(); Burn.As(true); }
    }
    static async Task Churn(int left)
    {
        if (left > 0)
            await Churn(left - 1);
        else
            await Task.Yield();
        Burn.As(true);
    }
    static async Task ChurnOn() { while (!Done) await Churn(9); }
    static void Start(double seconds) => end = Stopwatch.GetTimestamp() + (long)(seconds * Stopwatch.Frequency);
    // Blocks its thread.
    static async Task Sleep1() => await Sleep2();
    static async Task Sleep2()
    {
        while (!Done)
        {
            await Task.Yield();
            Thread.Sleep(20);
        }
    }
    // Holds a lock that other threads want.
    static readonly object wanted = new();
    static async Task Hold1() => await Hold2();
    static async Task Hold2()
    {
        while (!Done)
        {
            await Task.Yield();
            lock (wanted)
                for (int i = 0; i < 200; ++i)
                    Burn.As(true);
        }
    }
    static void Want()
    {
        while (!Done)
            lock (wanted)
                Thread.Yield();
    }
    public static async Task RunHold(double seconds)
    {
        Start(seconds);
        for (int i = 0; i < 2; ++i)
            new Thread(Want).Start();
        await Hold1();
    }
    public static async Task RunSleep(double seconds) { Start(seconds); await Sleep1(); }
    public static async Task RunDeep(double seconds) { Start(seconds); await Deep(9); }
    public static async Task RunChurn(double seconds) { Start(seconds); await ChurnOn(); }

    public static async Task Run(double seconds)
    {
        Start(seconds);
        Task all = Task.WhenAll(TaskRed(), TaskBlue(), ValueRed(), ValueBlue(), GenericRed(), GenericBlue(), PooledRed(), PooledBlue(),
                           IteratorRed(), IteratorBlue(), WhenRed(), WhenBlue(), WaitRed(), WaitBlue(),
                           VoidRed(), VoidBlue(), AnyRed(), AnyBlue(), ListRed(), ListBlue(), SourceRed(), SourceBlue(),
                           ChannelRed(), ChannelBlue());
        _ = Task.Delay((int)Math.Min(500, 100 * seconds)).ContinueWith(_ => go.SetResult());
        await all;
    }
}

// The program in a context that can be unloaded, and is, so many times. Nothing of it is left in the end.
static class Collectible
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    static WeakReference RunOnce(double seconds)
    {
        var context = new AssemblyLoadContext("chains", isCollectible: true);
        Type program = context.LoadFromAssemblyPath(typeof(Collectible).Assembly.Location).GetType(nameof(Program))!;
        MethodInfo run = program.GetMethod("MainAsync", BindingFlags.NonPublic | BindingFlags.Static)!;
        ((Task)run.Invoke(null, [seconds])!).GetAwaiter().GetResult();
        context.Unload();
        return new WeakReference(context);
    }

    public static void Run(double seconds, int rounds)
    {
        var contexts = new List<WeakReference>();
        for (int i = 0; i < rounds; ++i)
            contexts.Add(RunOnce(seconds));
        for (int i = 0; i < 100 && contexts.Any(c => c.IsAlive); ++i)
        {
            Thread.Sleep(10);  // what awaits ends on other threads
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
        Console.WriteLine($"{contexts.Count(c => c.IsAlive)} of {rounds} left");
    }
}

static class Program
{
    static Task Main(string[] args)
    {
        double seconds = double.Parse(args[0]);
        if (args.Length == 3 && args[1] == "collectible")
        {
            Collectible.Run(seconds, int.Parse(args[2]));
            return Task.CompletedTask;
        }
        return args.Length == 1 ? MainAsync(seconds) : args[1] switch
        {
            "deep" => Chains.RunDeep(seconds),
            "churn" => Chains.RunChurn(seconds),
            "sleep" => Chains.RunSleep(seconds),
            "hold" => Chains.RunHold(seconds),
            _ => throw new ArgumentException(args[1]),
        };
    }
    static async Task MainAsync(double seconds) => await Chains.Run(seconds);
}
