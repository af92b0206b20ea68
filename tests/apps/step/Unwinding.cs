using System.Runtime.CompilerServices;

namespace Stepping;

// try/finally whose finally runs inline and as a funclet; catch, filter, rethrow, exceptions through funclets.
static class Unwinding
{
    public static long All() => Normal(3) + Leaving(5) + Nested(7) + Using(9);

    [MethodImpl(MethodImplOptions.NoInlining)]
    static long Leaf(long x) => x * 5 + 2;

    [MethodImpl(MethodImplOptions.NoInlining)]
    static long Normal(long x)
    {
        long seen = 0;
        try { seen += Leaf(x); }
        finally { seen += Leaf(seen); }
        return seen;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static long Leaving(long x)
    {
        long seen = 0;
        for (long i = 0; i < x; i++)
        {
            try
            {
                if (i == 3) return seen;
                seen += Leaf(i);
            }
            finally { seen += Leaf(seen); }
        }
        return seen;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static long Nested(long x)
    {
        long seen = 0;
        try
        {
            try { seen += Leaf(x); }
            finally
            {
                try { seen += Leaf(seen); }
                finally { seen += Leaf(seen + 1); }
            }
        }
        finally { seen ^= Leaf(seen); }
        return seen;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static long Using(long x)
    {
        using var guard = new Guard();
        lock (guard) return Leaf(x) + guard.Ended;
    }

    sealed class Guard : IDisposable
    {
        public int Ended;
        [MethodImpl(MethodImplOptions.NoInlining)]
        public void Dispose() => Ended += (int)Leaf(Ended);
    }

    public static long Catching()
    {
        long seen = 0;
        try { Throwing(ref seen, 2); }
        catch (InvalidOperationException e) when (Leaf(e.Message.Length) > 0) { seen += Leaf(seen); }
        return seen;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Throwing(ref long seen, int depth)
    {
        try
        {
            if (depth == 0) throw new InvalidOperationException("seen");
            Throwing(ref seen, depth - 1);
        }
        catch (InvalidOperationException) when (depth == 1)
        {
            seen += Leaf(seen);
            throw;
        }
        finally { seen += Leaf(depth); }
    }
}
