using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

/// CPU work of a known amount under a known name: Spin.For(ms) burns that much CPU time of the calling thread.
static unsafe class Spin
{
    [StructLayout(LayoutKind.Sequential)]
    struct Timespec
    {
        public long Seconds;
        public long Nanoseconds;
    }

    const int ClockProcessCpuTime = 2, ClockThreadCpuTime = 3;

    [DllImport("libc")]
    static extern int clock_gettime(int clock, Timespec* time);

    public static long ThreadCpuNanoseconds() => Nanoseconds(ClockThreadCpuTime);

    public static long ProcessCpuNanoseconds() => Nanoseconds(ClockProcessCpuTime);

    static long Nanoseconds(int clock)
    {
        Timespec t;
        clock_gettime(clock, &t);
        return t.Seconds * 1_000_000_000 + t.Nanoseconds;
    }

    static uint s_sink;

    /// A few hundred microseconds of arithmetic that the compiler cannot leave out.
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static uint Chunk(uint seed)
    {
        for (int i = 0; i < 100_000; i++) seed = seed * 1664525 + 1013904223 ^ seed >> 7;
        return s_sink = seed;
    }

    /// Burns `milliseconds` of CPU time on this thread; returns the nanoseconds really burnt.
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static long For(int milliseconds)
    {
        long start = ThreadCpuNanoseconds();
        long end = start + milliseconds * 1_000_000L;
        long now;
        uint seed = (uint)start;
        do
        {
            seed = Chunk(seed);
            now = ThreadCpuNanoseconds();
        } while (now < end);
        return now - start;
    }
}
