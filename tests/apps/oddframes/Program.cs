// Frames unlike most: of a size only known at run time, larger than a page, of finally, catch and filter bodies, above
// a signal frame (a null reference is a fault), of dynamic code and through delegates.  oddframes [SECONDS]
using System.Diagnostics;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;

double seconds = args.Length > 0 ? double.Parse(args[0]) : 3;
var clock = Stopwatch.StartNew();
Func<int, int> dynamic = Odd.MakeDynamic();
long sum = 0;
for (int i = 0; clock.Elapsed.TotalSeconds < seconds; i++)
{
    sum += Odd.StackAlloc(i % 500) + Odd.LargeFrame(i) + Odd.Finally(i) + Odd.Vectors(i) + dynamic(i);
    if (i % 16 == 0) sum += Odd.Fault(null) + Odd.Filter(i) + Odd.Rethrow(i);
}
Console.WriteLine(sum != 0);

static class Odd
{
    struct Page { public Values A, B, C, D; }
    [InlineArray(256)] struct Values { long _first; }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int StackAlloc(int count)
    {
        Span<int> values = stackalloc int[count + 1];
        for (int i = 0; i < values.Length; i++) values[i] = Spin(i, 3);
        return values[count];
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static long LargeFrame(int seed)
    {
        Page page = default;
        page.A[seed & 255] = page.B[seed + 1 & 255] = page.C[seed + 2 & 255] = page.D[seed + 3 & 255] = Spin(seed, 5);
        return page.A[0] + page.B[1] + page.C[2] + page.D[3] + Use(ref page);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static long Use(ref Page page) => page.A[7] ^ page.D[9];

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Finally(int seed)
    {
        int result = 0;
        try { result = MayThrow(seed, 64); }
        catch (InvalidOperationException) { result = Spin(seed, 200); }
        finally { result += Spin(seed, 40); }
        return result;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Filter(int seed)
    {
        try { return MayThrow(seed, 1); }
        catch (InvalidOperationException) when (Spin(seed, 300) != 1) { return Spin(seed, 300); }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Rethrow(int seed)
    {
        try
        {
            try { return MayThrow(seed, 1); }
            catch (Exception) { Spin(seed, 100); throw; }
            finally { Spin(seed, 300); }
        }
        catch (InvalidOperationException e) { return Spin(e.Message.Length, 100); }
    }

    // Read by the processor at address 8: the runtime makes an exception of the signal.
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Fault(string? text)
    {
        try { return text!.Length; }
        catch (NullReferenceException) { return Spin(3, 300); }
        finally { Spin(4, 100); }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Vectors(int seed)
    {
        double a = seed, b = a + 1, c = b * a, d = c - b;
        for (int i = 0; i < 20; i++) { a = Math.Sin(a) + b; b = Math.Sqrt(Math.Abs(c)) + d; c += a; d -= Math.Cbrt(b); }
        return (int)(a + b + c + d);
    }

    public static Func<int, int> MakeDynamic()
    {
        var method = new DynamicMethod("Doubled", typeof(int), [typeof(int)]);
        ILGenerator il = method.GetILGenerator();
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Ldc_I4, 30);
        il.Emit(OpCodes.Call, ((Func<int, int, int>)Spin).Method);
        il.Emit(OpCodes.Ret);
        return method.CreateDelegate<Func<int, int>>();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int MayThrow(int seed, int every) =>
        seed % every == 0 ? throw new InvalidOperationException("asked for") : Spin(seed, 10);

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Spin(int seed, int rounds)
    {
        uint x = (uint)seed;
        for (int i = 0; i < rounds; i++) x = x * 1664525 + 1013904223 ^ x >> 7;
        return (int)x;
    }
}
