using System.Buffers.Text;
using static Syscalls.Native;

namespace Syscalls;

/// What the kernel's scheduler says about the thread that runs the calls, the program's first.
static unsafe class Processor
{
    static readonly int file = open("/proc/thread-self/schedstat", 0, 0);

    /// How long the thread was ready to run and waited for a processor since its start: the second field of schedstat.
    public static double DelayedMilliseconds()
    {
        byte* text = stackalloc byte[128];
        nint size = pread(file, text, 128, 0);
        if (size <= 0) return 0;
        var fields = new ReadOnlySpan<byte>(text, (int)size);
        return Utf8Parser.TryParse(fields[(fields.IndexOf((byte)' ') + 1)..], out long nanoseconds, out _) ? nanoseconds / 1e6 : 0;
    }
}
