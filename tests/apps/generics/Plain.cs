using System.Runtime.CompilerServices;

namespace Naming
{
    public struct Point
    {
        public int X;
    }

    public class Box<T>
    {
        // Over a value type the code is exact; over reference types it is shared.
        [MethodImpl(MethodImplOptions.NoInlining)]
        public int Put(T item, int[] rest)
        {
            Spin.For(40);
            return rest.Length;
        }

        public class Lid<U>
        {
            [MethodImpl(MethodImplOptions.NoInlining)]
            public int Close(T first, U second)
            {
                Spin.For(40);
                return 1;
            }
        }
    }

    public class Outer
    {
        public class Middle
        {
            public class Inner
            {
                [MethodImpl(MethodImplOptions.NoInlining)]
                public int Nested(string text, ref int count)
                {
                    Spin.For(40);
                    return count += text.Length;
                }
            }
        }
    }

    public static class Plain
    {
        public static void Everything()
        {
            new Box<int>().Put(1, []);
            new Box<Point>().Put(default, []);
            new Box<string>().Put("", []);
            new Box<int>.Lid<Point>().Close(1, default);
            int count = 0;
            new Outer.Middle.Inner().Nested("a", ref count);
            Map<int, double>(1);
            WithLambda(3);
            WithLocalFunction(4);
            foreach (int i in Iterate(2)) count += i;
            _ = new Plainly(5)[6] + new Plainly(1);
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        static int Map<TFrom, TTo>(TFrom value)
        {
            Spin.For(40);
            return typeof(TTo).Name.Length;
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        static int WithLambda(int captured)
        {
            Func<int, int> lambda = x =>
            {
                Spin.For(40);
                return x + captured;
            };
            return lambda(1);
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        static int WithLocalFunction(int captured)
        {
            return Local(2);

            [MethodImpl(MethodImplOptions.NoInlining)]
            int Local(int x)
            {
                Spin.For(40);
                return x + captured;
            }
        }

        static IEnumerable<int> Iterate(int count)
        {
            for (int i = 0; i < count; i++)
            {
                Spin.For(20);
                yield return i;
            }
        }
    }

    public class Plainly
    {
        readonly int _value;

        [MethodImpl(MethodImplOptions.NoInlining)]
        public Plainly(int value)
        {
            Spin.For(40);
            _value = value;
        }

        public int this[int index]
        {
            [MethodImpl(MethodImplOptions.NoInlining)]
            get
            {
                Spin.For(40);
                return index + _value;
            }
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        public static int operator +(int left, Plainly right)
        {
            Spin.For(40);
            return left + right._value;
        }
    }
}
