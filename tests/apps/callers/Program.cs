// Calls of methods from callers that are known: it counts what it calls itself, and from where, thread by thread.
//   callers THREADS ROUNDS        once
//   callers THREADS ROUNDS wait   says "ready", then does it for each line that comes; for "storm" while all threads are stopped again and again
// Says {"Called.Plain.Static": {"From.First": 8000, …}, …} on a line, by names without parameters. Of methods whose callers are the
// framework's or the runtime's it says how many calls there were: {"Called.Plain.Compared": {"": 123}}.
using System.Collections.Concurrent;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text.Json;

int threads = int.Parse(args[0]), rounds = int.Parse(args[1]);
if (args.Length < 3)
{
    Console.WriteLine(Tally.Of(threads, rounds, false));
    return;
}
Console.WriteLine("ready");
for (string? line = Console.ReadLine(); line is not null; line = Console.ReadLine())
    Console.WriteLine(Tally.Of(threads, rounds, line == "storm"));

// What was called, and by whom. Not of the namespace that is counted.
static class Tally
{
    [ThreadStatic] static Dictionary<(string, string), long>? mine;
    static readonly ConcurrentBag<Dictionary<(string, string), long>> all = [];

    public static void Add(string called, string caller, long calls)
    {
        if (mine is null)
            all.Add(mine = []);
        mine[(called, caller)] = mine.GetValueOrDefault((called, caller)) + calls;
    }

    public static string Of(int threads, int rounds, bool storm)
    {
        bool done = false;
        var collector = new Thread(() => { while (!Volatile.Read(ref done)) GC.Collect(0); });
        if (storm) collector.Start();
        var workers = new Thread[threads];
        for (int t = 0; t < threads; ++t)
        {
            workers[t] = new Thread(() => From.Run(rounds));
            workers[t].Start();
        }
        foreach (var worker in workers)
            worker.Join();
        Volatile.Write(ref done, true);
        if (storm) collector.Join();
        var sums = new SortedDictionary<string, SortedDictionary<string, long>>(StringComparer.Ordinal);
        foreach (var one in all)
        {
            foreach (var ((called, caller), calls) in one)
            {
                if (!sums.TryGetValue(called, out var callers))
                    sums[called] = callers = new(StringComparer.Ordinal);
                callers[caller] = callers.GetValueOrDefault(caller) + calls;
            }
        }
        all.Clear();
        return JsonSerializer.Serialize(sums);
    }
}

// Each method has one way to call. None ends with its call: it would be a tail call.
static class From
{
    const MethodImplOptions Apart = MethodImplOptions.NoInlining;
    static readonly MethodInfo reflected = typeof(Called.Plain).GetMethod(nameof(Called.Plain.Reflected))!;
    static readonly Func<int, int> both = (Func<int, int>)Called.Plain.Twice + Called.Plain.Twice;

    public static void Run(int rounds)
    {
        var derived = new Called.Derived();
        Tally.Add("Called.Derived..ctor", "From.Run", 1);
        Tally.Add("Called.Base..ctor", "Called.Derived..ctor", 1);
        Func<int, int> closed = derived.ByDelegate, open = Called.Plain.ByDelegate;
        int[] numbers = [.. Enumerable.Range(0, 10).Select(i => i * 7 % 10)];
        string[] words = [.. numbers.Select(i => $"word {i}")];
        long sum = 0;
        Called.Plain.Compares = 0;
        for (int i = 0; i < rounds; ++i)
        {
            sum += First(i) + Second(i) + Virtual(derived, i) + Interface(derived, i) + Closed(closed, i) + Open(open, i) + Both(i);
            sum += Generic(i) + Recursive() + Construct(i) + Large(i) + Wide(i) + Waits(i) + BeforeTail(i) + Selected(numbers) + Reflected(i);
            if (i % 16 == 0) sum += Compared(words);
        }
        Tally.Add("Called.Plain.Static", "From.First", rounds);
        Tally.Add("Called.Plain.Static", "From.Second", 2 * rounds);
        Tally.Add("Called.Derived.Virtual", "From.Virtual", rounds);
        Tally.Add("Called.Derived.Area", "From.Interface", rounds);
        Tally.Add("Called.Derived.ByDelegate", "From.Closed", rounds);
        Tally.Add("Called.Plain.ByDelegate", "From.Open", rounds);
        Tally.Add("Called.Plain.Twice", "", 2 * rounds);
        Tally.Add("Called.Plain.Generic", "From.Generic", 2 * rounds);
        Tally.Add("Called.Plain.Recursive", "From.Recursive", rounds);
        Tally.Add("Called.Plain.Recursive", "Called.Plain.Recursive", 3 * rounds);
        Tally.Add("Called.Thing..ctor", "From.Construct", rounds);
        Tally.Add("Called.Plain.Large", "From.Large", rounds);
        Tally.Add("Called.Plain.Read", "Called.Plain.Large", rounds);
        Tally.Add("Called.Plain.Wide", "From.Wide", rounds);
        Tally.Add("Called.Plain.WaitsAsync", "From.Waits", rounds);
        Tally.Add("Called.Plain.Tailed", "", rounds);
        Tally.Add("Called.Plain.Select", "", numbers.Length * (long)rounds);
        Tally.Add("Called.Plain.Reflected", "", rounds);
        Tally.Add("Called.Plain.Compared", "", Called.Plain.Compares);
        GC.KeepAlive(sum);
    }

