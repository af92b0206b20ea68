// Calls that end by an exception, in every way that there is, as often as the program says: it counts what it calls itself.
//   unwound THREADS ROUNDS
// Says {"calls": {"Work.Rethrown": 80, …}, "exceptions": {…}} on a line, by the names that a pattern has: calls that ended, and those of them that an
// exception ended.
using System.Collections.Concurrent;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text.Json;

int threads = int.Parse(args[0]), rounds = int.Parse(args[1]);
// Runs on top of the method that throws, before anything is unwound.
AppDomain.CurrentDomain.FirstChanceException += (_, thrown) => Work.Watch.Seen(thrown.Exception);
for (int wave = 0; wave < 2; ++wave)
{
    var workers = new Thread[threads];
    for (int t = 0; t < threads; ++t)
    {
        workers[t] = new Thread(() => Driver.Run(rounds));
        workers[t].Start();
    }
    foreach (var worker in workers)
        worker.Join();
}
Console.WriteLine(JsonSerializer.Serialize(new { calls = Known.Sum(known => known.Calls), exceptions = Known.Sum(known => known.Exceptions) }));

// What the work does, by name. Not of the namespace that is traced.
sealed class Known
{
    [ThreadStatic] static Known? mine;
    static readonly ConcurrentBag<Known> all = [];
    public readonly Dictionary<string, long> Calls = [], Exceptions = [];

    static Known Mine()
    {
        if (mine is null)
            all.Add(mine = new Known());
        return mine;
    }

    // A method begins: each is called through here or says it itself.
    public static void Call(string name)
    {
        Dictionary<string, long> calls = Mine().Calls;
        calls[name] = calls.GetValueOrDefault(name) + 1;
    }

    // The method is about to be left by an exception.
    public static void Throw(string name)
    {
        Dictionary<string, long> exceptions = Mine().Exceptions;
        exceptions[name] = exceptions.GetValueOrDefault(name) + 1;
    }

    // Behind the last call of a method, which is no tail call then.
    public static volatile int After;

    public static SortedDictionary<string, long> Sum(Func<Known, Dictionary<string, long>> part)
    {
        var sums = new SortedDictionary<string, long>(StringComparer.Ordinal);
        foreach (Known one in all)
            foreach (var (name, count) in part(one))
                sums[name] = sums.GetValueOrDefault(name) + count;
        return sums;
    }
}

static class Driver
{
    static readonly MethodInfo reflected = typeof(Work.Ways).GetMethod(nameof(Work.Ways.Reflected))!;

    static void Caught<T>(Action work) where T : Exception
    {
        try { work(); }
        catch (T) { return; }
        throw new InvalidOperationException("it did not throw");
    }

    public static void Run(int rounds)
    {
        long sum = 0;
        for (int i = 0; i < rounds; ++i)
        {
            Caught<Work.Bad>(() => Work.Ways.Deep(5));
            Caught<Work.Bad>(() => Work.Ways.Rethrows());
            Caught<ArgumentException>(() => Work.Ways.ThrowsAnother());
            Caught<Exception>(() => Work.Ways.FinallyThrows());
            Caught<Work.Bad>(() => Work.Ways.FinallyCatches());
            Caught<Exception>(() => Work.Ways.FinallyReplaces());
            Caught<Work.Bad>(() => Work.Ways.Generic<string>("x"));
            Caught<Work.Bad>(() => Work.Ways.Generic<int>(i));
            Caught<TargetInvocationException>(() => reflected.Invoke(null, [i]));
            Caught<NullReferenceException>(() => Work.Ways.NoObject(null));
            Caught<DivideByZeroException>(() => Work.Ways.Divides(i, 0));
            Caught<IndexOutOfRangeException>(() => Work.Ways.Indexes([], i));
            Caught<InvalidCastException>(() => Work.Ways.Casts("x"));
            Caught<OverflowException>(() => Work.Ways.Overflows(int.MaxValue));
            Caught<Work.Bad>(() => Work.Ways.InLambda());
            Caught<Work.Bad>(() => Work.Ways.RunAsync(i).GetAwaiter().GetResult());
            Caught<Work.Bad>(() => { foreach (int one in Work.Ways.Items()) sum += one; });
            Caught<Work.Bad>(() => new Work.Broken());
            Caught<Work.Bad>(() => Work.Ways.Uses());
            Caught<Work.Bad>(() => Work.Ways.InCatch(3));
            sum += Work.Ways.CatchesItself() + Work.Ways.Filtered(i) + Work.Ways.FilterThrows() + Work.Ways.NestedTries(4) + Work.Ways.CatchInLoop(3);
            sum += Work.Ways.CatchesBelow(6) + Work.Ways.FilterBelow(3) + Work.Ways.FromNative(i);
            sum += Work.Ways.ByPointer(i) + Work.Ways.FilterOfEach(4) + Work.Ways.CatchesOfEach(3) + Work.Ways.Numbers(i);
            if (!Environment.HasShutdownStarted && i % 16 == 0)
                sum += Work.Ways.Deeply(3000);
        }
        GC.KeepAlive(sum);
    }
}

