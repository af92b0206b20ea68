// What a thread does after it has left a collection or the compiler in an unusual way.  marks SITUATION [SECONDS]
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

return Situations.Run(args, new()
{
    ["backgroundgc"] = Marks.BackgroundGc,
    ["failedjit"] = Marks.FailedJit,
});

static unsafe class Marks
{
    const int BufferBytes = 1 << 20;

    [DllImport("libc")]
    static extern void* memset(void* to, int value, nint size);

    sealed class Node(Node? next)
    {
        public readonly Node? Next = next;
    }

    /// A collection that goes on in the background is begun by a thread that then works on.
    public static long BackgroundGc(Func<bool> running)
    {
        Node? list = null;
        for (int i = 0; i < 1_000_000; i++) list = new Node(list);
        GC.Collect();
        int before = GC.CollectionCount(2);
        GC.Collect(2, GCCollectionMode.Forced, blocking: false);
        long rounds = 0;
        // At least so much work: on a busy machine a second is little CPU time.
        for (; running() || rounds < 5_000 || GC.CollectionCount(2) == before; rounds++) WorkOn();
        GC.KeepAlive(list);
        return rounds;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void WorkOn() => Spin.Chunk(1);

    /// The compiler gives up a method that makes no sense, and it is the last one: what comes after it was compiled
    /// in the round before.
    public static long FailedJit(Func<bool> running)
    {
        void* buffer = NativeMemory.Alloc(BufferBytes);
        bool second = false;
        long rounds = 0;
        for (int i = 0; i < 2; i++, second = true) rounds += FailAndFillOn(buffer, 1, () => running() && second);
        NativeMemory.Free(buffer);
        return rounds;
    }

    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization)]
    static long FailAndFillOn(void* buffer, long rounds, Func<bool> running)
    {
        var nonsense = new DynamicMethod("Nonsense", null, null, typeof(Marks).Module);
        nonsense.GetILGenerator().Emit(OpCodes.Pop);
        try
        {
            nonsense.CreateDelegate<Action>()();
            return 0;
        }
        catch (InvalidProgramException)
        {
        }
        do FillOn(buffer);
        while (running() && ++rounds > 0);
        return rounds;
    }

    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization)]
    static void FillOn(void* buffer)
    {
        for (int i = 0; i < 100; i++) memset(buffer, i, BufferBytes);
    }
}
