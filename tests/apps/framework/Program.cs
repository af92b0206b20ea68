// Uses many of the framework's libraries, so that much precompiled code runs: generic code over value types and over
// reference types, iterators, async methods, handlers.
//   framework SECONDS
using System.Collections.Concurrent;
using System.Collections.Immutable;
using System.Diagnostics;
using System.Globalization;
using System.IO.Compression;
using System.Linq.Expressions;
using System.Numerics;
using System.Reflection;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;
using System.Threading.Channels;
using System.Xml.Linq;

var clock = Stopwatch.StartNew();
double seconds = args.Length > 0 ? double.Parse(args[0]) : 2;
Func<int, Task<int>>[] uses =
[
    i => Task.FromResult(Use.Lists(i)), i => Task.FromResult(Use.Queries(i)), i => Task.FromResult(Use.Json(i)),
    i => Task.FromResult(Use.Texts(i)), i => Task.FromResult(Use.Xml(i)), i => Task.FromResult(Use.Numbers(i)),
    i => Task.FromResult(Use.Concurrent(i)), i => Task.FromResult(Use.Errors(i)), i => Task.FromResult(Use.Reflect(i)),
    Use.Streams, Use.Channels,
];
long sum = 0;
for (int i = 0; clock.Elapsed.TotalSeconds < seconds; i++)
{
    sum += await uses[i % uses.Length](i);
    if (i % 50 == 0) sum += (await Task.WhenAll(uses.Select(use => Task.Run(() => use(i))))).Length;
}
Console.WriteLine($"done {sum != 0}");

internal record Person(string Name, int Age, DateTime Born, decimal Worth, List<double> Marks, Dictionary<string, Guid> Keys);

