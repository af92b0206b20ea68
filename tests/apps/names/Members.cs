using System.Collections;
using System.Runtime.CompilerServices;

namespace Naming
{
    public interface IPriced<T>
    {
        int Price(T of);
        T Best { get; }
    }

    public record Order(int Id, string Name)
    {
        static readonly int s_first = First();

        [MethodImpl(MethodImplOptions.NoInlining)]
        static int First()
        {
            Spin.For(20);
            return 1;
        }
        public override int GetHashCode()
        {
            Spin.For(20);
            return s_first;
        }
    }

    public static class StaticPart
    {
        public static readonly int Value;
        static StaticPart()
        {
            Spin.For(60);
            Value = 1;
        }
    }

    public class Cart(int limit) : IPriced<string>, IEnumerable<int>, IDisposable
    {
        readonly int _limit = Checked(limit);
        int _total;

        [MethodImpl(MethodImplOptions.NoInlining)]
        static int Checked(int limit)
        {
            Spin.For(20);
            return limit;
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        public Cart() : this(1) => Spin.For(20);

        public int Total
        {
            [MethodImpl(MethodImplOptions.NoInlining)]
            get
            {
                Spin.For(20);
                return _total;
            }
            [MethodImpl(MethodImplOptions.NoInlining)]
            set
            {
                Spin.For(20);
                _total = Math.Min(value, _limit);
            }
        }

        public string this[int line, string of]
        {
            [MethodImpl(MethodImplOptions.NoInlining)]
            get
            {
                Spin.For(20);
                return of;
            }
            [MethodImpl(MethodImplOptions.NoInlining)]
            set => Spin.For(20);
        }

        public event Action Paid
        {
            [MethodImpl(MethodImplOptions.NoInlining)]
            add => Spin.For(20);
            [MethodImpl(MethodImplOptions.NoInlining)]
            remove => Spin.For(20);
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        public int get_Nothing()
        {
            Spin.For(20);
            return 0;
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        int IPriced<string>.Price(string of)
        {
            Spin.For(20);
            return of.Length;
        }
        string IPriced<string>.Best
        {
            [MethodImpl(MethodImplOptions.NoInlining)]
            get
            {
                Spin.For(20);
                return "";
            }
        }

        IEnumerator<int> IEnumerable<int>.GetEnumerator()
        {
            Spin.For(20);
            yield return 1;
        }
        IEnumerator IEnumerable.GetEnumerator() => ((IEnumerable<int>)this).GetEnumerator();
        void IDisposable.Dispose() => Spin.For(20);
    }

    public readonly struct Money(int amount)
    {
        public readonly int Amount = amount;

        [MethodImpl(MethodImplOptions.NoInlining)]
        public static Money operator +(Money left, Money right)
        {
            Spin.For(20);
            return new Money(left.Amount + right.Amount);
        }
        [MethodImpl(MethodImplOptions.NoInlining)]
        public static Money operator -(Money of)
        {
            Spin.For(20);
            return new Money(-of.Amount);
        }
        [MethodImpl(MethodImplOptions.NoInlining)]
        public static bool operator <(Money left, Money right)
        {
            Spin.For(20);
            return left.Amount < right.Amount;
        }
        public static bool operator >(Money left, Money right) => right < left;
        [MethodImpl(MethodImplOptions.NoInlining)]
        public static implicit operator decimal(Money of)
        {
            Spin.For(20);
            return of.Amount;
        }
        [MethodImpl(MethodImplOptions.NoInlining)]
        public static explicit operator int(Money of)
        {
            Spin.For(20);
            return of.Amount;
        }
        [MethodImpl(MethodImplOptions.NoInlining)]
        public static explicit operator long(Money of)
        {
            Spin.For(20);
            return of.Amount;
        }
    }

    file class Hidden
    {
        [MethodImpl(MethodImplOptions.NoInlining)]
        public static void Run() => Spin.For(20);
    }

    public static class Members
    {
        [MethodImpl(MethodImplOptions.NoInlining)]
        public static void All()
        {
            _ = new Order(1, "a").GetHashCode() + StaticPart.Value;
            using var cart = new Cart();
            cart.Total = cart.Total + 1;
            cart[1, "a"] = cart[2, "b"];
            cart.Paid += Members.All;
            cart.Paid -= Members.All;
            cart.get_Nothing();
            IPriced<string> priced = cart;
            priced.Price(priced.Best);
            foreach (int _ in (IEnumerable<int>)cart)
            {
            }
            ((IDisposable)cart).Dispose();
            Money money = new Money(1) + -new Money(2);
            _ = money < new Money(3);
            decimal wide = money;
            _ = (int)money + (long)money + wide;
            Hidden.Run();
        }
    }
}
