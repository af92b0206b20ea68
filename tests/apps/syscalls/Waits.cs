using System.Diagnostics;
using System.Runtime.InteropServices;
using static Syscalls.Native;

namespace Syscalls;

/// Calls that wait a known time: EINTR is what a signal makes of them, or a wait that is begun again.
static unsafe class Waits
{
    const int Milliseconds = 5;
    const int Again = 11, TimedOut = 110, TimeOut = 62;
    static readonly long* time = Allocate(0, Milliseconds * 1_000_000), microtime = Allocate(0, Milliseconds * 1000);
    static readonly long* signals = Allocate(1L << (40 - 1));  // one that nobody sends
    static readonly int* word = (int*)Allocate(0);

    static long* Allocate(params long[] values)
    {
        var memory = (long*)NativeMemory.AllocZeroed(64 * sizeof(long));
        for (int i = 0; i < values.Length; ++i) memory[i] = values[i];
        return memory;
    }

    static Kind For(string name, Func<long> call, int error = 0) => new(name, call, 0, error, Milliseconds);
    /// SO_RCVTIMEO counts the kernel's ticks (jiffies), of which one has begun: two of the slowest.
    static Kind ByTicks(string name, Func<long> call) => new(name, call, 0, Again, Milliseconds, 20);
    static Kind Until(string name, Func<long> call, long result = 0) => new(name, call, result, 0, Milliseconds);
    static long Raw(long number, nint a = 0, nint b = 0, nint c = 0, nint d = 0, nint e = 0, nint f = 0) =>
        Of(syscall(number, a, b, c, d, e, f));

    public static List<Kind> WithTimeout()
    {
        List<Kind> kinds = [];
        int epoll = epoll_create1(0), semaphore = semget(0, 1, 0x200 | 0x180);
        short* down = (short*)Allocate(); down[1] = -1;
        int listening = Listening("timeout"), waiting = socket(1, 2, 0);
        setsockopt(listening, 1, 20, microtime, 16);  // SO_RCVTIMEO
        setsockopt(waiting, 1, 20, microtime, 16);
        AppDomain.CurrentDomain.ProcessExit += (_, _) => semctl(semaphore, 0, 0, 0);
        kinds.Add(For("poll", () => Of(poll(null, 0, Milliseconds))));
        kinds.Add(For("ppoll", () => Of(ppoll(null, 0, time, null))));
        kinds.Add(For("select", () => { long* left = stackalloc long[] { 0, microtime[1] }; return Of(select(0, null, null, null, left)); }));
        kinds.Add(For("pselect", () => Of(pselect(0, null, null, null, time, null))));
        kinds.Add(For("epoll_wait", () => Of(epoll_wait(epoll, signals + 8, 1, Milliseconds))));
        kinds.Add(For("epoll_pwait2", () => Raw(441, epoll, (nint)(signals + 8), 1, (nint)time)));
        kinds.Add(For("nanosleep", () => Of(nanosleep(time, null))));
        kinds.Add(For("usleep", () => Of(usleep(Milliseconds * 1000))));
        kinds.Add(For("clock_nanosleep", () => -clock_nanosleep(1, 0, time, null)));
        kinds.Add(For("futex", () => Raw(202, (nint)word, 128, 0, (nint)time), TimedOut));
        kinds.Add(For("semtimedop", () => Of(semtimedop(semaphore, down, 1, time)), Again));
        kinds.Add(For("sigtimedwait", () => Of(sigtimedwait(signals, null, time)), Again));
        kinds.Add(ByTicks("accept_timeout", () => Of(accept(listening, null, null))));
        kinds.Add(ByTicks("recv_timeout", () => Of(recv(waiting, taken, 1, 0))));
        kinds.Add(For("raw_poll", () => Raw(7, 0, 0, Milliseconds)));
        kinds.Add(For("raw_nanosleep", () => Raw(35, (nint)time)));
        if (Ring.Open() is Ring ring) kinds.Add(For("io_uring_enter", () => ring.Wait((nint)time), TimeOut));
        return kinds;
    }

    static readonly byte* taken = (byte*)Allocate();

