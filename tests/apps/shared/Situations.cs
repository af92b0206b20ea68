using System.Diagnostics;

/// A program of the corpus is a few situations; each goes on while `running` says so, checks itself and answers how
/// often it did its work. What is printed depends on nothing but the situation's name, so that a run can be compared
/// with another.   PROGRAM SITUATION [SECONDS [cpu]]: of the clock, or of the process's CPU time; at least once, however
/// seldom the program has a processor
static class Situations
{
    const int AtLeast = 4;  // times that a situation, or its threads together, are told to go on

    public static int Run(string[] args, Dictionary<string, Func<Func<bool>, long>> all)
    {
        if (args.Length == 0 || !all.TryGetValue(args[0], out var situation))
        {
            Console.Error.WriteLine($"situations: {string.Join(' ', all.Keys)}");
            return 2;
        }
        double seconds = args.Length > 1 ? double.Parse(args[1]) : 1;
        var clock = Stopwatch.StartNew();
        Until? until = args.Length > 2 && args[2] == "cpu" ? new(seconds) : null;
        int checks = 0;
        bool Running() => Interlocked.Increment(ref checks) <= AtLeast || (until != null ? !until.Over : clock.Elapsed.TotalSeconds < seconds);
        long rounds = situation(Running);
        Console.WriteLine($"{args[0]}: {(rounds > 0 ? "done" : "nothing was done")}");
        return rounds > 0 ? 0 : 1;
    }

    public static void Check(bool right, string what)
    {
        if (right) return;
        Console.WriteLine($"wrong: {what}");
        Environment.Exit(3);
    }
}
