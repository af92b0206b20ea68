// Calls methods of many signatures, and says what the values of each call read as: a line for each call, "Method|name=text|…|=result".
// With an argument it makes all calls once, says "ready", and makes them again for each line that it reads; an empty line is the last of
// what it says then.
public static partial class Signatures
{
    static readonly System.Text.StringBuilder s_said = new();

    static void Say(string line) => s_said.Append(line.Replace("\n", "\\n")).Append('\n');

    static void CallAll()
    {
        s_said.Clear();
        Run();
        RunSpecial();
    }

    public static void Main(string[] arguments)
    {
        Console.OutputEncoding = new System.Text.UTF8Encoding(false);
        CallAll();
        if (arguments.Length == 0)
        {
            Console.Out.Write(s_said.ToString());
            return;
        }
        Console.WriteLine("ready");
        while (Console.ReadLine() != null)
        {
            CallAll();
            Console.Out.Write(s_said.ToString() + "\n");
        }
    }
}
