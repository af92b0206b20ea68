using System.Runtime.CompilerServices;

namespace Naming
{
    public static class Functions
    {
        static readonly Func<int> s_field = () =>
        {
            Spin.For(20);
            return 1;
        };

        [MethodImpl(MethodImplOptions.NoInlining)]
        public static void All()
        {
            s_field();
            Overloaded(1);
            Overloaded("a");
            Capturing(3)();
            _ = Property;
            Generic<int>();
            Generic<string>();
        }

        // Their lambdas have the same number each: the compiler's number of the method tells them apart.
        [MethodImpl(MethodImplOptions.NoInlining)]
        static void Overloaded(int of)
        {
            Action first = () => Spin.For(20);
            first();
            Local();
            static void Local() => Spin.For(20);
        }
        [MethodImpl(MethodImplOptions.NoInlining)]
        static void Overloaded(string of)
        {
            Action first = () => Spin.For(20);
            first();
            Local();
            static void Local() => Spin.For(20);
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        static Action Capturing(int captured)
        {
            Action first = () => Spin.For(20);
            Action second = () => Spin.For(10 + captured);
            return first + second;
        }

        static int Property
        {
            get
            {
                Func<int> lambda = () =>
                {
                    Spin.For(20);
                    return 1;
                };
                return lambda();
            }
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        static void Generic<T>()
        {
            Action lambda = () => Spin.For(20 + typeof(T).Name.Length / 100);
            lambda();
        }
    }

    public static class Machines
    {
        [MethodImpl(MethodImplOptions.NoInlining)]
        public static async Task All()
        {
            await RunAsync(1);
            await RunAsync("a");
            foreach (int _ in Items(2)) Spin.For(1);
            await foreach (int _ in ItemsAsync()) Spin.For(1);
            Func<Task> lambda = async () =>
            {
                await Task.Yield();
                Spin.For(20);
            };
            await lambda();
            await LocalAsync();

            static async Task LocalAsync()
            {
                await Task.Yield();
                Spin.For(20);
            }
        }

        static async Task RunAsync(int of)
        {
            await Task.Yield();
            Spin.For(20);
        }
        static async Task RunAsync(string of)
        {
            await Task.Yield();
            Spin.For(20);
        }

        static IEnumerable<int> Items(int count)
        {
            for (int i = 0; i < count; i++)
            {
                Spin.For(10);
                yield return i;
            }
        }
        static async IAsyncEnumerable<int> ItemsAsync()
        {
            await Task.Yield();
            Spin.For(20);
            yield return 1;
        }
    }
}
