// Makes known numbers of what the runtime tells of, each at a method of its own.
//   kinds exceptions N        throws N of one type, N/10 of another with rethrows, from two threads
//   kinds filters N           N throws whose filter throws another, which the runtime swallows
//   kinds storm SECONDS       throws as fast as it can at depth 10
//   kinds killed SECONDS FILE the same on a thread, and is killed in the middle; how many it began and ended is in FILE
//   kinds allocate SECONDS    allocates small objects as fast as it can, on two threads
//   kinds uncontended SECONDS takes a lock that nobody else has
//   kinds contended SECONDS   two threads that have one lock by turns
//   kinds locks N MS          N contentions of about MS milliseconds, by two threads
//   kinds waits N MS          N waits of MS milliseconds on an event, N on a semaphore, N on Monitor.Wait
//   kinds tasks N MS          N work items of the pool that block on a task of MS milliseconds, one after the other, and a thread
//                             that does the same
//   kinds hands SECONDS       two threads, one works at a time: each Long 7 parts and Short 3 by turns, some thousand times a second
//   kinds leak SECONDS KEEP   allocates 100 MiB of small objects a second and keeps every KEEP-th, then waits a second
//   kinds gc N                N induced collections of each generation
//   kinds threads N           N threads, one after the other
//   kinds callbacks N         N of each that the profiling API tells of
//   kinds unloads SECONDS     modules that are loaded, compiled and unloaded without a pause, and collections that free them
//   kinds churn SECONDS       all of it at once: collections, loads and unloads, compiles, throws, locks, waits, pool work, threads
// Prints what it did as lines:   NAME COUNT [MILLISECONDS]
using System.Diagnostics;
using System.IO.MemoryMappedFiles;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;

if (args.Length < 2) { Console.WriteLine("usage: kinds KIND NUMBER [MS]"); return 2; }
int n = int.Parse(args[1]);
int ms = args.Length > 2 && int.TryParse(args[2], out int given) ? given : 0;
switch (args[0])
{
    case "exceptions": Throws.Run(n); break;
    case "storm": Throws.Storm(n); break;
    case "killed": Throws.Killed(n, args[2]); break;
    case "filters": Throws.Filters(n); break;
    case "allocate": Storms.Run(n, "objects", 2, Storms.Allocate); break;
    case "uncontended": Storms.Run(n, "locks", 1, Storms.Lock); break;
    case "contended": Storms.Run(n, "locks", 2, Storms.Lock); break;
    case "locks": Waiting.Locks(n, ms); break;
    case "waits": Waiting.Handles(n, ms); break;
    case "tasks": Waiting.Tasks(n, ms); break;
    case "hands": Hands.Run(n); break;
    case "leak": Leak.Run(n, ms); break;
    case "gc": Collections(n); break;
    case "threads": Threads(n); break;
    case "callbacks": Callbacks.Run(n); break;
    case "unloads": Churn.Unloads(n); break;
    case "churn": Churn.Run(n); break;
    default: return 2;
}
return 0;

[MethodImpl(MethodImplOptions.NoInlining)]
static void Collections(int n)
{
    for (int i = 0; i < n; i++)
        for (int generation = 0; generation < 3; generation++) GC.Collect(generation, GCCollectionMode.Forced, blocking: true);
    Console.WriteLine($"collections {3 * n}");
}

[MethodImpl(MethodImplOptions.NoInlining)]
static void Threads(int n)
{
    for (int i = 0; i < n; i++)
    {
        var thread = new Thread(static () => Thread.Sleep(1));
        thread.Start();
        thread.Join();
    }
    Console.WriteLine($"threads {n}");
}

sealed class Kept { public long A = 1, B = 2, C = 3, D = 4; }
// Each call compiles a method of its own, over types of this module.
static class Compiled { public static int Deep(int calls) => Of<int>.Deep(calls); }
static class Of<T>
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Deep(int calls) => calls == 0 ? 0 : 1 + Of<In<T>>.Deep(calls - 1);
}
readonly record struct In<T>(T Value);
sealed class Lost { public long A = 1, B = 2, C = 3, D = 4; }

static class Leak
{
    const int Size = 48;  // of either: a header, a type and four numbers
    static readonly List<object> s_kept = [];
    static object? s_last;

    const int PerSlice = (1 << 20) / Size, Slices = 100;  // of a second

    public static void Run(int seconds, int keep)
    {
        var clock = Stopwatch.StartNew();
        var random = new Random(1);
        for (int slice = 0; slice < seconds * Slices; slice++)
        {
            for (int i = 0; i < PerSlice; i++)
            {
                // By chance: before .NET 10 the runtime samples the first object of an 8 KiB piece, 170 of these
                // objects after the last one's.
                if (random.Next(keep) == 0) Keep();
                else Lose();
            }
            if (slice == seconds * Slices / 2) Collect();  // half of what is kept has survived it
            int early = slice * 1000 / Slices - (int)clock.ElapsedMilliseconds;
            if (early > 0) Thread.Sleep(early);
        }
        Collect();
        Console.WriteLine($"kept {s_kept.Count} {(long)s_kept.Count * Size}");
        Thread.Sleep(1500);
        Console.WriteLine($"rss_kib {Environment.WorkingSet >> 10}");
        GC.KeepAlive(s_kept);
    }

