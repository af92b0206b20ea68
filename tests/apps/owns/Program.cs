// A program that takes its descriptors seriously.  owns WAY [NUMBER]
//   close           closes every descriptor that neither it nor the runtime has opened, opens pipes under their numbers, looks for a
//                   while whether somebody else reads, writes or closes them. (The runtime does not survive the loss of its own.)
//   list            what is open
//   numbers         the lowest free number is the one the next file gets, again and again
//   limit THREADS   how many files it can open beside so many threads
//   fork            what a child has open that it forks, and one that it executes
//   daemon          a child goes on when its parent is gone
// With a second word "wait" in front of the way it says "ready" and begins when a line comes. What it says depends on the arguments
// alone. It writes through libc: the runtime's console has a descriptor of its own.
using System.Runtime.InteropServices;
using System.Text;

int at = args.Length > 0 && args[0] == "wait" ? 1 : 0;
string way = args[at], value = args.Length > at + 1 ? args[at + 1] : "";
if (at == 1)
{
    Owns.Print("ready");
    Owns.ReadByte(0);
}
switch (way)
{
    case "close": return Owns.Close();
    case "list": return Owns.List();
    case "numbers": return Owns.Numbers();
    case "limit": return Owns.Limit(int.Parse(value));
    case "fork": return Owns.Fork();
    case "daemon": return Owns.Daemon(value);
    default: return 2;
}

static class Owns
{
    const int Most = 1024, Pipes = 64, WorkMs = 1500;

