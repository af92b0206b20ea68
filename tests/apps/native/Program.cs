// A native library with bad manners (library/).  native SITUATION [SECONDS]
using Native;

return Situations.Run(args, new()
{
    ["nest"] = Nesting.ByPointer,
    ["nestdelegate"] = Nesting.ByDelegate,
    ["cppexceptions"] = Manners.CppExceptions,
    ["malloc"] = Manners.Malloc,
    ["dlopen"] = Manners.Dlopen,
    ["loaderlock"] = Manners.LoaderLock,
    ["signals"] = Manners.Signals,
    ["smallstacks"] = Manners.SmallStacks,
    ["longjmp"] = Manners.LongJump,
    ["nativethreads"] = Manners.NativeThreads,
    ["parkinmalloc"] = Parking.Malloc,
    ["parkinloaderlist"] = Parking.LoaderList,
    ["parkindlopen"] = Parking.Dlopen,
    ["parkbeforegc"] = Parking.BeforeGc,
    ["parkingc"] = Parking.InGc,
    ["inlining"] = Inlining.Functions,
});
