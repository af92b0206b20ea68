using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using static Situations;

namespace Native;

/// A thread that stays for long where none should, holding what it holds there, while others work on. The native
/// half (library/parking.cc) must be preloaded.
static class Parking
{
    const int Peers = 2;

    [DllImport("hostile_parking")]
    static extern int hostile_await_peers(int count);

    [DllImport("hostile_parking")]
    static extern int hostile_peer();

    [DllImport("hostile_parking")]
    static extern int hostile_park_in_malloc();

    [DllImport("hostile_parking")]
    static extern int hostile_park_in_loader_list();

    [DllImport("hostile_parking")]
    static extern int hostile_park_in_dlopen();

    [DllImport("hostile_parking")]
    [SuppressGCTransition]
    static extern int hostile_park_before_gc();

    [DllImport("hostile_parking")]
    static extern int hostile_park_next_gc();

    [DllImport("hostile_parking")]
    static extern int hostile_was_parked();

    /// Peers first: once a thread is parked, none could be started any more.
    static long Among(Action park)
    {
        var peers = new Thread[Peers];
        for (int i = 0; i < Peers; i++)
        {
            peers[i] = new Thread(Peer);
            peers[i].Start();
        }
        hostile_await_peers(Peers);
        park();
        foreach (var peer in peers) peer.Join();
        return 1;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Peer() => Check(hostile_peer() == 0, "a peer answered something else");

    public static long Malloc(Func<bool> running) => Among(() => Check(hostile_park_in_malloc() == 0, "malloc was not ours"));

    public static long LoaderList(Func<bool> running) =>
        Among(() => Check(hostile_park_in_loader_list() == 0, "the loader's list was not walked"));

    public static long Dlopen(Func<bool> running) => Among(() => Check(hostile_park_in_dlopen() == 0, "the library was not loaded"));

    static volatile bool s_collected;

    /// A collection waits for a thread that does not come to a safe point.
    public static long BeforeGc(Func<bool> running) => Among(() =>
    {
        var collecting = new Thread(() =>
        {
            hostile_await_peers(Peers);
            GC.Collect();
            s_collected = true;
        });
        collecting.Start();
        Check(hostile_park_before_gc() == 0, "the call answered something else");
        collecting.Join();
        Check(s_collected, "nothing was collected");
    });

    /// A collection on this thread stands still in its middle.
    public static long InGc(Func<bool> running) => Among(() =>
    {
        Garbage();
        hostile_park_next_gc();
        GC.Collect(2, GCCollectionMode.Aggressive, true, true);
        Check(hostile_was_parked() == 0, "the collection gave nothing back");
    });

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Garbage()
    {
        var kept = new List<byte[]>();
        for (int i = 0; i < 20_000; i++) kept.Add(new byte[1_000]);
        GC.KeepAlive(kept);
    }
}
