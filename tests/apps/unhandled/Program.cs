// Programs that end by an exception that nobody handles, and others that end in ways that look alike.
//   unhandled main|thread|pool|void      the exception is thrown by Main, a thread, a work item of the pool, an async void method
//   unhandled exits                      a handler of AppDomain.UnhandledException ends the program with exit code 7
//   unhandled failfast                   catches an exception, then calls Environment.FailFast
//   unhandled failfilter                 a filter writes the exception and calls Environment.FailFast, while it looks for its handler
//   unhandled failother                  Environment.FailFast on one thread while another one has thrown what it will catch
//   unhandled killed                     SIGKILL while an exception looks for its handler
//   unhandled aborts                     abort() of libc, behind an exception that is caught
//   unhandled handled                    catches all
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

switch (args.Length > 0 ? args[0] : "")
{
    case "main": Throws.Deep(3); break;
    case "thread":
        var thread = new Thread(() => Throws.Deep(3)) { Name = "thrower" };
        thread.Start();
        thread.Join();
        break;
    case "pool":
        ThreadPool.QueueUserWorkItem(_ => Throws.Deep(3));
        Thread.Sleep(10_000);
        break;
    case "void":
        Throws.Void();
        Thread.Sleep(10_000);
        break;
    case "exits":
        AppDomain.CurrentDomain.UnhandledException += (_, _) => Environment.Exit(7);
        Throws.Deep(3);
        break;
    case "failfast":
        Throws.Caught();
        Environment.FailFast("as asked");
        break;
    case "failfilter":
        try { Throws.Deep(3); }
        catch (Expected e) when (FailFast(e)) { }
        break;
    case "failother":
        new Thread(() => { try { Throws.Deep(3); } catch (Expected) when (Waits()) { } }).Start();
        Thread.Sleep(300);
        Environment.FailFast("as asked");
        break;
    case "killed":
        try { Throws.Deep(3); }
        catch (Expected) when (Kill()) { }
        break;
    case "aborts":
        Throws.Caught();
        Native.Abort();
        break;
    case "handled": Throws.Caught(); break;
    default: return 2;
}
return 0;

static bool FailFast(Exception e) { Console.WriteLine(e); Environment.FailFast("as asked"); return true; }
static bool Waits() { Thread.Sleep(10_000); return true; }
static bool Kill() { Native.Kill(Environment.ProcessId, 9); Thread.Sleep(10_000); return true; }

sealed class Expected(string message) : Exception(message);

static class Throws
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Deep(int depth)
    {
        if (depth == 0) throw new Expected("nobody handles this");
        Deep(depth - 1);
    }

    public static async void Void()
    {
        await Task.Delay(10);
        Deep(3);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Caught()
    {
        try { Deep(3); }
        catch (Expected e) { Console.WriteLine($"caught {e.Message}"); }
    }
}

static class Native
{
    [DllImport("libc", EntryPoint = "abort")]
    public static extern void Abort();
    [DllImport("libc", EntryPoint = "kill", SetLastError = true)]
    public static extern int Kill(int pid, int signal);
}
