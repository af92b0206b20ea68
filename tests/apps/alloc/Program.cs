// Allocation on several threads with survivors, so that every generation is collected.  alloc [SECONDS] [THREADS]
using System.Diagnostics;

double seconds = args.Length > 0 ? double.Parse(args[0]) : 3;
int threadCount = args.Length > 1 ? int.Parse(args[1]) : 2;
var clock = Stopwatch.StartNew();
var threads = new List<Thread>();
long total = 0;
for (int t = 0; t < threadCount; t++)
{
    int seed = t;
    var thread = new Thread(() => Interlocked.Add(ref total, Churn.Run(clock, seconds, seed))) { Name = $"churn-{t}" };
    thread.Start();
    threads.Add(thread);
}
foreach (var thread in threads) thread.Join();
Console.WriteLine($"{total} objects, collections {GC.CollectionCount(0)} {GC.CollectionCount(1)} {GC.CollectionCount(2)}");
return GC.CollectionCount(0) > 0 ? 0 : 1;

sealed class Item(Item? next, int size)
{
    public readonly Item? Next = next;
    public readonly byte[] Payload = new byte[size];
}

static class Churn
{
    public static long Run(Stopwatch clock, double seconds, int seed)
    {
        var random = new Random(seed);
        var survivors = new Item?[4096];
        long made = 0;
        while (clock.Elapsed.TotalSeconds < seconds)
        {
            for (int i = 0; i < 2_000; i++, made++)
            {
                var item = new Item(null, random.Next(16, 400));
                if (random.Next(8) == 0) survivors[random.Next(survivors.Length)] = item;
            }
            if (random.Next(50) == 0) survivors[0] = new Item(survivors[1], 200_000);
            if (random.Next(400) == 0) GC.Collect();
        }
        return made;
    }
}
