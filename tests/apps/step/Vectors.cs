using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;

namespace Stepping;

// Vector registers: in locals that live over calls, passed and returned; aligned frames; vzeroupper in prologs.
static class Vectors
{
    public static long All()
    {
        var data = new float[64];
        for (int i = 0; i < data.Length; i++) data[i] = i;
        return (long)(Sum(data) + Wide(data) + Scalar(3) + Passed(Vector256.Create(2.0), Vector128.Create(3f)));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static float Sum(float[] data)
    {
        var sum = Vector<float>.Zero;
        for (int i = 0; i + Vector<float>.Count <= data.Length; i += Vector<float>.Count)
            sum += Weigh(new Vector<float>(data, i));
        return Vector.Sum(sum);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static Vector<float> Weigh(Vector<float> v) => v * v;

    [MethodImpl(MethodImplOptions.NoInlining)]
    static float Wide(float[] data)
    {
        Vector512<float> a = Vector512.Create(data), b = a + a, c = a * b;
        float leaf = (float)Scalar(c[5]);
        return Vector512.Sum(a + b * c) + leaf;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static double Scalar(double x) => Math.Sqrt(x) + Math.Sin(x) + Math.Pow(x, 1.5);

    [MethodImpl(MethodImplOptions.NoInlining)]
    static double Passed(Vector256<double> a, Vector128<float> b) => Vector256.Sum(a * a) + Scalar(b[1]) + Vector128.Sum(b);
}
