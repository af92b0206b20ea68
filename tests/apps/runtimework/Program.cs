// Work that the runtime does for one call of a method, again and again.   runtimework WORK SECONDS
// Until it has used so much CPU time. WORK: the names below. What the runtime does once only is done with so many methods or
// types that it takes long.
using System.Diagnostics;
using System.Runtime.CompilerServices;

if (args.Length != 2) { Console.Error.WriteLine("usage: runtimework WORK SECONDS"); return 2; }
RuntimeWork.Run(double.Parse(args[1], System.Globalization.CultureInfo.InvariantCulture), args[0]);
return 0;

interface ICounted { int Add(int to); }
sealed class One : ICounted { public int Add(int to) => to + 1; }
sealed class Two : ICounted { public int Add(int to) => to + 2; }

static class RuntimeWork
{
    public static void Run(double seconds, string what)
    {
        Func<int> work = what switch
        {
            "count" => Count,
            "class" => Class,
            "delegate" => Delegate,
            "fcall" => FCall,
            "qcall" => QCall,
            "object" => NewObject,
            "array" => NewArray,
            "reference" => StoreReference,
            "struct" => StoreStruct,
            "throw" => Throw,
            "prepare" => Prepare,
            "interface" => CallInterfaces,
            "resolve" => CallFramework,
            "types" => LoadTypes,
            "suspend" => Suspend,
            "compact" => () => Collect(true),
            "sweep" => () => Collect(false),
            "background" => CollectInBackground,
            _ => throw new ArgumentException($"no work is called {what}"),
        };
        using var process = Process.GetCurrentProcess();
        for (TimeSpan until = process.TotalProcessorTime + TimeSpan.FromSeconds(seconds); process.TotalProcessorTime < until; process.Refresh())
            for (int i = 0; i < 100; i++) work();
        Console.WriteLine($"work {what}");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Count()
    {
        int odd = 0;
        for (int i = 0; i < 10_000; i++)
        {
            if ((i * 7 & 8) != 0) odd++;
            else odd ^= i;
        }
        return odd;
    }

    static readonly ICounted[] s_counted = [new One(), new Two()];

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Class()
    {
        int sum = 0;
        for (int i = 0; i < 10_000; i++) sum = s_counted[i & 1].Add(sum);
        return sum;
    }

    static readonly Func<int, int>[] s_delegates = [new One().Add, new Two().Add];

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Delegate()
    {
        int sum = 0;
        for (int i = 0; i < 10_000; i++) sum = s_delegates[i & 1](sum);
        return sum;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int FCall()
    {
        int sum = 0;
        for (int i = 0; i < 10_000; i++) sum += GC.CollectionCount(0);
        return sum;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int QCall()
    {
        int sum = 0;
        for (int i = 0; i < 1_000; i++) sum += Thread.Yield() ? 1 : 0;
        return sum;
    }

    static object? s_last;

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int NewObject()
    {
        for (int i = 0; i < 10_000; i++) s_last = new One();
        return 1;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int NewArray()
    {
        for (int i = 0; i < 10_000; i++) s_last = new int[i & 7];
        return 1;
    }

    sealed class Holder { public object? Held; }
    static readonly Holder s_holder = new();

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int StoreReference()
    {
        Holder holder = s_holder;
        for (int i = 0; i < 10_000; i++) Store(ref holder.Held, s_counted);
        return 1;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Store(ref object? to, object what) => to = what;

    record struct Four(object? A, object? B, object? C, object? D);
    static readonly Four[] s_structs = new Four[64];

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int StoreStruct()
    {
        for (int i = 0; i < 10_000; i++) s_structs[i & 63] = s_structs[i + 1 & 63];
        return 1;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Throw()
    {
        try { throw new InvalidOperationException("thrown"); }
        catch (InvalidOperationException) { return 1; }
    }

    struct Left<T>;
    struct Right<T>;

    // A thousand methods, each called once.
    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Prepare() => Visit<int>(9);

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Visit<T>(int depth) => depth == 0 ? 1 : Visit<Left<T>>(depth - 1) + Visit<Right<T>>(depth - 1);

    interface IMany { int A(); int B(); int C(); int D(); int E(); int F(); int G(); int H(); }
    class Many : IMany
    {
        public int A() => 1;
        public int B() => 2;
        public int C() => 3;
        public int D() => 4;
        public int E() => 5;
        public int F() => 6;
        public int G() => 7;
        public int H() => 8;
    }
    sealed class ManyLeft<T> : Many;
    sealed class ManyRight<T> : Many;
    static List<IMany>? s_many;

    // Types whose methods are the same code.
    static List<IMany> MakeMany()
    {
        var made = new List<IMany>();
        List<Type> types = [typeof(string)];
        while (made.Count < 2_000)
        {
            List<Type> next = [];
            foreach (Type type in types)
            {
                foreach (Type generic in new[] { typeof(ManyLeft<>), typeof(ManyRight<>) })
                {
                    Type one = generic.MakeGenericType(type);
                    next.Add(one);
                    made.Add((IMany)Activator.CreateInstance(one)!);
                }
            }
            types = next;
        }
        return made;
    }

    static readonly List<Type> s_loaded = [typeof(int), typeof(string)];
    static int s_next;

    // Each a type that there was not yet, of those made before.
    [MethodImpl(MethodImplOptions.NoInlining)]
    static int LoadTypes()
    {
        for (int i = 0; i < 20; i++, s_next++)
        {
            Type of = s_loaded[s_next / 2 + 1];
            s_loaded.Add((s_next % 2 == 0 ? typeof(ManyLeft<>) : typeof(ManyRight<>)).MakeGenericType(of));
        }
        return 1;
    }

    static volatile bool s_busy;

    // Of threads that do nothing but run.
    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Suspend()
    {
        if (!s_busy)
        {
            s_busy = true;
            for (int i = 0; i < 8; i++)
                new Thread(() => { for (long sum = 0; s_busy; ) for (int j = 0; j < 1_000; j++) sum += j; }) { IsBackground = true }.Start();
        }
        GC.Collect(0, GCCollectionMode.Forced, blocking: true);
        return 1;
    }

    sealed class Tree { public Tree? Left, Right; public byte[]? Data; }
    static Tree? s_tree;

    static Tree Grow(int depth) => depth == 0 ? new Tree() : new Tree { Left = Grow(depth - 1), Right = Grow(depth - 1), Data = new byte[depth * 8] };

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Collect(bool compacting)
    {
        s_tree ??= Grow(16);
        s_tree.Left = Grow(14);
        GC.Collect(2, GCCollectionMode.Forced, blocking: true, compacting);
        return 1;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int CollectInBackground()
    {
        s_tree ??= Grow(18);
        GC.Collect(2, GCCollectionMode.Forced, blocking: false);
        Thread.Sleep(1);
        return 1;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int CallInterfaces()
    {
        s_many ??= MakeMany();
        return CallAll(s_many);
    }

    // Of so many types at one place that the runtime looks them up again and again.
    [MethodImpl(MethodImplOptions.NoInlining)]
    static int CallAll(List<IMany> all)
    {
        int sum = 0;
        foreach (IMany one in all)
            sum += one.A() + one.B() + one.C() + one.D() + one.E() + one.F() + one.G() + one.H();
        return sum;
    }

    // Precompiled code that calls other such code for the first time, in many places.
    [MethodImpl(MethodImplOptions.NoInlining)]
    static int CallFramework()
    {
        var document = System.Xml.Linq.XDocument.Parse("<a><b c='1'>d</b><!-- e --><f xmlns='urn:g'/></a>");
        string json = System.Text.Json.JsonSerializer.Serialize(new Dictionary<string, object> { ["a"] = 1, ["b"] = new[] { 1, 2 } });
        var expression = System.Linq.Expressions.Expression.Lambda<Func<int>>(System.Linq.Expressions.Expression.Constant(json.Length));
        bool found = new System.Text.RegularExpressions.Regex("(a|b)*c{2,3}[^d-f]+$").IsMatch(document.ToString());
        using var table = new System.Data.DataTable("t");
        table.Columns.Add("a", typeof(int));
        table.Rows.Add(1);
        return expression.Compile(preferInterpretation: true)() + (found ? 1 : 0) + table.Select("a > 0").Length;
    }
}