    static void Collect()
    {
        s_last = null;
        GC.Collect(2, GCCollectionMode.Forced, blocking: true);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Keep() => s_kept.Add(new Kept());

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Lose() => s_last = new Lost();
}

sealed class Expected(string message) : Exception(message);
sealed class Other(int number) : Exception($"number {number}");

static class Throws
{
    public static void Run(int n)
    {
        var second = new Thread(() => Many(n / 2));
        second.Start();
        Many(n - n / 2);
        second.Join();
        for (int i = 0; i < n / 10; i++) Again(i);
        Console.WriteLine($"Expected {n}");
        Console.WriteLine($"Other {n / 10}");
    }

    public static void Storm(int seconds)
    {
        var clock = Stopwatch.StartNew();
        long thrown = 0;
        while (clock.Elapsed.TotalSeconds < seconds)
        {
            Deep(10);
            thrown++;
        }
        Console.WriteLine($"Expected {thrown}");
    }

    // By itself. The file has two numbers of eight bytes.
    public static void Killed(int seconds, string path)
    {
        var self = Process.GetCurrentProcess();
        Console.WriteLine("process " + self.Id);
        using var file = MemoryMappedFile.CreateFromFile(path, FileMode.Create, null, 2 * sizeof(long));
        using var counts = file.CreateViewAccessor();
        new Thread(() =>
        {
            for (long number = 1; ; number++)
            {
                counts.Write(0, number);
                Deep(10);
                counts.Write(sizeof(long), number);
            }
        }).Start();
        Thread.Sleep(1000 * seconds);
        self.Kill();
    }

