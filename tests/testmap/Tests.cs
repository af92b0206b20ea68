// The same tests in four frameworks; classes run in parallel.
using Shop;
#if IN_XUNIT || IN_XUNIT3
using TestAttribute = Xunit.FactAttribute;
#elif IN_NUNIT
using NUnit.Framework;

[assembly: Parallelizable(ParallelScope.Fixtures)]
#else
using Microsoft.VisualStudio.TestTools.UnitTesting;
using TestAttribute = Microsoft.VisualStudio.TestTools.UnitTesting.TestMethodAttribute;

[assembly: Parallelize(Scope = ExecutionScope.ClassLevel, Workers = 4)]
#endif

namespace Shop.Tests;

#if IN_MSTEST
[TestClass]
#endif
public class OrderTests
{
#if IN_NUNIT
    [SetUp]
    public void Prepare() => Orders.SetUp();
#elif IN_MSTEST
    [TestInitialize]
    public void Prepare() => Orders.SetUp();
#else
    public OrderTests() => Orders.SetUp();
#endif

    [Test]
    public void Sync() => Expect(Orders.Sync(1) == 2);

    [Test]
    public async Task Async() => Expect(await Orders.Async(1) == 7);

    [Test]
    public void InThread() => Expect(Orders.InThread(1) == 3);

#if IN_NUNIT
    [TestCase(1), TestCase(2)]
#elif IN_MSTEST
    [TestMethod, DataRow(1), DataRow(2)]
#else
    [Xunit.Theory, Xunit.InlineData(1), Xunit.InlineData(2)]
#endif
    public void Rows(int x) => Orders.Row(x);

    [Test]
    public void Leaves() => Orders.Left();

    [Test]
    public void WithoutFlow()
    {
        using var done = new ManualResetEvent(false);
        Orders.WithoutFlow(done);
        done.WaitOne();
    }

    // Fails if it is told to.
    [Test]
    public void Throws()
    {
        if (Environment.GetEnvironmentVariable("SHOP_FAILS") == "1")
            Orders.Thrown();
        try
        {
            Orders.Thrown();
        }
        catch (InvalidOperationException)
        {
        }
    }

    [Test]
    public async Task ThrowsAndCatches()
    {
        try
        {
            await Task.Yield();
            throw new InvalidOperationException();
        }
        catch (InvalidOperationException)
        {
            Orders.BehindThrow();
        }
    }

    static void Expect(bool ok)
    {
        if (!ok)
            throw new InvalidOperationException("not as expected");
    }
}

#if IN_MSTEST
[TestClass]
#endif
public class First
{
    [Test]
    public void Loops()
    {
        for (int i = 0; i < 300; i++)
            Orders.Parallel(20_001);
        // What a test left behind has run before the process ends.
        for (int i = 0; i < 3000 && !Orders.LateRan; i++)
            Thread.Sleep(10);
    }
}

#if IN_MSTEST
[TestClass]
#endif
public class Second
{
    [Test]
    public void Loops()
    {
        for (int i = 0; i < 300; i++)
            Orders.Parallel(20_002);
        Thread.Sleep(200);
    }
}
