using System.Runtime.InteropServices;

/// Lets a profiler tick, or not.
abstract class Switch
{
    public abstract void Set(bool ticking);
}

sealed class Nothing : Switch
{
    public override void Set(bool ticking) { }
}

/// Every perf event that a thread of this process holds (perf_event_open(2): PERF_EVENT_IOC_ENABLE, PERF_EVENT_IOC_DISABLE), in
/// whichever table of descriptors (pidfd_open(2), pidfd_getfd(2): of a thread, since Linux 6.9).
sealed class OwnEvents : Switch
{
    const ulong Enable = 0x2400, Disable = 0x2401;
    const long PidfdOpen = 434, PidfdGetfd = 438, PidfdThread = 0x80;

    [DllImport("libc", SetLastError = true)] static extern int ioctl(int file, ulong request, nint argument);
    [DllImport("libc", SetLastError = true)] static extern long syscall(long number, long first, long second, long third);
    [DllImport("libc")] static extern int close(int file);

    public override void Set(bool ticking)
    {
        int switched = 0;
        foreach (string thread in Directory.GetDirectories("/proc/self/task"))
        {
            string[] events = Files(thread + "/fd").Where(file => (Target(file) ?? "").Contains("[perf_event]")).ToArray();
            if (events.Length == 0) continue;
            int holder = (int)syscall(PidfdOpen, long.Parse(Path.GetFileName(thread)), PidfdThread, 0);
            foreach (string file in events)
            {
                int copy = (int)syscall(PidfdGetfd, holder, long.Parse(Path.GetFileName(file)), 0);
                if (copy < 0) continue;
                if (ioctl(copy, ticking ? Enable : Disable, 0) == 0) switched++;
                close(copy);
            }
            if (holder >= 0) close(holder);
        }
        if (switched == 0) throw new InvalidOperationException("this process has no perf events: no agent, or one with timers");
    }

    static string[] Files(string folder)
    {
        try { return Directory.GetFiles(folder); }
        catch (IOException) { return []; } // the thread has ended
    }

    static string? Target(string link)
    {
        try { return new FileInfo(link).LinkTarget; }
        catch (IOException) { return null; } // the folder's own descriptor
    }
}

/// perf-record(1), --control: a command a line, "ack" a line when it is done.
sealed class PerfControl(string control, string ack) : Switch
{
    readonly FileStream _control = new(control, FileMode.Open, FileAccess.Write);
    readonly FileStream _ack = new(ack, FileMode.Open, FileAccess.Read);

    public override void Set(bool ticking)
    {
        _control.Write(ticking ? "enable\n"u8 : "disable\n"u8);
        _control.Flush();
        while (_ack.ReadByte() is var read && read != '\n')
        {
            if (read < 0) throw new InvalidOperationException("perf is gone");
        }
    }
}
