using System.Diagnostics.Tracing;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Loader;
using System.Runtime.Versioning;

sealed class Allocated { public long A = 1; }
sealed class Handled { public long A = 1; }
sealed class Queued { public static int s_finalized; ~Queued() => Interlocked.Increment(ref s_finalized); }
sealed class Key { public long A = 1; }
sealed class Value { public long A = 1; }
sealed class Linked(Linked? next) { public readonly Linked? Next = next; }

[EventSource(Name = "Walkabout-Callbacks")]
sealed class Provider : EventSource { }

[ComVisible(true), Guid("5d1c8a53-3d0b-4e6b-9a57-0f5f0f6f7a11")]
public interface IExposed { int Ask(); }
[ComVisible(true)]
public sealed class Exposed : IExposed { public int Ask() => 1; }

/// What each callback of the profiling API tells of, in numbers that are known.
static unsafe class Callbacks
{
    static volatile object? s_last;
    static readonly List<object> s_kept = [];

    public static void Run(int n)
    {
        if (OperatingSystem.IsWindows())  // where the C library has another name
            NativeLibrary.SetDllImportResolver(typeof(Callbacks).Assembly, static (_, _, _) => NativeLibrary.Load("msvcrt.dll"));
        if (OperatingSystem.IsWindows()) Com(n);
        Exceptions(n);
        Threads(n);
        Objects(n);
        Handles(n);
        Transitions(n);
        Dynamic(n);
        for (int i = 0; i < n; i++) Load();
        InMemory();
        using (var provider = new Provider()) Console.WriteLine("provider 1");
        Heap(n);
        Collect(3);
        Console.WriteLine($"callbacks {n}");
    }

    // The runtime makes one table for all objects of a class.
    [SupportedOSPlatform("windows"), MethodImpl(MethodImplOptions.NoInlining)]
    static void Com(int n)
    {
        for (int i = 0; i < n; i++) Marshal.Release(Marshal.GetComInterfaceForObject(new Exposed(), typeof(IExposed)));
        Console.WriteLine($"given to COM {n}");
    }

    static void Collect(int times)
    {
        for (int i = 0; i < times; i++)
        {
            GC.Collect(2, GCCollectionMode.Forced, blocking: true, compacting: i % 2 == 0);
            GC.WaitForPendingFinalizers();
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Exceptions(int n)
    {
        for (int i = 0; i < n; i++)
        {
            try { WithFinally(); }
            catch (Other) { }
            catch (Expected) when (Filter()) { }
        }
        Console.WriteLine($"thrown {n}");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static bool Filter() => true;

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void WithFinally()
    {
        try { Throw(); }
        finally { s_last = null; }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Throw() => throw new Expected("callbacks");

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Threads(int n)
    {
        for (int i = 0; i < n; i++)
        {
            var thread = new Thread(static () => Thread.CurrentThread.Name = "called back");
            thread.Start();
            thread.Join();
        }
        Console.WriteLine($"threads {n}");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Objects(int n)
    {
        for (int i = 0; i < 1000 * n; i++) s_last = new Allocated();
        for (int i = 0; i < n; i++) s_last = new Allocated[2];
        for (int i = 0; i < n; i++) s_last = new byte[100_000];
        Console.WriteLine($"allocated {1000 * n}");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Handles(int n)
    {
        for (int i = 0; i < n; i++) GCHandle.Alloc(new Handled()).Free();
        Console.WriteLine($"handles {n}");
    }

    [DllImport("libc")]
    static extern int abs(int number);

    [DllImport("libc")]
    static extern void qsort(int* items, nint count, nint size, delegate* unmanaged<int*, int*, int> compare);

    static int s_compared;

    [UnmanagedCallersOnly]
    static int Compare(int* a, int* b)
    {
        s_compared++;
        return *a - *b;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Transitions(int n)
    {
        for (int i = 0; i < 1000 * n; i++) abs(i);
        int* items = stackalloc int[8];
        for (int i = 0; i < n; i++)
        {
            for (int k = 0; k < 8; k++) items[k] = 8 - k;
            qsort(items, 8, sizeof(int), &Compare);
        }
        Console.WriteLine($"invokes {1000 * n}");
        Console.WriteLine($"compared {s_compared}");
    }

    static void Dynamic(int n)
    {
        for (int i = 0; i < n; i++) MakeDynamic();
        Collect(3);
        Console.WriteLine($"dynamic {n}");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void MakeDynamic()
    {
        var method = new DynamicMethod("MadeByHand", typeof(int), [typeof(int)]);
        ILGenerator il = method.GetILGenerator();
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Ret);
        s_last = method.CreateDelegate<Func<int, int>>()(1);
    }

    static void Load()
    {
        WeakReference context = LoadAndUnload();
        for (int i = 0; context.IsAlive && i < 20; i++) Collect(1);
        Console.WriteLine($"unloaded {(context.IsAlive ? 0 : 1)}");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static WeakReference LoadAndUnload()
    {
        var context = new AssemblyLoadContext("callbacks", isCollectible: true);
        Type kept = context.LoadFromAssemblyPath(typeof(Kept).Assembly.Location).GetType(nameof(Kept))!;
        Activator.CreateInstance(kept);
        context.Unload();
        return new WeakReference(context);
    }

    static void InMemory()
    {
        string file = typeof(Kept).Assembly.Location;
        Assembly loaded = Assembly.Load(File.ReadAllBytes(file), File.ReadAllBytes(Path.ChangeExtension(file, ".pdb")));
        s_kept.Add(Activator.CreateInstance(loaded.GetType(nameof(Kept))!)!);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Heap(int n)
    {
        var table = new ConditionalWeakTable<Key, Value>();
        var keys = new Key[n];
        Linked? list = null;
        for (int i = 0; i < 10_000; i++)
        {
            list = new Linked(list);
            s_last = new byte[200];  // in between, so that collections move and leave gaps
        }
        for (int i = 0; i < n; i++) table.Add(keys[i] = new Key(), new Value());
        MakeFinalized(n);
        Collect(3);
        Console.WriteLine($"finalized {Queued.s_finalized}");
        Console.WriteLine($"linked 10000");
        GC.KeepAlive(table);
        GC.KeepAlive(keys);
        GC.KeepAlive(list);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void MakeFinalized(int n)
    {
        for (int i = 0; i < n; i++) s_last = new Queued();
        s_last = null;
    }
}
