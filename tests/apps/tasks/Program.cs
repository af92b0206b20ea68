// Work that the thread pool does.  tasks SITUATION [SECONDS]
using Tasks;

return Situations.Run(args, new()
{
    ["tasks"] = running => Awaiting.Tasks(running).GetAwaiter().GetResult(),
    ["valuetasks"] = running => Awaiting.ValueTasks(running).GetAwaiter().GetResult(),
    ["streams"] = running => Awaiting.Streams(running).GetAwaiter().GetResult(),
    ["timers"] = running => Timing.Run(running).GetAwaiter().GetResult(),
    ["poolgrowth"] = Pool.Growth,
    ["parallel"] = Pool.ParallelLoops,
});
