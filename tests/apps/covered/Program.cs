// Of each line it is known whether it runs: a comment says "runs" or "never", and of a branch's arms which are
// taken: "arms 1/2". What is not marked is not looked at. Arguments: what to do at the end.
using System.Diagnostics;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Covered;

public record Point(int X, int Y);

public struct Pair
{
    public int First;
    public Pair(int first)
    {
        First = first; // runs
    }
    public readonly int Twice() => First * 2; // runs
    public readonly int Never() => First * 3; // never
}

public static class Fields
{
    public static readonly int Value = Start(); // runs
    static int Start()
    {
        return 7; // runs
    }
}

public class Holder
{
    public int Auto { get; set; } // runs
    public int Unused { get; set; } // never
    public int Half
    {
        get { return Auto / 2; } // runs
        set { Auto = value * 2; } // never
    }
}

public static class Statements
{
    public static int If(int x)
    {
        if (x > 0) // runs arms 1/2
            return 1; // runs
        return 2; // never
    }

    public static int IfWithoutElse(int x)
    {
        int y = 0; // runs
        if (x > 0) // runs arms 1/2
            y = 1; // runs
        return y; // runs
    }

    public static int Both(int x)
    {
        int y = x; // runs
        if (x > 0) // runs arms 2/2
            y += 1; // runs
        else
            y -= 1; // runs
        return y; // runs
    }

    public static bool And(bool a, bool b)
    {
        if (Is(a) && Is(b)) // runs arms 2/4
            return true; // never
        return false; // runs
    }

    static bool Is(bool value)
    {
        return value; // runs
    }

    public static string Ternary(int x)
    {
        return x > 1 ? "many" : "one"; // runs arms 1/2
    }

    public static int Switch(int x)
    {
        switch (x) // runs
        {
            case 0:
                return 10; // runs
            case 1:
                return 11; // never
            case 2:
                return 12; // runs
            case 3:
                return 13; // never
            case 4:
                return 14; // never
            default:
                return 15; // never
        }
    }

    public static int Pattern(object o)
    {
        return o switch // runs
        {
            int i when i > 10 => 1, // runs
            string s => s.Length, // runs
            null => 3, // never
            _ => 4, // never
        };
    }

    public static int Loop(int n)
    {
        int sum = 0; // runs
        for (int i = 0; i < n; i++) // runs arms 2/2
        {
            if (i == 100) // runs arms 1/2
                break; // never
            sum += i; // runs
        }
        foreach (int x in new[] { 1, 2 }) // runs
            sum += x; // runs
        while (sum > 1000) // runs arms 1/2
            sum /= 2; // never
        return sum; // runs
    }

    public static int Caught(string text)
    {
        try
        {
            int value = int.Parse(text); // runs
            return value; // never
        }
        catch (FormatException e) when (e.Message.Length > 0) // runs
        {
            return -1; // runs
        }
        catch (OverflowException)
        {
            return -2; // never
        }
        finally
        {
            Calls++; // runs
        }
    }

    public static int Thrown(int x)
    {
        int y = x; // runs
        y = Divide(y, 0); // runs
        return y; // never
    }

    static int Divide(int a, int b)
    {
        return a / b; // runs
    }

    public static IEnumerable<int> Numbers(int n)
    {
        for (int i = 0; i < n; i++) // runs
        {
            if (i == 50) // runs arms 1/2
                yield break; // never
            yield return i; // runs
        }
    }

    public static async Task<int> Later(int x)
    {
        int a = await Task.FromResult(x); // runs
        await Task.Yield(); // runs
        if (a > 100) // runs arms 1/2
        {
            await Task.Delay(1); // never
            return 0; // never
        }
        try
        {
            await Task.Delay(1); // runs
        }
        catch (InvalidOperationException)
        {
            await Task.Yield(); // never
        }
        return a + 1; // runs
    }

    public static async IAsyncEnumerable<int> Stream()
    {
        yield return 1; // runs
        await Task.Yield(); // runs
        yield return 2; // runs
    }

    public static int Lambdas()
    {
        Func<int, int> twice = x =>
        {
            if (x > 100) // runs arms 1/2
                return 0; // never
            return x * 2; // runs
        };
        Func<int> never = () =>
        {
            return 5; // never
        };
        int Local(int x)
        {
            return x + 1; // runs
        }
        return twice(Local(3)) + (never == null ? 1 : 0); // runs arms 1/2
    }

