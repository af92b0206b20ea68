// Calls of methods of every kind, as often as the program says: it counts what it calls itself, thread by thread.
//   counted THREADS ROUNDS        once
//   counted THREADS ROUNDS abort  on one thread, and ends abruptly
//   counted THREADS ROUNDS wait   says "ready", then does it for each line that comes, and says the counts of that line's;
//                                 of "tree" and "tasks" what Nested.cs knows of its calls
// Counts: {"Work.Static": 8000, …} on a line, by the names that a pattern has.
using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using System.Text.Json;

int threads = int.Parse(args[0]), rounds = int.Parse(args[1]);
if (args.Length < 3)
{
    Console.WriteLine(Tally.Of(threads, rounds));
    return;
}
if (args[2] == "abort")
{
    Driver.Run(rounds);
    Environment.FailFast("as asked");
}
Console.WriteLine("ready");
for (string? line = Console.ReadLine(); line is not null; line = Console.ReadLine())
{
    if (line == "tree")
    {
        Console.WriteLine(Known.Of(threads, number =>
        {
            for (int i = 0; i < rounds; ++i)
                new Nested.Tree(number * rounds + i).Grow();
        }));
        continue;
    }
    if (line == "tasks")
    {
        Console.WriteLine(Known.Of(threads, _ => new Nested.Tasks().Run(rounds).Wait()));
        continue;
    }
    if (line == "trace") Console.WriteLine(Lines.Trace());
    else if (line == "spin") Console.WriteLine(Spinner.Speed());
    else if (line == "mixed") Console.WriteLine(Mixed.Speed());
    else Console.WriteLine(Tally.Of(threads, rounds));
}

// What the work calls, by name. Not of the namespace that is counted.
static class Tally
{
    [ThreadStatic] static Dictionary<string, long>? mine;
    static readonly ConcurrentBag<Dictionary<string, long>> all = [];

    public static void Add(string name, long calls = 1)
    {
        if (mine is null)
            all.Add(mine = []);
        mine[name] = mine.GetValueOrDefault(name) + calls;
    }

    public static string Of(int threads, int rounds)
    {
        var workers = new Thread[threads];
        for (int t = 0; t < threads; ++t)
        {
            workers[t] = new Thread(() => Driver.Run(rounds));
            workers[t].Start();
        }
        foreach (var worker in workers)
            worker.Join();
        var sums = new SortedDictionary<string, long>(StringComparer.Ordinal);
        foreach (var one in all)
            foreach (var (name, calls) in one)
                sums[name] = sums.GetValueOrDefault(name) + calls;
        all.Clear();
        return JsonSerializer.Serialize(sums);
    }
}

static class Driver
{
    public static void Run(int rounds)
    {
        var derived = new Work.Derived();
        Tally.Add("Work.Base..ctor");
        Tally.Add("Work.Derived..ctor");
        Work.Base asBase = derived;
        Work.IShape shape = derived;
        var point = new Work.Point(1);
        Tally.Add("Work.Point..ctor");
        long sum = 0;
        for (int i = 0; i < rounds; ++i)
        {
            sum += Work.Plain.Static(i) + Work.Plain.Tiny(i) + derived.Instance(i);
            sum += asBase.Virtual(i) + shape.Area(i) + point.Move(i);
            sum += Work.Plain.Generic(i) + Work.Plain.Generic("x").Length + Work.Box<int>.Keep(i) + Work.Box<string>.Keep("y").Length;
            sum += Work.Plain.Property + Work.Plain.Recursive(3) + Work.Plain.LoopsToItsBegin(2);
            sum += (derived + derived) is null ? 1 : 0;
            Func<int, int> lambda = Work.Plain.MakeLambda();
            sum += lambda(i) + Work.Plain.HasLocal(i) + Work.Plain.Arguments(i, i, i, "a", 1.5, i, i, i).Length;
            try { Work.Plain.Throws(); }
            catch (InvalidOperationException) { ++sum; }
            try { Work.Plain.ThrowsDeep(2); }
            catch (InvalidOperationException) { ++sum; }
            foreach (int one in Work.Plain.Items(2))
                sum += one;
            sum += Work.Plain.RunAsync(i).GetAwaiter().GetResult();
        }
        Tally.Add("Work.Plain.Static", rounds);
        Tally.Add("Work.Plain.Tiny", rounds);
        Tally.Add("Work.Derived.Instance", rounds);
        Tally.Add("Work.Derived.Virtual", rounds);
        Tally.Add("Work.Derived.Area", rounds);
        Tally.Add("Work.Point.Move", rounds);
        Tally.Add("Work.Plain.Generic", 2 * rounds);
        Tally.Add("Work.Box.Keep", 2 * rounds);
        Tally.Add("Work.Plain.get_Property", rounds);
        Tally.Add("Work.Plain.Recursive", 4 * rounds);
        Tally.Add("Work.Plain.LoopsToItsBegin", rounds);
        Tally.Add("Work.Base.op_Addition", rounds);
        Tally.Add("Work.Plain.MakeLambda", rounds);
        Tally.Add("Work.Plain.HasLocal", rounds);
        Tally.Add("Work.Plain.Arguments", rounds);
        Tally.Add("Work.Plain.Throws", rounds);
        Tally.Add("Work.Plain.ThrowsDeep", 3 * rounds);
        Tally.Add("Work.Plain.Items", rounds);
        Tally.Add("Work.Plain.RunAsync", rounds);
        GC.KeepAlive(sum);
    }
}

