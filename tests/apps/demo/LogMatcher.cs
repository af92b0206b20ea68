using System.Text;
using System.Text.RegularExpressions;

namespace Demo;

/// Regular expressions and strings: log lines are made, matched and counted by word.
public sealed class LogMatcher
{
    static readonly string[] s_verbs = ["GET", "POST", "PUT", "DELETE"];
    static readonly string[] s_paths = ["/orders", "/orders/17/lines", "/customers", "/health", "/articles?page=3"];
    static readonly Regex s_line = new(@"^(?<ip>\d+\.\d+\.\d+\.\d+) \[(?<time>[^\]]+)\] ""(?<verb>[A-Z]+) (?<path>\S+)"" (?<status>\d{3}) (?<ms>\d+)$");
    static readonly Regex s_slow = new(@"(orders|customers).* 5\d\d \d{3,}$", RegexOptions.Compiled);
    readonly Random _random = new(2);

    public long Run(Func<bool> running)
    {
        long done = 0;
        var counts = new Dictionary<string, int>();
        while (running())
        {
            string log = MakeLog(300);
            foreach (string line in log.Split('\n', StringSplitOptions.RemoveEmptyEntries))
            {
                Count(line, counts);
                done++;
            }
        }
        return counts.Count > 0 ? done : 0;
    }

    string MakeLog(int lines)
    {
        var text = new StringBuilder();
        for (int i = 0; i < lines; i++)
        {
            text.Append($"10.0.{_random.Next(256)}.{_random.Next(256)} [2026-01-{_random.Next(1, 29):D2}T12:00:00Z] ")
                .Append($"\"{s_verbs[_random.Next(4)]} {s_paths[_random.Next(5)]}\" {_random.Next(200, 600)} {_random.Next(2000)}\n");
        }
        return text.ToString();
    }

    static void Count(string line, Dictionary<string, int> counts)
    {
        Match match = s_line.Match(line);
        if (!match.Success) return;
        string key = s_slow.IsMatch(line) ? "slow" : match.Groups["verb"].Value.ToLowerInvariant();
        counts[key] = counts.GetValueOrDefault(key) + 1;
        foreach (string word in match.Groups["path"].Value.Split('/', '?', '='))
        {
            if (word.Length > 0) counts[word] = counts.GetValueOrDefault(word) + 1;
        }
    }
}
