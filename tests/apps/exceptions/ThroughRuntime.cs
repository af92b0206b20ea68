using System.Reflection;
using System.Runtime.CompilerServices;
using static Situations;

namespace Exceptions;

/// Exceptions that leave managed frames the runtime itself called: reflection, class constructors, delegates, finalizers' kin.
static class ThroughRuntime
{
    static class Broken<T>
    {
        public static readonly int Value = Fail(typeof(T).Name);
        static int Fail(string name) => throw new InvalidOperationException(name);
    }

    sealed class BrokenInstance
    {
        public BrokenInstance() => throw new ArgumentException("constructed");
    }

    public static int Invoked(int value)
    {
        Spin.Chunk((uint)value);
        throw new FormatException("invoked");
    }

    public static long Run(Func<bool> running)
    {
        MethodInfo method = typeof(ThroughRuntime).GetMethod(nameof(Invoked))!;
        long rounds = 0;
        for (; running(); rounds++)
        {
            Check(Inner(() => method.Invoke(null, [1])) is FormatException, "not what the invoked method threw");
            Check(Inner(() => Activator.CreateInstance<BrokenInstance>()) is ArgumentException, "not what the constructor threw");
            Check(Inner(() => ReadBroken<string>()) is InvalidOperationException, "not what the class constructor threw");
            Check(Inner(() => new int[1].AsSpan().ToArray().Cast<int>().Select(Invoked).Sum()) is FormatException, "lost in LINQ");
            Check(Inner(() => Array.Sort([3, 1, 2], Compare)) is TimeoutException, "not what the comparer threw");
        }
        return rounds;
    }

    /// The runtime itself throws, in a function that a method of CoreLib called: the class is known to be broken, or there
    /// is no such type.
    public static long RuntimeThrows(Func<bool> running)
    {
        long rounds = 0;
        for (; running(); rounds++)
        {
            Check(Inner(() => ReadBroken<string>()) is InvalidOperationException, "not what the class constructor threw");
            Check(Inner(() => Type.GetType("No.Such.Type, No.Such.Assembly", true)) is FileNotFoundException, "a type from nowhere");
            Check(Inner(() => typeof(List<>).MakeGenericType(typeof(Span<int>))) is ArgumentException or TypeLoadException,
                  "a list of spans");
            Check(Inner(() => Array.CreateInstance(typeof(void), 1)) is NotSupportedException, "an array of nothing");
        }
        return rounds;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void ReadBroken<T>() => Check(Broken<T>.Value == int.MinValue, "a broken class was read");

    static int Compare(int a, int b) => throw new TimeoutException("compared");

    // Who throws may be wrapped once.
    static Exception? Inner(Action work)
    {
        try
        {
            work();
            return null;
        }
        catch (Exception e)
        {
            return e.InnerException ?? e;
        }
    }
}
