using System.Runtime.CompilerServices;
using static Situations;

namespace Emit;

/// Methods that an agent may have compiled again while they are on the stack (tests/rejit does). They call each other in
/// one order only: Turn, Outer, Middle, Inner, Outer … Leaf.
static class Rejitted
{
    struct Four
    {
        public ulong A, B, C, D;
    }

    public static long Run(Func<bool> running)
    {
        uint expected = Outer(1, 6);
        long rounds = 0;
        for (; running(); rounds++) Check(Turn() == expected, "compiled again it computes something else");
        return rounds;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static uint Turn() => Outer(1, 6);

    [MethodImpl(MethodImplOptions.NoInlining)]
    static uint Outer(uint seed, int levels) => levels == 0 ? Leaf(seed) : Middle(seed, levels) ^ (uint)levels;

    [MethodImpl(MethodImplOptions.NoInlining)]
    static uint Middle(uint seed, int levels)
    {
        Four four = default;
        try
        {
            four = Inner<string>(seed, levels);
        }
        finally
        {
            four.D += four.A;
        }
        return (uint)(four.A ^ four.B ^ four.C ^ four.D);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static Four Inner<T>(uint seed, int levels) where T : class
    {
        uint answer = Outer(seed * 1664525 + 1, levels - 1);
        return new Four { A = answer, B = (ulong)levels, C = typeof(T) == typeof(string) ? 5u : 6u };
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static uint Leaf(uint seed)
    {
        for (int i = 0; i < 2_000; i++) seed = seed * 1664525 + 1013904223;
        return seed;
    }
}
