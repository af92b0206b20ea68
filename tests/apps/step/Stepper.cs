using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;

namespace Stepping;

// The stepping agent's two functions, if it is this process's profiler.
static unsafe class Stepper
{
    static delegate* unmanaged<byte*, ulong, int> s_begin;
    static delegate* unmanaged<void> s_end;

    // Whether the case that runs is stepped, and not only warmed up.
    public static bool Stepped { get; private set; }

    public static void Connect()
    {
        string? library = Environment.GetEnvironmentVariable("CORECLR_PROFILER_PATH");
        if (library is null || !NativeLibrary.TryLoad(library, out nint handle)) return;
        if (!NativeLibrary.TryGetExport(handle, "walkabout_step_begin", out nint begin)) return;
        s_begin = (delegate* unmanaged<byte*, ulong, int>)begin;
        s_end = (delegate* unmanaged<void>)NativeLibrary.GetExport(handle, "walkabout_step_end");
        Through("warm up", () => 0, 0);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static long Through(string section, Func<long> run, ulong budget)
    {
        if (s_begin == null) return run();
        bool stepped = false;
        fixed (byte* name = Encoding.UTF8.GetBytes(section + "\0")) stepped = s_begin(name, budget) != 0;
        Stepped = stepped && budget > 0;
        long result = run();
        Stepped = false;
        if (stepped) s_end();
        return result;
    }
}
