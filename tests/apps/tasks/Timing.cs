using static Situations;

namespace Tasks;

/// Timers that fire all the time, made, changed and disposed of.
static class Timing
{
    public static async Task<long> Run(Func<bool> running)
    {
        long fired = 0, rounds = 0;
        using var periodic = new PeriodicTimer(TimeSpan.FromMilliseconds(1));
        for (; running(); rounds++)
        {
            var timers = new List<Timer>();
            for (int i = 0; i < 50; i++)
            {
                timers.Add(new Timer(_ =>
                {
                    Spin.Chunk(1);
                    Interlocked.Increment(ref fired);
                }, null, i % 3, 1));
            }
            await periodic.WaitForNextTickAsync();
            await Task.Delay(2);
            foreach (Timer timer in timers) await timer.DisposeAsync();
        }
        Check(fired > 0, "no timer fired");
        return rounds;
    }
}
