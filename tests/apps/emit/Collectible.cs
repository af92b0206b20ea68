using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;
using static Situations;

namespace Emit;

/// This very assembly, loaded again into a collectible context, used there and unloaded, over and over.
public static class Collectible
{
    public static uint Work(uint seed)
    {
        var items = new List<uint>();
        for (uint i = 0; i < 200; i++) items.Add(seed = seed * 1664525 + i);
        return items.Where(item => item % 2 == 0).Aggregate(0u, (sum, item) => sum ^ item);
    }

    internal static long Run(Func<bool> running)
    {
        byte[] image = File.ReadAllBytes(Path.Combine(AppContext.BaseDirectory, "emit.dll"));
        uint expected = Work(42);
        var contexts = new Queue<WeakReference>();
        long rounds = 0;
        for (; running(); rounds++)
        {
            contexts.Enqueue(LoadUseUnload(image, expected));
            if (contexts.Count < 16) continue;
            GC.Collect();
            GC.WaitForPendingFinalizers();
            contexts.Dequeue();
        }
        for (int i = 0; i < 20 && contexts.Any(context => context.IsAlive); i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
        Check(contexts.All(context => !context.IsAlive), "a context was not unloaded");
        return rounds;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static WeakReference LoadUseUnload(byte[] image, uint expected)
    {
        var context = new AssemblyLoadContext("again", isCollectible: true);
        Assembly again = context.LoadFromStream(new MemoryStream(image));
        var work = again.GetType("Emit.Collectible")!.GetMethod(nameof(Work))!.CreateDelegate<Func<uint, uint>>();
        for (int i = 0; i < 50; i++) Check(work(42) == expected, "the copy computes something else");
        context.Unload();
        return new WeakReference(context);
    }
}
