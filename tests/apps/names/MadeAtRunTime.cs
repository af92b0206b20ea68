using System.Diagnostics;
using System.Linq.Expressions;
using System.Runtime.CompilerServices;
using System.Text.RegularExpressions;

namespace Naming
{
    public static class MadeAtRunTime
    {
        static readonly Func<Order, int[], object> s_tree = Tree();
        static readonly Regex s_regex = new("ab+c", RegexOptions.Compiled);
        static readonly string s_text = string.Concat(Enumerable.Repeat("abb", 20_000));

        [MethodImpl(MethodImplOptions.NoInlining)]
        public static void All()
        {
            s_tree(new Order(1, "a"), []);
            for (var clock = Stopwatch.StartNew(); clock.ElapsedMilliseconds < 30;) s_regex.IsMatch(s_text);
        }

        // object (Order order, int[] numbers) => Spin.For(20), with a constant that it has a closure for
        static Func<Order, int[], object> Tree()
        {
            ParameterExpression order = Expression.Parameter(typeof(Order), "order");
            ParameterExpression numbers = Expression.Parameter(typeof(int[]), "numbers");
            Expression spin = Expression.Call(typeof(Spin).GetMethod(nameof(Spin.For))!, Expression.Constant(20));
            Expression body = Expression.Block(spin, Expression.Constant(new object()));
            return Expression.Lambda<Func<Order, int[], object>>(body, order, numbers).Compile();
        }
    }
}
