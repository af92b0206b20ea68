// Methods whose work the compiler is made to inline: each is marked INTO with the method whose code it becomes, and the
// methods between, outermost first. inlined_test.py looks for these frames.
//   inlined SECONDS [OPTION]     each method for so long
using System.Runtime.CompilerServices;

namespace Inlined;

static class Program
{
    static readonly (string Name, Func<int, double> Body)[] All =
    {
        ("Once", Once), ("Chain", Chain), ("Twice", Twice), ("InLoop", InLoop), ("OfType", OfType), ("OfText", OfText),
        ("OfValue", OfValue), ("Member", Member), ("Calls", Calls), ("Branches", Branches), ("Nothing", Nothing),
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
        Console.WriteLine(sum != 0);
        return 0;
    }

    // INTO Once: Spin
    [MethodImpl(MethodImplOptions.NoInlining)]
    static double Once(int n) => Spin(n, 1);

    // INTO Chain: Outer Middle Spin
    [MethodImpl(MethodImplOptions.NoInlining)]
    static double Chain(int n)
    {
        double x = Outer(n);
        return x;
    }

    // INTO Twice: Spin | Spun
    [MethodImpl(MethodImplOptions.NoInlining)]
    static double Twice(int n)
    {
        double x = Spin(n, 1);
        x += Spun(n, 2);
        x += Spin(n, 3);
        return x;
    }

    // INTO InLoop: Step
    [MethodImpl(MethodImplOptions.NoInlining)]
    static double InLoop(int n)
    {
        double x = 1;
        for (int i = 0; i < n; i++)
        {
            Step(ref x);
        }
        return x;
    }

    // INTO OfType: Work<int> | Work<double>
    [MethodImpl(MethodImplOptions.NoInlining)]
    static double OfType(int n) => Work<int>(n) + Work<double>(n);

    // INTO OfText: Work<__Canon>
    [MethodImpl(MethodImplOptions.NoInlining)]
    static double OfText(int n) => Work<string>(n);

    // INTO OfValue: Value<long>.Run
    [MethodImpl(MethodImplOptions.NoInlining)]
    static double OfValue(int n) => new Value<long>(n).Run();

    // INTO Member: Counter.Next
    [MethodImpl(MethodImplOptions.NoInlining)]
    static double Member(int n) => counter.Next(n);

    // INTO Calls: Asks Asked > Answer
    [MethodImpl(MethodImplOptions.NoInlining)]
    static double Calls(int n) => Asks(n);

    // INTO Branches: Left Spin | Right Spun
    [MethodImpl(MethodImplOptions.NoInlining)]
    static double Branches(int n)
    {
        if ((++turn & 1) == 0) return Left(n);
        return Right(n);
    }

    // INTO Nothing:
    [MethodImpl(MethodImplOptions.NoInlining)]
    static double Nothing(int n)
    {
        double x = 1;
        for (int i = 0; i < n; i++)
            x = 1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + x))));
        return x;
    }

    static int turn;
    static readonly Counter counter = new();

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static double Spin(int n, double x)
    {
        for (int i = 0; i < n; i++)
            x = 1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + x)))); // LINE Spin
        return x;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static double Spun(int n, double x)
    {
        while (n > 0)
        {
            n--;
            x = 2 + 1 / (1 + 1 / (2 + 1 / (1 + 1 / (2 + x)))); // LINE Spun
        }
        return x;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static double Outer(int n)
    {
        double x = Middle(n);
        return x;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static double Middle(int n)
    {
        double x = Spin(n, 4);
        return x;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static void Step(ref double x)
    {
        for (int i = 0; i < 20; i++)
            x = 1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + x)))); // LINE Step
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static double Work<T>(int n)
    {
        double x = typeof(T) == typeof(int) ? 1 : 2;
        for (int i = 0; i < n; i++)
            x = 1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + x)))); // LINE Work
        return x;
    }

    readonly struct Value<T>
    {
        readonly int n;
        public Value(int n) => this.n = n;

        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public double Run()
        {
            double x = 1;
            for (int i = 0; i < n; i++)
                x = 1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + x)))); // LINE Run
            return x;
        }
    }

    sealed class Counter
    {
        double x = 1;

        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        public double Next(int n)
        {
            for (int i = 0; i < n; i++)
                x = 1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + x)))); // LINE Next
            return x;
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static double Asks(int n)
    {
        double x = Asked(n);
        return x;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static double Asked(int n)
    {
        double x = 0;
        for (int i = 0; i < 20; i++)
            x += Answer(n); // LINE Asked
        return x;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static double Answer(int n)
    {
        double x = 1;
        for (int i = 0; i < n; i++)
            x = 1 + 1 / (1 + 1 / (1 + 1 / (1 + 1 / (1 + x)))); // LINE Answer
        return x;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static double Left(int n)
    {
        double x = Spin(n, 1);
        return x;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static double Right(int n)
    {
        double x = Spun(n, 1);
        return x;
    }
}
