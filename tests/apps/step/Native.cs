using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Stepping;

// Managed code that calls native code, and native code that calls back, both with and without marshalling.
static unsafe partial class Native
{
    [DllImport("libc")] static extern int getpid();
    [DllImport("libc"), SuppressGCTransition] static extern int abs(int x);
    [DllImport("libc", SetLastError = true)] static extern int close(int fd);
    [DllImport("libc", CharSet = CharSet.Ansi)] static extern nuint strlen(string text);
    [LibraryImport("libc", StringMarshalling = StringMarshalling.Utf8)] private static partial int atoi(string text);
    [DllImport("libc")]
    static extern void qsort(int* items, nuint count, nuint size, delegate* unmanaged[Cdecl]<int*, int*, int> compare);
    [UnmanagedFunctionPointer(CallingConvention.Cdecl)] delegate int Comparer(int* a, int* b);
    [DllImport("libc", EntryPoint = "qsort")]
    static extern void qsort_delegate(int* items, nuint count, nuint size, Comparer compare);

    // tests/apps/native/library
    [DllImport("hostile")] static extern int hostile_jump(int levels);

    static readonly Comparer s_comparer = (a, b) => Compare(*a, *b);

    public static long Out() =>
        (getpid() > 0 ? 1 : 0) + abs(-3) + close(-1) + Marshal.GetLastPInvokeError() + (long)strlen("four") + atoi("12");

    public static long Back()
    {
        int* items = stackalloc int[6] { 5, 1, 4, 2, 6, 3 };
        qsort(items, 6, sizeof(int), &ComparePointers);
        long sum = items[0];
        items[0] = 9;
        qsort_delegate(items, 6, sizeof(int), s_comparer);
        return sum + items[5];
    }

    // longjmp out of native functions.
    public static long Jump() => hostile_jump(2) == 0 ? 5 : 0;

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    static int ComparePointers(int* a, int* b) => Compare(*a, *b);

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Compare(int a, int b) => a.CompareTo(b);
}
