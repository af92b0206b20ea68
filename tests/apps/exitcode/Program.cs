// Ends in a given way.  exitcode [return|exit] N | throw | abort | crash MILLISECONDS | kill SIGNAL | sleep SECONDS | burn SECONDS |
// steal SIGNAL [default] | late SIGNAL | threads N | giveup N | exec
// `burn` and `sleep` print "ready" first, so that a test knows when to interrupt them.
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

string way = args.Length > 0 ? args[0] : "return";
string value = args.Length > 1 ? args[1] : "0";
switch (way)
{
    case "return":
        Spin.For(50);
        return int.Parse(value);
    case "exit":
        Spin.For(50);
        Environment.Exit(int.Parse(value));
        return 99;
    case "throw":
        throw new InvalidOperationException("thrown by exitcode");
    case "abort":
        Native.abort();
        return 99;
    case "crash":  // in what it has just compiled
        Spin.For(int.Parse(value));
        Last.Words();
        Native.kill(Environment.ProcessId, 9);
        return 99;
    case "kill":
        Native.kill(Environment.ProcessId, int.Parse(value));
        Thread.Sleep(10_000);  // SIGTERM is delivered to the runtime's own thread, which ends the process
        return 99;
    case "sleep":
        Console.WriteLine("ready");
        Thread.Sleep((int)(double.Parse(value) * 1000));
        return 0;
    case "burn":
        Console.WriteLine("ready");
        var clock = Stopwatch.StartNew();
        while (clock.Elapsed.TotalSeconds < double.Parse(value)) Spin.For(10);
        return 0;
    case "steal":  // as a careless library does: no look at who was there before
        Spin.For(300);
        Native.signal(int.Parse(value), args.Length > 2 ? Native.Default : Native.Ignore);
        Spin.For(300);
        Console.WriteLine("stolen");
        Thread.Sleep(1500);
        return 0;
    case "late":  // SIGTRAP gets its default action while a thread sleeps in a call that took long enough for a tick
        var pipe = new int[2];
        var bytes = new byte[(1 << 20) + 1];
        if (Native.pipe(pipe) != 0 || Native.fcntl(pipe[1], Native.SetPipeSize, 1 << 20) < 0) return 3;
        var writer = new Thread(() => Native.write(pipe[1], bytes, bytes.Length));
        writer.Start();
        Spin.For(100);
        Native.signal(int.Parse(value), Native.Default);
        Thread.Sleep(2000);
        for (long all = 0; all < bytes.Length;) all += Native.read(pipe[0], bytes, bytes.Length);
        writer.Join();
        Console.WriteLine("written");
        return 0;
    case "exec":  // another program takes the place of this one
        Spin.For(100);
        Native.execve("/bin/true", ["true", null], [null]);
        return 3;
    case "giveup":  // root's rights, then work in new threads
        if (Native.setuid(65534) != 0) return 3;
        goto case "threads";
    case "threads":
        var threads = Enumerable.Range(0, int.Parse(value)).Select(_ => new Thread(() => Spin.For(100))).ToList();
        threads.ForEach(thread => thread.Start());
        threads.ForEach(thread => thread.Join());
        return 0;
    default:
        Console.Error.WriteLine($"exitcode: unknown way '{way}'");
        return 2;
}

static class Last
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Words()
    {
        long end = Spin.ThreadCpuNanoseconds() + 5_000_000;
        while (Spin.ThreadCpuNanoseconds() < end) { }
    }
}

static class Native
{
    [DllImport("libc")]
    public static extern void abort();

    public const nint Default = 0, Ignore = 1;
    public const int SetPipeSize = 1031;

    [DllImport("libc")]
    public static extern int pipe(int[] ends);

    [DllImport("libc")]
    public static extern int fcntl(int fd, int what, int value);

    [DllImport("libc")]
    public static extern nint write(int fd, byte[] bytes, nint size);

    [DllImport("libc")]
    public static extern nint read(int fd, byte[] bytes, nint size);

    [DllImport("libc")]
    public static extern nint signal(int signal, nint handler);

    [DllImport("libc")]
    public static extern int execve(string path, string?[] arguments, string?[] environment);

    [DllImport("libc")]
    public static extern int setuid(int user);

    [DllImport("libc")]
    public static extern int kill(int pid, int signal);
}
