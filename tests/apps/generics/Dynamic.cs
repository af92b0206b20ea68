using System.Reflection;
using System.Reflection.Emit;

namespace Naming
{
    /// A method without metadata: the runtime knows only its name.
    public static class Dynamic
    {
        static readonly Func<int, long> s_method = Build();

        public static void Call() => s_method(40);

        // long DynamicSpin(int ms) => Spin.For(ms) + Spin.For(0)   (no tail call)
        static Func<int, long> Build()
        {
            MethodInfo spin = typeof(Spin).GetMethod(nameof(Spin.For))!;
            var method = new DynamicMethod("DynamicSpin", typeof(long), [typeof(int)], typeof(Dynamic).Module, true);
            ILGenerator il = method.GetILGenerator();
            il.Emit(OpCodes.Ldarg_0);
            il.Emit(OpCodes.Call, spin);
            il.Emit(OpCodes.Ldc_I4_0);
            il.Emit(OpCodes.Call, spin);
            il.Emit(OpCodes.Add);
            il.Emit(OpCodes.Ret);
            return method.CreateDelegate<Func<int, long>>();
        }
    }
}
