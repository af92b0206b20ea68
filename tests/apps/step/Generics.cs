using System.Runtime.CompilerServices;

namespace Stepping;

// Code shared by instantiations over references (with a dictionary to look up), code of its own for values.
static class Generics
{
    public static long All() =>
        Count<string>(["a", "b", "a"]) + Count<object>([1, 2, 1]) + Count<int>([1, 2, 1]) +
        new Holder<string>("x").Kind() + new Holder<List<string>>([]).Kind() + Virtual(new Derived());

    [MethodImpl(MethodImplOptions.NoInlining)]
    static long Count<T>(T[] items) where T : notnull
    {
        var seen = new Dictionary<T, int>();
        foreach (T item in items) seen[item] = seen.GetValueOrDefault(item) + 1;
        return seen.Count + typeof(T).Name.Length;
    }

    sealed class Holder<T>(T value)
    {
        [MethodImpl(MethodImplOptions.NoInlining)]
        public long Kind() => value is IEnumerable<T> ? 2 : new List<T> { value }.Count + Default<T>();

        [MethodImpl(MethodImplOptions.NoInlining)]
        static long Default<U>() => typeof(U) == typeof(T) ? 1 : 0;
    }

    abstract class Base { public abstract long Of<T>(T value); }
    sealed class Derived : Base
    {
        [MethodImpl(MethodImplOptions.NoInlining)]
        public override long Of<T>(T value) => typeof(T).Name.Length + (value?.GetHashCode() ?? 0) % 2 * 0;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static long Virtual(Base b) => b.Of("s") + b.Of(3) + b.Of(new object());
}