    [MethodImpl(Apart)] static int First(int i) => Called.Plain.Static(i) + 1;
    [MethodImpl(Apart)] static int Second(int i) => Called.Plain.Static(i) + Called.Plain.Static(i + 1);
    [MethodImpl(Apart)] static int Virtual(Called.Base on, int i) => on.Virtual(i) + 1;
    [MethodImpl(Apart)] static int Interface(Called.IShape on, int i) => on.Area(i) + 1;
    [MethodImpl(Apart)] static int Closed(Func<int, int> call, int i) => call(i) + 1;
    [MethodImpl(Apart)] static int Open(Func<int, int> call, int i) => call(i) + 1;
    [MethodImpl(Apart)] static int Both(int i) => both(i) + 1;
    [MethodImpl(Apart)] static int Generic(int i) => Called.Plain.Generic("x").Length + (Called.Plain.Generic((object)typeof(int)) is null ? i : 0);
    [MethodImpl(Apart)] static int Recursive() => Called.Plain.Recursive(3) + 1;
    [MethodImpl(Apart)] static int Construct(int i) => new Called.Thing(i).Number + 1;
    [MethodImpl(Apart)] static int Large(int i) => Called.Plain.Large(i) + 1;
    [MethodImpl(Apart)] static int Wide(int i) => Called.Plain.Wide(i, i, i, "a", 1.5, i, i, i).Length + 1;
    [MethodImpl(Apart)] static int Waits(int i) => Called.Plain.WaitsAsync(i).GetAwaiter().GetResult() + 1;
    [MethodImpl(Apart)] static int Selected(int[] numbers) => numbers.Sum(Called.Plain.Select) + 1;
    [MethodImpl(Apart)] static int Reflected(int i) => (int)reflected.Invoke(null, [i])! + 1;
    [MethodImpl(Apart)] static int BeforeTail(int i) => Tail(i) + 1;
    [MethodImpl(Apart)] static int Tail(int i) => Called.Plain.Tailed(i);  // optimized code jumps there

    [MethodImpl(Apart)]
    static int Compared(string[] words)
    {
        string[] copy = [.. words];
        Array.Sort(copy, Called.Plain.Compared);
        return copy.Length;
    }
}

namespace Called
{
    interface IShape
    {
        int Area(int i);
    }

    class Base
    {
        public virtual int Virtual(int i) => i;
    }

    class Derived : Base, IShape
    {
        public override int Virtual(int i) => i + 2;
        public int Area(int i) => i + 3;
        public int ByDelegate(int i) => i + 4;
    }

    class Thing
    {
        public int Number;
        public Thing(int number) => Number = number;
    }

    [InlineArray(2048)]
    struct Longs
    {
        long one;
    }

    static class Plain
    {
        [ThreadStatic] public static long Compares;

        public static int Static(int i) => i * 3;
        public static int ByDelegate(int i) => i * 5;
        public static int Twice(int i) => i * 7;
        public static T Generic<T>(T value) => value;
        public static int Recursive(int depth) => depth == 0 ? 1 : Recursive(depth - 1) + 1;
        public static string Wide(int a, long b, int c, string d, double e, int f, int g, int h) => a + b + c + e + f + g + h > 0 ? d : "";
        public static int Select(int i) => i ^ 1;
        public static int Reflected(int i) => i + 1;
        public static int Tailed(int i) => i + 5;

        // 16 KiB of stack.
        public static int Large(int i)
        {
            Longs longs = default;
            longs[i & 1023] = i;
            return (int)longs[(i + 1) & 1023] + Read(ref longs);
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        static int Read(ref Longs longs) => (int)longs[7];

        public static int Compared(string a, string b)
        {
            ++Compares;
            return string.CompareOrdinal(a, b);
        }

        public static async Task<int> WaitsAsync(int i)
        {
            if (i % 16 == 0)
                await Task.Yield();
            return i;
        }
    }
}
