// Threads that stand where their names say, for a while. At the end there is a line for each:
//   lived NAME LEAST MOST TID   in milliseconds: its body alone; from the kernel's birth of it until it was seen gone
//   wall each SECONDS        one thread of each kind
//   wall many SECONDS N R    N threads, of which R compute and the others are blocked in all ways by turns
// Each blocks in a method of its own, so that a profile can be asked for it.
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

static class Program
{
    static readonly object Held = new(), Signal = new();
    static readonly SemaphoreSlim Never = new(0);
    static readonly ManualResetEvent Event = new(false);
    static volatile bool _stop;
    const int Children = 8;  // that are born at least, however slow the machine is
    static int _seconds;

    [DllImport("libc")] static extern uint sleep(uint seconds);
    [DllImport("libc")] static extern int poll(IntPtr fds, nuint count, int timeout);

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void InLock() { lock (Held) { } }
    [MethodImpl(MethodImplOptions.NoInlining)]
    static void InMonitorWait() { lock (Signal) while (!_stop) Monitor.Wait(Signal); }
    [MethodImpl(MethodImplOptions.NoInlining)]
    static void InSemaphore() => Never.Wait();
    [MethodImpl(MethodImplOptions.NoInlining)]
    static void InEvent() => Event.WaitOne();
    [MethodImpl(MethodImplOptions.NoInlining)]
    static void InSleep() => Thread.Sleep(_seconds * 1000);
    [MethodImpl(MethodImplOptions.NoInlining)]
    static void InLibcSleep() { sleep((uint)_seconds); }
    [MethodImpl(MethodImplOptions.NoInlining)]
    static void InLibcPoll() { poll(IntPtr.Zero, 0, _seconds * 1000); }
    [MethodImpl(MethodImplOptions.NoInlining)]
    static void InReceive(Socket socket) => socket.Receive(new byte[1]);
    [MethodImpl(MethodImplOptions.NoInlining)]
    static void InPoll(Socket socket) => socket.Poll(-1, SelectMode.SelectRead);
    [MethodImpl(MethodImplOptions.NoInlining)]
    static void InRead(Stream pipe) => pipe.ReadByte();
    [MethodImpl(MethodImplOptions.NoInlining)]
    static void InTask(Task task) => task.Wait();
    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Computing()
    {
        double x = 1;
        while (!_stop) x = x * 1.0000001 + 0.1;
        GC.KeepAlive(x);
    }
    // A third of the time on a processor.
    [MethodImpl(MethodImplOptions.NoInlining)]
    static void ByTurns()
    {
        while (!_stop)
        {
            long end = Stopwatch.GetTimestamp() + Stopwatch.Frequency / 100;
            while (Stopwatch.GetTimestamp() < end) { }
            Thread.Sleep(20);
        }
    }
    // Wakes so often that no look finds it in the same wait.
    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Waking() { while (!_stop) Thread.Sleep(7); }

    static (Socket, Socket) Pair()
    {
        using var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        var client = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        client.Connect(listener.LocalEndPoint!);
        return (client, listener.Accept());
    }

    static (Stream, Stream) Pipe()
    {
        var server = new System.IO.Pipes.AnonymousPipeServerStream(System.IO.Pipes.PipeDirection.Out);
        return (new FileStream("/proc/self/fd/" + server.GetClientHandleAsString(), FileMode.Open, FileAccess.Read,
                               FileShare.ReadWrite, 0), server);
    }

    record Life(string Name, double LeastMs, double BornMs, int Tid);
    static readonly List<Life> Lives = new();
    static readonly List<Thread> Threads = new();
    static readonly List<Action> Wake = new();

    [StructLayout(LayoutKind.Sequential)] struct TimeSpec { public nint Seconds, Nanoseconds; }
    [DllImport("libc")] static extern int clock_gettime(int clock, out TimeSpec now);

    static double MsSinceBoot()
    {
        const int BootTime = 7;
        clock_gettime(BootTime, out TimeSpec now);
        return now.Seconds * 1e3 + now.Nanoseconds / 1e6;
    }

