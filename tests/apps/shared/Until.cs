using System.Diagnostics;

/// When a program under test ends: after so many seconds, or when its test deletes the file that UNTIL_GONE names.
sealed class Until(double seconds)
{
    readonly Stopwatch clock = Stopwatch.StartNew();
    readonly string? file = Environment.GetEnvironmentVariable("UNTIL_GONE");

    public bool Over => clock.Elapsed.TotalSeconds >= seconds || file != null && !File.Exists(file);
}
