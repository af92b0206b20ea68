/// Threads that live for a few milliseconds, up to eight at a time.
static class Short
{
    const int Milliseconds = 3;
    static int s_done;

    public static string Run(int count)
    {
        for (int begun = 0; begun < count;)
        {
            var some = new Thread[Math.Min(8, count - begun)];
            for (int i = 0; i < some.Length; i++)
            {
                some[i] = new Thread(Live);
                some[i].Start();
                begun++;
            }
            foreach (Thread thread in some) thread.Join();
        }
        return $"{s_done} threads";
    }

    static void Live()
    {
        Thread.Sleep(Milliseconds);
        Interlocked.Increment(ref s_done);
    }
}