    public static T Generic<T>(T a, T b, bool first)
    {
        if (first) // runs arms 2/2
            return a; // runs
        return b; // runs
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Inlined(int x)
    {
        if (x < 0) // runs arms 1/2
            return 0; // never
        return x; // runs
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static int Hot(int n)
    {
        int sum = 0; // runs
        for (int i = 0; i < n; i++)
            sum += Inlined(i); // runs
        return sum; // runs
    }

    public static int Coalesce(string? text)
    {
        return (text ?? "none").Length; // runs arms 1/2
    }

    [ExcludeFromCodeCoverage]
    public static int Excluded(int x)
    {
        Func<int> inner = () => x; // absent
        return inner(); // absent
    }

    public static int NeverCalled(int x)
    {
        if (x > 0) // never arms 0/2
            return 1; // never
        return 2; // never
    }

    public static void OnlyInAnother()
    {
        Calls++; // runs with unload
    }

    public static int Calls;
}

[ExcludeFromCodeCoverage]
public class ExcludedClass
{
    public int Value() => 1; // absent
}

public static class Program
{
    // This assembly once more, in a context that is unloaded: a load of its own.
    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Reload()
    {
        var context = new System.Runtime.Loader.AssemblyLoadContext("again", isCollectible: true); // runs with unload
        Type type = context.LoadFromAssemblyPath(typeof(Program).Assembly.Location).GetType("Covered.Statements")!;
        type.GetMethod(nameof(Statements.OnlyInAnother))!.Invoke(null, null); // runs with unload
        context.Unload();
    }

    public static async Task<int> Main(string[] args)
    {
        int sum = Fields.Value; // runs
        sum += new Pair(3).Twice(); // runs
        sum += new Holder { Auto = 4 }.Half; // runs
        sum += Statements.If(1) + Statements.IfWithoutElse(1); // runs
        sum += Statements.Both(1) + Statements.Both(-1); // runs
        Statements.And(false, true); // runs
        sum += Statements.Ternary(1).Length; // runs
        sum += Statements.Switch(0) + Statements.Switch(2); // runs
        sum += Statements.Pattern(11) + Statements.Pattern("abc"); // runs
        sum += Statements.Loop(3); // runs
        sum += Statements.Caught("x"); // runs
        try
        {
            Statements.Thrown(1); // runs
        }
        catch (DivideByZeroException)
        {
            sum++; // runs
        }
        sum += Statements.Numbers(2).Sum(); // runs
        sum += await Statements.Later(1); // runs
        await foreach (int x in Statements.Stream()) // runs
            sum += x; // runs
        sum += Statements.Lambdas(); // runs
        sum += Statements.Generic(1, 2, true) + Statements.Generic("a", "bc", false).Length; // runs
        sum += Statements.Hot(10); // runs
        sum += Statements.Coalesce("text") + Statements.Excluded(1) + new ExcludedClass().Value(); // runs
        sum += new Point(1, 2).X; // runs
        for (int i = 0; i < 200_000; i++)
            sum += Statements.Inlined(i) & 1; // runs
        Console.WriteLine($"sum {sum}"); // runs
        switch (args.FirstOrDefault())
        {
            case "child":
                using (Process child = Process.Start(Environment.ProcessPath!, [typeof(Program).Assembly.Location, "exit"])) // runs with child
                    child.WaitForExit(); // runs with child
                break;
            case "exit":
                Environment.Exit(3); // runs with exit
                break;
            case "failfast":
                Environment.FailFast("as asked"); // runs with failfast
                break;
            case "kill":
                Process.GetCurrentProcess().Kill(); // runs with kill
                Thread.Sleep(-1);
                break;
            case "trace":
                try
                {
                    Statements.Caught(null!);
                }
                catch (ArgumentNullException e)
                {
                    Console.WriteLine(e);
                }
                break;
            case "unload":
                for (int i = 0; i < 1100; i++)
                {
                    Reload(); // runs with unload
                    if (i % 50 == 0)
                    {
                        GC.Collect();
                        GC.WaitForPendingFinalizers();
                    }
                }
                break;
            case "code":
                return int.Parse(args[1]); // runs with code
        }
        return 0;
    }
}
