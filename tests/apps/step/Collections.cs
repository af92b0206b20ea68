using System.Runtime.CompilerServices;

namespace Stepping;

// Methods whose return address the runtime replaces meanwhile: another thread collects all the time, and code without
// safe points can be stopped in no other way.
static class Collections
{
    // Optimized at once: an unoptimized method has safe points of its own.
    const MethodImplOptions Optimized = MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization;

    const int Enough = 1;  // collection: it nearly always finds the thread in code without safe points

    static bool s_wanted;
    static int s_collected;
    static ulong s_last;
    static Thread? s_collector;

    public static long All()
    {
        s_collector ??= StartCollector();
        int before = Volatile.Read(ref s_collected);
        Volatile.Write(ref s_wanted, true);
        ulong sum = 0;
        for (ulong i = 0; i < 40; i++) sum += Outer(i) + (ulong)Text(i).Length;
        // How long the collector waits for a processor does not show in the sum.
        while (Stepper.Stepped && Volatile.Read(ref s_collected) - before < Enough) s_last = Outer(0) + (ulong)Text(0).Length;
        Volatile.Write(ref s_wanted, false);
        return (long)(sum % 1000);
    }

    static Thread StartCollector()
    {
        var thread = new Thread(Collect) { IsBackground = true, Name = "collector" };
        thread.Start();
        return thread;
    }

    static void Collect()
    {
        for (;;)
        {
            if (!Volatile.Read(ref s_wanted))
            {
                Thread.Sleep(1);
                continue;
            }
            GC.Collect(0);
            Volatile.Write(ref s_collected, s_collected + 1);
        }
    }

    [MethodImpl(Optimized)]
    static ulong Outer(ulong x) => Straight(x) + 1;

    [MethodImpl(Optimized)]
    static ulong Straight(ulong x)
    {
        x = (0xfedcba9876543210 + x) ^ (x << 13 | 1);
        x = (0xfedcba9876543211 + x) ^ (x << 7 | 1);
        x = (0xfedcba9876543213 + x) ^ (x << 17 | 1);
        x = (0xfedcba9876543215 + x) ^ (x << 5 | 1);
        x = (0xfedcba9876543217 + x) ^ (x << 11 | 1);
        x = (0xfedcba9876543219 + x) ^ (x << 3 | 1);
        return x ^ x >> 31;
    }

    // Returns a reference: the runtime keeps it for the collector.
    [MethodImpl(Optimized)]
    static string Text(ulong x) => (x & 1) == 0 ? "even" : "odd";
}
