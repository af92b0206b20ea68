// Recursion: CPU work at the bottom and a little on the way.  deep [DEPTH] [SECONDS]
using System.Diagnostics;
using System.Runtime.CompilerServices;

int depth = args.Length > 0 ? int.Parse(args[0]) : 1000;
double seconds = args.Length > 1 ? double.Parse(args[1]) : 2;
var thread = new Thread(() =>
{
    var clock = Stopwatch.StartNew();
    int rounds = 0;
    while (clock.Elapsed.TotalSeconds < seconds)
    {
        Recursion.Top(depth);
        rounds++;
    }
    Console.WriteLine($"{rounds} times {depth} deep");
}, 1 << 30) { Name = "deep" };
thread.Start();
thread.Join();

static class Recursion
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static uint Top(int depth) => Down(depth, 1) + 1;

    [MethodImpl(MethodImplOptions.NoInlining)]
    static uint Down(int left, uint seed)
    {
        if (left == 0) return Bottom(seed);
        uint along = left % 64 == 0 ? Step(seed) : seed;
        return Down(left - 1, along) + 1;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static uint Step(uint seed)
    {
        for (int i = 0; i < 2_000; i++) seed = seed * 1664525 + 1013904223 ^ seed >> 7;
        return seed;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static uint Bottom(uint seed)
    {
        Spin.For(20);
        return seed;
    }
}
