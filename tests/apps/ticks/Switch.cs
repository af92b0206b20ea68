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

/// Every perf event that this process holds (perf_event_open(2): PERF_EVENT_IOC_ENABLE, PERF_EVENT_IOC_DISABLE).
sealed class OwnEvents : Switch
{
    const ulong Enable = 0x2400, Disable = 0x2401;

    [DllImport("libc", SetLastError = true)] static extern int ioctl(int file, ulong request, nint argument);

    public override void Set(bool ticking)
    {
        int switched = 0;
        foreach (string file in Directory.GetFiles("/proc/self/fd"))
        {
            if (!(Target(file) ?? "").Contains("[perf_event]")) continue;
            if (ioctl(int.Parse(Path.GetFileName(file)), ticking ? Enable : Disable, 0) == 0) switched++;
        }
        if (switched == 0) throw new InvalidOperationException("this process has no perf events: no agent, or one with timers");
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
