namespace Mixed;

/// One row of the report: what formulas read.
public sealed class Row(Random random)
{
    public readonly Dictionary<string, double> Values = new()
    {
        ["price"] = random.Next(1, 1000), ["count"] = random.Next(1, 50), ["weight"] = random.NextDouble() * 10,
        ["discount"] = random.NextDouble() / 2,
    };
}

/// A formula over a row, as a tree that is walked for every row.
public abstract class Formula
{
    public abstract double Of(Row row);
}

public sealed class Column(string name) : Formula
{
    public override double Of(Row row) => row.Values[name];
}

public sealed class Number(double value) : Formula
{
    public override double Of(Row row) => value;
}

public sealed class Sum(params Formula[] parts) : Formula
{
    public override double Of(Row row)
    {
        double sum = 0;
        foreach (Formula part in parts) sum += part.Of(row);
        return sum;
    }
}

public sealed class Product(Formula left, Formula right) : Formula
{
    public override double Of(Row row) => left.Of(row) * right.Of(row);
}

public sealed class Apply(Func<double, double> function, Formula argument) : Formula
{
    public override double Of(Row row) => function(argument.Of(row));
}

public sealed class Case(Func<Row, bool> condition, Formula yes, Formula no) : Formula
{
    public override double Of(Row row) => condition(row) ? yes.Of(row) : no.Of(row);
}
