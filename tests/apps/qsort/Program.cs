// CPU in managed comparers that libc's qsort calls: managed -> native -> managed.  qsort [SECONDS]
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

double seconds = args.Length > 0 ? double.Parse(args[0]) : 3;
return NativeSort.Program.Run(seconds);

namespace NativeSort
{
    static unsafe class Program
    {
        [DllImport("libc")]
        static extern void qsort(int* items, nuint count, nuint size, delegate* unmanaged[Cdecl]<int*, int*, int> compare);

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        delegate int Comparer(int* a, int* b);

        [DllImport("libc", EntryPoint = "qsort")]
        static extern void qsort_delegate(int* items, nuint count, nuint size, Comparer compare);

        // Work enough that most samples land in a comparer and not in qsort itself.
        [MethodImpl(MethodImplOptions.NoInlining)]
        static int Weigh(int value)
        {
            uint h = (uint)value;
            for (int i = 0; i < 40; i++) h = (h ^ h >> 13) * 0x5bd1e995;
            return (int)(h & 0xff) + value;
        }

        [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
        static int ComparePointers(int* a, int* b) => Weigh(*a).CompareTo(Weigh(*b));

        static int CompareByDelegate(int* a, int* b) => Weigh(*a).CompareTo(Weigh(*b));

        [MethodImpl(MethodImplOptions.NoInlining)]
        static void SortByPointer(int[] items)
        {
            fixed (int* p = items) qsort(p, (nuint)items.Length, sizeof(int), &ComparePointers);
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        static void SortByDelegate(int[] items, Comparer comparer)
        {
            fixed (int* p = items) qsort_delegate(p, (nuint)items.Length, sizeof(int), comparer);
        }

        public static int Run(double seconds)
        {
            var random = new Random(42);
            var items = new int[20_000];
            Comparer comparer = CompareByDelegate;
            var until = new Until(seconds);
            int sorts = 0;
            while (!until.Over)
            {
                for (int i = 0; i < items.Length; i++) items[i] = random.Next(1 << 20);
                if (sorts++ % 2 == 0) SortByPointer(items);
                else SortByDelegate(items, comparer);
            }
            GC.KeepAlive(comparer);
            for (int i = 1; i < items.Length; i++)
            {
                if (Weigh(items[i - 1]) > Weigh(items[i])) return 1;
            }
            Console.WriteLine($"{sorts} sorts");
            return 0;
        }
    }
}
