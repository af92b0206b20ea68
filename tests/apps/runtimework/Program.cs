// Work that the runtime does for one call of a method, again and again.   runtimework count|class|delegate|fcall|qcall SECONDS
// Until it has used so much CPU time.
using System.Diagnostics;
using System.Runtime.CompilerServices;

if (args.Length != 2) { Console.Error.WriteLine("usage: runtimework WORK SECONDS"); return 2; }
RuntimeWork.Run(double.Parse(args[1], System.Globalization.CultureInfo.InvariantCulture), args[0]);
return 0;

interface ICounted { int Add(int to); }
sealed class One : ICounted { public int Add(int to) => to + 1; }
sealed class Two : ICounted { public int Add(int to) => to + 2; }

static class RuntimeWork
{
    public static void Run(double seconds, string what)
    {
        Func<int> work = what switch
        {
            "count" => Count,
            "class" => Class,
            "delegate" => Delegate,
            "fcall" => FCall,
            "qcall" => QCall,
            _ => throw new ArgumentException($"no work is called {what}"),
        };
        using var process = Process.GetCurrentProcess();
        for (TimeSpan until = process.TotalProcessorTime + TimeSpan.FromSeconds(seconds); process.TotalProcessorTime < until; process.Refresh())
            for (int i = 0; i < 100; i++) work();
        Console.WriteLine($"work {what}");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Count()
    {
        int odd = 0;
        for (int i = 0; i < 10_000; i++)
        {
            if ((i * 7 & 8) != 0) odd++;
            else odd ^= i;
        }
        return odd;
    }

    static readonly ICounted[] s_counted = [new One(), new Two()];

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Class()
    {
        int sum = 0;
        for (int i = 0; i < 10_000; i++) sum = s_counted[i & 1].Add(sum);
        return sum;
    }

    static readonly Func<int, int>[] s_delegates = [new One().Add, new Two().Add];

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Delegate()
    {
        int sum = 0;
        for (int i = 0; i < 10_000; i++) sum = s_delegates[i & 1](sum);
        return sum;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int FCall()
    {
        int sum = 0;
        for (int i = 0; i < 10_000; i++) sum += GC.CollectionCount(0);
        return sum;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int QCall()
    {
        int sum = 0;
        for (int i = 0; i < 1_000; i++) sum += Thread.Yield() ? 1 : 0;
        return sum;
    }
}
