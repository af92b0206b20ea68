using System.Diagnostics;

/// When a program under test ends: after so many seconds of CPU time, or when its test deletes the file that UNTIL_GONE names.
/// A busy machine gives it little of the clock's time.
sealed class Until(double seconds)
{
    readonly double end = Used() + seconds;
    readonly string? file = Environment.GetEnvironmentVariable("UNTIL_GONE");

    public bool Over => Used() >= end || file != null && !File.Exists(file);

    static double Used() => OperatingSystem.IsWindows()
        ? Process.GetCurrentProcess().TotalProcessorTime.TotalSeconds
        : Spin.ProcessCpuNanoseconds() * 1e-9;
}
