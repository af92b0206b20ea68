using System.Runtime.InteropServices;

static class Clock
{
    const int Monotonic = 1, ProcessCpu = 2;

    [DllImport("libc")] static extern unsafe int clock_gettime(int clock, long* seconds_and_ns);
    [DllImport("libc")] static extern int pthread_getcpuclockid(nint thread, out int clock);
    [DllImport("libc")] static extern nint pthread_self();

    static unsafe double Read(int clock)
    {
        long* time = stackalloc long[2];
        if (clock_gettime(clock, time) != 0) throw new InvalidOperationException($"clock {clock} cannot be read");
        return time[0] + time[1] * 1e-9;
    }

    public static double Wall => Read(Monotonic);
    public static double Process => Read(ProcessCpu);

    public static Func<double> OfThisThread()
    {
        if (pthread_getcpuclockid(pthread_self(), out int clock) != 0) throw new InvalidOperationException("no thread clock");
        return () => Read(clock);
    }
}

/// A thread that does one thing again and again, and counts.
sealed class Worker
{
    readonly TaskCompletionSource<Func<double>> _clock = new();
    long _units;

    public Worker(string name, Action unit) =>
        new Thread(() =>
        {
            _clock.SetResult(Clock.OfThisThread());
            for (;;)
            {
                unit();
                Volatile.Write(ref _units, _units + 1);
            }
        }) { Name = name, IsBackground = true }.Start();

    public long Units => Volatile.Read(ref _units);
    public double Cpu => _clock.Task.Result();
}

/// What was done in a stretch of time, and its CPU time in seconds: of each worker, and of the whole process.
sealed record Window(double Wall, double Process, double[] Busy, double[] Units)
{
    static Window Now(Worker[] workers) =>
        new(Clock.Wall, Clock.Process, [.. workers.Select(worker => worker.Cpu)], [.. workers.Select(worker => (double)worker.Units)]);

    public static Window Of(Worker[] workers, int milliseconds)
    {
        Window before = Now(workers);
        Thread.Sleep(milliseconds);
        Window after = Now(workers);
        return new(after.Wall - before.Wall, after.Process - before.Process, Less(after.Busy, before.Busy), Less(after.Units, before.Units));
    }

    static double[] Less(double[] after, double[] before) => [.. after.Zip(before, (a, b) => a - b)];
}
