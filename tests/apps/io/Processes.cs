using System.Diagnostics;
using static Situations;

namespace Io;

static class Processes
{
    public static long Run(Func<bool> running)
    {
        long rounds = 0;
        for (; running(); rounds++)
        {
            var start = new ProcessStartInfo("/bin/echo", $"round {rounds}") { RedirectStandardOutput = true };
            using Process child = Process.Start(start)!;
            string output = child.StandardOutput.ReadToEnd();
            child.WaitForExit();
            Check(child.ExitCode == 0 && output == $"round {rounds}\n", $"a child printed {output}, exit code {child.ExitCode}");
        }
        return rounds;
    }
}
