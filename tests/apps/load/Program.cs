// A client that keeps the service busy over the loopback address.  load PORT [SECONDS] [CONNECTIONS] [each [RATE]]
// Each connection asks again as soon as it is answered. With RATE, so many requests are sent a second instead, whether the others
// were answered or not, on as many connections as they need; a latency begins when its request was due. What is not sent because
// 10,000 are unanswered counts as a failure.
// Prints {"requests": 1234, "seconds": 5.0, "requests_per_second": 246.8, "failures": 0}; with `each`, behind each second before that
// "second REQUESTS P99", the 99th percentile of its requests' latencies in microseconds.
using System.Diagnostics;
using System.Globalization;
using System.Text;

if (args.Length < 1)
{
    Console.Error.WriteLine("usage: load PORT [SECONDS] [CONNECTIONS] [each [RATE]]");
    return 2;
}
int port = int.Parse(args[0]);
double seconds = args.Length > 1 ? double.Parse(args[1], CultureInfo.InvariantCulture) : 5;
int connections = args.Length > 2 ? int.Parse(args[2]) : 4;
using var client = new HttpClient { BaseAddress = new Uri($"http://127.0.0.1:{port}") };
long requests = 0;
long failures = 0;
long unanswered = 0;  // of those that are sent at a rate
bool each = args.Length > 3 && args[3] == "each";
int rate = args.Length > 4 ? int.Parse(args[4]) : 0;
// By microseconds, of the second that lasts; the last place has all that took longer.
int[] latencies = new int[100_000];
var clock = Stopwatch.StartNew();

async Task Ask(Random random, long begun)
{
    using HttpResponseMessage response = random.Next(3) switch
    {
        0 => await client.GetAsync($"/people/{random.Next(100, 2_000)}"),
        1 => await client.GetAsync($"/average/{random.Next(100, 2_000)}"),
        _ => await client.PostAsync("/hash", new StringContent(new string('x', random.Next(10_000)), Encoding.UTF8)),
    };
    await response.Content.ReadAsByteArrayAsync();
    Interlocked.Increment(ref requests);
    double us = Stopwatch.GetElapsedTime(begun).TotalMicroseconds;
    Interlocked.Increment(ref latencies[Math.Min((int)us, latencies.Length - 1)]);
    if (!response.IsSuccessStatusCode) Interlocked.Increment(ref failures);
}

async Task Drive(int seed)
{
    var random = new Random(seed);
    while (clock.Elapsed.TotalSeconds < seconds) await Ask(random, Stopwatch.GetTimestamp());
}

async Task Answered(long due)
{
    try
    {
        await Ask(Random.Shared, due);
    }
    catch (HttpRequestException)
    {
        Interlocked.Increment(ref failures);
    }
    Interlocked.Decrement(ref unanswered);
}

// On a thread of its own. What is due in one millisecond begins together.
void SendAtRate()
{
    long start = Stopwatch.GetTimestamp(), sent = 0;
    for (long millisecond = 0; clock.Elapsed.TotalSeconds < seconds; millisecond++)
    {
        long due = start + millisecond * Stopwatch.Frequency / 1000;
        while (Stopwatch.GetTimestamp() < due) Thread.Sleep(1);
        for (; sent < millisecond * rate / 1000; sent++)
        {
            if (Interlocked.Increment(ref unanswered) <= 10_000)
            {
                _ = Answered(due);
                continue;
            }
            Interlocked.Decrement(ref unanswered);
            Interlocked.Increment(ref failures);
        }
    }
    while (Volatile.Read(ref unanswered) != 0) Thread.Sleep(1);
}

void TellEachSecond()
{
    for (int second = 1; second < seconds; second++)
    {
        Thread.Sleep(Math.Max(0, second * 1000 - (int)clock.ElapsedMilliseconds));
        int[] before = Interlocked.Exchange(ref latencies, new int[latencies.Length]);
        int all = before.Sum(), seen = 0, us = 0;
        while (us < before.Length - 1 && (seen += before[us]) < all * 0.99) us++;
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"second {all} {us}"));
    }
}

if (each) new Thread(TellEachSecond) { IsBackground = true }.Start();
await (rate != 0 ? Task.Factory.StartNew(SendAtRate, TaskCreationOptions.LongRunning) : Task.WhenAll(Enumerable.Range(0, connections).Select(i => Task.Run(() => Drive(i)))));
double elapsed = clock.Elapsed.TotalSeconds;
Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
    $"{{\"requests\": {requests}, \"seconds\": {elapsed:F3}, \"requests_per_second\": {requests / elapsed:F1}, \"failures\": {failures}}}"));
return failures == 0 && requests > 0 ? 0 : 1;
