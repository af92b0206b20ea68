using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Exceptions;

/// What no program survives: each works for its time, then dies.
static unsafe class Fatal
{
    [DllImport("hostile")]
    static extern int hostile_call(delegate* unmanaged[Cdecl]<int, int> callback, int value, int levels);

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    static int Callback(int value)
    {
        Spin.Chunk((uint)value);
        return value >= 0 ? value + 1 : throw new InvalidOperationException("thrown through native frames");
    }

    // No handler can be found beyond native frames: the runtime aborts.
    public static long ThroughNative(Func<bool> running)
    {
        int value = 0;
        while (running()) value = hostile_call(&Callback, value, 10);
        return hostile_call(&Callback, -1, 10);
    }

    public static long StackOverflow(Func<bool> running)
    {
        while (running()) Spin.Chunk(1);
        var thread = new Thread(() => Console.WriteLine(Forever(0)), 512 * 1024);
        thread.Start();
        thread.Join();
        return 0;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Forever(int depth) => Forever(depth + 1) + 1;
}