namespace Work
{
    sealed class Bad : Exception
    {
        public Bad() => Known.Call("Work.Bad..ctor");
    }

    static class Watch
    {
        [ThreadStatic] static int depth;

        public static void Seen(Exception thrown)
        {
            Known.Call("Work.Watch.Seen");
            if (depth > 0 || thrown is not Bad)
                return;
            ++depth;
            try { Throws(); }  // while another one is looking for its handler
            catch (ArgumentException) { }
            --depth;
        }

        static void Throws()
        {
            Known.Call("Work.Watch.Throws");
            Known.Throw("Work.Watch.Throws");
            throw new ArgumentException();
        }
    }

    sealed class Broken
    {
        public Broken()
        {
            Known.Call("Work.Broken..ctor");
            Known.Throw("Work.Broken..ctor");
            Ways.Throws();
            ++Known.After;
        }
    }

    sealed class Used : IDisposable
    {
        public Used() => Known.Call("Work.Used..ctor");
        public void Dispose() => Known.Call("Work.Used.Dispose");
    }

    static class Ways
    {
        public static void Throws()
        {
            Known.Call("Work.Ways.Throws");
            Known.Throw("Work.Ways.Throws");
            throw new Bad();
        }

        public static void Deep(int depth)
        {
            Known.Call("Work.Ways.Deep");
            Known.Throw("Work.Ways.Deep");
            if (depth == 0)
                Throws();
            Deep(depth - 1);
            ++Known.After;
        }

        public static void Rethrows()
        {
            Known.Call("Work.Ways.Rethrows");
            try { Throws(); }
            catch (Bad)
            {
                Fine();
                Known.Throw("Work.Ways.Rethrows");
                throw;
            }
        }

        public static void ThrowsAnother()
        {
            Known.Call("Work.Ways.ThrowsAnother");
            try { Throws(); }
            catch (Bad bad)
            {
                Known.Throw("Work.Ways.ThrowsAnother");
                throw new ArgumentException("another", bad);
            }
        }

        public static void FinallyThrows()
        {
            Known.Call("Work.Ways.FinallyThrows");
            Known.Throw("Work.Ways.FinallyThrows");
            try { Throws(); }
            finally { Argument(); }
        }

        static void Argument()
        {
            Known.Call("Work.Ways.Argument");
            Known.Throw("Work.Ways.Argument");
            throw new ArgumentException();
        }

        public static void FinallyCatches()
        {
            Known.Call("Work.Ways.FinallyCatches");
            Known.Throw("Work.Ways.FinallyCatches");
            try { Throws(); }
            finally
            {
                try { Deep(2); }
                catch (Bad) { Fine(); }
                Fine();
            }
        }

        // Of three finally bodies around each other each replaces what the one inside of it threw.
        public static void FinallyReplaces()
        {
            Known.Call("Work.Ways.FinallyReplaces");
            Known.Throw("Work.Ways.FinallyReplaces");
            try
            {
                try { Throws(); }
                finally { Argument(); }
            }
            finally { Deep(1); }
        }

        public static void Fine() => Known.Call("Work.Ways.Fine");

        public static T Generic<T>(T value)
        {
            Known.Call("Work.Ways.Generic");
            Known.Throw("Work.Ways.Generic");
            Throws();
            return value;
        }

        public static int Reflected(int i)
        {
            Known.Call("Work.Ways.Reflected");
            Known.Throw("Work.Ways.Reflected");
            Throws();
            return i;
        }

        public static int NoObject(string? text)
        {
            Known.Call("Work.Ways.NoObject");
            Known.Throw("Work.Ways.NoObject");
            return text!.Length;
        }

        public static int Divides(int a, int b)
        {
            Known.Call("Work.Ways.Divides");
            Known.Throw("Work.Ways.Divides");
            return a / b;
        }

