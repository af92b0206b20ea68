using System.Runtime.CompilerServices;

namespace Stepping;

// Methods nobody has called: their first call goes through the prestub, the loader and the JIT.
static class Cold
{
    public static Func<long> Case(int round) => (round % 4) switch
    {
        0 => () => First(1),
        1 => () => new Lazy().Second(2),
        2 => () => Generic<Lazy>(3),
        _ => () => Fourth(4),
    };

    [MethodImpl(MethodImplOptions.NoInlining)] static long First(long x) => x + 1;
    [MethodImpl(MethodImplOptions.NoInlining)] static long Generic<T>(long x) => x + typeof(T).Name.Length;
    [MethodImpl(MethodImplOptions.NoInlining)] static long Fourth(long x) => Math.Max(x, First(x));

    sealed class Lazy
    {
        static readonly long s_value = First(8);
        [MethodImpl(MethodImplOptions.NoInlining)] public long Second(long x) => x + s_value;
    }
}
