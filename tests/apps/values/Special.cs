using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;

// Methods of generic types and generic methods, of values and of objects, what leaves by other ways than a result.
public class Store<TKey, TValue>
{
    public TValue? Put(TKey key, TValue value) => value;
    public static TValue? Shared(TKey key, TValue value) => value;
    public TOther Turn<TOther>(TKey key, TOther other) => other;
    public Holder<TValue> Hold(TValue value) => new() { Value = value, Count = 1 };
    public KeyValuePair<TKey, TValue> Pair(TKey key, TValue value) => new(key, value);
    public TValue[] Many(TValue[] values, ref TKey key) => values;
}

public struct Account
{
    public int Id;
    public string Owner;
    public Account(int id, string owner) { Id = id; Owner = owner; }
    public int Add(int amount) => Id += amount;
    public readonly string Name(in int unused) => Owner;
}

public struct Cell<T>
{
    public T Content;
    public T Swap(T other) { T old = Content; Content = other; return old; }
}

public interface IShape { double Area(double scale); string Name(int times) => "shape"; }
public class Square(double side) : IShape { public double Area(double scale) => side * side * scale; }
public struct Circle : IShape { public double Radius; public double Area(double scale) => Radius * scale; }
public abstract class Animal { public abstract string Speak(string word); public virtual int Legs(int more) => more; }
public class Dog : Animal { public override string Speak(string word) => word; }
public class Silent : Exception { }
public class Indexed { public string this[int index, string key] { get => key; set { } } }

public class Waiting<TKey>
{
    public string Name = "w";
    public async Task<TKey> Get(TKey key, int times) { if (times > 0) await Task.CompletedTask; return key; }
    public async ValueTask<(TKey, TOther)> Both<TOther>(TKey key, TOther other) { await Task.CompletedTask; return (key, other); }
    public async Task Touch(string name, decimal price) { await Task.CompletedTask; Name = name + price; }
}

public static partial class Signatures
{
    static async Task<string> Soon(int a, string b, Point c, Colour? d, double e)
    {
        await Task.CompletedTask;
        if (a < 0) return "";
        return b + c + d + e;
    }
    static async Task<int> LastsLonger(int delay) { await Task.Yield(); return delay + 1; }
    static async ValueTask<T> Pass<T>(T value) { await Task.CompletedTask; return value; }
    static async Task<int> Unused(int used, string unused) { await Task.CompletedTask; return used; }
    static IEnumerable<T> Repeated<T>(T value, int times) { for (int i = 0; i < times; i++) yield return value; }
    static async IAsyncEnumerable<string> Stream(string text, double step) { await Task.CompletedTask; yield return text + step; }
    static async Task FailsWith(string text) { await foreach (string one in Stream(text, 0.5)) if (one.Length > 0) return; }
    static async Task<int> FailsLater(int number) { await Task.CompletedTask; throw new InvalidOperationException("f" + number); }

    static T Same<T>(T value) => value;
    static object MakeUnloadable(string name, Type parent) => Activator.CreateInstance(
        AssemblyBuilder.DefineDynamicAssembly(new AssemblyName("Goes"), AssemblyBuilderAccess.RunAndCollect).DefineDynamicModule("m")
            .DefineType(name, TypeAttributes.Public, parent).CreateType()!)!;
    static T Second<T, TFirst>(TFirst first, T second) => second;
    static void Change<T>(ref T place, T value) => place = value;
    static bool TryGet(string key, out int value, out string? text) { value = 5; text = key + "!"; return true; }
    static bool TryMake<T>(out T value, T made) { value = made; return false; }
    static ref int Find(int[] all, int at) => ref all[at];
    static ref readonly T First<T>(T[] all) => ref all[0];
    static void Nothing() { }
    static int Throws(int depth) => throw new InvalidOperationException("no " + depth);
    static bool Fails(out int value) => throw new Silent();
    static void Rethrows(string text) { try { throw new ArgumentException(text); } catch (ArgumentException) { throw; } }
    static void Replaces(string text) { try { throw new ArgumentException(text); } catch (ArgumentException) { throw new NotSupportedException("replaced " + text); } }
    static void Filters(int number) { try { throw new FormatException("" + number); } catch (FormatException e) when (e.Message == "other") { } }
    static int CatchesItsOwn(int number) { try { Throws(number); return 0; } catch (InvalidOperationException) { return number; } }
    static void ThrowsInFinally(int number) { try { throw new FormatException("first " + number); } finally { if (number > 0) throw new NotSupportedException("second " + number); } }
    static void CatchesWhileAnotherPasses(int number)
    {
        try { throw new FormatException("first " + number); }
        finally { try { throw new NotSupportedException("second " + number); } catch (NotSupportedException) { } }
    }
    static int Divides(int by) => 1 / by;
    static int Dereferences(string? text) => text!.Length;
    static int Sum(params int[] numbers) => numbers.Length;
    static int Optional(int a = 1, string? b = null) => a;
    static int Assigns(int a) { a = 7; return a; }
    static void Login(string user, string password, int attempts) { }
    static int Count(Window window) => window.At;
    static IEnumerable<int> Numbers(int most) { for (int i = 0; i < most; i++) yield return i; }
    static unsafe int Pointer(int* at, void* any, nint handle) => *at;
    static T Weird<T>(T value) where T : struct, Enum => value;
    static int Spread(int a, double b, long c, float d, byte e, double f, short g, double h, int i, double j, int k, double l, string m, double n, double o, double p, double q, char r) => i;
    static Func<int, int> Closure(int captured) => value => value + captured;
    static int ManyTexts(string a, string b, string c, string d, string e, string f, string g, string h) => 8;
    static string RefReturnText(ref string text) => text;

