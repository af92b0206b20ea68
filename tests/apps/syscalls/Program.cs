// Calls the kernel in many ways, and counts what a call should not do: come back short, be interrupted, last longer
// than it was asked to.  syscalls SECONDS [NAME…]
// Prints a line for each kind of call: NAME calls C short S interrupted I wrong W long L inside MILLISECONDS.
using Syscalls;

double seconds = args.Length > 0 ? double.Parse(args[0]) : 1;
var kinds = Transfers.All().Concat(Waits.WithTimeout()).Concat(Waits.EndedByAnother()).ToList();
var wanted = args.Length > 1 ? kinds.Where(kind => args[1..].Contains(kind.Name)).ToList() : kinds;
foreach (Kind kind in wanted) kind.Run(seconds / wanted.Count);
foreach (Kind kind in wanted) Console.WriteLine(kind.Line);
