using System.Runtime.CompilerServices;

namespace Stepping;

// Loops whose running code is replaced (OSR). The first, long run makes the replacement; the second run begins in
// the unoptimized code again and changes over when its patchpoint has counted down.
static class Loops
{
    public static Func<long> Replaced(int round)
    {
        Func<int, long> loop = (round % 3) switch
        {
            0 => n => Plain(n, 1),
            1 => n => WithCalls(n, 1),
            _ => n => InTry(n, 1),
        };
        loop(100_000);
        return () => loop(1_200);
    }

    [MethodImpl(MethodImplOptions.NoInlining)] static long Plain(int n, long seed)
    {
        for (int i = 0; i < n; i++) seed = seed * 1664525 + 1013904223 ^ seed >> 7;
        return seed & 0xff;
    }

    [MethodImpl(MethodImplOptions.NoInlining)] static long WithCalls(int n, long seed)
    {
        for (int i = 0; i < n; i++) seed ^= Mix(seed, i);
        return seed & 0xff;
    }

    [MethodImpl(MethodImplOptions.NoInlining)] static long InTry(int n, long seed)
    {
        for (int i = 0; i < n; i++)
        {
            try { seed ^= Mix(seed, i); }
            finally { seed += 3; }
        }
        return seed & 0xff;
    }

    [MethodImpl(MethodImplOptions.NoInlining)] static long Mix(long a, long b) => (a ^ b) * 31 + (a >> 3);
}
