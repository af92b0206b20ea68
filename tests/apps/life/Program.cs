// The ways a process lives and dies.  life WAY [NUMBER | FILE]
// What is interrupted from outside (work, workwhile, cleanup, print) says "ready" first. Every result depends on the arguments alone.
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

string way = args.Length > 0 ? args[0] : "work";
int number = args.Length > 1 && way != "workwhile" ? int.Parse(args[1]) : 0;
switch (way)
{
    case "work":  // NUMBER milliseconds of CPU time, or a little more
        Console.WriteLine("ready");
        Spin.For(number);
        Console.WriteLine("done");
        return 0;
    case "workwhile":  // until FILE is gone
        Console.WriteLine("ready");
        while (File.Exists(args[1]))
            Spin.For(50);
        Console.WriteLine("done");
        return 0;
    case "failfast":
        Spin.For(100);
        Environment.FailFast("the program gives up");
        return 99;
    case "throw":
        Spin.For(100);
        throw new InvalidOperationException("thrown by life");
    case "abort":
        Spin.For(100);
        Native.abort();
        return 99;
    case "overflow":
        Spin.For(100);
        return Deep.Endless(1);
    case "slowoverflow":  // after NUMBER milliseconds
        Console.WriteLine("ready");
        Spin.For(number);
        return Deep.Slow(1);
    case "slowoverflowinthread":
        Spin.For(100);
        var overflowing = new Thread(() => Deep.Slow(1), 512 * 1024);
        overflowing.Start();
        overflowing.Join();
        return 99;
    case "memory":  // to be run with a small heap
        Spin.For(100);
        var kept = new List<byte[]>();
        for (;;) kept.Add(new byte[100_000]);
    case "signal":
        Spin.For(100);
        Native.kill(Environment.ProcessId, number);
        Thread.Sleep(10_000);
        return 99;
    case "cleanup":  // at SIGTERM, as a service does
        using (var requested = new ManualResetEventSlim())
        using (PosixSignalRegistration.Create(PosixSignal.SIGTERM, context => { context.Cancel = true; requested.Set(); }))
        {
            Console.WriteLine("ready");
            while (!requested.IsSet) Spin.For(20);
            Console.WriteLine("cleaned up");
            return 5;
        }
    case "exit":  // while other threads are deep in their stacks
        for (int i = 0; i < 4; i++) new Thread(() => { for (;;) Deep.Down(500); }) { IsBackground = true }.Start();
        Spin.For(200);
        Environment.Exit(number);
        return 99;
    case "start":
        Console.WriteLine($"the child ended with {Run(Environment.ProcessPath!, Environment.GetCommandLineArgs()[0], "exit", "4")}");
        return 0;
    case "system":
        Spin.For(50);
        Console.WriteLine($"the shell ended with {Native.system("exit 5") >> 8}");
        return 0;
    case "fork":  // without exec: the child has everything of ours open for a while
        nint library = NativeLibrary.Load(Environment.GetEnvironmentVariable("LIFE_LIBRARY")!);
        Spin.For(50);
        unsafe
        {
            int ended = ((delegate* unmanaged<int>)NativeLibrary.GetExport(library, "fork_and_wait"))();
            Console.WriteLine($"the fork ended with {ended}");
        }
        Spin.For(100);
        return 6;
    case "forks":  // NUMBER children that run managed code, while we do
        Console.WriteLine(Forks.All(number));
        return 0;
    case "chroot":  // into a folder without anything; what is needed there is loaded before
        string written = $"/tmp/life-{Environment.ProcessId}";
        for (int round = 0; round < 2; round++)
        {
            Spin.For(100);
            var thread = new Thread(() => Spin.For(100));
            thread.Start();
            thread.Join();
            GC.Collect();
            File.WriteAllText(written, "round");
            Console.WriteLine($"{File.ReadAllText(written)} {Directory.Exists("/proc/self")}");
            File.Delete(written);
            if (round == 0 && (Native.chroot(Environment.GetEnvironmentVariable("LIFE_ROOT")!) | Native.chdir("/")) != 0) return 98;
        }
        return 3;
    case "clock":
        var days = new HashSet<int>();
        for (int i = 0; i < 50; i++)
        {
            Spin.For(5);
            days.Add(DateTime.UtcNow.DayOfYear);
        }
        Console.WriteLine(days.Count > 1 ? "the clock jumps" : "the clock is steady");
        return 0;
    case "print":
        Console.WriteLine("ready");
        for (int i = 0; i < number; i++) Console.WriteLine($"line {i}");
        Spin.For(50);
        return 8;
    default:
        Console.Error.WriteLine($"life: unknown way '{way}'");
        return 2;
}

static int Run(string program, params string[] arguments)
{
    using Process child = Process.Start(program, arguments);
    child.WaitForExit();
    return child.ExitCode;
}

static class Deep
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Down(int left) => left == 0 ? 1 : Down(left - 1) + 1;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Endless(int depth) => Endless(depth + 1) + depth;

    // Takes a tenth of a millisecond for each KiB of stack. Calls nothing but itself, not to clear its stack either, so that every overflow is its own.
    // The runtime's report has each frame where another method is on top.
    [SkipLocalsInit, MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    public static unsafe int Slow(int depth)
    {
        byte* frame = stackalloc byte[1000];
        for (int i = 0; i < 50_000; i++) frame[i % 1000] = (byte)(frame[(i + 1) % 1000] + depth);
        return Slow(depth + 1) + frame[depth % 1000];
    }
}

// A forked child has one thread and a copy of everything; managed code that needs nothing of the runtime's runs in it.
static unsafe class Forks
{
    public static string All(int number)
    {
        nint library = NativeLibrary.Load(Environment.GetEnvironmentVariable("LIFE_LIBRARY")!);
        var fork = (delegate* unmanaged<int>)NativeLibrary.GetExport(library, "fork_only");
        var ended = (delegate* unmanaged<int, int>)NativeLibrary.GetExport(library, "how_ended");
        var leave = (delegate* unmanaged<int, void>)NativeLibrary.GetExport(library, "leave");
        Compute(1000);
        var ends = new SortedDictionary<int, int>();
        for (int i = 0; i < number; i++)
        {
            int child = fork();
            if (child == 0) leave(Compute(300_000) == 0 ? 1 : 7);
            Spin.For(2);
            int end = ended(child);
            ends[end] = ends.GetValueOrDefault(end) + 1;
        }
        return string.Join(", ", ends.Select(end => $"{end.Value} ended with {end.Key}"));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Compute(int rounds)
    {
        int sum = 1;
        for (int i = 0; i < rounds; i++) sum = Mix(sum, i);
        return sum | 1;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Mix(int sum, int i) => unchecked(sum * 31 + (i ^ (sum >> 3)));
}

static class Native
{
    [DllImport("libc")]
    public static extern void abort();

    [DllImport("libc")]
    public static extern int chroot(string path);

    [DllImport("libc")]
    public static extern int chdir(string path);

    [DllImport("libc")]
    public static extern int kill(int pid, int signal);

    [DllImport("libc")]
    public static extern int system(string command);
}
