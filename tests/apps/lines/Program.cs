// Methods with one statement each that takes nearly all of their time, marked HOT, and what the compiler does
// to such statements: it inlines, moves and joins them. lines_test.py looks for the lines of the marks.
//   lines SECONDS       each method for so much of the processor's time
using System.Runtime.CompilerServices;

namespace Lines;

static class Program
{
    static readonly (string Name, Func<int, double> Body)[] All =
    {
        ("Plain", Plain), ("Between", Between), ("While", While), ("DoWhile", DoWhile), ("Nested", Nested),
        ("Condition", Condition), ("Switched", Switched), ("Local", Local), ("Thrown", Thrown),
        ("InFinally", InFinally), ("Generic", Generic<double>), ("Lambda", Lambda), ("Field", Field), ("Array", Array),
        ("Stepped", Stepped), ("Awaited", Awaited), ("Calling", Calling), ("TwoLines", TwoLines),
        ("Inlined", Inlined), ("InlinedTwice", InlinedTwice), ("InlinedIf", InlinedIf), ("InlinedLast", InlinedLast),
        ("InlinedFirst", InlinedFirst), ("InlinedWhile", InlinedWhile), ("InlinedSwitch", InlinedSwitch),
        ("InlinedBody", InlinedBody), ("InlinedBodyLast", InlinedBodyLast), ("InlinedBodyFirst", InlinedBodyFirst),
        ("InlinedBodies", InlinedBodies), ("InlinedDeep", InlinedDeep), ("InlinedEach", InlinedEach), ("InlinedLoop", InlinedLoop),
        ("InlinedVoid", InlinedVoid), ("Moved", Moved), ("Common", Common), ("Hoisted", Hoisted),
        ("Elements", Elements), ("CalledForNext", CalledForNext),
    };

