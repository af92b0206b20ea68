// Return addresses replaced by the runtime: to stop a thread in code without safe points, it makes the topmost method
// return into the runtime. The methods here run long after that, and each has one caller only, so every stack with one
// of them is known.   hijack [SECONDS] [THREADS]
using System.Diagnostics;
using System.Runtime.CompilerServices;

double seconds = args.Length > 0 ? double.Parse(args[0]) : 2;
int threadCount = args.Length > 1 ? int.Parse(args[1]) : 2;
bool stop = false;
var threads = new List<Thread>();
for (int t = 0; t < threadCount; t++)
{
    var thread = new Thread(() => { while (!Volatile.Read(ref stop)) Hijack.Run(); }) { Name = $"hijacked-{t}" };
    thread.Start();
    threads.Add(thread);
}
var clock = Stopwatch.StartNew();
long collections = 0;
for (; clock.Elapsed.TotalSeconds < seconds; collections++)
{
    GC.Collect(0);
    Thread.Yield();
}
Volatile.Write(ref stop, true);
foreach (var thread in threads) thread.Join();
Console.WriteLine($"{collections > 0} {Hijack.Right}");
return Hijack.Right ? 0 : 1;

static class Hijack
{
    // Optimized at once: an unoptimized method has safe points of its own.
    const MethodImplOptions Optimized = MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization;

    static int s_wrong;
    public static bool Right => s_wrong == 0;

    [MethodImpl(Optimized)]
    public static void Run()
    {
        ulong last = 0;
        for (int i = 0; i < 10; i++)
        {
            ulong straight = Straight();
            if (i > 0 && straight != last) s_wrong++;
            last = straight;
            if (!(Sines(i) > 0)) s_wrong++;
            if (Reference().Length != 6) s_wrong++;
            if (Struct().C != 7) s_wrong++;
        }
    }

    [MethodImpl(Optimized)]
    static ulong Straight() => Scramble(3) + 1;

    // The call in the loop makes its return the only place where a thread can be stopped; nearly all of the time goes
    // into the divisions, where the runtime can but replace this method's return address.
    [MethodImpl(Optimized)]
    static ulong Scramble(ulong x)
    {
        for (ulong i = 0; i < 2000; i++) x = Safe(Divide(x | 1, i));
        return x;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static ulong Safe(ulong x) => x ^ x >> 31;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static ulong Divide(ulong x, ulong i)
    {
        x = (0xfedcba9876543210 + i) / x ^ (x << 13 | 1);
        x = (0xfedcba9876543211 + i) / x ^ (x << 7 | 1);
        x = (0xfedcba9876543213 + i) / x ^ (x << 17 | 1);
        x = (0xfedcba9876543215 + i) / x ^ (x << 5 | 1);
        x = (0xfedcba9876543217 + i) / x ^ (x << 11 | 1);
        x = (0xfedcba9876543219 + i) / x ^ (x << 3 | 1);
        x = (0xfedcba987654321b + i) / x ^ (x << 19 | 1);
        x = (0xfedcba987654321d + i) / x ^ (x << 23 | 1);
        return x;
    }

    // Native leaves above the method whose return address was replaced.
    [MethodImpl(Optimized)]
    static double Sines(int i) => SumOfSines(i) + 1_000_000;

    [MethodImpl(Optimized)]
    static double SumOfSines(double x)
    {
        double sum = 0;
        for (int i = 0; i < 2000; i++) sum += Math.Sin(x + i + (Divide((ulong)i | 1, 7) & 1));
        return sum;
    }

// What is returned in registers, the runtime must keep: a reference, two words.
    [MethodImpl(Optimized)]
    static string Reference() => Hexagon(5) + "";

    [MethodImpl(Optimized)]
    static string Hexagon(double x)
    {
        double sum = 0;
        for (int i = 0; i < 2000; i++) sum += Math.Cos(x + i + (Divide((ulong)i | 1, 7) & 1));
        return sum > 1e6 ? "" : s_six;
    }

    static readonly string s_six = "sixsix".Substring(0);

    readonly struct Pair(object held, long c)
    {
        public readonly object Held = held;
        public readonly long C = c;
    }

    [MethodImpl(Optimized)]
    static (object Held, long C) Struct()
    {
        Pair pair = TwoWords(4);
        return (pair.Held, pair.C);
    }

    [MethodImpl(Optimized)]
    static Pair TwoWords(double x)
    {
        double sum = 0;
        for (int i = 0; i < 2000; i++) sum += Math.Tan(x + i + (Divide((ulong)i | 1, 7) & 1));
        return new Pair(s_six, sum > 1e18 ? 0 : 7);
    }
}
