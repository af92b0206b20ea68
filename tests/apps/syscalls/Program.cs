// Calls the kernel in many ways, and counts what a call should not do: come back short, be interrupted, last longer
// than it was asked to.  syscalls SECONDS[cpu] [NAME…]
// Prints a line for each kind of call: NAME calls C short S interrupted I wrong W long L inside MILLISECONDS.
using Syscalls;

string time = args.Length > 0 ? args[0] : "1";
bool ofCpuTime = time.EndsWith("cpu");
double seconds = double.Parse(ofCpuTime ? time[..^3] : time);
var kinds = Transfers.All().Concat(Waits.WithTimeout()).Concat(Waits.EndedByAnother()).ToList();
var wanted = args.Length > 1 ? kinds.Where(kind => args[1..].Contains(kind.Name)).ToList() : kinds;
foreach (Kind kind in wanted) kind.Run(seconds / wanted.Count, ofCpuTime);
foreach (Kind kind in wanted) Console.WriteLine(kind.Line);
