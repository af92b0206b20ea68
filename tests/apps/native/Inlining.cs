using System.Runtime.InteropServices;

namespace Native;

/// Half the time in each of two functions whose code is all of functions that the compiler has put into them.
static class Inlining
{
    const ulong Rounds = 200_000;

    [DllImport("hostile_inlining")]
    static extern ulong inlining_alone(ulong n, ulong rounds);

    [DllImport("hostile_inlining")]
    static extern ulong inlining_header(ulong n, ulong rounds);

    public static long Functions(Func<bool> running)
    {
        long rounds = 0;
        ulong n = 1;
        for (; running(); rounds++) n = inlining_header(inlining_alone(n, Rounds), Rounds);
        GC.KeepAlive(n);
        return rounds;
    }
}
