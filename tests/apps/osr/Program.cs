// One call of a method with a long loop: its unoptimized code is replaced while it runs (OSR).  osr [ROUNDS]
using System.Runtime.CompilerServices;

long rounds = args.Length > 0 ? long.Parse(args[0]) : 1_500;
Console.WriteLine(Loops.CallerOfLongLoop(rounds));

static class Loops
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static uint CallerOfLongLoop(long rounds) => LongLoop(rounds) ^ LoopWithCalls(rounds) ^ 1;

    // No calls: samples land in the OSR method itself.
    [MethodImpl(MethodImplOptions.NoInlining)]
    static uint LongLoop(long rounds)
    {
        uint seed = 1;
        for (long i = 0; i < rounds * 500_000; i++) seed = seed * 1664525 + 1013904223 ^ seed >> 7;
        return seed;
    }

    // Samples land below the OSR method, so it is walked through as a caller.
    [MethodImpl(MethodImplOptions.NoInlining)]
    static uint LoopWithCalls(long rounds)
    {
        uint seed = 1;
        for (long i = 0; i < rounds * 50; i++) seed ^= Work(seed);
        return seed;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static uint Work(uint seed)
    {
        for (int i = 0; i < 10_000; i++) seed = seed * 1664525 + 1013904223 ^ seed >> 7;
        return seed;
    }
}
