// One thread that the runtime has to wait for when it stops all: it is in native code without having left
// cooperative mode, for about MS milliseconds, while the first thread asks for a collection. N times each of
//   sleeps    blocked in a system call
//   reads     looks at memory
//   fills     writes memory
//   deep      looks at memory, 60 frames deep
//   kernel    in a system call that computes
//   late N MS
// Prints what it did as lines:   NAME COUNT MILLISECONDS, and   thread TID
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

if (args.Length < 2) { Console.WriteLine("usage: late N MS"); return 2; }
int n = int.Parse(args[0]), ms = int.Parse(args[1]);
var kinds = new (string Name, Action<int> Hold)[]
{
    ("sleeps", Late.Sleeps), ("reads", Late.Reads), ("fills", Late.Fills), ("deep", ms => Late.Deep(60, ms)), ("kernel", Late.Kernel),
};
foreach (var kind in kinds) kind.Hold(1);  // compiled, and bound to its library
using var ready = new AutoResetEvent(false);
using var next = new AutoResetEvent(false);
bool ends = false;
Action<int> hold = Late.Sleeps;
var late = new Thread(() =>
{
    Console.WriteLine($"thread {Native.gettid()}");
    ready.Set();
    while (true)
    {
        next.WaitOne();
        if (Volatile.Read(ref ends)) return;
        Late.Entered = 0;
        hold(ms);
        ready.Set();
    }
}) { Name = "late" };
late.Start();
ready.WaitOne();
foreach (var kind in kinds)
{
    hold = kind.Hold;
    long waited = 0;
    for (int i = 0; i < n; i++)
    {
        Volatile.Write(ref Late.Entered, 0);
        next.Set();
        while (Volatile.Read(ref Late.Entered) == 0) Thread.Yield();
        long begun = Stopwatch.GetTimestamp();
        GC.Collect(0);
        waited += Stopwatch.GetTimestamp() - begun;
        ready.WaitOne();
    }
    Console.WriteLine($"{kind.Name} {n} {(long)(waited * 1000.0 / Stopwatch.Frequency)}");
}
Volatile.Write(ref ends, true);
next.Set();
late.Join();
return 0;

static class Late
{
    public static int Entered;
    const int Size = 64 << 20;
    static readonly IntPtr Room = Native.malloc(2 * Size);
    static readonly IntPtr Expirations = Native.malloc(8);
    static readonly IntPtr Accepted = Marshal.StringToHGlobalAnsi("\u0001abcdefghijklmnopqrstuvwxyz");
    static readonly int Clock = Native.timerfd_create(1, 0), File = Native.memfd_create("late", 0);
    static readonly double Scanned, Swapped, Written;  // bytes a millisecond

    static Late()
    {
        Native.memset(Room, 1, 2 * Size);
        Marshal.WriteByte(Room, 2 * Size - 1, 0);
        Scanned = Rate(() => Native.strspn(Room, Accepted));
        Swapped = Rate(() => Native.swab(Room, Room + Size, Size)) / 2;
        Native.pwrite(File, Room, Size, 0);
        Written = Rate(() => Native.pwrite(File, Room, Size, 0)) / 2;
    }

    static double Rate(Action pass)
    {
        long begun = Stopwatch.GetTimestamp();
        pass();
        return 2.0 * Size * Stopwatch.Frequency / (Stopwatch.GetTimestamp() - begun) / 1000;
    }

    static int Bytes(double rate, int ms, int most) => (int)Math.Min(rate * ms, most) & ~1;

    // Each says that it begins: from the call on it is in cooperative mode, and stays so until that returns.
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Sleeps(int ms)
    {
        Native.Timer(Clock, ms);
        Volatile.Write(ref Entered, 1);
        Native.read(Clock, Expirations, 8);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Reads(int ms)
    {
        IntPtr from = Room + 2 * Size - 1 - Bytes(Scanned, ms, Size);
        Volatile.Write(ref Entered, 1);
        Native.strspn(from, Accepted);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Fills(int ms)
    {
        int bytes = Bytes(Swapped, ms, Size);
        Volatile.Write(ref Entered, 1);
        Native.swab(Room, Room + Size - 2, bytes);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Deep(int depth, int ms)
    {
        if (depth > 0) return Deep(depth - 1, ms) + 1;
        Reads(ms);
        return 0;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Kernel(int ms)
    {
        int bytes = Bytes(Written, ms, Size);
        Volatile.Write(ref Entered, 1);
        Native.pwrite(File, Room, bytes, 0);
    }
}

static class Native
{
    [DllImport("libc")] public static extern int gettid();
    [DllImport("libc")] public static extern IntPtr malloc(nint size);
    [DllImport("libc")] public static extern IntPtr memset(IntPtr to, int value, nint size);
    [DllImport("libc")] public static extern int timerfd_create(int clock, int flags);
    [DllImport("libc")] public static extern int memfd_create(string name, int flags);
    [DllImport("libc")] static extern int timerfd_settime(int timer, int flags, long[] time, IntPtr old);
    [DllImport("libc"), SuppressGCTransition] public static extern nint read(int file, IntPtr to, nint size);
    [DllImport("libc"), SuppressGCTransition] public static extern nint strspn(IntPtr text, IntPtr accepted);
    [DllImport("libc"), SuppressGCTransition] public static extern void swab(IntPtr from, IntPtr to, nint size);
    [DllImport("libc"), SuppressGCTransition] public static extern nint pwrite(int file, IntPtr from, nint size, nint at);

    public static void Timer(int timer, int ms) => timerfd_settime(timer, 0, new long[] { 0, 0, ms / 1000, ms % 1000 * 1_000_000L }, IntPtr.Zero);
}