    public static List<Kind> EndedByAnother()
    {
        List<Kind> kinds = [];
        int* pipe = stackalloc int[2];
        Native.pipe(pipe);
        int from = pipe[0], to = pipe[1], events = eventfd(0, 0);
        int semaphore = semget(0, 1, 0x200 | 0x180), queue = msgget(0, 0x200 | 0x180);
        short* down = (short*)Allocate(), up = (short*)Allocate();
        down[1] = -1;
        up[1] = 1;
        long* message = Allocate(1, 2), received = Allocate();
        AppDomain.CurrentDomain.ProcessExit += (_, _) => { semctl(semaphore, 0, 0, 0); msgctl(queue, 0, null); };
        string path = Path.GetTempFileName(), fifo = path + ".fifo";
        mkfifo(fifo, 0x180);
        AppDomain.CurrentDomain.ProcessExit += (_, _) => { File.Delete(path); File.Delete(fifo); };
        kinds.Add(Until("pipe_read", () => Later(() => write(to, message, 8), () => read(from, received, 8)), 8));
        kinds.Add(Until("eventfd_read", () => Later(() => write(events, message, 8), () => read(events, received, 8)), 8));
        kinds.Add(Until("semop", () => Later(() => semop(semaphore, up, 1), () => semop(semaphore, down, 1))));
        kinds.Add(Until("msgrcv", () => Later(() => msgsnd(queue, message, 8, 0), () => msgrcv(queue, received, 8, 0, 0)), 8));
        kinds.Add(Until("flock", () => Locked(path, fd => flock(fd, 2))));
        kinds.Add(Until("fcntl_lock", () => Locked(path, fd => Lock(fd))));
        kinds.Add(Until("wait4", () => Ending(child => wait4(child, null, 0, null) == child ? 0 : -1)));
        kinds.Add(Until("waitid", () => Ending(child => waitid(1, child, received, 4))));
        kinds.Add(Until("connect", Connected));
        kinds.Add(Until("open_fifo", () => Of(Opened(fifo))));
        return kinds;
    }

    /// `call` waits until `other` is done by another thread.
    static long Later(Func<long> other, Func<nint> call)
    {
        Task done = Task.Run(() => { Thread.Sleep(Milliseconds); other(); Kind.Ended = Stopwatch.GetTimestamp(); });
        long result = Of(call());
        done.Wait();
        return result;
    }

    static long Locked(string path, Func<int, int> take)
    {
        int holder = open(path, 2, 0), taker = open(path, 2, 0);
        take(holder);
        long result = Later(() => close(holder), () => take(taker));
        close(taker);
        return result;
    }

    /// An open file description's lock (F_OFD_SETLKW).
    static int Lock(int fd)
    {
        long* whole = stackalloc long[] { 1, 0, 0, 0 };
        return fcntl(fd, 38, whole);
    }

    /// `take` waits for a child that another thread ends.
    static long Ending(Func<int, int> take)
    {
        nint* arguments = stackalloc nint[] { Marshal.StringToHGlobalAnsi("sleep"), Marshal.StringToHGlobalAnsi("60"), 0 };
        nint none = 0;
        int started = 0;
        posix_spawn(&started, "/bin/sleep", null, null, arguments, &none);
        int child = started;
        return Later(() => kill(child, 9), () => take(child));
    }

    static int Opened(string fifo)
    {
        int other = -1;
        Task done = Task.Run(() => { Thread.Sleep(Milliseconds); other = open(fifo, 1, 0); Kind.Ended = Stopwatch.GetTimestamp(); });
        int mine = open(fifo, 0, 0);
        int error = Marshal.GetLastPInvokeError();
        done.Wait();
        close(other);
        if (mine >= 0) close(mine);
        Marshal.SetLastPInvokeError(error);
        return mine >= 0 ? 0 : -1;
    }

    /// An abstract address that nobody else has.
    static int Address(byte* address, string name)
    {
        string text = $"walkabout-{name}-{Environment.ProcessId}";
        address[0] = 1;
        for (int i = 0; i < text.Length; ++i) address[3 + i] = (byte)text[i];
        return 3 + text.Length;
    }

    static int Listening(string name, int backlog = 1)
    {
        byte* address = stackalloc byte[110];
        int fd = socket(1, 1, 0);
        bind(fd, address, Address(address, name));
        listen(fd, backlog);
        return fd;
    }

    /// Waits for room in the queue of a listener that takes nobody for a while.
    static long Connected()
    {
        byte* address = stackalloc byte[110];
        int listening = Listening("connect", 0), size = Address(address, "connect");
        int first = socket(1, 1, 0), second = socket(1, 1, 0);
        connect(first, address, size);
        var at = (nint)address;
        int taken = -1;
        long result = Later(() => taken = accept(listening, null, null), () => connect(second, (void*)at, size));
        foreach (int fd in new[] { taken, second, first, listening }) close(fd);
        return result;
    }
}
