// A small ASP.NET Core service on Kestrel.  web [SECONDS]
// Prints "listening PORT" and ends after SECONDS, or when it is told to (SIGTERM, SIGINT).
using System.Security.Cryptography;
using System.Text;

double seconds = args.Length > 0 ? double.Parse(args[0]) : 60;
WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
builder.Logging.ClearProviders();
builder.WebHost.UseUrls("http://127.0.0.1:0");
WebApplication app = builder.Build();

app.MapGet("/people/{count:int}", (int count) => People.Make(count).OrderBy(p => p.Name).ThenBy(p => p.Age).Take(20));
app.MapGet("/average/{count:int}", (int count) =>
    People.Make(count).GroupBy(p => p.City).ToDictionary(group => group.Key, group => group.Average(p => p.Age)));
app.MapPost("/hash", async (HttpRequest request) =>
{
    using var reader = new StreamReader(request.Body);
    byte[] body = Encoding.UTF8.GetBytes(await reader.ReadToEndAsync());
    for (int i = 0; i < 20; i++) body = SHA256.HashData(body);
    return Results.Text(Convert.ToHexString(body));
});

await app.StartAsync();
Console.WriteLine($"listening {new Uri(app.Urls.First()).Port}");
using var stop = new CancellationTokenSource(TimeSpan.FromSeconds(seconds));
await app.WaitForShutdownAsync(stop.Token);

record Person(string Name, int Age, string City);

static class People
{
    static readonly string[] s_cities = ["Aachen", "Bergen", "Cork", "Delft", "Essen"];

    public static IEnumerable<Person> Make(int count)
    {
        var random = new Random(count);
        for (int i = 0; i < count; i++)
        {
            yield return new Person($"name-{random.Next(10_000)}", random.Next(18, 99), s_cities[random.Next(s_cities.Length)]);
        }
    }
}
