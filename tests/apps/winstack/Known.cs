using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

static unsafe class Known
{
    public static long Sum;

    public static readonly string[][] Edges =
    [
        ["", "Known.Run"],
        ["Known.Run", "Known.A"], ["Known.A", "Known.B"], ["Known.B", "Known.C"], ["Known.B", "Known.D"], ["Known.C", "Known.Burn"],
        ["Known.D", "Known.Recurse"], ["Known.Recurse", "Known.Recurse"], ["Known.Recurse", "Known.Burn"],
        ["Known.A", "Known.Generic<int>"], ["Known.Generic<int>", "Known.Burn"],
        ["Known.A", "Known.Generic<__Canon>"], ["Known.Generic<__Canon>", "Known.Burn"],
        ["Known.Run", "Known.Allocate"], ["Known.Allocate", "Known.Fill"], ["Known.Fill", "Known.Burn"],
        ["Known.Run", "Known.Catch"], ["Known.Catch", "Known.Pass"], ["Known.Pass", "Known.Throw"],
        ["Known.Pass", "Known.Finally"],
        // Handlers run above the frames of what was thrown.
        ["Known.Throw", "Known.Pass"], ["Known.Throw", "Known.Catch"], ["Known.Catch", "Known.Handle"], ["Known.Finally", "Known.Burn"], ["Known.Handle", "Known.Burn"],
        ["Known.Run", "Known.Sort"], ["Known.Sort", "Known.Compare"], ["Known.Compare", "Known.Weigh"], ["Known.Weigh", "Known.Burn"],
    ];

    public static void Run(string what, Func<bool> goOn)
    {
        while (goOn())
        {
            if (what is "managed" or "all") Sum += A();
            if (what is "alloc" or "all") Sum += Allocate(200);
            if (what is "exceptions" or "all") Sum += Catch();
            if (what is "native" or "all") Sum += Sort();
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static long A() => B() + Generic(1) + Generic("text") + 1;

    [MethodImpl(MethodImplOptions.NoInlining)]
    static long B()
    {
        long sum = C();
        return sum + D();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static long C() => Burn(3) + 1;

    [MethodImpl(MethodImplOptions.NoInlining)]
    static long D() => Recurse(12) + 1;

    [MethodImpl(MethodImplOptions.NoInlining)]
    static long Recurse(int depth) => depth == 0 ? Burn(2) : Recurse(depth - 1) + depth;

    [MethodImpl(MethodImplOptions.NoInlining)]
    static long Generic<T>(T value) => Burn(1) + (value is null ? 1 : 2);

    [MethodImpl(MethodImplOptions.NoInlining)]
    static long Allocate(int count)
    {
        long sum = 0;
        for (int i = 0; i < count; i++) sum += Fill(new byte[1000 + i], new List<string>());
        return sum;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static long Fill(byte[] bytes, List<string> list)
    {
        for (int i = 0; i < 20; i++) list.Add(new string('x', i));
        return bytes.Length + list.Count + (list.Count == 21 ? Burn(1) : 0);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static long Catch()
    {
        try
        {
            return Pass();
        }
        catch (InvalidOperationException e)
        {
            return Handle(e);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static long Pass()
    {
        try
        {
            return Throw();
        }
        finally
        {
            Sum += Finally();
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static long Throw() => throw new InvalidOperationException("on purpose");

    [MethodImpl(MethodImplOptions.NoInlining)]
    static long Finally() => Burn(1) + 1;

    [MethodImpl(MethodImplOptions.NoInlining)]
    static long Handle(Exception e) => Burn(1) + e.Message.Length;

    [DllImport("msvcrt")]
    static extern void qsort(int* items, nuint count, nuint size, delegate* unmanaged[Cdecl]<int*, int*, int> compare);

    [MethodImpl(MethodImplOptions.NoInlining)]
    static long Sort()
    {
        int* items = stackalloc int[64];
        for (int i = 0; i < 64; i++) items[i] = i * 37 % 64;
        qsort(items, 64, sizeof(int), &Compare);
        return items[0];
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    static int Compare(int* a, int* b) => (int)(Weigh(*a) - Weigh(*b));

    [MethodImpl(MethodImplOptions.NoInlining)]
    static long Weigh(int value) => value + Burn(0) * 0;

    // Nothing that could be inlined or call.
    [MethodImpl(MethodImplOptions.NoInlining)]
    static long Burn(int amount)
    {
        uint seed = 1;
        for (int i = 0; i < 2_000 + amount * 20_000; i++) seed = seed * 1664525 + 1013904223 ^ seed >> 7;
        return seed & 1;
    }
}
