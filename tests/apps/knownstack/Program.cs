// Burns CPU time on known call paths, measures it by the thread's own CPU clock, and prints what a profile must say:
//   {"cpu_seconds": 2.01, "paths": [{"stack": ["A", "B", "C"], "cpu_seconds": 1.0}, …]}   root first
// knownstack [MILLISECONDS]
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text.Json;

int milliseconds = args.Length > 0 ? int.Parse(args[0]) : 3_000;
var thread = new Thread(() => Known.Run(milliseconds)) { Name = "whose stack is known" };
thread.Start();
thread.Join();
Console.WriteLine(Known.Report());

static unsafe class Known
{
    static readonly long[] s_burnt = new long[5];
    static readonly string[][] s_stacks =
    [
        ["Known.A", "Known.B", "Known.C"],
        ["Known.A", "Known.B", "Known.D"],
        ["Known.A", "Known.E"],
        ["Known.A", "Known.F", "qsort", "Known.Compare", "Known.G"],
        ["Known.A", "Known.H<int>", "Known.C"],
    ];

    // Small turns, so that every path is seen in every part of the run.
    public static void Run(int milliseconds)
    {
        for (int turn = 0; turn < milliseconds / 100; turn++) A();
    }

    // 40 + 20 + 10 + 20 + 10 ms.
    [MethodImpl(MethodImplOptions.NoInlining)]
    static int A()
    {
        int sum = B();
        sum += E();
        sum += F();
        sum += H<int>(4);
        return sum + 1;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int B()
    {
        int sum = C(0, 40);
        sum += D();
        return sum + 1;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int C(int path, int milliseconds) => Burn(path, milliseconds) + 1;

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int D() => Burn(1, 20) + 1;

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int E() => Burn(2, 10) + 1;

    [DllImport("libc")]
    static extern void qsort(int* items, nuint count, nuint size, delegate* unmanaged[Cdecl]<int*, int*, int> compare);

    // Three items need two or three comparisons (glibc sorts by merging): the first two burn.
    static int s_comparisons;

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int F()
    {
        int* items = stackalloc int[3] { 3, 1, 2 };
        s_comparisons = 0;
        qsort(items, 3, sizeof(int), &Compare);
        return items[0];
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    static int Compare(int* a, int* b)
    {
        if (s_comparisons++ < 2) G();
        return *a - *b;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int G() => Burn(3, 10) + 1;

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int H<T>(T value) => C(4, 10) + (value is null ? 1 : 2);

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Burn(int path, int milliseconds)
    {
        s_burnt[path] += Spin.For(milliseconds);
        return path;
    }

    public static string Report() => JsonSerializer.Serialize(new
    {
        cpu_seconds = s_burnt.Sum() / 1e9,
        paths = s_stacks.Select((stack, i) => new { stack, cpu_seconds = s_burnt[i] / 1e9 }),
    });
}
