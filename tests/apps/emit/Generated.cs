using System.Linq.Expressions;
using System.Reflection;
using System.Reflection.Emit;
using static Situations;

namespace Emit;

/// Methods made at run time and dropped: the collector frees their code and its memory is used again.
static class Generated
{
    delegate uint Mixer(uint seed);

    // Rounds of seed = seed * factor + 1.
    static void EmitLoop(ILGenerator il, uint factor)
    {
        LocalBuilder left = il.DeclareLocal(typeof(int));
        Label top = il.DefineLabel();
        il.Emit(OpCodes.Ldc_I4, 2_000);
        il.Emit(OpCodes.Stloc, left);
        il.MarkLabel(top);
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Ldc_I4, (int)factor);
        il.Emit(OpCodes.Mul);
        il.Emit(OpCodes.Ldc_I4_1);
        il.Emit(OpCodes.Add);
        il.Emit(OpCodes.Starg_S, (byte)0);
        il.Emit(OpCodes.Ldloc, left);
        il.Emit(OpCodes.Ldc_I4_1);
        il.Emit(OpCodes.Sub);
        il.Emit(OpCodes.Dup);
        il.Emit(OpCodes.Stloc, left);
        il.Emit(OpCodes.Brtrue, top);
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Ret);
    }

    static uint Expected(uint seed, uint factor)
    {
        for (int i = 0; i < 2_000; i++) seed = seed * factor + 1;
        return seed;
    }

    static void Use(Mixer mixer, uint factor)
    {
        uint seed = factor ^ 12345, expected = seed;
        for (int i = 0; i < 20; i++)
        {
            seed = mixer(seed);
            expected = Expected(expected, factor);
        }
        Check(seed == expected, "generated code computes something else");
    }

    static void CollectSometimes(long rounds)
    {
        if (rounds % 64 != 63) return;
        GC.Collect();
        GC.WaitForPendingFinalizers();
    }

    public static long DynamicMethods(Func<bool> running)
    {
        long rounds = 0;
        for (; running(); rounds++)
        {
            uint factor = (uint)rounds * 2 + 5;
            var method = new DynamicMethod($"mix{rounds}", typeof(uint), [typeof(uint)]);
            EmitLoop(method.GetILGenerator(), factor);
            Use(method.CreateDelegate<Mixer>(), factor);
            CollectSometimes(rounds);
        }
        return rounds;
    }

    public static long Assemblies(Func<bool> running)
    {
        long rounds = 0;
        for (; running(); rounds++)
        {
            uint factor = (uint)rounds * 2 + 5;
            AssemblyBuilder assembly = AssemblyBuilder.DefineDynamicAssembly(new AssemblyName($"made{rounds}"),
                                                                             AssemblyBuilderAccess.RunAndCollect);
            TypeBuilder type = assembly.DefineDynamicModule("made").DefineType("Made", TypeAttributes.Public);
            MethodBuilder method = type.DefineMethod("Mix", MethodAttributes.Public | MethodAttributes.Static,
                                                     typeof(uint), [typeof(uint)]);
            EmitLoop(method.GetILGenerator(), factor);
            Use(type.CreateType().GetMethod("Mix")!.CreateDelegate<Mixer>(), factor);
            CollectSometimes(rounds);
        }
        return rounds;
    }

    public static long Expressions(Func<bool> running)
    {
        long rounds = 0;
        for (; running(); rounds++)
        {
            int summand = (int)rounds;
            ParameterExpression x = Expression.Parameter(typeof(int), "x");
            Func<int, int> f = Expression.Lambda<Func<int, int>>(
                Expression.TryFinally(Expression.Add(x, Expression.Constant(summand)), Expression.Empty()), x).Compile();
            Check(f(3) == summand + 3, "a compiled expression computes something else");
            CollectSometimes(rounds);
        }
        return rounds;
    }
}
