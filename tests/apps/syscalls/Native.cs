using System.Runtime.InteropServices;

namespace Syscalls;

/// libc, with results as the kernel gives them: errors are negative.
static unsafe class Native
{
    public static long Of(long result) => result == -1 ? -Marshal.GetLastPInvokeError() : result;

    [DllImport("libc", SetLastError = true)] public static extern int pipe(int* ends);
    [DllImport("libc", SetLastError = true)] public static extern int socketpair(int domain, int type, int protocol, int* ends);
    [DllImport("libc", SetLastError = true)] public static extern int socket(int domain, int type, int protocol);
    [DllImport("libc", SetLastError = true)] public static extern int bind(int fd, void* address, int size);
    [DllImport("libc", SetLastError = true)] public static extern int listen(int fd, int backlog);
    [DllImport("libc", SetLastError = true)] public static extern int accept(int fd, void* address, int* size);
    [DllImport("libc", SetLastError = true)] public static extern int connect(int fd, void* address, int size);
    [DllImport("libc", SetLastError = true)] public static extern int setsockopt(int fd, int level, int name, void* value, int size);
    [DllImport("libc", SetLastError = true)] public static extern int open(string path, int flags, int mode);
    [DllImport("libc", SetLastError = true)] public static extern int close(int fd);
    [DllImport("libc", SetLastError = true)] public static extern nint read(int fd, void* to, nint size);
    [DllImport("libc", SetLastError = true)] public static extern nint pread(int fd, void* to, nint size, long offset);
    [DllImport("libc", SetLastError = true)] public static extern nint write(int fd, void* from, nint size);
    [DllImport("libc", SetLastError = true)] public static extern nint writev(int fd, long* parts, int count);
    [DllImport("libc", SetLastError = true)] public static extern nint recv(int fd, void* to, nint size, int flags);
    [DllImport("libc", SetLastError = true)] public static extern nint getrandom(void* to, nint size, uint flags);
    [DllImport("libc", SetLastError = true)] public static extern int poll(void* set, ulong count, int milliseconds);
    [DllImport("libc", SetLastError = true)] public static extern int ppoll(void* set, ulong count, long* time, void* mask);
    [DllImport("libc", SetLastError = true)] public static extern int select(int count, void* r, void* w, void* e, long* time);
    [DllImport("libc", SetLastError = true)] public static extern int pselect(int count, void* r, void* w, void* e, long* time, void* mask);
    [DllImport("libc", SetLastError = true)] public static extern int epoll_create1(int flags);
    [DllImport("libc", SetLastError = true)] public static extern int epoll_wait(int fd, void* events, int count, int milliseconds);
    [DllImport("libc", SetLastError = true)] public static extern int nanosleep(long* time, long* left);
    [DllImport("libc", SetLastError = true)] public static extern int usleep(uint microseconds);
    [DllImport("libc")] public static extern int clock_nanosleep(int clock, int flags, long* time, long* left);  // gives the error itself
    [DllImport("libc", SetLastError = true)] public static extern int semget(int key, int count, int flags);
    [DllImport("libc", SetLastError = true)] public static extern int semctl(int id, int which, int command, int value);
    [DllImport("libc", SetLastError = true)] public static extern int semop(int id, short* operations, nint count);
    [DllImport("libc", SetLastError = true)] public static extern int semtimedop(int id, short* operations, nint count, long* time);
    [DllImport("libc", SetLastError = true)] public static extern int msgget(int key, int flags);
    [DllImport("libc", SetLastError = true)] public static extern int msgctl(int id, int command, void* to);
    [DllImport("libc", SetLastError = true)] public static extern int msgsnd(int id, void* message, nint size, int flags);
    [DllImport("libc", SetLastError = true)] public static extern nint msgrcv(int id, void* message, nint size, long type, int flags);
    [DllImport("libc", SetLastError = true)] public static extern int sigtimedwait(void* set, void* info, long* time);
    [DllImport("libc", SetLastError = true)] public static extern int flock(int fd, int operation);
    [DllImport("libc", SetLastError = true)] public static extern int fcntl(int fd, int command, void* argument);
    [DllImport("libc")] public static extern int posix_spawn(int* pid, string path, void* files, void* attributes, nint* arguments, nint* environment);
    [DllImport("libc", SetLastError = true)] public static extern int wait4(int pid, int* status, int options, void* usage);
    [DllImport("libc", SetLastError = true)] public static extern int waitid(int kind, int pid, void* info, int options);
    [DllImport("libc", SetLastError = true)] public static extern int kill(int pid, int signal);
    [DllImport("libc", SetLastError = true)] public static extern int eventfd(uint value, int flags);
    [DllImport("libc", SetLastError = true)] public static extern int mkfifo(string path, int mode);
    [DllImport("libc", SetLastError = true)] public static extern nint syscall(long number, nint a, nint b, nint c, nint d, nint e, nint f);
}