        public static int Indexes(int[] all, int i)
        {
            Known.Call("Work.Ways.Indexes");
            Known.Throw("Work.Ways.Indexes");
            return all[i];
        }

        public static Ways2 Casts(object one)
        {
            Known.Call("Work.Ways.Casts");
            Known.Throw("Work.Ways.Casts");
            return (Ways2)one;
        }

        public sealed class Ways2;

        public static int Overflows(int i)
        {
            Known.Call("Work.Ways.Overflows");
            Known.Throw("Work.Ways.Overflows");
            return checked(i + i);
        }

        public static void InLambda()
        {
            Known.Call("Work.Ways.InLambda");
            Known.Throw("Work.Ways.InLambda");
            Action lambda = Throws;
            lambda();
            ++Known.After;
        }

        public static async Task<int> RunAsync(int i)
        {
            Known.Call("Work.Ways.RunAsync");  // of the method itself, which ends; its MoveNext is called once or twice
            if (i % 4 == 0)
                await Task.Yield();
            try { Throws(); }
            finally { Fine(); }
            return i;
        }

        public static IEnumerable<int> Items()
        {
            yield return 1;
            try { Throws(); }
            finally { Fine(); }
            yield return 2;
        }

        public static void Uses()
        {
            Known.Call("Work.Ways.Uses");
            Known.Throw("Work.Ways.Uses");
            using var used = new Used();
            Throws();
        }

        // Throws in a catch body, of which the next one throws in its own: frames of handlers upon each other.
        public static void InCatch(int depth)
        {
            Known.Call("Work.Ways.InCatch");
            Known.Throw("Work.Ways.InCatch");
            try { Throws(); }
            catch (Bad) when (depth > 0)
            {
                InCatch(depth - 1);
            }
        }

        public static int CatchesItself()
        {
            Known.Call("Work.Ways.CatchesItself");
            try { throw new Bad(); }
            catch (Bad) { return 1; }
        }

        static bool Says(bool what)
        {
            Known.Call("Work.Ways.Says");
            return what;
        }

        public static int Filtered(int i)
        {
            Known.Call("Work.Ways.Filtered");
            try
            {
                try { Deep(1); }
                catch (Bad) when (Says(false)) { return 1; }
                finally { Fine(); }
            }
            catch (Bad) when (Says(true)) { return i; }
            return 3;
        }

        static bool SaysBad()
        {
            Known.Call("Work.Ways.SaysBad");
            Known.Throw("Work.Ways.SaysBad");
            Argument();
            return true;
        }

        // What a filter throws is swallowed, and means no.
        public static int FilterThrows()
        {
            Known.Call("Work.Ways.FilterThrows");
            try
            {
                try { Throws(); }
                catch (Bad) when (SaysBad()) { return 1; }
            }
            catch (Bad) { return 2; }
            return 3;
        }

        public static int NestedTries(int depth)
        {
            Known.Call("Work.Ways.NestedTries");
            try { Throws(); }
            catch (Bad)
            {
                return depth == 0 ? 0 : NestedTries(depth - 1) + 1;
            }
            return -1;
        }

        public static int CatchInLoop(int times)
        {
            Known.Call("Work.Ways.CatchInLoop");
            int caught = 0;
            while (times-- > 0)
            {
                try { Deep(times); }
                catch (Bad) { ++caught; }
                finally { Fine(); }
            }
            return caught;
        }

        public static int CatchesBelow(int depth)
        {
            Known.Call("Work.Ways.CatchesBelow");
            try { return depth == 0 ? Thrown() : CatchesBelow(depth - 1); }
            catch (Bad) when (depth == 3) { return 1; }
            finally
            {
                if (depth < 3)
                    Known.Throw("Work.Ways.CatchesBelow");
            }
        }

        static int Thrown()
        {
            Known.Call("Work.Ways.Thrown");
            Known.Throw("Work.Ways.Thrown");
            throw new Bad();
        }

        public static int FilterBelow(int depth)
        {
            Known.Call("Work.Ways.FilterBelow");
            try { return Mid(depth); }
            catch (Bad) when (Says(depth == 3)) { return 1; }
        }

        static int Mid(int depth)
        {
            Known.Call("Work.Ways.Mid");
            Known.Throw("Work.Ways.Mid");
            try { return depth == 0 ? Thrown() : FilterBelow2(depth - 1); }
            finally { Fine(); }
        }