    public static void Filters(int n)
    {
        for (int i = 0; i < n; i++) Filtered(i);
        Console.WriteLine($"Expected {n}");
        Console.WriteLine($"Other {n}");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Filtered(int i)
    {
        try { throw new Expected("filtered"); }
        catch (Expected) when (Fails(i)) { }
        catch (Expected) { }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static bool Fails(int i) => throw new Other(i);

    static void Many(int n)
    {
        for (int i = 0; i < n; i++) Deep(10);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Deep(int depth)
    {
        try { Throw(depth); }
        catch (Expected) { }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Throw(int depth) => depth == 0 ? throw new Expected("expected") : Throw(depth - 1) + 1;

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Again(int i)
    {
        try
        {
            try { throw new Other(i); }
            catch (Other) { throw; }
        }
        catch (Other) { }
    }
}

static class Waiting
{
    static readonly object s_lock = new();

    public static void Locks(int n, int ms)
    {
        long waited = 0;
        for (int i = 0; i < n; i++)
        {
            using var held = new ManualResetEventSlim();
            var owner = new Thread(() => Hold(held, ms)) { Name = "owner" };
            owner.Start();
            held.Wait();
            waited += Enter();
            owner.Join();
        }
        Console.WriteLine($"contentions {n} {waited}");
    }

    public static void Tasks(int n, int ms)
    {
        long waited = 0;
        for (int i = 0; i < n; i++)
        {
            using var done = new ManualResetEventSlim();
            ThreadPool.QueueUserWorkItem(_ => { waited += OnTask(ms); done.Set(); });
            done.Wait();
        }
        var thread = new Thread(() => OnTask(ms)) { Name = "thread" };
        thread.Start();
        thread.Join();
        Console.WriteLine($"tasks {n} {waited}");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static long OnTask(int ms)
    {
        long begun = Environment.TickCount64;
        Later(ms).GetAwaiter().GetResult();
        return Environment.TickCount64 - begun;
    }

    static async Task<int> Later(int ms)
    {
        await Task.Delay(ms);
        return ms;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Hold(ManualResetEventSlim held, int ms)
    {
        lock (s_lock)
        {
            held.Set();
            Thread.Sleep(ms);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static long Enter()
    {
        var clock = Stopwatch.StartNew();
        lock (s_lock) return clock.ElapsedMilliseconds;
    }

    public static void Handles(int n, int ms)
    {
        using var never = new ManualResetEvent(false);
        using var semaphore = new SemaphoreSlim(0);
        var clock = Stopwatch.StartNew();
        for (int i = 0; i < n; i++) never.WaitOne(ms);
        for (int i = 0; i < n; i++) semaphore.Wait(ms);
        Console.WriteLine($"handles {2 * n} {clock.ElapsedMilliseconds}");
        clock.Restart();
        for (int i = 0; i < n; i++) lock (s_lock) Monitor.Wait(s_lock, ms);
        Console.WriteLine($"monitors {n} {clock.ElapsedMilliseconds}");
    }
}

/// The same again and again, on some threads, for so many seconds.
static class Storms
{
    const int AtOnce = 1000;
    static readonly object s_lock = new();
    static volatile object? s_last;
    static long s_inside;

    public static void Run(int seconds, string what, int threads, Action some)
    {
        long done = 0;
        var running = new Thread[threads];
        for (int t = 0; t < threads; t++)
        {
            running[t] = new Thread(() =>
            {
                var clock = Stopwatch.StartNew();
                long mine = 0;
                for (; clock.Elapsed.TotalSeconds < seconds; mine += AtOnce) some();
                Interlocked.Add(ref done, mine);
            });
        }
        foreach (Thread thread in running) thread.Start();
        foreach (Thread thread in running) thread.Join();
        Console.WriteLine($"{what} {done}");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Allocate()
    {
        for (int i = 0; i < AtOnce; i++) s_last = new object();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Lock()
    {
        for (int i = 0; i < AtOnce; i++)
            lock (s_lock) s_inside++;
    }
}

/// Two threads by turns: whoever has worked wakes the other one, and does the other work in his next turn.
static class Hands
{
    const int Part = 10_000;  // iterations: some ten microseconds
    static readonly AutoResetEvent[] s_turns = [new(true), new(false)];
    static volatile bool s_ends;
    static int s_rounds, s_last;

    public static void Run(int seconds)
    {
        Thread[] threads = [new(() => Work(0)), new(() => Work(1))];
        foreach (Thread thread in threads) thread.Start();
        Thread.Sleep(seconds * 1000);
        s_ends = true;
        foreach (AutoResetEvent turn in s_turns) turn.Set();
        foreach (Thread thread in threads) thread.Join();
        Console.WriteLine($"rounds {s_rounds}");
    }

    static void Work(int mine)
    {
        while (Next(mine))
        {
            Long();
            s_turns[1 - mine].Set();
            if (!Next(mine)) return;
            Short();
            s_rounds++;
            s_turns[1 - mine].Set();
        }
    }

    static bool Next(int mine)
    {
        s_turns[mine].WaitOne();
        return !s_ends;
    }

    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization)]
    static void Long() => s_last = Compute(7 * Part);

    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization)]
    static void Short() => s_last = Compute(3 * Part);

    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization)]
    static int Compute(int iterations)
    {
        uint x = 1;
        for (int i = 0; i < iterations; i++) x = x * 1664525 + 1013904223;
        return (int)(x & 1);
    }
}

/// Everything the runtime tells of, on threads of their own at the same time.
static class Churn
{
    static readonly object s_lock = new();
    static volatile object? s_last;
    static volatile bool s_ends;

    public static void Run(int seconds)
    {
        Work(seconds, Collect, Load, Load, Threads, Names, Throw, Lock, Lock, Wait, Pool, Allocate, Compile);
        Console.WriteLine("churn done");
    }

    public static void Unloads(int seconds)
    {
        Work(seconds, LoadAndCompile, LoadAndCompile, Compile, Free);
        Console.WriteLine("unloads done");
    }

    static void Work(int seconds, params Action[] work)
    {
        Thread[] running = Array.ConvertAll(work, one => new Thread(() => { while (!s_ends) one(); }));
        foreach (Thread thread in running) thread.Start();
        Thread.Sleep(seconds * 1000);
        s_ends = true;
        foreach (Thread thread in running) thread.Join();
    }

    static void Free()
    {
        GC.Collect();
        GC.WaitForPendingFinalizers();
    }

    static void Collect()
    {
        GC.Collect(0);
        GC.Collect(2, GCCollectionMode.Default, blocking: false);  // in the background
        Thread.Sleep(1);
    }

    static void Load() => Load(nameof(Kept), static kept => s_last = Activator.CreateInstance(kept));

    static void LoadAndCompile() => Load(nameof(Compiled), static compiled => compiled.GetMethod("Deep")!.Invoke(null, [30]));

    static void Load(string name, Action<Type> use)
    {
        var context = new AssemblyLoadContext("churn", isCollectible: true);
        use(context.LoadFromAssemblyPath(typeof(Kept).Assembly.Location).GetType(name)!);
        s_last = null;
        context.Unload();
    }

    static void Threads()
    {
        var thread = new Thread(static () => s_last = new object());
        thread.Start();
        thread.Join();
    }

    static void Names()
    {
        var thread = new Thread(static () => { Thread.CurrentThread.Name = "named"; });
        thread.Start();
        thread.Join();
    }

    static void Throw()
    {
        try { throw new Expected("churn"); }
        catch (Expected) { }
    }

    static void Lock()
    {
        lock (s_lock) Thread.SpinWait(1000);
    }

    static void Wait()
    {
        using var never = new SemaphoreSlim(0);
        never.Wait(1);
        using var set = new ManualResetEvent(false);
        set.WaitOne(1);
    }

    static void Pool() => Task.WhenAll(Enumerable.Range(0, 8).Select(_ => Task.Run(static () => Thread.Sleep(1)))).Wait();

    static void Allocate()
    {
        for (int i = 0; i < 1000; i++) s_last = new byte[200];
        s_last = new byte[100_000];  // of the large ones
    }

    static void Compile()
    {
        var method = new DynamicMethod("churned", typeof(int), [typeof(int)]);
        ILGenerator il = method.GetILGenerator();
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Ret);
        s_last = method.CreateDelegate<Func<int, int>>()(1);
    }
}
