// Collections of every kind beside a thread that only computes, judged by the program itself: what the calling thread
// burnt while it collected, and what the collector's own threads burnt.  collections [ROUNDS]
using System.Runtime.CompilerServices;

int rounds = args.Length > 0 ? int.Parse(args[0]) : 10;
bool stop = false;
var computing = new Thread(() =>
{
    while (!Volatile.Read(ref stop)) Work.Compute();
})
{ Name = "computes" };
computing.Start();

// Only what is asked for collects.
const int Nodes = 1_000_000;
const GCCollectionMode Forced = GCCollectionMode.Forced;
long collecting = Work.Measured(() => GC.TryStartNoGCRegion(Nodes * 32));
Node? kept = null;
for (int i = 0; i < Nodes; i++) kept = new Node(kept);
GC.EndNoGCRegion();
collecting += Work.Measured(() => GC.Collect(2, Forced, blocking: true));
int before = GC.CollectionCount(0);
int requested = 0, inBackground = 0;
for (int round = 0; round < rounds; round++)
{
    long last = GC.GetGCMemoryInfo(GCKind.Background).Index;
    collecting += Work.Measured(() => GC.Collect(2, Forced, blocking: false));
    Spin.For(20);  // it goes on in the background, and so do we
    collecting += Work.Measured(() => GC.Collect(0, Forced, blocking: true));
    collecting += Work.Measured(() => GC.Collect(2, Forced, blocking: true));
    if (GC.GetGCMemoryInfo(GCKind.Background).Index != last) inBackground++;
    requested += 3;
}
Volatile.Write(ref stop, true);
computing.Join();
long own = Work.CollectorThreads();
GC.KeepAlive(kept);
Console.WriteLine($"caller {collecting} threads {own} unrequested {GC.CollectionCount(0) - before - requested} in background {inBackground}");
return 0;

sealed class Node(Node? next)
{
    public readonly Node? Next = next;
}

static class Work
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Compute() => Spin.Chunk(1);

    public static long Measured(Action collect)
    {
        long start = Spin.ThreadCpuNanoseconds();
        collect();
        return Spin.ThreadCpuNanoseconds() - start;
    }

    /// CPU time of the threads that do nothing but collect.
    public static long CollectorThreads()
    {
        long sum = 0;
        foreach (string task in Directory.GetDirectories("/proc/self/task"))
        {
            try
            {
                string name = File.ReadAllText(task + "/comm").Trim();
                if (name is ".NET Server GC" or ".NET BGC") sum += long.Parse(File.ReadAllText(task + "/schedstat").Split(' ')[0]);
            }
            catch (IOException)
            {
                // A thread that ended since the listing: none of the collector's.
            }
        }
        return sum;
    }
}
