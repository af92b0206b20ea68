// Allocates known numbers of objects of known sizes, each size as a type of its own, at a method of its own.
//   allocations MIB          so many MiB of each size, one after the other, then all mixed on two threads
// Prints a line for each type:   allocated TYPE OBJECTS BYTES
using System.Runtime.CompilerServices;

if (args.Length == 0) { Console.WriteLine("usage: allocations MIB"); return 2; }
long each = long.Parse(args[0]) << 20;
var kinds = new Kind[]
{
    new("Small", 24, static n => { for (long i = 0; i < n; i++) Sizes.Keep(new Small()); }),
    new("Hundred", 104, static n => Sizes.Arrays<Hundred>(n, 104)),
    new("Thousands", 4_000, static n => Sizes.Arrays<Thousands>(n, 4_000)),
    new("Large", 100_000, static n => Sizes.Arrays<Large>(n, 100_000)),
    new("Larger", 1_000_000, static n => Sizes.Arrays<Larger>(n, 1_000_000)),
};
foreach (Kind kind in kinds) kind.Allocate(each / kind.Size);
var mixed = new Thread[2];
for (int t = 0; t < mixed.Length; t++)
{
    mixed[t] = new Thread(() =>
    {
        // A tenth at a time, so that sizes come by turns.
        for (int turn = 0; turn < 10; turn++)
            foreach (Kind kind in kinds) kind.Allocate(each / 20 / kind.Size);
    });
    mixed[t].Start();
}
foreach (Thread thread in mixed) thread.Join();
foreach (Kind kind in kinds)
{
    long objects = each / kind.Size + mixed.Length * 10 * (each / 20 / kind.Size);
    Console.WriteLine($"allocated {kind.Name} {objects} {objects * kind.Size}");
}
return 0;

sealed record Kind(string Name, long Size, Action<long> Allocate);
#pragma warning disable CS0649  // it is their size that matters
sealed class Small { public long Value; }
// One byte each: arrays of different types.
struct Hundred { public byte Value; }
struct Thousands { public byte Value; }
struct Large { public byte Value; }
struct Larger { public byte Value; }

static class Sizes
{
    static object? s_last;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Keep(object o) => s_last = o;

    // Of so many bytes with the header, the type and the length.
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Arrays<T>(long n, int bytes)
    {
        for (long i = 0; i < n; i++) Keep(new T[bytes - 24]);
    }
}
