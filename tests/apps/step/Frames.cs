using System.Runtime.CompilerServices;

namespace Stepping;

// Frames of every shape: none, locals, stackalloc, more than a page, every callee-saved register in use.
static unsafe class Frames
{
    public static long All() =>
        Leaf(3) + NoLocals(4) + Locals(5) + StackAlloc(24) + StackAlloc(5000) + Large(6) + Larger(7) +
        ManyRegisters(1, 2, 3, 4, 5, 6) + ManyArguments(1, 2, 3, 4, 5, 6, 7, 8, 9, 10) + Recursive(12);

    [MethodImpl(MethodImplOptions.NoInlining)]
    static long Leaf(long x) => x * 3 + 1;

    [MethodImpl(MethodImplOptions.NoInlining)]
    static long NoLocals(long x) => Leaf(x);

    [MethodImpl(MethodImplOptions.NoInlining)]
    static long Locals(long x)
    {
        long a = Leaf(x), b = Leaf(a), c = Leaf(b);
        return a + b * c;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static long StackAlloc(int n)
    {
        byte* room = stackalloc byte[n];
        for (int i = 0; i < n; i += 8) room[i] = (byte)i;
        return Leaf(room[n / 2 / 8 * 8]);
    }

    struct Kilobytes { public fixed long Words[1024]; }
    struct Megabyte { public fixed long Words[20 * 1024]; }

    [MethodImpl(MethodImplOptions.NoInlining), SkipLocalsInit]
    static long Large(int x)
    {
        Kilobytes room;
        room.Words[x] = Leaf(x);
        Touch(&room.Words[0]);
        return room.Words[x];
    }

    [MethodImpl(MethodImplOptions.NoInlining), SkipLocalsInit]
    static long Larger(int x)
    {
        Megabyte room;
        room.Words[x] = Leaf(x);
        Touch(&room.Words[0]);
        return room.Words[x];
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Touch(long* room) => room[0] = 1;

    [MethodImpl(MethodImplOptions.NoInlining)]
    static long ManyRegisters(long a, long b, long c, long d, long e, long f)
    {
        long g = Leaf(a), h = Leaf(b), i = Leaf(c), j = Leaf(d), k = Leaf(e), l = Leaf(f);
        for (int n = 0; n < 3; n++)
        {
            a += g ^ h; b += h ^ i; c += i ^ j; d += j ^ k; e += k ^ l; f += l ^ a;
            g = Leaf(a); h = Leaf(b);
        }
        return a + b + c + d + e + f + g + h + i + j + k + l;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static long ManyArguments(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j) =>
        Leaf(a + j) + b + c + d + e + f + g + h + i;

    [MethodImpl(MethodImplOptions.NoInlining)]
    static long Recursive(int n) => n == 0 ? 1 : Recursive(n - 1) + n;
}