        static int FilterBelow2(int depth)
        {
            Known.Call("Work.Ways.FilterBelow2");
            Known.Throw("Work.Ways.FilterBelow2");
            try { return Mid(depth); }
            catch (Bad) when (Says(false)) { return 1; }
        }

        [DllImport("libc")]
        static extern unsafe void qsort(int* numbers, nint count, nint size, delegate* unmanaged<int*, int*, int> compare);

        // Native code calls back what throws and catches.
        public static unsafe int FromNative(int i)
        {
            Known.Call("Work.Ways.FromNative");
            int* numbers = stackalloc int[2] { i, 7 };
            if (OperatingSystem.IsLinux())
                qsort(numbers, 2, sizeof(int), &Compare);
            return numbers[0];
        }

        [UnmanagedCallersOnly]
        static unsafe int Compare(int* a, int* b)
        {
            Known.Call("Work.Ways.Compare");
            try { Deep(1); }
            catch (Bad) { Fine(); }
            return *a - *b;
        }

        // The filter of each of these frames throws, but that of the one that catches.
        public static int FilterOfEach(int depth)
        {
            Known.Call("Work.Ways.FilterOfEach");
            try
            {
                if (depth != 0)
                    return FilterOfEach(depth - 1) + 1;
                Known.Throw("Work.Ways.FilterOfEach");
                Known.Throw("Work.Ways.FilterOfEach");
                Known.Throw("Work.Ways.FilterOfEach");
                throw new Bad();
            }
            catch (Bad) when (depth == 3 || SaysBad()) { Fine(); }
            return 1;
        }

        // The catch body of each calls the next; what the last throws leaves several of them, out of their catch bodies.
        public static int CatchesOfEach(int depth)
        {
            Known.Call("Work.Ways.CatchesOfEach");
            try { Throws(); }
            catch (Bad)
            {
                if (depth == 0)
                {
                    Known.Throw("Work.Ways.CatchesOfEach");
                    Argument();
                }
                try
                {
                    if (depth == 2)
                        return CatchesOfEach(depth - 1);
                }
                catch (ArgumentException) { return 1; }
                if (depth == 1)
                    Known.Throw("Work.Ways.CatchesOfEach");
                return CatchesOfEach(depth - 1);
            }
            return 0;
        }

        // An exception that leaves very many frames at once.
        public static int Deeply(int depth)
        {
            Known.Call("Work.Ways.Deeply");
            try { return Sinks(depth); }
            catch (Bad) { return 1; }
        }

        static int Sinks(int depth)
        {
            Known.Call("Work.Ways.Sinks");
            Known.Throw("Work.Ways.Sinks");
            return (depth == 0 ? Thrown() : Sinks(depth - 1)) + 1;
        }

        struct Pair { public long Whole; public double Part; }
        struct Four { public double A, B, C, D; }

        static Pair Paired(int a, double b, long c, float d, byte e, double f, short g, double h, long i, double j)
        {
            Known.Call("Work.Ways.Paired");
            return new Pair { Whole = a + c + e + g + i, Part = b + d + f + h + j };
        }

        static Four Doubles(double a, double b, double c, double d, double e, double f, double g, double h, System.Numerics.Vector4 v, Four four)
        {
            Known.Call("Work.Ways.Doubles");
            return new Four { A = a + e + v.X, B = b + f + v.Y + four.B, C = c + g + v.Z, D = d + h + v.W + four.D };
        }

        // What is handed over and returned in registers arrives.
        public static int Numbers(int i)
        {
            Known.Call("Work.Ways.Numbers");
            Pair pair = Paired(i, 0.5, 2, 0.25f, 3, 1.5, 4, 2.5, 5, 3.5);
            Four four = Doubles(1, 2, 3, 4, 5, 6, 7, 8, new(i, 1, 2, 3), new Four { B = 10, D = 20 });
            if (pair.Whole != i + 14 || pair.Part != 8.25 || four.A != 6 + i || four.B != 19 || four.C != 12 || four.D != 35)
                Environment.FailFast($"{i}: {pair.Whole} {pair.Part} {four.A} {four.B} {four.C} {four.D}");
            return (int)pair.Whole;
        }

        public static unsafe int ByPointer(int i)
        {
            Known.Call("Work.Ways.ByPointer");
            delegate*<void> pointer = &Throws;
            try { pointer(); }
            catch (Bad) { return i; }
            return 0;
        }
    }
}