    public static void Print(string line)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(line + "\n");
        Native.write(1, bytes, bytes.Length);
    }

    public static void ReadByte(int fd) => Native.read(fd, new byte[1], 1);

    static List<int> Open() => Enumerable.Range(0, Most).Where(fd => Native.fcntl(fd, 1, 0) >= 0).ToList();

    // Threads that are born and die, some of whose ticks fall into their first instructions.
    static Thread Births(Func<bool> over) => Started(() =>
    {
        while (!over()) Started(() => Spin.For(2)).Join();
    });

    static Thread Started(ThreadStart body)
    {
        var thread = new Thread(body);
        thread.Start();
        return thread;
    }

    // The runtime's sockets listen; it has pipes, files and a memory file of its own.
    static bool IsForeign(int fd)
    {
        string link = Link(fd);
        int listens = 0, size = sizeof(int);
        return link.StartsWith("anon_inode:") || link.Contains("walkabout") && link.StartsWith("/memfd:") ||
               link.StartsWith("socket:") && Native.getsockopt(fd, 1, 30, ref listens, ref size) == 0 && listens == 0;  // SO_ACCEPTCONN
    }

    public static int Close()
    {
        foreach (int fd in Open().Where(fd => fd > 2 && IsForeign(fd)).ToList()) Native.close(fd);
        var ends = new int[2 * Pipes];
        var pair = new int[2];
        var byteOf = new byte[1];
        for (int i = 0; i < Pipes; i++)
        {
            if (Native.pipe(pair) != 0) return 3;
            (ends[2 * i], ends[2 * i + 1]) = (pair[0], pair[1]);
            byteOf[0] = (byte)(100 + i);
            if (Native.write(pair[1], byteOf, 1) != 1) return 4;
        }
        bool over = false;
        Thread births = Births(() => Volatile.Read(ref over));
        long end = Environment.TickCount64 + WorkMs;
        int disturbed = 0;
        while (Environment.TickCount64 < end)
        {
            Spin.For(20);
            for (int i = 0; i < Pipes; i++)
            {
                int there = -1;
                if (Native.ioctl(ends[2 * i], 0x541B, ref there) != 0 || there != 1) disturbed++;  // FIONREAD
            }
        }
        Volatile.Write(ref over, true);
        births.Join();
        for (int i = 0; i < Pipes; i++)
        {
            if (Native.read(ends[2 * i], byteOf, 1) != 1 || byteOf[0] != 100 + i) disturbed++;
            if (Native.close(ends[2 * i]) != 0 || Native.close(ends[2 * i + 1]) != 0) disturbed++;
        }
        Print($"{Pipes} pipes, disturbed: {disturbed}");
        return 0;
    }

    public static int List()
    {
        Spin.For(300);
        // Without what differs from run to run, the order in which they were opened too.
        foreach (string what in Open().Select(fd => new string(Link(fd).Where(c => !char.IsDigit(c)).ToArray())).Order()) Print(what);
        return 0;
    }

    static string Link(int fd)
    {
        var link = new byte[4096];
        long size = Native.readlink($"/proc/self/fd/{fd}", link, link.Length);
        return size < 0 ? "?" : Encoding.UTF8.GetString(link, 0, (int)size);
    }

    public static int Numbers()
    {
        bool over = false;
        int others = 0, looks = 0;
        Opened();
        Thread busy = Started(() => { while (!Volatile.Read(ref over)) Spin.For(5); });  // (A birth has the runtime open pipes.)
        Spin.For(300);  // all that the runtime opens is open
        int usual = Opened();
        long end = Environment.TickCount64 + WorkMs;
        for (; Environment.TickCount64 < end; looks++)
            if (Opened() != usual) others++;
        Volatile.Write(ref over, true);
        busy.Join();
        Print($"files with another number: {others}" + (looks > 1000 ? "" : ", hardly looked"));
        return 0;
    }

    static int Opened()
    {
        int fd = Native.open("/dev/null", 0);
        Native.close(fd);
        return fd;
    }

    public static int Limit(int threads)
    {
        using var go = new ManualResetEventSlim();
        var all = Enumerable.Range(0, threads).Select(_ => Started(() => { Spin.For(5); go.Wait(); Spin.For(5); })).ToList();
        Thread.Sleep(700);  // who looks for threads has found them
        int files = 0;
        var fds = new int[Most];
        while (files < Most && (fds[files] = Native.open("/dev/null", 0)) >= 0) files++;
        for (int i = 0; i < files; i++) Native.close(fds[i]);
        go.Set();
        all.ForEach(t => t.Join());
        Print($"{threads} threads, {files} files");
        return 0;
    }

    public static int Fork()
    {
        Spin.For(100);
        Print($"open before: {Open().Count}");
        CountOpen();
        int child = Native.fork();
        if (child == 0) Native._exit(CountOpen());
        Native.waitpid(child, out int status, 0);
        Print($"open in a forked child: {status >> 8}");
        Native.system("n=0; for f in /proc/$$/fd/*; do n=$((n + 1)); done; echo open in a shell: $n");
        Spin.For(100);
        return 0;
    }

    // Calls of libc only: the runtime's other threads are not there in a forked child.
    static int CountOpen()
    {
        int count = 0;
        for (int fd = 0; fd < Most; fd++) count += Native.fcntl(fd, 1, 0) >= 0 ? 1 : 0;
        return count;
    }

    public static int Daemon(string path)
    {
        Spin.For(100);
        CountOpen();
        int child = Native.fork();
        if (child != 0) Native._exit(6);
        Native.setsid();
        Native.usleep(200_000);
        long sum = 0;
        for (int i = 0; i < 50_000_000; i++) sum += i;
        int fd = Native.open(path, 0x241, 0x180);  // to write, new, empty; the owner's
        byte[] done = [(byte)(sum == 1249999975000000 ? 'y' : 'n')];
        Native.write(fd, done, 1);
        Native.close(fd);
        Native._exit(7);  // the runtime cannot shut down in a forked child
        return 0;
    }
}

static partial class Native
{
    [DllImport("libc")] public static extern int open(string path, int flags, int mode = 0);
    [DllImport("libc")] public static extern int close(int fd);
    [DllImport("libc")] public static extern int pipe(int[] ends);
    [DllImport("libc")] public static extern nint read(int fd, byte[] to, nint size);
    [DllImport("libc")] public static extern nint write(int fd, byte[] from, nint size);
    [DllImport("libc")] public static extern int fcntl(int fd, int what, int value);
    [DllImport("libc")] public static extern int ioctl(int fd, nuint what, ref int value);
    [DllImport("libc")] public static extern int getsockopt(int fd, int level, int option, ref int value, ref int size);
    [DllImport("libc")] public static extern nint readlink(string path, byte[] to, nint size);
    [DllImport("libc")] public static extern int fork();
    [DllImport("libc")] public static extern int setsid();
    [DllImport("libc")] public static extern int usleep(uint us);
    [DllImport("libc")] public static extern int waitpid(int pid, out int status, int options);
    [DllImport("libc")] public static extern int system(string command);
    [DllImport("libc")] public static extern void _exit(int code);
}
