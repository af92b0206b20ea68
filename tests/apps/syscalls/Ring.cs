using System.Runtime.InteropServices;
using static Syscalls.Native;

namespace Syscalls;

/// An io_uring that nothing is submitted to: only its wait is of interest.
sealed unsafe class Ring
{
    const long Setup = 425, Enter = 426;
    const nint GetEvents = 1, ExtendedArgument = 8;
    readonly int fd;
    readonly long* argument = (long*)NativeMemory.AllocZeroed(24);  // struct io_uring_getevents_arg

    Ring(int fd) => this.fd = fd;

    public static Ring? Open()
    {
        byte* parameters = stackalloc byte[120];
        new Span<byte>(parameters, 120).Clear();
        long fd = Of(syscall(Setup, 4, (nint)parameters, 0, 0, 0, 0));
        return fd < 0 ? null : new Ring((int)fd);
    }

    public long Wait(nint time)
    {
        argument[2] = time;
        return Of(syscall(Enter, fd, 0, 1, GetEvents | ExtendedArgument, (nint)argument, 24));
    }
}
