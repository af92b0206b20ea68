using System.Runtime.CompilerServices;
using static Situations;

namespace Tasks;

/// State machines that are suspended and resumed, on whichever thread.
static class Awaiting
{
    public static async Task<long> Tasks(Func<bool> running)
    {
        long rounds = 0;
        for (; running(); rounds++)
        {
            int[] sums = await Task.WhenAll(Enumerable.Range(0, 8).Select(i => Task.Run(() => DeepAsync(i, 10))));
            Check(sums.Sum() == 8 * 10 + 28, "tasks answer something else");
        }
        return rounds;
    }

    static async Task<int> DeepAsync(int value, int depth)
    {
        if (depth == 0) return value;
        if (depth % 3 == 0) await Task.Yield();
        Spin.Chunk((uint)depth);
        return await DeepAsync(value, depth - 1) + 1;
    }

    public static async Task<long> ValueTasks(Func<bool> running)
    {
        long rounds = 0;
        for (; running(); rounds++)
        {
            int sum = 0;
            for (int i = 0; i < 50; i++) sum += await PooledAsync(i, 4);
            Check(sum == 50 * 4 + 49 * 25, "value tasks answer something else");
        }
        return rounds;
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    static async ValueTask<int> PooledAsync(int value, int depth)
    {
        if (depth == 0) return value;
        if (value % 10 == 0) await Task.Yield();
        if (value % 7 == 0) Spin.Chunk((uint)value);
        return await PooledAsync(value, depth - 1) + 1;
    }

    public static async Task<long> Streams(Func<bool> running)
    {
        long rounds = 0;
        for (; running(); rounds++)
        {
            int sum = 0;
            await foreach (int value in Doubled(Counted(100))) sum += value;
            Check(sum == 9_900, "a stream brings something else");
        }
        return rounds;
    }

    static async IAsyncEnumerable<int> Counted(int count)
    {
        for (int i = 0; i < count; i++)
        {
            if (i % 8 == 0) await Task.Yield();
            yield return i;
        }
    }

    static async IAsyncEnumerable<int> Doubled(IAsyncEnumerable<int> values)
    {
        try
        {
            await foreach (int value in values)
            {
                if (value % 16 == 0) Spin.Chunk((uint)value);
                yield return 2 * value;
            }
        }
        finally
        {
            Spin.Chunk(1);
        }
    }
}