internal static class Use
{
    public static int Lists(int seed)
    {
        var random = new Random(seed);
        var dates = new List<DateTime>();
        var spans = new Dictionary<long, TimeSpan>();
        var sorted = new SortedDictionary<int, double>();
        var set = new HashSet<Guid>();
        var queue = new PriorityQueue<(int, string), double>();
        var links = new LinkedList<KeyValuePair<int, string>>();
        for (int i = 0; i < 50; i++)
        {
            dates.Add(DateTime.UnixEpoch.AddSeconds(random.Next()));
            spans[random.NextInt64()] = TimeSpan.FromTicks(i);
            sorted[random.Next(1000)] = random.NextDouble();
            set.Add(new Guid(i, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
            queue.Enqueue((i, "item"), random.NextDouble());
            links.AddFirst(new KeyValuePair<int, string>(i, "link"));
        }
        dates.Sort();
        dates.Sort((a, b) => b.CompareTo(a));
        int found = dates.BinarySearch(dates[3], Comparer<DateTime>.Create((a, b) => b.CompareTo(a)));
        var frozen = sorted.ToImmutableSortedDictionary().Add(5000, 1).ToImmutableDictionary();
        while (queue.TryDequeue(out _, out _)) found++;
        ulong[] words = Enumerable.Range(0, 100).Select(i => (ulong)random.NextInt64()).ToArray();
        Array.Sort(words);
        Array.Reverse(words);
        return found + frozen.Count + set.Count + links.Count + spans.Values.Max().Minutes + Array.IndexOf(words, words[7]);
    }

    public static int Queries(int seed)
    {
        var items = Enumerable.Range(seed, 60).Select(i => (Id: i, Half: i / 2.0, Name: "n" + i % 7, When: DateTime.UnixEpoch.AddDays(i))).ToList();
        var groups = items.GroupBy(i => i.Name).OrderByDescending(g => g.Count()).ThenBy(g => g.Key).Select(g => g.Sum(i => i.Half)).ToArray();
        var joined = items.Join(items, a => a.Id, b => b.Id + 1, (a, b) => a.When - b.When).Where(t => t.Days > 0).Distinct().ToList();
        var looked = items.ToLookup(i => i.Id % 5, i => i.Half);
        var zipped = items.Zip(items.Skip(1)).Select(p => p.First.Half * p.Second.Half).Aggregate((a, b) => a + b);
        return groups.Length + joined.Count + looked[3].Count() + (int)zipped + items.Chunk(7).Count() + (int)items.Average(i => i.Half) +
               items.SelectMany(i => i.Name).Count(c => c == 'n') + items.AsParallel().WithDegreeOfParallelism(2).Max(i => i.Id);
    }

    public static int Json(int seed)
    {
        var person = new Person("Ada", seed, DateTime.UnixEpoch.AddHours(seed), seed / 3m, [1.5, seed], new() { ["k"] = Guid.Empty });
        string text = JsonSerializer.Serialize(new[] { person, person });
        using JsonDocument document = JsonDocument.Parse(text);
        return JsonSerializer.Deserialize<Person[]>(text)!.Length + document.RootElement[0].GetProperty("Marks").GetArrayLength();
    }

    public static int Texts(int seed)
    {
        var builder = new StringBuilder();
        for (int i = 0; i < 30; i++)
            builder.AppendFormat(CultureInfo.InvariantCulture, "{0:N2} {1:o} {2,10} {3};", i * 1.7, DateTime.UnixEpoch.AddDays(i), i, (Half)i);
        string text = builder.ToString();
        int matches = Regex.Matches(text, @"(?<whole>\d+)\.(\d{2})\b").Count + Regex.Replace(text, "[aeiou]", m => m.Value.ToUpperInvariant()).Length;
        byte[] bytes = Encoding.UTF8.GetBytes(text + "\u00e4\u20ac");
        string packed = Convert.ToBase64String(bytes);
        return matches + packed.Length + Encoding.Unicode.GetString(Encoding.Unicode.GetBytes(text)).Length + text.Split(';').Length +
               int.Parse("12" + seed % 10) + (int)double.Parse("1.5e3", CultureInfo.InvariantCulture) + text.Normalize().Length +
               new Uri("http://localhost/a/b?c=" + seed).Query.Length + string.Join(",", text.Reverse().Take(9)).Length;
    }

    public static int Xml(int seed)
    {
        var root = new XElement("root", Enumerable.Range(0, 20).Select(i => new XElement("item", new XAttribute("id", i + seed), "text " + i)));
        XDocument parsed = XDocument.Parse(root.ToString());
        return parsed.Descendants("item").Count(e => (int)e.Attribute("id")! % 2 == 0);
    }

    public static int Numbers(int seed)
    {
        BigInteger big = BigInteger.Pow(seed + 3, 60) / 7 + BigInteger.Parse("123456789012345678901234567890");
        Complex complex = Complex.Sqrt(new Complex(seed, 2)) * Complex.ImaginaryOne;
        decimal money = 12.5m * seed / 3;
        Vector3 vector = Vector3.Normalize(new Vector3(seed, 1, 2));
        Int128 wide = (Int128)seed * long.MaxValue / 5;
        return big.ToString().Length + (int)complex.Magnitude % 7 + decimal.Truncate(money).ToString().Length + (int)vector.X + wide.ToString().Length;
    }

    public static int Concurrent(int seed)
    {
        var map = new ConcurrentDictionary<int, DateTime>();
        var bag = new ConcurrentBag<double>();
        var queue = new ConcurrentQueue<(int, long)>();
        Parallel.For(0, 50, i =>
        {
            map.AddOrUpdate(i % 10, DateTime.UnixEpoch, (_, old) => old.AddDays(1));
            bag.Add(i);
            queue.Enqueue((i, seed));
        });
        while (queue.TryDequeue(out _)) { }
        return map.Count + bag.Count;
    }

    public static int Errors(int seed)
    {
        int caught = 0;
        try { int.Parse("none"); }
        catch (FormatException) when (seed >= 0) { caught++; }
        try { _ = new Dictionary<string, int>()["none"]; }
        catch (KeyNotFoundException e) { caught += e.ToString().Length; }
        finally { caught++; }
        return caught;
    }

    public static int Reflect(int seed)
    {
        int methods = typeof(Use).GetMethods(BindingFlags.Public | BindingFlags.Static).Count(m => m.GetParameters().Length == 1);
        ParameterExpression x = Expression.Parameter(typeof(int), "x");
        int made = Expression.Lambda<Func<int, int>>(Expression.Add(x, Expression.Constant(methods)), x).Compile(true)(seed);
        return made + Enum.Parse<DayOfWeek>("Friday").ToString().Length + Activator.CreateInstance<List<long>>().Capacity;
    }

    public static async Task<int> Streams(int seed)
    {
        using var memory = new MemoryStream();
        await using (var packer = new GZipStream(memory, CompressionLevel.Fastest, leaveOpen: true))
        await using (var writer = new StreamWriter(packer))
            for (int i = 0; i < 40; i++) await writer.WriteLineAsync("line " + i * seed);
        memory.Position = 0;
        using var reader = new StreamReader(new GZipStream(memory, CompressionMode.Decompress));
        int lines = 0;
        while (await reader.ReadLineAsync() is not null) lines++;
        return lines + SHA256.HashData(memory.ToArray())[0] + Directory.EnumerateFiles("/proc/self").Count();
    }

    public static async Task<int> Channels(int seed)
    {
        Channel<(int, DateTime)> channel = Channel.CreateBounded<(int, DateTime)>(4);
        Task writing = Task.Run(async () =>
        {
            for (int i = 0; i < 20; i++) await channel.Writer.WriteAsync((i + seed, DateTime.UnixEpoch));
            channel.Writer.Complete();
        });
        int read = 0;
        await foreach ((int, DateTime) _ in channel.Reader.ReadAllAsync()) read++;
        await writing;
        return read;
    }
}
