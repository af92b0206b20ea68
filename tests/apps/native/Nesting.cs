using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using static Situations;

namespace Native;

/// 200 times from managed to native code and back, on one stack.
static unsafe class Nesting
{
    const int Depth = 200;

    [DllImport("hostile")]
    static extern int hostile_call(delegate* unmanaged[Cdecl]<int, int> callback, int value, int levels);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    delegate int Callback(int depth);

    [DllImport("hostile", EntryPoint = "hostile_call")]
    static extern int hostile_call_delegate(Callback callback, int value, int levels);

    static readonly Callback s_down = DownByDelegate;

    public static long ByPointer(Func<bool> running)
    {
        long rounds = 0;
        for (; running(); rounds++) Check(hostile_call(&Down, Depth, 2) == Depth, "nested calls answer something else");
        return rounds;
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    static int Down(int depth)
    {
        Work(depth);
        return depth == 0 ? 0 : hostile_call(&Down, depth - 1, depth % 3 + 1) + 1;
    }

    public static long ByDelegate(Func<bool> running)
    {
        long rounds = 0;
        for (; running(); rounds++)
        {
            Check(hostile_call_delegate(s_down, Depth, 2) == Depth, "nested calls answer something else");
        }
        return rounds;
    }

    static int DownByDelegate(int depth)
    {
        Work(depth);
        return depth == 0 ? 0 : hostile_call_delegate(s_down, depth - 1, depth % 3 + 1) + 1;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static uint Work(int depth)
    {
        uint seed = (uint)depth;
        for (int i = 0; i < (depth % 50 == 0 ? 50_000 : 100); i++) seed = seed * 1664525 + 1013904223 ^ seed >> 7;
        return seed;
    }
}
