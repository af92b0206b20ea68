// Calls under calls, and async ones, by a seed: the program knows how often each came under which callers, and
// which ended by an exception. What is known: {"M0/M3": [4, 1], …}, paths of the methods below the namespace.
using System.Collections.Concurrent;
using System.Text.Json;

static class Known
{
    [ThreadStatic] static Dictionary<string, long[]>? mine;
    [ThreadStatic] static string? path;
    static readonly ConcurrentBag<Dictionary<string, long[]>> all = [];

    // The path around, for Left().
    public static string? Entered(string name)
    {
        string? before = path;
        path = before is null ? name : before + "/" + name;
        Count(path, 0);
        return before;
    }

    public static void Threw() => Count(path!, 1);
    public static void Left(string? before) => path = before;
    public static void Counted(string name) => Count(name, 0);

    static void Count(string name, int what)
    {
        if (mine is null)
            all.Add(mine = []);
        if (!mine.TryGetValue(name, out long[]? counts))
            mine[name] = counts = new long[2];
        ++counts[what];
    }

    public static string Of(int threads, Action<int> work)
    {
        var workers = new Thread[threads];
        for (int t = 0; t < threads; ++t)
        {
            int number = t;
            workers[t] = new Thread(() => work(number));
            workers[t].Start();
        }
        foreach (var worker in workers)
            worker.Join();
        var sums = new SortedDictionary<string, long[]>(StringComparer.Ordinal);
        foreach (var one in all)
            lock (one)
                foreach (var (name, counts) in one)
                {
                    if (!sums.TryGetValue(name, out long[]? sum))
                        sums[name] = sum = new long[2];
                    sum[0] += counts[0];
                    sum[1] += counts[1];
                    counts[0] = counts[1] = 0;
                }
        return JsonSerializer.Serialize(sums.Where(one => one.Value[0] != 0).ToDictionary());
    }
}

namespace Nested
{
    class Trouble : Exception;

    // A tree of calls, as deep and wide as chance has it.
    class Tree(int seed)
    {
        const int Deepest = 7;
        readonly Random chance = new(seed);

        public void Grow()
        {
            try
            {
                Any(0);
            }
            catch (Trouble)
            {
            }
        }

        void Any(int depth)
        {
            switch (chance.Next(5))
            {
                case 0:
                    M0(depth);
                    break;
                case 1:
                    M1(depth, 1.5);
                    break;
                case 2:
                    GC.KeepAlive(M2(depth));
                    break;
                case 3:
                    GC.KeepAlive(M3<int>(depth).X);
                    break;
                default:
                    GC.KeepAlive(M4<string>(depth));
                    break;
            }
        }

        void Below(int depth)
        {
            for (int n = depth < Deepest ? chance.Next(4) : 0; n > 0; --n)
                Any(depth + 1);
            if (chance.Next(12) == 0)
                throw new Trouble();
        }

        // One in three catches what comes from below.
        void Within(string name, int depth)
        {
            string? before = Known.Entered(name);
            try
            {
                Below(depth);
            }
            catch (Trouble) when (chance.Next(3) == 0)
            {
            }
            catch (Trouble)
            {
                Known.Threw();
                throw;
            }
            finally
            {
                Known.Left(before);
            }
        }

        public void M0(int depth) => Within("M0", depth);
        public void M1(int depth, double ignored) => Within("M1", depth);

        public (int X, string Y, long Z) M2(int depth)
        {
            Within("M2", depth);
            return (depth, "y", 3);
        }

        public (T X, object Y) M3<T>(int depth)
        {
            Within("M3", depth);
            return (default!, this);
        }

        public T? M4<T>(int depth) where T : class
        {
            Within("M4", depth);
            return depth % 2 == 0 ? null : "odd" as T;
        }
    }

    // Async methods of every kind of builder; each waits, or does not.
    class Tasks
    {
        public const int WaitsMs = 3;
        static int sums;
        int turn;

        public async Task Run(int rounds)
        {
            for (int i = 0; i < rounds; ++i)
            {
                turn = i;
                Interlocked.Add(ref sums, await Outer(i));
                await NoResult();
                await Cheap(i);
                await Pooled(i);
                await PooledNoResult();
                await foreach (int one in Items(3))
                    Interlocked.Add(ref sums, one);
                await Generic<string>("x");
                await Generic<int>(2);
                try
                {
                    await Fails(i);
                }
                catch (Trouble)
                {
                }
                var done = new TaskCompletionSource();
                Nobody(done);
                await done.Task;
                await Waits();
                Interlocked.Add(ref sums, await Sync(i));
            }
        }

        async Task<int> Outer(int i)
        {
            Known.Counted("Outer");
            int sum = await Inner(i);
            if (i % 2 == 0)
                await Task.Yield();
            return sum + await Inner(i + 1);
        }

        async Task<int> Inner(int i)
        {
            Known.Counted("Inner");
            if (i % 3 != 0)
                await Task.Yield();
            if (i % 3 == 2)
                await Task.Yield();
            return i;
        }

        async Task NoResult()
        {
            Known.Counted("NoResult");
            await Task.Yield();
        }

        async ValueTask<int> Cheap(int i)
        {
            Known.Counted("Cheap");
            if (i % 2 == 0)
                await Task.Yield();
            return i;
        }

        [System.Runtime.CompilerServices.AsyncMethodBuilder(typeof(System.Runtime.CompilerServices.PoolingAsyncValueTaskMethodBuilder<>))]
        async ValueTask<int> Pooled(int i)
        {
            Known.Counted("Pooled");
            if (i % 2 == 0)
                await Task.Yield();
            return i;
        }

        [System.Runtime.CompilerServices.AsyncMethodBuilder(typeof(System.Runtime.CompilerServices.PoolingAsyncValueTaskMethodBuilder))]
        async ValueTask PooledNoResult()
        {
            Known.Counted("PooledNoResult");
            await Task.Yield();
            await Task.Yield();
        }

        // A call for each MoveNextAsync: one more than there are items.
        async IAsyncEnumerable<int> Items(int count)
        {
            for (int i = 0; i < count; ++i)
            {
                Known.Counted("Items");
                if (i % 2 == 0)
                    await Task.Yield();
                yield return i;
            }
            Known.Counted("Items");
        }

        async Task<T> Generic<T>(T value)
        {
            Known.Counted("Generic");
            await Task.Yield();
            return value;
        }

        async Task Fails(int i)
        {
            Known.Counted("Fails");
            if (i % 2 == 0)
                await Task.Yield();
            throw new Trouble();
        }

        async void Nobody(TaskCompletionSource done)
        {
            Known.Counted("Nobody");
            await Task.Yield();
            done.SetResult();
        }

        async Task Waits()
        {
            Known.Counted("Waits");
            if (turn % 8 == 0)
                await Task.Delay(WaitsMs);
        }

        async Task<int> Sync(int i)
        {
            Known.Counted("Sync");
            if (i < 0)
                await Task.Yield();
            return i;
        }
    }
}