    static int Main(string[] arguments)
    {
        double seconds = double.Parse(arguments[0]);
        double sum = 0;
        foreach (var (_, body) in All)
        {
            for (var until = new Until(seconds); !until.Over;)
            {
                for (int i = 0; i < 10; i++) sum += body(2000);
            }
        }
        Console.WriteLine(sum > 0);
        return 0;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static double Plain(int n)
    {
        double x = 1;
        for (int i = 0; i < n; i++)
            x = 1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + x)))))))))))))))))))))))); // HOT Plain
        return x;
    }

    static int s_one = 1;

    // What the inner loop does the same each time is done before it.
    [MethodImpl(MethodImplOptions.NoInlining)]
    static double Hoisted(int n)
    {
        double x = 1;
        int one = s_one;
        for (int i = 0; i < n; i++)
        {
            double y = i;
            x *= 0.5;
            for (int k = 0; k < one; k++)
                x += 1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + y)))))))))))))))))))))))); // HOT Hoisted
        }
        return x;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static double Between(int n)
    {
        double x = 1, y = 0;
        for (int i = 0; i < n; i++)
        {
            y += i;
            x = 1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + x)))))))))))))))))))))))); // HOT Between
            y += x;
        }
        return x + y;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static double While(int n)
    {
        double x = 1;
        while (n > 0)
        {
            n--;
            x = 1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + x)))))))))))))))))))))))); // HOT While
        }
        return x;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static double DoWhile(int n)
    {
        double x = 1;
        do
        {
            x = 1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + x)))))))))))))))))))))))); // HOT DoWhile
            n--;
        }
        while (n > 0);
        return x;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static double Nested(int n)
    {
        double x = 1;
        for (int i = 0; i < n; i += 50)
        {
            for (int k = 0; k < 50; k++)
                x = 1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + x)))))))))))))))))))))))); // HOT Nested
            x += 1;
        }
        return x;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static double Condition(int n)
    {
        double x = 1;
        for (int i = 0; i < n; i++)
        {
            if ((i & 15) == 0)
                x += 1;
            else
                x = 1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + x)))))))))))))))))))))))); // HOT Condition
        }
        return x;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static double Switched(int n)
    {
        double x = 1;
        for (int i = 0; i < n; i++)
        {
            switch (i & 3)
            {
                case 0:
                    x += 2;
                    break;
                case 3:
                    x += 3;
                    break;
                default:
                    x = 1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + x)))))))))))))))))))))))); // HOT Switched
                    break;
            }
        }
        return x;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static double Local(int n)
    {
        double Inner(double x)
        {
            for (int i = 0; i < n; i++)
                x = 1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + x)))))))))))))))))))))))); // HOT Local
            return x;
        }
        return Inner(1);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static double Thrown(int n)
    {
        double x = 1;
        try
        {
            if (n < 0) throw new ArgumentException("n");
            for (int i = 0; i < n; i++)
                x = 1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + x)))))))))))))))))))))))); // HOT Thrown
        }
        catch (ArgumentException)
        {
            x = 0;
        }
        return x;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static double InFinally(int n)
    {
        double x = 1;
        try
        {
            x += All.Length;
        }
        finally
        {
            for (int i = 0; i < n; i++)
                x = 1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + x)))))))))))))))))))))))); // HOT InFinally
        }
        return x;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static double Generic<T>(int n)
    {
        double x = typeof(T).Name.Length;
        for (int i = 0; i < n; i++)
            x = 1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + x)))))))))))))))))))))))); // HOT Generic
        return x;
    }

    static readonly Func<int, double> Inside = n =>
    {
        double x = 1;
        for (int i = 0; i < n; i++)
            x = 1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + x)))))))))))))))))))))))); // HOT Lambda
        return x;
    };

    static double Lambda(int n) => Inside(n);

    static double field = 1;

    [MethodImpl(MethodImplOptions.NoInlining)]
    static double Field(int n)
    {
        for (int i = 0; i < n; i++)
            field = 1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + field)))))))))))))))))))))))); // HOT Field
        return field;
    }

    static readonly double[] Numbers = new double[256];

    [MethodImpl(MethodImplOptions.NoInlining)]
    static double Array(int n)
    {
        double[] all = Numbers;
        for (int i = 0; i < n; i++)
            all[i & 255] = 1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + all[i & 255])))))))))))))))))))))))); // HOT Array
        return all[0];
    }

    static IEnumerable<double> Steps(int n)
    {
        double x = 1;
        for (int i = 0; i < 2; i++)
        {
            for (int k = 0; k < n; k++)
                x = 1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + x)))))))))))))))))))))))); // HOT Stepped
            yield return x;
        }
    }

    static double Stepped(int n)
    {
        double sum = 0;
        foreach (double x in Steps(n)) sum += x;
        return sum;
    }

    static async Task<double> Wait(int n)
    {
        double x = 1;
        await Task.CompletedTask;
        for (int i = 0; i < n; i++)
            x = 1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + x)))))))))))))))))))))))); // HOT Awaited
        return x;
    }

    static double Awaited(int n) => Wait(n).Result;

    [MethodImpl(MethodImplOptions.NoInlining)]
    static double Called(double x)
    {
        for (int i = 0; i < 20; i++)
            x = 1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + x)))))))))))))))))))))))); // HOT Called
        return x;
    }

    // Its line is that of a caller: of the call, not of what follows it.
    [MethodImpl(MethodImplOptions.NoInlining)]
    static double Calling(int n)
    {
        double x = 1;
        for (int i = 0; i < n; i += 20)
        {
            x += 1;
            x = Called(x); // HOT Calling
            x += 2;
        }
        return x;
    }

    // A statement's line is the one that it begins in.
    [MethodImpl(MethodImplOptions.NoInlining)]
    static double TwoLines(int n)
    {
        double x = 1;
        for (int i = 0; i < n; i++)
            x = 1 + 1 / (1 + 1 / (1 + 1 / // HOT TwoLines
                (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + x))))))))))))))))))))))));
        return x;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static double F(double x) => 1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + x)))))))))))))))))))))))); // HOT F

    [MethodImpl(MethodImplOptions.NoInlining)]
    static double Inlined(int n)
    {
        double x = 1;
        for (int i = 0; i < n; i++)
            x = F(x); // HOT Inlined
        return x;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static double InlinedTwice(int n)
    {
        double x = 1;
        for (int i = 0; i < n; i++)
        {
            x = F(x); // HOT InlinedTwice
            x = F(x); // HOT InlinedTwice
        }
        return x;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static double InlinedIf(int n)
    {
        double x = 1;
        for (int i = 0; i < n; i++)
        {
            if ((i & 31) == 7)
                x += 1;
            else if ((i & 1) == 0)
                x = F(x); // HOT InlinedIf
            else
                x = F(x + 1); // HOT InlinedIf
        }
        return x;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static double InlinedLast(int n)
    {
        double x = 1, y = 0;
        for (int i = 0; i < n; i++)
        {
            y += i;
            y *= 0.5;
            x = F(x); // HOT InlinedLast
        }
        return x + y;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static double InlinedFirst(int n)
    {
        double x = 1, y = 0;
        for (int i = 0; i < n; i++)
        {
            x = F(x); // HOT InlinedFirst
            y += i;
            y *= 0.5;
        }
        return x + y;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static double InlinedWhile(int n)
    {
        double x = 1;
        while (n-- > 0)
        {
            if (n == -77) Console.Out.Flush();
            x = F(x); // HOT InlinedWhile
        }
        return x;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static double InlinedSwitch(int n)
    {
        double x = 1;
        for (int i = 0; i < n; i++)
        {
            switch (i & 7)
            {
                case 0:
                    x += 1;
                    break;
                case 1:
                    x = F(x); // HOT InlinedSwitch
                    break;
                case 2:
                    x += 3;
                    break;
                default:
                    x = F(x + 2); // HOT InlinedSwitch
                    break;
            }
        }
        return x;
    }

    // Several statements, and a branch.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static double G(double x)
    {
        double a = 1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + x)))))))))))); // HOT G
        if (a > 1.5)
            a -= 0.25;
        return 1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + a)))))))))))); // HOT G
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static double InlinedBody(int n)
    {
        double x = 1;
        for (int i = 0; i < n; i++)
            x = G(x); // HOT InlinedBody
        return x;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static double InlinedBodyLast(int n)
    {
        double x = 1, y = 0;
        for (int i = 0; i < n; i++)
        {
            y += i;
            y *= 0.5;
            x = G(x); // HOT InlinedBodyLast
        }
        return x + y;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static double InlinedBodyFirst(int n)
    {
        double x = 1, y = 0;
        for (int i = 0; i < n; i++)
        {
            x = G(x); // HOT InlinedBodyFirst
            y += i;
            if (i == -5) Console.WriteLine();
            y *= 0.5;
        }
        return x + y;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static double InlinedBodies(int n)
    {
        double x = 1, y = 0;
        while (n > 0)
        {
            y += G(x) + // HOT InlinedBodies
                 G(x + 1);
            n--;
            if (y > 100)
                y = G(y); // HOT InlinedBodies
            x += 0.5;
        }
        return x + y;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static double H(double x)
    {
        if (x < 0)
            return 0;
        double a = G(x); // HOT H
        return a + 1;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static double InlinedDeep(int n)
    {
        double x = 1;
        int steps = 0;
        while (steps < n)
        {
            steps++;
            if ((steps & 1) == 0)
                continue;
            x = H(x); // HOT InlinedDeep
        }
        return x;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static double InlinedEach(int n)
    {
        double sum = 0;
        foreach (double number in Numbers.AsSpan(0, Math.Min(n, 256)))
        {
            double x = H(number); // HOT InlinedEach
            sum += x;
        }
        return sum;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static double Repeated(double x)
    {
        for (int i = 0; i < 8; i++)
            x = 1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + x)))))))))))); // HOT Repeated
        return x;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static double InlinedLoop(int n)
    {
        double x = 1, y = 2;
        for (int i = 0; i < n; i += 8)
        {
            y += x;
            x = Repeated(x); // HOT InlinedLoop
            y -= i;
        }
        return x + y;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static void Put(double x) => Numbers[0] = G(x + Numbers[1]);

    [MethodImpl(MethodImplOptions.NoInlining)]
    static double InlinedVoid(int n)
    {
        for (int i = 0; i < n; i++)
        {
            Put(i); // HOT InlinedVoid
        }
        return Numbers[0];
    }

    // What does not change in the loop may be moved out of it.
    [MethodImpl(MethodImplOptions.NoInlining)]
    static double Moved(int n)
    {
        double x = 1, y = n;
        for (int i = 0; i < n; i++)
        {
            double z = y / 3;
            x = 1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + x)))))))))))))))))))))))) + z; // HOT Moved
        }
        return x;
    }

    // Two statements of one value: which of them has it computed is the compiler's choice.
    [MethodImpl(MethodImplOptions.NoInlining)]
    static double Common(int n)
    {
        double x = 1;
        for (int i = 0; i < n; i++)
        {
            double a = G(x); // HOT Common
            double b = G(x); // HOT Common
            x = a + b + i;
        }
        return x;
    }

    // The next element becomes part of the statement that uses it.
    [MethodImpl(MethodImplOptions.NoInlining)]
    static double Elements(int n)
    {
        double x = n;
        foreach (double number in Numbers)
            x += 1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + number + x)))))))))))))))))))))))); // HOT Elements
        return x;
    }

    // What calls becomes part of the statement behind it, which calls nothing.
    [MethodImpl(MethodImplOptions.NoInlining)]
    static double CalledForNext(int n)
    {
        double x = 1, y = 1;
        for (int i = 0; i < n; i += 20)
        {
            double z = Called(x); // HOT CalledForNext
            x = z * 0.5 + y;
        }
        return x;
    }
}
