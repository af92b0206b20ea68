using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Demo;

/// Managed -> native -> managed: libc's qsort (on Windows msvcrt's) calls back into C#, by function pointer and by delegate.
public sealed unsafe class NativeSort
{
    [DllImport("libc")]
    static extern void qsort(Article* items, nuint count, nuint size, delegate* unmanaged[Cdecl]<Article*, Article*, int> compare);

    [DllImport("libc", EntryPoint = "qsort")]
    static extern void qsort_delegate(Article* items, nuint count, nuint size, Comparer compare);

    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
    delegate int Comparer(Article* left, Article* right);

    struct Article
    {
        public int Price;
        public int Stock;
        public double Weight;
    }

    readonly Random _random = new(3);
    readonly Comparer _byWeight = CompareWeights;

    static NativeSort() => NativeLibrary.SetDllImportResolver(typeof(NativeSort).Assembly, (name, _, _) =>
        OperatingSystem.IsWindows() && name == "libc" ? NativeLibrary.Load("msvcrt") : 0);

    public long Run(Func<bool> running)
    {
        long done = 0;
        var articles = new Article[5_000];
        while (running())
        {
            Fill(articles);
            SortByPrice(articles);
            SortByWeight(articles);
            done += articles.Length;
        }
        return done;
    }

    void Fill(Article[] articles)
    {
        for (int i = 0; i < articles.Length; i++)
        {
            articles[i] = new Article { Price = _random.Next(10_000), Stock = _random.Next(100), Weight = _random.NextDouble() };
        }
    }

    static void SortByPrice(Article[] articles)
    {
        fixed (Article* p = articles) qsort(p, (nuint)articles.Length, (nuint)sizeof(Article), &ComparePrices);
    }

    void SortByWeight(Article[] articles)
    {
        fixed (Article* p = articles) qsort_delegate(p, (nuint)articles.Length, (nuint)sizeof(Article), _byWeight);
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    static int ComparePrices(Article* left, Article* right)
    {
        int order = left->Price.CompareTo(right->Price);
        return order != 0 ? order : left->Stock.CompareTo(right->Stock);
    }

    static int CompareWeights(Article* left, Article* right) => left->Weight.CompareTo(right->Weight);
}