static class Lines
{
    // The lines of this stack, from the method that throws outwards: of the program's own file.
    public static string Trace()
    {
        try
        {
            Work.Traced.Outer();
            return "";
        }
        catch (InvalidOperationException thrown)
        {
            var frames = new System.Diagnostics.StackTrace(thrown, true).GetFrames();
            return string.Join(" ", frames.Select(frame => $"{frame.GetMethod()!.Name}:{frame.GetFileLineNumber()}"));
        }
    }
}

static class Spinner
{
    const int Calls = 2_000_000;

    [MethodImpl(MethodImplOptions.NoInlining)]
    static long Once()
    {
        long sum = 0;
        for (int i = 0; i < Calls; ++i)
            sum += Work.Spun.Counted(i);
        return sum;
    }

    // Nanoseconds for a call, of the best of many short runs.
    public static string Speed()
    {
        long best = long.MaxValue;
        for (int i = 0; i < 60; ++i)
        {
            long begin = System.Diagnostics.Stopwatch.GetTimestamp();
            GC.KeepAlive(Once());
            best = Math.Min(best, System.Diagnostics.Stopwatch.GetTimestamp() - begin);
        }
        return (best * 1e9 / System.Diagnostics.Stopwatch.Frequency / Calls).ToString("F3");
    }
}

// Work of the framework's: none of it is counted where it is measured.
static class Mixed
{
    const int Runs = 200;
    static readonly Dictionary<string, int> numbers = Enumerable.Range(0, 200).ToDictionary(i => $"number {i}", i => i * 7919 % 1000);

    // Microseconds of one round, of the best of many.
    public static string Speed()
    {
        long best = long.MaxValue;
        for (int i = 0; i < Runs; ++i)
        {
            long begin = System.Diagnostics.Stopwatch.GetTimestamp();
            string json = JsonSerializer.Serialize(numbers);
            var back = JsonSerializer.Deserialize<Dictionary<string, int>>(json)!;
            GC.KeepAlive(back.OrderBy(pair => pair.Value).ThenBy(pair => pair.Key).Take(20).Sum(pair => pair.Key.Length));
            best = Math.Min(best, System.Diagnostics.Stopwatch.GetTimestamp() - begin);
        }
        return (best * 1e6 / System.Diagnostics.Stopwatch.Frequency).ToString("F3");
    }
}

namespace Work
{
    class MarkedAttribute : Attribute;

    interface IShape
    {
        int Area(int i);
    }

    class Base
    {
        public virtual int Virtual(int i) => i;
        public static Base? operator +(Base a, Base b) => a == b ? a : null;
    }

    class Derived : Base, IShape
    {
        [MethodImpl(MethodImplOptions.NoInlining)]
        public int Instance(int i) => i + 1;
        public override int Virtual(int i) => i + 2;
        public int Area(int i) => i + 3;
    }

    struct Point(int x)
    {
        int x = x;
        public int Move(int by) => x += by;
    }

    static class Box<T>
    {
        public static T Keep(T value) => value;
    }

    static class Plain
    {
        static readonly int started = Start();
        static int Start() => 7;

        [Marked]
        public static int Static(int i) => i * 3;
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public static int Tiny(int i) => i ^ 5;
        public static T Generic<T>(T value) => value;
        public static int Property => started;
        public static int Recursive(int depth) => depth == 0 ? 1 : Recursive(depth - 1) + 1;
        public static string Arguments(int a, long b, int c, string d, double e, int f, int g, int h) => a + b + c + e + f + g + h > 0 ? d : "";
        public static Func<int, int> MakeLambda() => x => x + 1;

        public static int LoopsToItsBegin(int times)
        {
            do
                --times;
            while (times > 0);
            return times;
        }

        [Marked]
        public static int HasLocal(int i)
        {
            return Local(i) + 1;
            static int Local(int x) => x * 2;
        }

        public static void Throws() => throw new InvalidOperationException();

        public static void ThrowsDeep(int depth)
        {
            if (depth == 0)
                throw new InvalidOperationException();
            ThrowsDeep(depth - 1);
        }

        public static IEnumerable<int> Items(int count)
        {
            for (int i = 0; i < count; ++i)
                yield return i;
        }

        [Marked]
        public static async Task<int> RunAsync(int i)
        {
            if (i % 16 == 0)
                await Task.Yield();
            return i;
        }
    }

    static class Traced
    {
        [MethodImpl(MethodImplOptions.NoInlining)]
        public static void Outer()
        {
            int depth = 1;
            if (depth > 0)
                Inner(depth);
            GC.KeepAlive(depth);
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        static void Inner(int depth)
        {
            depth += 2;
            throw new InvalidOperationException(depth.ToString());
        }
    }

    static class Spun
    {
        [MethodImpl(MethodImplOptions.NoInlining)]
        public static int Counted(int i) => i + 1;
    }
}
