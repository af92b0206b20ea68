// Many threads that live a few milliseconds of CPU time each.  shortthreads [COUNT] [MILLISECONDS]
int count = args.Length > 0 ? int.Parse(args[0]) : 200;
int milliseconds = args.Length > 1 ? int.Parse(args[1]) : 5;
long burnt = 0;
for (int i = 0; i < count; i += 4)
{
    var batch = new List<Thread>();
    for (int j = i; j < Math.Min(i + 4, count); j++)
    {
        var thread = new Thread(() => Interlocked.Add(ref burnt, Spin.For(milliseconds))) { Name = $"short-{j}" };
        thread.Start();
        batch.Add(thread);
    }
    foreach (var thread in batch) thread.Join();
}
Console.WriteLine($"{count} threads, {burnt / 1e9:F3} s");
