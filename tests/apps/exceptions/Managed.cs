using System.Runtime.CompilerServices;
using static Situations;

namespace Exceptions;

/// Thrown and caught in managed code.
static class Managed
{
    sealed class Bad(int value) : Exception
    {
        public readonly int Value = value;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Throw(int value) => throw new Bad(value);

    public static long Rethrow(Func<bool> running)
    {
        long rounds = 0;
        for (; running(); rounds++)
        {
            try
            {
                RethrowAgain((int)rounds, 8);
                Check(false, "nothing was thrown");
            }
            catch (Bad bad)
            {
                Check(bad.Value == (int)rounds, "another exception came");
            }
        }
        return rounds;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int RethrowAgain(int value, int levels)
    {
        try
        {
            return levels == 0 ? Throw(value) : RethrowAgain(value, levels - 1) + 1;
        }
        catch (Bad)
        {
            throw;
        }
    }

    public static long Filter(Func<bool> running)
    {
        long rounds = 0;
        for (; running(); rounds++)
        {
            int evaluated = 0;
            int caught = Filtered((int)rounds, 6, ref evaluated);
            Check(caught == (int)rounds && evaluated == 6, "filters ran another number of times");
        }
        return rounds;
    }

    // Filters run in the first pass, below frames that are still on the stack.
    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Filtered(int value, int levels, ref int evaluated)
    {
        try
        {
            return levels == 0 ? Throw(value) : Filtered(value, levels - 1, ref evaluated);
        }
        catch (Bad bad) when (Matches(levels, ref evaluated))
        {
            return bad.Value;
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static bool Matches(int levels, ref int evaluated)
    {
        Spin.Chunk((uint)levels);
        return levels == 6 || ++evaluated < 0;
    }

    public static long Finally(Func<bool> running)
    {
        long rounds = 0;
        for (; running(); rounds++)
        {
            int finallys = 0;
            try
            {
                Unwound(6, ref finallys);
            }
            catch (Bad)
            {
                Spin.Chunk(1);
            }
            Check(finallys == 7, "a finally did not run");
            Unexceptional(ref finallys);
            Check(finallys == 8, "a finally did not run without an exception");
        }
        return rounds;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Unwound(int levels, ref int finallys)
    {
        try
        {
            return levels == 0 ? Throw(1) : Unwound(levels - 1, ref finallys) + 1;
        }
        finally
        {
            Spin.Chunk((uint)levels);
            finallys++;
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Unexceptional(ref int finallys)
    {
        try
        {
            Spin.Chunk(3);
        }
        finally
        {
            Spin.Chunk(4);
            finallys++;
        }
    }

    // Nearly all the time goes into looking for a handler 300 frames away, and into the stack trace.
    public static long InFlight(Func<bool> running)
    {
        long rounds = 0;
        for (; running(); rounds++)
        {
            try
            {
                Far(300);
            }
            catch (Bad bad)
            {
                Check(bad.StackTrace!.Split('\n').Length == 303, "another stack trace");
            }
        }
        return rounds;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Far(int depth) => depth == 0 ? Throw(7) : Far(depth - 1) + 1;
}
