/// When a program under test ends: after so many seconds of CPU time, or when its test deletes the file that UNTIL_GONE names.
/// A busy machine gives it little of the clock's time.
sealed class Until(double seconds)
{
    readonly long end = Spin.ProcessCpuNanoseconds() + (long)(seconds * 1e9);
    readonly string? file = Environment.GetEnvironmentVariable("UNTIL_GONE");

    public bool Over => Spin.ProcessCpuNanoseconds() >= end || file != null && !File.Exists(file);
}
