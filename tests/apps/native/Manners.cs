using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using static Situations;

namespace Native;

static unsafe class Manners
{
    [DllImport("hostile")]
    static extern int hostile_throw(int levels);

    [DllImport("hostile")]
    static extern int hostile_malloc(uint seed);

    [DllImport("hostile")]
    static extern int hostile_load(int times);

    [DllImport("hostile")]
    static extern int hostile_hold_loader();

    [DllImport("hostile")]
    static extern int hostile_signals(int times);

    [DllImport("hostile")]
    static extern int hostile_small_stacks(int times);

    [DllImport("hostile")]
    static extern int hostile_jump(int levels);

    [DllImport("hostile")]
    static extern int hostile_threads(int count, delegate* unmanaged[Cdecl]<int, int> callback);

    static long Repeat(Func<bool> running, Func<uint, int> work, string what)
    {
        long rounds = 0;
        do  // once also where a busy machine has let the time pass
        {
            Check(work((uint)rounds) == 0, what);
            rounds++;
        } while (running());
        return rounds;
    }

    // Two threads and the collector at once.
    static long Together(Func<bool> running, Func<uint, int> work, string what)
    {
        var other = new Thread(() => Repeat(running, work, what));
        other.Start();
        var collecting = new Thread(() =>
        {
            while (running())
            {
                for (int i = 0; i < 1_000; i++) GC.KeepAlive(new byte[1_000]);
                GC.Collect(0);
                Thread.Sleep(1);
            }
        });
        collecting.Start();
        long rounds = Repeat(running, work, what);
        other.Join();
        collecting.Join();
        return rounds;
    }

    public static long CppExceptions(Func<bool> running) =>
        Repeat(running, _ => hostile_throw(20), "a C++ exception was caught elsewhere");

    public static long Malloc(Func<bool> running) => Together(running, hostile_malloc, "memory holds something else");

    public static long Dlopen(Func<bool> running) => Together(running, _ => hostile_load(5), "a library was not loaded");

    public static long LoaderLock(Func<bool> running)
    {
        var loading = new Thread(() => Repeat(running, _ => hostile_load(1), "a library was not loaded"));
        loading.Start();
        long rounds = Together(running, _ => hostile_hold_loader(), "the loader's lists were not walked");
        loading.Join();
        return rounds;
    }

    public static long Signals(Func<bool> running) => Together(running, _ => hostile_signals(20), "a signal was lost");

    public static long SmallStacks(Func<bool> running) => Together(running, _ => hostile_small_stacks(50), "no small stack");

    public static long LongJump(Func<bool> running) => Repeat(running, _ => hostile_jump(20), "longjmp went elsewhere");

    public static long NativeThreads(Func<bool> running) =>
        Repeat(running, _ => hostile_threads(4, &Callback), "a thread's callback answered something else");

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    static int Callback(int value)
    {
        Spin.Chunk((uint)value);
        return value + 1;
    }
}
