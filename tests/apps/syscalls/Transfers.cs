using System.Runtime.InteropServices;
using static Syscalls.Native;

namespace Syscalls;

/// Calls that move many bytes: a count below what was asked for is what a signal leaves of them.
static unsafe class Transfers
{
    const int Large = 4 << 20, Medium = 1 << 20;
    const int WaitAll = 0x100;

    static readonly byte* bytes = (byte*)NativeMemory.AllocZeroed(Large);
    static readonly byte* taken = (byte*)NativeMemory.AllocZeroed(Large);

    public static List<Kind> All()
    {
        List<Kind> kinds = [];
        int[] pipe = Ends(to => Native.pipe(to)), socket = Ends(to => socketpair(1, 1, 0, to));
        int[] parts = Ends(to => Native.pipe(to)), filled = Ends(to => socketpair(1, 1, 0, to));
        foreach (int end in new[] { pipe[0], socket[0], parts[0] }) Forever(() => read(end, taken, Large));
        Forever(() => write(filled[1], bytes, Large));
        int random = open("/dev/urandom", 0, 0), zeros = open("/dev/zero", 0, 0);
        kinds.Add(new("pipe_write", () => Of(write(pipe[1], bytes, Large)), Large));
        kinds.Add(new("pipe_writev", () => Of(WriteParts(parts[1])), Large));
        kinds.Add(new("socket_write", () => Of(write(socket[1], bytes, Large)), Large));
        kinds.Add(new("recv_waitall", () => Of(recv(filled[0], bytes, Medium, WaitAll)), Medium));
        kinds.Add(new("getrandom", () => Of(getrandom(bytes, Medium, 0)), Medium));
        kinds.Add(new("read_urandom", () => Of(read(random, bytes, Medium)), Medium));
        kinds.Add(new("read_zero", () => Of(read(zeros, bytes, Large)), Large));
        return kinds;
    }

    static nint WriteParts(int fd)
    {
        long* parts = stackalloc long[] { (long)bytes, Large / 2, (long)bytes, Large / 2 };
        return writev(fd, parts, 2);
    }

    delegate int Make(int* ends);

    static int[] Ends(Make make)
    {
        int* ends = stackalloc int[2];
        if (make(ends) != 0) throw new IOException($"errno {Marshal.GetLastPInvokeError()}");
        return [ends[0], ends[1]];
    }

    static void Forever(Action action) => new Thread(() => { while (true) action(); }) { IsBackground = true }.Start();
}
