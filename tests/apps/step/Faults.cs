using System.Runtime.CompilerServices;

namespace Stepping;

// Exceptions that begin as a signal of the managed instruction itself: SIGSEGV of a null reference, SIGFPE of a
// division, caught some frames further up.
static class Faults
{
    static readonly Node? s_none = null;

    sealed class Node
    {
        public Node? Next = s_none;
        public long Value = 1;
    }

    public static long NullReference() => Caught<NullReferenceException>(() => Chain(new Node(), 3));
    public static long Division() => Caught<DivideByZeroException>(() => Divide(7, 0));

    [MethodImpl(MethodImplOptions.NoInlining)]
    static long Caught<T>(Func<long> work) where T : Exception
    {
        try { return work(); }
        catch (T e) { return e.Message.Length > 0 ? 11 : 0; }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static long Chain(Node node, int steps) => steps == 0 ? node.Value : Chain(node.Next!, steps - 1) + 1;

    [MethodImpl(MethodImplOptions.NoInlining)]
    static long Divide(long a, long b) => a / b;
}