    // When the kernel made the calling thread, to 10 ms: the 22nd field of its stat, in 100ths of a second since boot.
    static (int Tid, double Ms) Born()
    {
        string stat = File.ReadAllText("/proc/thread-self/stat");
        return (int.Parse(stat.Split(' ')[0]), long.Parse(stat[(stat.LastIndexOf(')') + 2)..].Split(' ')[22 - 3]) * 10.0);
    }

    static Thread Start(string name, Action body)
    {
        var thread = new Thread(() =>
        {
            var life = Stopwatch.StartNew();
            body();
            double ms = life.Elapsed.TotalMilliseconds;
            var (tid, born) = Born();
            lock (Lives) Lives.Add(new(name, ms, born, tid));
        }, 256 << 10) { Name = name, IsBackground = true };
        thread.Start();
        return thread;
    }

    static void Run(string name, Action body) => Threads.Add(Start(name, body));

    static void StartBlocked(int kind, string suffix)
    {
        switch (kind)
        {
            case 0: Run("lock" + suffix, InLock); break;
            case 1: Run("monitorwait" + suffix, InMonitorWait); break;
            case 2: Run("semaphore" + suffix, InSemaphore); break;
            case 3: Run("event" + suffix, InEvent); break;
            case 4: Run("sleep" + suffix, InSleep); break;
            case 5: Run("libcsleep" + suffix, InLibcSleep); break;
            case 6: Run("libcpoll" + suffix, InLibcPoll); break;
            case 7:
            {
                var (a, b) = Pair();
                Run("receive" + suffix, () => InReceive(a));
                Wake.Add(() => b.Send(new byte[1]));
                break;
            }
            case 8:
            {
                var (a, b) = Pair();
                Run("poll" + suffix, () => InPoll(a));
                Wake.Add(() => b.Send(new byte[1]));
                break;
            }
            case 9:
            {
                var (read, write) = Pipe();
                Run("read" + suffix, () => InRead(read));
                Wake.Add(() => { write.WriteByte(1); write.Flush(); });
                break;
            }
        }
    }

    // A task whose continuations come and go on the pool's threads.
    static async Task<int> Async()
    {
        int n = 0;
        while (!_stop)
        {
            await Task.Delay(30);
            n += await Task.Run(() => { Thread.SpinWait(20000); return 1; });
        }
        return n;
    }

    static int Main(string[] args)
    {
        bool many = args[0] == "many";
        _seconds = int.Parse(args[1]);
        Monitor.Enter(Held);
        var life = Stopwatch.StartNew();
        if (many)
        {
            int n = int.Parse(args[2]), running = int.Parse(args[3]);
            for (int i = 0; i < running; ++i) Run("computing" + i, Computing);
            for (int i = 0; i < n - running; ++i) StartBlocked(i % 10, "" + i);
        }
        else
        {
            for (int kind = 0; kind < 10; ++kind) StartBlocked(kind, "");
            Run("computing", Computing);
            Run("byturns", ByTurns);
            Run("waking", Waking);
            var task = Async();
            Run("task", () => InTask(task));
            Run("parent", () =>
            {
                for (int i = 0; i < Children || !_stop; ++i) Start("child", () => Thread.Sleep(300)).Join();
            });
        }
        Console.WriteLine("started");
        Thread.Sleep(Math.Max(_seconds * 1000 - (int)life.ElapsedMilliseconds, 0));
        _stop = true;
        Monitor.Exit(Held);
        lock (Signal) Monitor.PulseAll(Signal);
        Never.Release(Threads.Count);
        Event.Set();
        foreach (var wake in Wake) wake();
        foreach (var thread in Threads) thread.Join();
        foreach (var (name, least, born, tid) in Lives)
        {
            while (Directory.Exists($"/proc/self/task/{tid}")) Thread.Sleep(1);
            Console.WriteLine($"lived {name} {least:F3} {MsSinceBoot() - born:F3} {tid}");
        }
        return 0;
    }
}
