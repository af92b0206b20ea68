// System calls that wait: none may be cut short by a profiler's signal.  io SITUATION [SECONDS]
using Io;

return Situations.Run(args, new()
{
    ["read"] = Waiting.Read,
    ["poll"] = Waiting.Poll,
    ["sleep"] = Waiting.Sleep,
    ["connect"] = Network.Connect,
    ["sockets"] = Network.Timeouts,
    ["asyncsockets"] = running => Network.Echo(running).GetAwaiter().GetResult(),
    ["processes"] = Processes.Run,
});