    static unsafe void RunSpecial()
    {
        var texts = new Store<string, string>();
        texts.Put("k", "v"); Say("Store`2.Put|this=Store<string, string>|key=\"k\"|value=\"v\"|=\"v\"");
        texts.Put(null!, null!); Say("Store`2.Put|this=Store<string, string>|key=null|value=null|=null");
        texts.Turn("k", 5); Say("Store`2.Turn|this=Store<string, string>|key=\"k\"|other=5|=5");
        texts.Turn("k", "o"); Say("Store`2.Turn|this=Store<string, string>|key=\"k\"|other=\"o\"|=\"o\"");
        texts.Turn("k", new Point(1, 2)); Say("Store`2.Turn|this=Store<string, string>|key=\"k\"|other={ X = 1, Y = 2 }|={ X = 1, Y = 2 }");
        texts.Hold("v"); Say("Store`2.Hold|this=Store<string, string>|value=\"v\"|={ Value = \"v\", Count = 1 }");
        texts.Pair("k", "v"); Say("Store`2.Pair|this=Store<string, string>|key=\"k\"|value=\"v\"|={ key = \"k\", value = \"v\" }");
        var key = "r";
        texts.Many(["a", "b"], ref key); Say("Store`2.Many|this=Store<string, string>|values=string[2]|key=\"r\"|=string[2]");
        Store<string, string>.Shared("k", "v"); Say("Store`2.Shared|key=\"k\"|value=\"v\"|=\"v\"");
        var numbers = new Store<int, Point>();
        numbers.Put(1, new(2, 3)); Say("Store`2.Put|this=Store<int, Point>|key=1|value={ X = 2, Y = 3 }|={ X = 2, Y = 3 }");
        numbers.Hold(new(2, 3)); Say("Store`2.Hold|this=Store<int, Point>|value={ X = 2, Y = 3 }|={ Value = { X = 2, Y = 3 }, Count = 1 }");
        numbers.Pair(4, new(5, 6)); Say("Store`2.Pair|this=Store<int, Point>|key=4|value={ X = 5, Y = 6 }|={ key = 4, value = { X = 5, Y = 6 } }");
        int place = 9;
        numbers.Many(new Point[3], ref place); Say("Store`2.Many|this=Store<int, Point>|values=Point[3]|key=9|=Point[3]");
        Store<Colour, double?>.Shared(Colour.Blue, 2.5); Say("Store`2.Shared|key=Blue|value=2.5|=2.5");
        Store<Colour, double?>.Shared(Colour.Red, null); Say("Store`2.Shared|key=Red|value=null|=null");

        Same(5); Say("Same|value=5|=5");
        Same("s"); Say("Same|value=\"s\"|=\"s\"");
        Same<object>(true); Say("Same|value=true|=true");
        Same(1.5f); Say("Same|value=1.5|=1.5");
        Same(Access.Read | Access.Write); Say("Same|value=Read | Write|=Read | Write");
        Same(new Nested { Text = "t" }); Say("Same|value={ Inner = { Number = 0, Real = 0 }, Colour = Red, Text = \"t\" }|={ Inner = { Number = 0, Real = 0 }, Colour = Red, Text = \"t\" }");
        Same((1, "x")); Say("Same|value=(1, \"x\")|=(1, \"x\")");
        Same(new int[4]); Say("Same|value=int[4]|=int[4]");
        Same(new Cell<Cell<int>> { Content = new() { Content = 3 } }); Say("Same|value={ Content = { Content = 3 } }|={ Content = { Content = 3 } }");
        Same<int?>(null); Say("Same|value=null|=null");
        Same(Guid.Empty); Say("Same|value=00000000-0000-0000-0000-000000000000|=00000000-0000-0000-0000-000000000000");
        Same('\''); Say("Same|value='\\''|='\\''");
        Same(MakeUnloadable("Gone", typeof(object))); Say("Same|value=?|=?");
        Same(MakeUnloadable("Gone", typeof(ValueType))); Say("Same|value=?|=?");
        Same(Array.CreateInstance(MakeUnloadable("Gone", typeof(object)).GetType(), 2)); Say("Same|value=?|=?");
        Second("a", 2m); Say("Second|first=2|second=\"a\"|=\"a\"");
        Second(2m, "a"); Say("Second|first=\"a\"|second=2|=2");
        Change(ref place, 10); Say("Change|place=9|value=10");
        Change(ref key, "n"); Say("Change|place=\"r\"|value=\"n\"");
        TryGet("k", out _, out _); Say("TryGet|key=\"k\"|value=5|text=\"k!\"|=true");
        TryMake(out _, 5); Say("TryMake|value=5|made=5|=false");
        TryMake(out _, "m"); Say("TryMake|value=\"m\"|made=\"m\"|=false");
        Find([7, 8], 1); Say("Find|all=int[2]|at=1|=8");
        First(["f"]); Say("First|all=string[1]|=\"f\"");
        First([new Point(1, 1)]); Say("First|all=Point[1]|={ X = 1, Y = 1 }");
        Nothing(); Say("Nothing");
        try { Throws(3); } catch (InvalidOperationException) { } Say("Throws|depth=3|=System.InvalidOperationException: no 3");
        try { Fails(out _); } catch (Silent) { } Say("Fails|value=|=Silent");
        try { Rethrows("r"); } catch (ArgumentException) { } Say("Rethrows|text=\"r\"|=System.ArgumentException: r");
        try { Replaces("a"); } catch (NotSupportedException) { } Say("Replaces|text=\"a\"|=System.NotSupportedException: replaced a");
        try { Filters(1); } catch (FormatException) { } Say("Filters|number=1|=System.FormatException: 1");
        CatchesItsOwn(4); Say("CatchesItsOwn|number=4|=4");
        try { ThrowsInFinally(2); } catch (Exception e) when (e is FormatException or NotSupportedException) { } Say("ThrowsInFinally|number=2|=System.NotSupportedException: second 2");
        try { CatchesWhileAnotherPasses(2); } catch (FormatException) { } Say("CatchesWhileAnotherPasses|number=2|=System.FormatException: first 2");
        try { Divides(0); } catch (DivideByZeroException) { } Say("Divides|by=0|=System.DivideByZeroException: Attempted to divide by zero.");
        try { Dereferences(null); } catch (NullReferenceException) { } Say("Dereferences|text=null|=System.NullReferenceException: Object reference not set to an instance of an object.");
        var traced = "";
        try { Throws(9); } catch (InvalidOperationException e) { traced = string.Concat(e.StackTrace!.Split('\n').Length, e.StackTrace.Contains("Throws(Int32 depth)")); }
        if (traced != "2True") throw new Exception("another stack trace: " + traced);
        Sum(1, 2, 3); Say("Sum|numbers=int[3]|=3");
        Optional(); Say("Optional|a=1|b=null|=1");
        Assigns(6); Say("Assigns|a=6|=7");
        Login("anna", "secret", 3); Say("Login|user=\"anna\"|password=[redacted]|attempts=3");
        Count(new() { Numbers = new int[2], At = 4 }); Say("Count|window={ Numbers = int[2], At = 4 }|=4");
        Say("Numbers|most=3|=" + Numbers(3).GetType());
        Soon(5, "s", new(1, 2), Colour.Blue, 1.5).Wait();
        Say("Signatures+<Soon>.MoveNext|a=5|b=\"s\"|c={ X = 1, Y = 2 }|d=Blue|e=1.5|=\"sPoint { X = 1, Y = 2 }Blue1.5\"");
        Soon(-5, null!, default, null, 0).Wait(); Say("Signatures+<Soon>.MoveNext|a=-5|b=null|c={ X = 0, Y = 0 }|d=null|e=0|=\"\"");
        LastsLonger(5).Wait();
        Say("Signatures+<LastsLonger>.MoveNext|delay=5|=?"); // the result is that of the MoveNext that ends it
        Say("Signatures+<LastsLonger>.MoveNext|delay=?|=6");
        Pass("p").AsTask().Wait(); Say("Signatures+<Pass>.MoveNext|value=\"p\"|=\"p\"");
        Pass(7).AsTask().Wait(); Say("Signatures+<Pass>.MoveNext|value=7|=7");
        Pass(new Point(1, 2)).AsTask().Wait(); Say("Signatures+<Pass>.MoveNext|value={ X = 1, Y = 2 }|={ X = 1, Y = 2 }");
        Unused(1, "u").Wait(); Say("Signatures+<Unused>.MoveNext|used=1|unused=?|=1");
        try { FailsLater(3).Wait(); } catch (AggregateException) { }
        Say("Signatures+<FailsLater>.MoveNext|number=3|=System.InvalidOperationException: f3");
        foreach (Colour _ in Repeated(Colour.Blue, 1)) { }
        Say("Signatures+<Repeated>.MoveNext|value=Blue|times=1|=true");
        Say("Signatures+<Repeated>.MoveNext|value=Blue|times=1|=false");
        FailsWith("s").Wait(); Say("Signatures+<Stream>.MoveNext|text=\"s\"|step=0.5");
        var waiting = new Waiting<string>();
        waiting.Get("k", 1).Wait(); Say("Waiting`1+<Get>.MoveNext|this=?|key=\"k\"|times=1|=\"k\"");
        waiting.Both("k", 5).AsTask().Wait(); Say("Waiting`1+<Both>.MoveNext|this=?|key=\"k\"|other=5|=(\"k\", 5)");
        waiting.Touch("t", 2.5m).Wait(); Say("Waiting`1+<Touch>.MoveNext|this=Waiting<string>|name=\"t\"|price=2.5");
        var counted = new Waiting<Colour>();
        counted.Get(Colour.Green, 0).Wait(); Say("Waiting`1+<Get>.MoveNext|this=?|key=Green|times=0|=Green");
        counted.Both(Colour.Red, "o").AsTask().Wait(); Say("Waiting`1+<Both>.MoveNext|this=?|key=Red|other=\"o\"|=(Red, \"o\")");
        int number = 3;
        Pointer(&number, null, 12); Say("Pointer|at=" + $"0x{(nint)(&number):x}" + "|any=null|handle=12|=3");
        Weird(InULong.One); Say("Weird|value=One|=One");
        Spread(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, "m", 14, 15, 16, 17, 'r');
        Say("Spread|a=1|b=2|c=3|d=4|e=5|f=6|g=7|h=8|i=9|j=10|k=11|l=12|m=\"m\"|n=14|o=15|p=16|q=17|r='r'|=9");
        Closure(5)(6); Say("Closure|captured=5|=System.Func<int, int>");
        ManyTexts("a", "bb", "", "d", "e", "f", "g", "h"); Say("ManyTexts|a=\"a\"|b=\"bb\"|c=\"\"|d=\"d\"|e=\"e\"|f=\"f\"|g=\"g\"|h=\"h\"|=8");
        RefReturnText(ref key); Say("RefReturnText|text=\"n\"|=\"n\"");

        var account = new Account(1, "o"); Say("Account..ctor|this={ Id = 1, Owner = \"o\" }|id=1|owner=\"o\"");
        account.Add(4); Say("Account.Add|this={ Id = 1, Owner = \"o\" }|amount=4|=5");
        account.Name(in place); Say("Account.Name|this={ Id = 5, Owner = \"o\" }|unused=10|=\"o\"");
        new Cell<int> { Content = 1 }.Swap(2); Say("Cell`1.Swap|this={ Content = 1 }|other=2|=1");
        new Cell<string> { Content = "c" }.Swap("d"); Say("Cell`1.Swap|this={ Content = \"c\" }|other=\"d\"|=\"c\"");
        IShape square = new Square(2); Say("Square..ctor|this=Square|side=2");
        square.Area(3); Say("Square.Area|this=Square|scale=3|=12");
        square.Name(2); Say("IShape.Name|this=Square|times=2|=\"shape\"");
        IShape circle = new Circle { Radius = 2 };
        circle.Area(3); Say("Circle.Area|this={ Radius = 2 }|scale=3|=6");
        Animal dog = new Dog();
        dog.Speak("w"); Say("Dog.Speak|this=Dog|word=\"w\"|=\"w\"");
        dog.Legs(4); Say("Animal.Legs|this=Dog|more=4|=4");
        var indexed = new Indexed();
        _ = indexed[1, "i"]; Say("Indexed.get_Item|this=Indexed|index=1|key=\"i\"|=\"i\"");
        indexed[2, "j"] = "s"; Say("Indexed.set_Item|this=Indexed|index=2|key=\"j\"|value=\"s\"");
    }
}
