/// Threads that live for a moment, up to eight at a time.
static class Short
{
    static int s_done;

    public static string Run(int count)
    {
        for (int begun = 0; begun < count;)
        {
            var some = new Thread[Math.Min(8, count - begun)];
            for (int i = 0; i < some.Length; i++)
            {
                some[i] = new Thread(() => Interlocked.Increment(ref s_done));
                some[i].Start();
                begun++;
            }
            foreach (Thread thread in some) thread.Join();
        }
        return $"{s_done} threads";
    }
}
