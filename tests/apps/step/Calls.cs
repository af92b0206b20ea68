using System.Runtime.CompilerServices;

namespace Stepping;

// Calls the runtime puts something between: delegate thunks, interface stubs, casts, write barriers, allocators.
static class Calls
{
    interface IShape { long Area(); }
    sealed class Square : IShape { [MethodImpl(MethodImplOptions.NoInlining)] public long Area() => 4; }
    sealed class Circle : IShape { [MethodImpl(MethodImplOptions.NoInlining)] public long Area() => 3; }
    sealed class Line : IShape { [MethodImpl(MethodImplOptions.NoInlining)] public long Area() => 0; }
    struct Point : IShape { public long X; [MethodImpl(MethodImplOptions.NoInlining)] public readonly long Area() => X; }

    static readonly IShape[] s_shapes = [new Square(), new Circle(), new Line(), new Point { X = 9 }];

    // One call site with one type (dispatch stub), one with many (resolve stub), both through the cache.
    public static long Dispatch()
    {
        long sum = 0;
        for (int i = 0; i < 4; i++) sum += OneType(s_shapes[0]) + ManyTypes(s_shapes[i]) + Virtual(s_shapes[i]);
        return sum;
    }

    [MethodImpl(MethodImplOptions.NoInlining)] static long OneType(IShape shape) => shape.Area();
    [MethodImpl(MethodImplOptions.NoInlining)] static long ManyTypes(IShape shape) => shape.Area();
    [MethodImpl(MethodImplOptions.NoInlining)] static long Virtual(object o) => o.ToString()!.Length;

    [MethodImpl(MethodImplOptions.NoInlining)] static long Static(long x) => x + 1;
    static readonly Func<long, long> s_static = Static;
    static readonly Func<long, long> s_closed = new Square().Closed;
    static long Closed(this Square square, long x) => square.Area() + x;

    public static long Delegates()
    {
        long captured = 5;
        Func<long, long> closure = x => x + captured, both = s_static;
        both += closure;
        return s_static(1) + s_closed(2) + closure(3) + both(4) + ((Func<long, long>)Generic<string>)(6);
    }

    [MethodImpl(MethodImplOptions.NoInlining)] static long Generic<T>(long x) => x + typeof(T).Name.Length;

    sealed class Node { public Node? Next; public object? Value; }
    static object[] s_objects = [];
    static Node s_last = new();

    public static long Helpers()
    {
        s_objects = new object[4];
        var list = new Node { Value = "v", Next = new Node() };
        for (int i = 0; i < s_objects.Length; i++) s_objects[i] = i % 2 == 0 ? list : (object)i;  // covariant store
        s_last = list;
        list.Next.Next = s_last;
        Node[] copy = [.. s_objects.OfType<Node>()];
        return Cast<Node>(s_objects[0]) + Cast<string>(s_objects[0]) + Cast<IComparable>(s_objects[1]) + copy.Length +
            (s_objects is IEnumerable<object> ? 1 : 0) + (long)(int)s_objects[1] + new int[3, 2].Length;
    }

    [MethodImpl(MethodImplOptions.NoInlining)] static long Cast<T>(object o) where T : class => o is T ? 1 : 0;
}
