// What Tests.cs tests. Behind each line that is looked at: in which flows it runs, and no others; "OrderTests" alone is
// that class outside of its tests, "?" what no test is known of, "-" none.
namespace Shop;

public static class Orders
{
    public static int Sync(int x)
    {
        return x + 1; // in: OrderTests.Sync
    }

    public static async Task<int> Async(int x)
    {
        int y = x + 1; // in: OrderTests.Async
        await Task.Delay(20);
        y += Behind(y); // in: OrderTests.Async
        await Task.Run(() =>
        {
            Thread.Sleep(5); // in: OrderTests.Async
            y++; // in: OrderTests.Async
        });
        return y; // in: OrderTests.Async
    }

    static int Behind(int y)
    {
        return y * 2; // in: OrderTests.Async
    }

    public static int InThread(int x)
    {
        int y = 0; // in: OrderTests.InThread
        var thread = new Thread(() =>
        {
            y = x + 2; // in: OrderTests.InThread
        });
        thread.Start(); // in: OrderTests.InThread
        thread.Join(); // in: OrderTests.InThread
        return y; // in: OrderTests.InThread
    }

    // In two threads at the same time.
    public static int Parallel(int x)
    {
        int sum = 0; // in: First.Loops Second.Loops
        for (int i = 0; i < x; i++)
            sum += i; // in: First.Loops Second.Loops
        if (x == 20_001)
            sum++; // in: First.Loops
        if (x == 20_002)
            sum--; // in: Second.Loops
        return sum; // in: First.Loops Second.Loops
    }

    public static int Row(int x)
    {
        if (x > 1)
            return 1; // in: OrderTests.Rows
        return 2; // in: OrderTests.Rows
    }

    public static string SetUp()
    {
        return "set up"; // in: OrderTests
    }

    public static volatile bool LateRan;

    // Goes on behind the test's end, while others run.
    public static void Left()
    {
        Task.Run(async () =>
        {
            await Task.Delay(150); // in: OrderTests.Leaves
            Late(); // in: OrderTests.Leaves
        });
    }

    static void Late()
    {
        Calls++; // in: OrderTests.Leaves
        LateRan = true;
    }

    public static void WithoutFlow(ManualResetEvent done)
    {
        ThreadPool.UnsafeQueueUserWorkItem(_ =>
        {
            Calls++; // in: ?
            done.Set(); // in: ?
        }, null);
    }

    public static int Thrown()
    {
        throw new InvalidOperationException("as asked"); // in: OrderTests.Throws
    }

    public static void BehindThrow()
    {
        Calls++; // in: OrderTests.ThrowsAndCatches
    }

    public static void Never()
    {
        Calls++; // in: -
    }

    public static int Calls;
}
