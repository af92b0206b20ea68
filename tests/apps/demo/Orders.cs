using System.Text.Json;

namespace Demo;

public record Line(string Article, int Count, decimal Price);
public record Order(int Id, string Customer, DateTime Placed, List<Line> Lines)
{
    public decimal Total => Lines.Sum(line => line.Count * line.Price);
}

/// JSON and LINQ: orders are written, read back and summed up by customer.
public sealed class Orders
{
    static readonly string[] s_customers = ["Ada", "Barbara", "Edsger", "Grace", "Ken", "Niklaus", "Tony"];
    static readonly string[] s_articles = ["bolt", "nut", "washer", "gear", "spring", "shaft"];
    readonly Random _random = new(1);

    public long Run(Func<bool> running)
    {
        long done = 0;
        while (running())
        {
            string json = JsonSerializer.Serialize(Enumerable.Range(0, 200).Select(Make).ToList());
            List<Order> orders = JsonSerializer.Deserialize<List<Order>>(json)!;
            if (BestCustomers(orders).Count == 0) throw new InvalidOperationException("orders were lost");
            done += orders.Count;
        }
        return done;
    }

    Order Make(int id)
    {
        var lines = new List<Line>();
        for (int i = _random.Next(1, 8); i > 0; i--)
        {
            lines.Add(new Line(Pick(s_articles), _random.Next(1, 100), _random.Next(1, 10_000) / 100m));
        }
        return new Order(id, Pick(s_customers), DateTime.UnixEpoch.AddMinutes(id), lines);
    }

    T Pick<T>(T[] items) => items[_random.Next(items.Length)];

    static List<(string Customer, decimal Total)> BestCustomers(List<Order> orders) =>
        orders.GroupBy(order => order.Customer)
            .Select(group => (Customer: group.Key, Total: group.Sum(order => order.Total)))
            .OrderByDescending(entry => entry.Total)
            .ThenBy(entry => entry.Customer)
            .Take(3)
            .ToList();
}
