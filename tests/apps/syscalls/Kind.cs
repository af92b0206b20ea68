using System.Diagnostics;

namespace Syscalls;

/// One kind of call: how often it was made, and how often it did what it should not.
sealed class Kind(string name, Func<long> call, long result, int error = 0, double milliseconds = 0, double granularity = 0)
{
    const int Interrupted = 4;  // EINTR
    const double TooLong = 10;  // milliseconds more than it should wait, but for those it waited for a processor

    int calls, shorts, interrupted, wrong, longs;
    readonly Random lengths = new(1);
    long inside;  // nanoseconds of the thread's CPU time in the call

    public string Name => name;

    /// When another thread had done what ends the call, as a Stopwatch timestamp.
    public static long Ended { get; set; }

    /// What `call` returns is what the kernel returned: a count, or an error as a negative number.
    /// seconds: of the clock, or of the thread's CPU time, of which a busy machine gives it little.
    public void Run(double seconds, bool ofCpuTime)
    {
        var clock = Stopwatch.StartNew();
        long cpu = Spin.ThreadCpuNanoseconds();
        while ((ofCpuTime ? (Spin.ThreadCpuNanoseconds() - cpu) * 1e-9 : clock.Elapsed.TotalSeconds) < seconds)
        {
            Before();
            Ended = 0;
            double delayed = Processor.DelayedMilliseconds();
            long began = Stopwatch.GetTimestamp();
            long spent = Spin.ThreadCpuNanoseconds();
            long got = call();
            inside += Spin.ThreadCpuNanoseconds() - spent;
            long returned = Stopwatch.GetTimestamp();
            double lasted = Stopwatch.GetElapsedTime(began, returned).TotalMilliseconds;
            double late = Ended > began ? Stopwatch.GetElapsedTime(Ended, returned).TotalMilliseconds : lasted - milliseconds;
            double waited = Processor.DelayedMilliseconds() - delayed;
            ++calls;
            if (got == -Interrupted) ++interrupted;
            else if (error == 0 && got >= 0 && got < result) ++shorts;
            else if (got != (error == 0 ? result : -error)) ++wrong;
            else if (milliseconds > 0 && late - waited > TooLong + granularity) ++longs;
            else if (milliseconds > 0 && lasted < milliseconds * 0.9) ++shorts;
        }
    }

    /// Some work, of a length that no tick can be in step with, so that the next one may fall anywhere in the call.
    void Before()
    {
        var clock = Stopwatch.StartNew();
        double microseconds = lengths.Next(20, 80);
        while (clock.Elapsed.TotalMicroseconds < microseconds) { }
    }

    public string Line => $"{name} calls {calls} short {shorts} interrupted {interrupted} wrong {wrong} long {longs} inside {inside / 1e6:F3}";
}
