using System.Runtime.CompilerServices;

namespace Stepping;

// State machines that run to their end at once, and such that are resumed, on this thread, by who completes them.
static class Asynchronous
{
    public static long All()
    {
        var gate = new TaskCompletionSource<long>();
        Task<long> waiting = Waits(gate.Task);
        ValueTask<long> value = AtOnce(3);
        long iterated = 0;
        Task enumerating = Enumerate(gate.Task, x => iterated += x);
        gate.SetResult(7);
        enumerating.GetAwaiter().GetResult();
        return waiting.Result + value.GetAwaiter().GetResult() + iterated;
    }

    static async Task<long> Waits(Task<long> gate)
    {
        long before = await AtOnce(1);
        return before + await Deeper(gate) + Numbers(3).Sum();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static async Task<long> Deeper(Task<long> gate)
    {
        try { return await gate; }
        finally { await AtOnce(2); }
    }

    static async ValueTask<long> AtOnce(long x) => await Task.FromResult(x * 2);

    static async Task Enumerate(Task<long> gate, Action<long> take)
    {
        await foreach (long x in Later(gate)) take(x);
    }

    static async IAsyncEnumerable<long> Later(Task<long> gate)
    {
        yield return 1;
        yield return await gate;
    }

    static IEnumerable<long> Numbers(int n)
    {
        for (int i = 0; i < n; i++) yield return i;
    }
}
