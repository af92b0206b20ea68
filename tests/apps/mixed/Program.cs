// Stacks of about forty frames, managed and native by turns: a report of nested sections, whose rows libc's qsort puts in
// the order of a formula. Each comparison walks the formula's tree.  mixed [SECONDS]
using System.Diagnostics;

double seconds = args.Length > 0 ? double.Parse(args[0]) : 3;
var clock = Stopwatch.StartNew();
long rows = 0;
var thread = new Thread(() => rows = new Mixed.Report().Run(() => clock.Elapsed.TotalSeconds < seconds)) { Name = "report" };
thread.Start();
thread.Join();
Console.WriteLine(rows > 0 ? "in order" : "out of order");
return rows > 0 ? 0 : 1;
