// Exceptions in flight in every way they fly.  exceptions SITUATION [SECONDS]
// `throughnative` and `stackoverflow` end the process, as they do without a profiler.
using Exceptions;

return Situations.Run(args, new()
{
    ["rethrow"] = Managed.Rethrow,
    ["filter"] = Managed.Filter,
    ["finally"] = Managed.Finally,
    ["inflight"] = Managed.InFlight,
    ["hardware"] = Hardware.Run,
    ["throughruntime"] = ThroughRuntime.Run,
    ["runtimethrows"] = ThroughRuntime.RuntimeThrows,
    ["throughnative"] = Fatal.ThroughNative,
    ["stackoverflow"] = Fatal.StackOverflow,
});
