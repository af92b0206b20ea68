// One busy method of each kind whose name is hard to say; every one burns CPU.  generics [ROUNDS]
// tests/e2e/names_test.py knows the names.
using Naming;

int rounds = args.Length > 0 ? int.Parse(args[0]) : 5;
for (int i = 0; i < rounds; i++)
{
    Plain.Everything();
    await Asynchronous.OuterAsync(3);
    Dynamic.Call();
}
Console.WriteLine("done");
