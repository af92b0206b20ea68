using System.Runtime.CompilerServices;
using static Situations;

namespace Emit;

/// New generic instantiations all the time, each called often enough to be compiled again and replaced.
static class Tiering
{
    struct Zero
    {
    }

    struct One<T>
    {
    }

    struct Two<T>
    {
    }

    interface IWork
    {
        uint Work(uint seed);
    }

    sealed class Worker<T> : IWork where T : struct
    {
        [MethodImpl(MethodImplOptions.NoInlining)]
        public uint Work(uint seed) => Inner(seed, 50) ^ Looping(seed);

        [MethodImpl(MethodImplOptions.NoInlining)]
        static uint Inner(uint seed, int left) => left == 0 ? seed : Inner(seed * 1664525 + 1, left - 1);

        // Long enough at tier 0 to be replaced on the stack now and then.
        [MethodImpl(MethodImplOptions.NoInlining)]
        static uint Looping(uint seed)
        {
            for (int i = 0; i < 1_000; i++) seed = seed * 1664525 + 1013904223;
            return seed;
        }
    }

    public static long Run(Func<bool> running)
    {
        uint expected = new Worker<Zero>().Work(1);
        var workers = new List<IWork>();
        long rounds = 0;
        for (; running(); rounds++)
        {
            if (workers.Count < 2_000) workers.Add(Make(rounds));
            for (int i = Math.Max(0, workers.Count - 100); i < workers.Count; i++)
            {
                Check(workers[i].Work(1) == expected, "another tier computes something else");
            }
        }
        return rounds;
    }

    // The number's binary digits as a type.
    static IWork Make(long number)
    {
        Type type = typeof(Zero);
        for (; number > 0; number >>= 1) type = (number % 2 == 0 ? typeof(One<>) : typeof(Two<>)).MakeGenericType(type);
        return (IWork)Activator.CreateInstance(typeof(Worker<>).MakeGenericType(type))!;
    }
}
