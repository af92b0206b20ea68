using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Mixed;

/// A section of sections, twenty deep; the innermost hold rows.
public abstract class Section
{
    public abstract long Render(Formula order);
}

public sealed class Chapter(Section[] parts) : Section
{
    public override long Render(Formula order)
    {
        long rows = 0;
        foreach (Section part in parts) rows += part.Render(order);
        return rows;
    }
}

public sealed class Table(Row[] rows) : Section
{
    public override long Render(Formula order)
    {
        var sorter = new NativeOrder(rows, order);
        int[] sorted = sorter.Sort();
        for (int i = 1; i < sorted.Length; i++)
        {
            if (order.Of(rows[sorted[i - 1]]) > order.Of(rows[sorted[i]])) throw new InvalidOperationException("out of order");
        }
        return sorted.Length;
    }
}

/// The order of rows by a formula, found by libc's qsort.
public sealed unsafe class NativeOrder(Row[] rows, Formula formula)
{
    [DllImport("libc")]
    static extern void qsort(int* items, nuint count, nuint size, delegate* unmanaged[Cdecl]<int*, int*, int> compare);

    [ThreadStatic] static NativeOrder? t_current;

    public int[] Sort()
    {
        int[] order = [.. Enumerable.Range(0, rows.Length)];
        t_current = this;
        fixed (int* p = order) qsort(p, (nuint)order.Length, sizeof(int), &Compare);
        return order;
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    static int Compare(int* left, int* right) => t_current!.CompareRows(*left, *right);

    int CompareRows(int left, int right) => Key(left).CompareTo(Key(right));

    double Key(int row) => formula.Of(rows[row]);
}

public sealed class Report
{
    readonly Random _random = new(7);

    Section Make(int depth)
    {
        if (depth == 0) return new Table([.. Enumerable.Range(0, 48).Select(_ => new Row(_random))]);
        return new Chapter([.. Enumerable.Range(0, depth <= 9 ? 2 : 1).Select(_ => Make(depth - 1))]);
    }

    // A price after discounts, taxes and freight, as a person would write it: about fifteen calls deep.
    static Formula Order()
    {
        Formula net = new Product(new Column("price"), new Sum(new Number(1), new Product(new Number(-1), new Column("discount"))));
        Formula goods = new Product(net, new Column("count"));
        Formula freight = new Case(row => row.Values["weight"] > 5, new Apply(Math.Sqrt, new Product(new Column("weight"), new Column("count"))),
            new Column("weight"));
        Formula gross = new Product(new Sum(goods, freight), new Number(1.19));
        Formula rounded = new Apply(value => Math.Round(value, 2), new Sum(gross, new Number(0.5)));
        Formula paid = new Product(new Case(row => row.Values["discount"] < 0.9, rounded, gross), new Number(0.98));
        Formula inEuro = new Apply(value => value / 1.08, new Sum(new Product(paid, new Number(1)), new Number(0.01)));
        return new Case(row => row.Values["count"] > 0, new Apply(value => value * 100, new Sum(new Number(0), inEuro)), new Number(0));
    }

    public long Run(Func<bool> running)
    {
        Section report = Make(20);
        Formula order = Order();
        long rows = 0;
        while (running()) rows += report.Render(order);
        return rows;
    }
}
