// One busy method of every kind that C# names in a way of its own.  names [ROUNDS]
// tests/e2e/csharp_names_test.py knows the names.
using Naming;

int rounds = args.Length > 0 ? int.Parse(args[0]) : 3;
for (int i = 0; i < rounds; i++)
{
    Members.All();
    Functions.All();
    await Machines.All();
    MadeAtRunTime.All();
    TopLevel(1);
}
Console.WriteLine("done");

static void TopLevel(int ms)
{
    Spin.For(20);
    Action lambda = () => Spin.For(20);
    lambda();
}
