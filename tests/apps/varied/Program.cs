// Recursion over a few methods in random order, so that nearly every sample has a stack nobody saw before.
//   varied [SECONDS] [THREADS]
// Prints its resident memory in KiB about once a second, as "VmRSS N".
using System.Diagnostics;
using System.Runtime.CompilerServices;

double seconds = args.Length > 0 ? double.Parse(args[0]) : 10;
int count = args.Length > 1 ? int.Parse(args[1]) : 2;
var clock = Stopwatch.StartNew();
var threads = new Thread[count];
for (int i = 0; i < count; i++)
{
    uint seed = (uint)i + 1;
    threads[i] = new Thread(() =>
    {
        var walk = new Walk(seed);
        while (!Walk.Stop) walk.A(0);
    }) { Name = $"varied {i}" };
    threads[i].Start();
}
while (clock.Elapsed.TotalSeconds < seconds)
{
    Thread.Sleep(1000);
    foreach (string line in File.ReadLines("/proc/self/status"))
        if (line.StartsWith("VmRSS")) Console.WriteLine($"VmRSS {line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[1]}");
}
Walk.Stop = true;
foreach (Thread thread in threads) thread.Join();

// One call goes some tens of frames deep and comes back a little, over and over.
sealed class Walk(uint seed)
{
    const int Deepest = 60;
    public static volatile bool Stop;

    uint random = seed;

    uint Next() => random = random * 1664525 + 1013904223;

    [MethodImpl(MethodImplOptions.NoInlining)]
    void Go(int depth)
    {
        for (uint calls = Next() >> 30; depth < Deepest && calls > 0 && !Stop; calls--)
        {
            switch (Next() >> 29)
            {
                case 0: A(depth + 1); break;
                case 1: B(depth + 1); break;
                case 2: C(depth + 1); break;
                case 3: D(depth + 1); break;
                case 4: E(depth + 1); break;
                case 5: F(depth + 1); break;
                case 6: G(depth + 1); break;
                default: H(depth + 1); break;
            }
        }
        Work();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    void Work()
    {
        for (int i = 0; i < 2_000; i++) Next();
    }

    [MethodImpl(MethodImplOptions.NoInlining)] public void A(int depth) { Go(depth); Work(); }
    [MethodImpl(MethodImplOptions.NoInlining)] void B(int depth) { Go(depth); Work(); }
    [MethodImpl(MethodImplOptions.NoInlining)] void C(int depth) { Go(depth); Work(); }
    [MethodImpl(MethodImplOptions.NoInlining)] void D(int depth) { Go(depth); Work(); }
    [MethodImpl(MethodImplOptions.NoInlining)] void E(int depth) { Go(depth); Work(); }
    [MethodImpl(MethodImplOptions.NoInlining)] void F(int depth) { Go(depth); Work(); }
    [MethodImpl(MethodImplOptions.NoInlining)] void G(int depth) { Go(depth); Work(); }
    [MethodImpl(MethodImplOptions.NoInlining)] void H(int depth) { Go(depth); Work(); }
}
