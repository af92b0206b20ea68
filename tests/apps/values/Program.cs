// Calls methods of many signatures, and says what the values of each call read as: a line for each call, "Method|name=text|…|=result".
public static partial class Signatures
{
    static readonly System.Text.StringBuilder s_said = new();

    static void Say(string line) => s_said.Append(line.Replace("\n", "\\n")).Append('\n');

    public static void Main()
    {
        Run();
        RunSpecial();
        Console.OutputEncoding = new System.Text.UTF8Encoding(false);
        Console.Out.Write(s_said.ToString());
    }
}
