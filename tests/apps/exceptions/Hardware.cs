using System.Runtime.CompilerServices;
using static Situations;

namespace Exceptions;

/// Exceptions that begin as SIGSEGV and SIGFPE in managed code.
static class Hardware
{
    interface IShape
    {
        int Area();
    }

    static readonly Node? s_none = null;

    sealed class Node
    {
        public Node? Next = s_none;
        public int Value = 1;
    }

    public static long Run(Func<bool> running)
    {
        long rounds = 0;
        for (; running(); rounds++)
        {
            Check(Catches<NullReferenceException>(() => Field(null)), "no NullReferenceException of a field");
            Check(Catches<NullReferenceException>(() => Call(null)), "no NullReferenceException of a call");
            Check(Catches<NullReferenceException>(() => Chain(new Node(), 3)), "no NullReferenceException of a chain");
            Check(Catches<DivideByZeroException>(() => Divide(1, 0)), "no DivideByZeroException");
            Check(Catches<OverflowException>(() => Divide(int.MinValue, -1)), "no OverflowException");
        }
        return rounds;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static bool Catches<T>(Func<int> work) where T : Exception
    {
        try
        {
            return work() == int.MinValue + 1;
        }
        catch (T)
        {
            return true;
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Field(Node? node) => node!.Value;

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Call(IShape? shape) => shape!.Area();

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Chain(Node node, int steps) => steps == 0 ? node.Value : Chain(node.Next!, steps - 1) + 1;

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Divide(int a, int b) => a / b;
}
