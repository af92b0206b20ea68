// Has the runtime compile every method of assemblies, generic ones for some arguments.  prepare FILE.dll… (without: of the framework)
// Says how many could be compiled, and of the others why, one a line.  prepare --opcodes: the instructions that the runtime's library knows.
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;

if (args is ["--opcodes"])
{
    foreach (OpCode op in typeof(OpCodes).GetFields().Select(field => (OpCode)field.GetValue(null)!).Where(op => op.OpCodeType != OpCodeType.Nternal)
        .OrderBy(op => (ushort)op.Value))
        Console.WriteLine($"{(ushort)op.Value:x} {op.Name} {OperandOf(op.OperandType)}{(op.OpCodeType == OpCodeType.Prefix ? " prefix" : "")}");
    return;
}
const BindingFlags All = BindingFlags.DeclaredOnly | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static;
Type[] candidates = [typeof(object), typeof(int), typeof(string), typeof(DayOfWeek), typeof(Exception), typeof(List<int>), typeof(Action)];
int compiled = 0, notInstantiated = 0, notLoaded = 0;
SortedDictionary<string, int> failed = new(StringComparer.Ordinal);

IEnumerable<string> files = args.Length > 0 ? args
    : Directory.GetFiles(Path.GetDirectoryName(typeof(object).Assembly.Location)!, "*.dll").Order(StringComparer.Ordinal);
foreach (string file in files)
{
    Assembly assembly;
    try
    {
        assembly = file == typeof(object).Assembly.Location ? typeof(object).Assembly // which is loaded by no path
            : AssemblyLoadContext.Default.LoadFromAssemblyPath(Path.GetFullPath(file));
    }
    catch (BadImageFormatException)
    {
        continue; // native
    }
    foreach (Type? type in TypesOf(assembly))
    {
        if (type is null) ++notLoaded;
        else Prepare(type);
    }
}
Console.WriteLine($"compiled {compiled}");
Console.WriteLine($"not instantiated {notInstantiated}");
Console.WriteLine($"types not loaded {notLoaded}");
foreach ((string what, int count) in failed) Console.WriteLine($"{count} {what}");

static Type?[] TypesOf(Assembly assembly)
{
    try
    {
        return assembly.GetTypes();
    }
    catch (ReflectionTypeLoadException some)
    {
        return some.Types;
    }
}

void Prepare(Type type)
{
    Type? made = type.IsGenericTypeDefinition ? Made(type.GetGenericArguments(), type.MakeGenericType) : type;
    IEnumerable<MethodBase> methods;
    try
    {
        if (made is null)
        {
            ++notInstantiated;
            return;
        }
        methods = made.GetMethods(All).Concat<MethodBase>(made.GetConstructors(All)).ToArray();
    }
    catch (Exception why)
    {
        Count(failed, "types: " + why.GetType().Name);
        return;
    }
    foreach (MethodBase method in methods)
    {
        if (!method.IsAbstract && method.GetMethodBody() is not null) PrepareOne(made, method);
    }
}

void PrepareOne(Type type, MethodBase method)
{
    try
    {
        MethodBase? whole = method is MethodInfo { IsGenericMethodDefinition: true } generic
            ? Made(generic.GetGenericArguments(), generic.MakeGenericMethod)
            : method;
        if (whole is null)
        {
            ++notInstantiated;
            return;
        }
        RuntimeTypeHandle[] arguments = [.. type.GetGenericArguments().Select(one => one.TypeHandle),
            .. whole.IsGenericMethod ? whole.GetGenericArguments().Select(one => one.TypeHandle) : []];
        RuntimeHelpers.PrepareMethod(whole.MethodHandle, arguments.Length > 0 ? arguments : null);
        ++compiled;
    }
    catch (Exception why)
    {
        Count(failed, $"{why.GetType().Name} {type.Assembly.GetName().Name} {type} {method}");
    }
}

// The first candidates that the constraints allow, the same for all parameters, then one for each.
T? Made<T>(Type[] parameters, Func<Type[], T> make) where T : class
{
    foreach (Type candidate in candidates)
    {
        if (Try([.. parameters.Select(_ => candidate)]) is { } made) return made;
    }
    return Try([.. parameters.Select(Fitting)]);

    T? Try(Type[] arguments)
    {
        try
        {
            return make(arguments);
        }
        catch (Exception why) when (why is ArgumentException or TypeLoadException or NotSupportedException)
        {
            return null;
        }
    }
}

Type Fitting(Type parameter)
{
    Type? bound = parameter.GetGenericParameterConstraints().FirstOrDefault(one => one != typeof(ValueType) && !one.ContainsGenericParameters);
    bool isValue = (parameter.GenericParameterAttributes & GenericParameterAttributes.NotNullableValueTypeConstraint) != 0;
    return bound ?? (isValue ? typeof(int) : typeof(object));
}

static void Count(SortedDictionary<string, int> counts, string what) => counts[what] = counts.GetValueOrDefault(what) + 1;

static string OperandOf(OperandType type) => type switch
{
    OperandType.InlineNone => "0",
    OperandType.ShortInlineI or OperandType.ShortInlineVar => "1",
    OperandType.InlineVar => "2",
    OperandType.InlineI8 or OperandType.InlineR => "8",
    OperandType.InlineSwitch => "switch",
    OperandType.ShortInlineBrTarget => "1 branch",
    OperandType.InlineBrTarget => "4 branch",
    _ => "4",
};
