using System.Reflection.Emit;
using System.Runtime.CompilerServices;

namespace Stepping;

// The IL prefix tail.: a jump where the arguments fit, the runtime's tail call helper where they do not.
static class TailCalls
{
    static readonly Func<long, long> s_fast = MakeFast();
    static readonly Func<long, long> s_byHelper = MakeByHelper();

    public static long All() => s_fast(3) + s_byHelper(4) + Implicit(5) + Even(9);

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static long Few(long x) => x * 7;

    public record struct Large(long A, long B, long C, long D, long E);

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static long Many(long a, long b, long c, long d, long e, long f, Large g, Large h) =>
        Few(a) + b + c + d + e + f + g.A + h.E;

    static Func<long, long> MakeFast()
    {
        var method = new DynamicMethod("TailFast", typeof(long), [typeof(long)], typeof(TailCalls).Module);
        ILGenerator il = method.GetILGenerator();
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Tailcall);
        il.Emit(OpCodes.Call, typeof(TailCalls).GetMethod(nameof(Few))!);
        il.Emit(OpCodes.Ret);
        return method.CreateDelegate<Func<long, long>>();
    }

    static Func<long, long> MakeByHelper()
    {
        var method = new DynamicMethod("TailByHelper", typeof(long), [typeof(long)], typeof(TailCalls).Module);
        ILGenerator il = method.GetILGenerator();
        LocalBuilder large = il.DeclareLocal(typeof(Large));
        for (int i = 0; i < 6; i++) il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Ldloc, large);
        il.Emit(OpCodes.Ldloc, large);
        il.Emit(OpCodes.Tailcall);
        il.Emit(OpCodes.Call, typeof(TailCalls).GetMethod(nameof(Many))!);
        il.Emit(OpCodes.Ret);
        return method.CreateDelegate<Func<long, long>>();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static long Implicit(long x) => Few(x + 1);

    [MethodImpl(MethodImplOptions.NoInlining)]
    static long Even(long n) => n == 0 ? 1 : Odd(n - 1);

    [MethodImpl(MethodImplOptions.NoInlining)]
    static long Odd(long n) => n == 0 ? 0 : Even(n - 1);
}
