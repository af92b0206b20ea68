using System.IO.Pipes;
using System.Runtime.InteropServices;
using static Situations;

namespace Io;

/// Raw system calls, whose failures this program sees: EINTR among them.
static unsafe class Waiting
{
    struct PollFd
    {
        public int Fd;
        public short Events;
        public short Returned;
    }

    struct Timespec
    {
        public long Seconds;
        public long Nanoseconds;
    }

    [DllImport("libc", SetLastError = true)]
    static extern int poll(PollFd* fds, nuint count, int timeout);

    [DllImport("libc", SetLastError = true)]
    static extern int nanosleep(Timespec* time, Timespec* left);

    [DllImport("libc", SetLastError = true)]
    static extern nint read(int fd, byte* buffer, nint size);

    [DllImport("libc", SetLastError = true)]
    static extern nint write(int fd, byte* buffer, nint size);

    [DllImport("libc", SetLastError = true)]
    static extern int pipe(int* fds);

    // One thread reads byte by byte what the other writes a little later.
    public static long Read(Func<bool> running)
    {
        int* ends = stackalloc int[2];
        Check(pipe(ends) == 0, "no pipe");
        int from = ends[0], to = ends[1];
        long written = 0, got = 0;
        var writer = new Thread(() =>
        {
            byte data = 0;
            for (; running(); data++, written++)
            {
                Spin.Chunk(data);
                Check(write(to, &data, 1) == 1, $"write: errno {Marshal.GetLastPInvokeError()}");
            }
            byte end = (byte)(data ^ 0x55);
            Check(write(to, &end, 1) == 1, "write");
        });
        writer.Start();
        for (byte expected = 0;; expected++, got++)
        {
            byte data;
            Spin.Chunk(expected);
            Check(read(from, &data, 1) == 1, $"read: errno {Marshal.GetLastPInvokeError()}");
            if (data == (byte)(expected ^ 0x55)) break;
            Check(data == expected, "another byte");
        }
        writer.Join();
        Check(got == written, "bytes were lost");
        return got;
    }

    public static long Poll(Func<bool> running)
    {
        using var idle = new AnonymousPipeServerStream(PipeDirection.In);
        long rounds = 0;
        for (; running(); rounds++)
        {
            Spin.Chunk((uint)rounds);
            var fd = new PollFd { Fd = (int)idle.SafePipeHandle.DangerousGetHandle(), Events = 1 };
            int answer = poll(&fd, 1, 1);
            Check(answer == 0, $"poll: {answer}, errno {Marshal.GetLastPInvokeError()}");
        }
        return rounds;
    }

    public static long Sleep(Func<bool> running)
    {
        long rounds = 0;
        for (; running(); rounds++)
        {
            Spin.Chunk((uint)rounds);
            var time = new Timespec { Nanoseconds = 100_000 };
            int answer = nanosleep(&time, null);
            Check(answer == 0, $"nanosleep: errno {Marshal.GetLastPInvokeError()}");
        }
        return rounds;
    }
}
