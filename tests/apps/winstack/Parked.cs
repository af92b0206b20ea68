using System.Diagnostics;
using System.Runtime.InteropServices;

/// Threads that are nearly always where it is dangerous to stop them: in the heap's lock, in the loader's, in a garbage
/// collection, at their ends. They must get through, whatever stops them there.
static class Parked
{
    [DllImport("kernel32")]
    static extern nint GetProcessHeap();
    [DllImport("kernel32")]
    static extern nint HeapAlloc(nint heap, uint flags, nint bytes);
    [DllImport("kernel32")]
    static extern int HeapFree(nint heap, uint flags, nint memory);
    [DllImport("kernel32", CharSet = CharSet.Unicode)]
    static extern nint LoadLibraryW(string name);
    [DllImport("kernel32")]
    static extern int FreeLibrary(nint library);

    static long s_turns;
    static Func<bool> s_goOn = () => false;

    public static int Run(string where, double seconds)
    {
        var clock = Stopwatch.StartNew();
        s_goOn = () => clock.Elapsed.TotalSeconds < seconds;
        Action body = where switch
        {
            "heap" => Heap,
            "loader" => Loader,
            "gc" => Collect,
            "exit" => Exit,
            _ => throw new ArgumentException(where),
        };
        var threads = Enumerable.Range(0, 3).Select(i => new Thread(() => { while (s_goOn()) { body(); Interlocked.Increment(ref s_turns); } })
            { Name = $"parked{i}" }).ToArray();
        foreach (Thread thread in threads) thread.Start();
        foreach (Thread thread in threads) thread.Join();
        Console.WriteLine($"{s_turns > 0} {s_turns}");
        return s_turns > 0 ? 0 : 1;
    }

    static void Heap()
    {
        nint heap = GetProcessHeap();
        for (int i = 0; i < 1000; i++) HeapFree(heap, 0, HeapAlloc(heap, 0, 16 + i * 64));
    }

    static void Loader()
    {
        nint library = LoadLibraryW("version.dll");
        if (library != 0) FreeLibrary(library);
    }

    static void Collect()
    {
        var kept = new List<byte[]>();
        for (int i = 0; i < 100; i++) kept.Add(new byte[10_000]);
        GC.Collect(1);
    }

    static void Exit()
    {
        var thread = new Thread(() => { });
        thread.Start();
        thread.Join();
    }
}
