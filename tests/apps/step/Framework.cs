using System.Globalization;
using System.Text;

namespace Stepping;

// Ready-to-run code of the framework, which keeps no frame pointers.
static class Framework
{
    public static long All()
    {
        var text = new StringBuilder();
        foreach (string word in "the quick brown fox".Split(' ').OrderBy(w => w.Length).ThenBy(w => w, StringComparer.Ordinal))
            text.Append(word).Append(CultureInfo.InvariantCulture, $"{word.Length,4:x2}");
        int[] items = [5, 3, 9, 1, 7, 2];
        Array.Sort(items, (a, b) => a.CompareTo(b));
        var table = new SortedDictionary<string, int>(StringComparer.Ordinal) { ["b"] = 2, ["a"] = 1 };
        return text.ToString().GetHashCode(StringComparison.Ordinal) * 0L + items[0] + table.First().Value +
            double.Parse("2.5", CultureInfo.InvariantCulture).ToString("R", CultureInfo.InvariantCulture).Length +
            Convert.FromBase64String(Convert.ToBase64String(Encoding.UTF8.GetBytes(text.ToString()))).Length;
    }
}
