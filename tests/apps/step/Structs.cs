using System.Runtime.CompilerServices;

namespace Stepping;

// Structs returned in one register, in two, in vector registers, through a hidden buffer; passed by value.
static class Structs
{
    struct One { public long A; }
    struct Two { public long A, B; }
    struct Mixed { public double A; public long B; }
    record struct Floats(float A, float B, float C, float D);
    record struct Big(long A, long B, long C, long D, long E, object O);

    public static long All()
    {
        One one = MakeOne(1);
        Two two = MakeTwo(2);
        Mixed mixed = MakeMixed(3);
        Floats floats = MakeFloats(4);
        Big big = MakeBig(5);
        return one.A + two.B + mixed.B + (long)floats.D + big.E + Take(big, two);
    }

    [MethodImpl(MethodImplOptions.NoInlining)] static One MakeOne(long x) => new() { A = x };
    [MethodImpl(MethodImplOptions.NoInlining)] static Two MakeTwo(long x) => new() { A = x, B = MakeOne(x).A };
    [MethodImpl(MethodImplOptions.NoInlining)] static Mixed MakeMixed(long x) => new() { A = x, B = MakeTwo(x).B };
    [MethodImpl(MethodImplOptions.NoInlining)] static Floats MakeFloats(float x) => new(x, 0, 0, x + 1);
    [MethodImpl(MethodImplOptions.NoInlining)] static Big MakeBig(long x) => new(x, 0, 0, 0, MakeTwo(x).A, s_object);
    [MethodImpl(MethodImplOptions.NoInlining)] static long Take(Big big, Two two) => big.A + two.A + (big.O == s_object ? 1 : 0);

    static readonly object s_object = new();
}
