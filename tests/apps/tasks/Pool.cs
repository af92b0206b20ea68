using static Situations;

namespace Tasks;

/// The thread pool itself.
static class Pool
{
    // Work items that block: the pool adds threads; now and then it is told it may keep fewer.
    public static long Growth(Func<bool> running)
    {
        ThreadPool.SetMinThreads(2, 2);
        long rounds = 0;
        for (; running(); rounds++)
        {
            ThreadPool.SetMinThreads(rounds % 2 == 0 ? 24 : 2, 2);
            using var done = new CountdownEvent(32);
            for (int i = 0; i < 32; i++)
            {
                ThreadPool.UnsafeQueueUserWorkItem(_ =>
                {
                    Thread.Sleep(5);
                    Spin.Chunk(1);
                    done.Signal();
                }, null);
            }
            done.Wait();
        }
        return rounds;
    }

    public static long ParallelLoops(Func<bool> running)
    {
        long rounds = 0;
        for (; running(); rounds++)
        {
            long sum = 0;
            Parallel.For(0, 64, i =>
            {
                Spin.Chunk((uint)i);
                Interlocked.Add(ref sum, i);
            });
            Check(sum == 2_016, "a parallel loop sums up to something else");
            Check(Enumerable.Range(0, 1_000).AsParallel().Where(i => i % 3 == 0).Sum() == 166_833, "a parallel query");
        }
        return rounds;
    }
}
