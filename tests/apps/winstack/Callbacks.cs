using System.Reflection;
using System.Runtime.CompilerServices;

/// What makes the CLR call a profiler back, each at the end of a chain of its own and on the thread that asked for it.
static class Callbacks
{
    const int Times = 20;

    public static string Run()
    {
        int caught = 0;
        var thread = new Thread(() => caught = Begin()) { Name = "callbacks" };
        thread.Start();
        new Holder<string>().Wait<Version>(thread);
        return $"{caught} caught";
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Begin()
    {
        Load("System.Private.Xml");
        Load("System.Private.DataContractSerialization");
        int caught = 0;
        for (int i = 0; i < Times; i++)
        {
            Collect(i % 3);
            caught += Catch(new Holder<string>(), i) ? 1 : 0;
            caught += CatchExact(new Holder<int>(), i) ? 1 : 0;
        }
        return caught;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static string Load(string name) => Assembly.Load(name).FullName + "!";

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Collect(int generation)
    {
        GC.Collect(generation);
        GC.KeepAlive(new byte[100]);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static bool Catch(Holder<string> holder, int i)
    {
        try
        {
            return holder.Throw(new Version(1, i)) > 100;
        }
        catch (InvalidOperationException)
        {
            return true;
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static bool CatchExact(Holder<int> holder, int i)
    {
        try
        {
            return holder.Throw(i + 0.5) > 100;
        }
        catch (InvalidOperationException)
        {
            return true;
        }
    }
}

/// Reference types share its code, value types have their own.
class Holder<T>
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public int Throw<U>(U why)
    {
        if (typeof(T) == typeof(U)) return 1;
        return Deeper<List<T>>(typeof(T).Name + typeof(U).Name) + 1;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public bool Wait<U>(Thread thread) => thread.Join(typeof(T) == typeof(U) ? 0 : Timeout.Infinite) && typeof(U) != typeof(int);

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Deeper<V>(string why) => throw new InvalidOperationException(why + typeof(V).Name);
}
