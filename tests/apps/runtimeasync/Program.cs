// Async methods that the runtime suspends and resumes by itself (runtime-async, a preview of .NET 10: DOTNET_RuntimeAsync=1), for so
// many seconds. No state machine of the compiler's tells who awaits them.
using System.Diagnostics;
using System.Runtime.CompilerServices;

static class Chain
{
    static long end;
    static bool Done => Stopwatch.GetTimestamp() > end;

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Burn(int microseconds)
    {
        long until = Stopwatch.GetTimestamp() + microseconds * Stopwatch.Frequency / 1_000_000;
        while (Stopwatch.GetTimestamp() < until)
            ;
    }
    static async ValueTask<int> Leaf<T>(T value) { await Task.Yield(); Burn(100); return value is null ? 0 : 1; }
    static async Task<int> Middle(int n) { int got = await Leaf("a"); Burn(100); return got + n; }
    static async Task Top() { while (!Done) { await Middle(1); Burn(100); } }
    static async Task Main(string[] args)
    {
        end = Stopwatch.GetTimestamp() + (long)(double.Parse(args[0]) * Stopwatch.Frequency);
        await Top();
    }
}
