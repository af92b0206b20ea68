// Made by make_signatures.py.
using System.Runtime.Intrinsics;

public static unsafe partial class Signatures
{
    static bool M0(bool a0) => a0;
    static bool M1(bool a0) => a0;
    static char M2(char a0) => a0;
    static char M3(char a0) => a0;
    static sbyte M4(sbyte a0) => a0;
    static byte M5(byte a0) => a0;
    static short M6(short a0) => a0;
    static ushort M7(ushort a0) => a0;
    static int M8(int a0) => a0;
    static int M9(int a0) => a0;
    static uint M10(uint a0) => a0;
    static long M11(long a0) => a0;
    static ulong M12(ulong a0) => a0;
    static nint M13(nint a0) => a0;
    static nuint M14(nuint a0) => a0;
    static float M15(float a0) => a0;
    static float M16(float a0) => a0;
    static float M17(float a0) => a0;
    static float M18(float a0) => a0;
    static double M19(double a0) => a0;
    static double M20(double a0) => a0;
    static double M21(double a0) => a0;
    static double M22(double a0) => a0;
    static double M23(double a0) => a0;
    static decimal M24(decimal a0) => a0;
    static decimal M25(decimal a0) => a0;
    static string M26(string a0) => a0;
    static string? M27(string? a0) => a0;
    static string M28(string a0) => a0;
    static string M29(string a0) => a0;
    static string M30(string a0) => a0;
    static object? M31(object? a0) => a0;
    static object M32(object a0) => a0;
    static object M33(object a0) => a0;
    static object M34(object a0) => a0;
    static object M35(object a0) => a0;
    static int[] M36(int[] a0) => a0;
    static string[][] M37(string[][] a0) => a0;
    static int[,] M38(int[,] a0) => a0;
    static int[]? M39(int[]? a0) => a0;
    static Colour M40(Colour a0) => a0;
    static Colour M41(Colour a0) => a0;
    static InSByte M42(InSByte a0) => a0;
    static InSByte M43(InSByte a0) => a0;
    static InByte M44(InByte a0) => a0;
    static InShort M45(InShort a0) => a0;
    static InUShort M46(InUShort a0) => a0;
    static InUInt M47(InUInt a0) => a0;
    static InLong M48(InLong a0) => a0;
    static InULong M49(InULong a0) => a0;
    static Access M50(Access a0) => a0;
    static Access M51(Access a0) => a0;
    static Access M52(Access a0) => a0;
    static Access M53(Access a0) => a0;
    static DateTime M54(DateTime a0) => a0;
    static DateTime M55(DateTime a0) => a0;
    static DateTime M56(DateTime a0) => a0;
    static DateTime M57(DateTime a0) => a0;
    static TimeSpan M58(TimeSpan a0) => a0;
    static TimeSpan M59(TimeSpan a0) => a0;
    static DateTimeOffset M60(DateTimeOffset a0) => a0;
    static DateOnly M61(DateOnly a0) => a0;
    static TimeOnly M62(TimeOnly a0) => a0;
    static Guid M63(Guid a0) => a0;
    static Int128 M64(Int128 a0) => a0;
    static UInt128 M65(UInt128 a0) => a0;
    static Int128 M66(Int128 a0) => a0;
    static Half M67(Half a0) => a0;
    static int? M68(int? a0) => a0;
    static int? M69(int? a0) => a0;
    static Colour? M70(Colour? a0) => a0;
    static DateTime? M71(DateTime? a0) => a0;
    static decimal? M72(decimal? a0) => a0;
    static Point? M73(Point? a0) => a0;
    static (int, string) M74((int, string) a0) => a0;
    static (byte, double, Colour) M75((byte, double, Colour) a0) => a0;
    static (string?, (int, bool)) M76((string?, (int, bool)) a0) => a0;
    static KeyValuePair<string, int> M77(KeyValuePair<string, int> a0) => a0;
    static KeyValuePair<int, Point> M78(KeyValuePair<int, Point> a0) => a0;
    static Bytes1 M79(Bytes1 a0) => a0;
    static Bytes2 M80(Bytes2 a0) => a0;
    static Bytes3 M81(Bytes3 a0) => a0;
    static Bytes5 M82(Bytes5 a0) => a0;
    static Bytes8 M83(Bytes8 a0) => a0;
    static Bytes12 M84(Bytes12 a0) => a0;
    static Bytes16 M85(Bytes16 a0) => a0;
    static Bytes24 M86(Bytes24 a0) => a0;
    static Bytes32 M87(Bytes32 a0) => a0;
    static Bytes40 M88(Bytes40 a0) => a0;
    static Bytes64 M89(Bytes64 a0) => a0;
    static OneFloat M90(OneFloat a0) => a0;
    static TwoFloats M91(TwoFloats a0) => a0;
    static ThreeFloats M92(ThreeFloats a0) => a0;
    static FourFloats M93(FourFloats a0) => a0;
    static TwoDoubles M94(TwoDoubles a0) => a0;
    static FourDoubles M95(FourDoubles a0) => a0;
    static Mixed M96(Mixed a0) => a0;
    static RealFirst M97(RealFirst a0) => a0;
    static WithText M98(WithText a0) => a0;
    static WithText M99(WithText a0) => a0;
    static Nested M100(Nested a0) => a0;
    static Empty M101(Empty a0) => a0;
    static Point M102(Point a0) => a0;
    static Holder<int> M103(Holder<int> a0) => a0;
    static Holder<string> M104(Holder<string> a0) => a0;
    static Holder<Point> M105(Holder<Point> a0) => a0;
    static Wrapper M106(Wrapper a0) => a0;
    static Union M107(Union a0) => a0;
    static Four M108(Four a0) => a0;
    static Vector128<int> M109(Vector128<int> a0) => a0;
    static Vector256<double> M110(Vector256<double> a0) => a0;
    static Vector64<byte> M111(Vector64<byte> a0) => a0;
    static List<int> M112(List<int> a0) => a0;
    static Order M113(Order a0) => a0;
    static Order M114(Order a0) => a0;
    static Order? M115(Order? a0) => a0;
    static Change M116(Change a0) => a0;
    static Box<string> M117(Box<string> a0) => a0;
    static IComparable M118(IComparable a0) => a0;
    static Exception M119(Exception a0) => a0;
    static Dictionary<string, Point[]> M120(Dictionary<string, Point[]> a0) => a0;
    static int* M121(int* a0) => a0;
    static delegate*<int, int> M122(delegate*<int, int> a0) => a0;
    static Span<int> M123(Span<int> a0) => a0;
    static ReadOnlySpan<char> M124(ReadOnlySpan<char> a0) => a0;
    static Span<Point> M125(Span<Point> a0) => a0;
    static Memory<int> M126(Memory<int> a0) => a0;
    static Index M127(Index a0) => a0;
    static Bytes3 M128(KeyValuePair<string, int> a0, FourFloats a1, (int, string) a2, InByte a3, DateTime? a4, string a5, short a6, Guid a7, WithText a8, Union a9, Int128 a10, Bytes3 a11) => a11;
    static double M129(object a0, float a1, object a2, Access a3, int[,] a4, Access a5, Bytes12 a6, object? a7, float a8, Bytes1 a9, Holder<string> a10, double a11) => a11;
    static int? M130(int[] a0, Holder<string> a1, Bytes24 a2, sbyte a3, Vector256<double> a4, FourDoubles a5, nint a6, OneFloat a7, ulong a8, delegate*<int, int> a9, FourDoubles a10, bool a11, Holder<int> a12, DateOnly a13, string a14, DateTime a15, Guid a16, ThreeFloats a17, nuint a18, int? a19) => a19;
    static object M131(Colour? a0, InULong a1, object a2) => a2;
    static decimal M132(KeyValuePair<int, Point> a0, Bytes64 a1, Bytes3 a2, InSByte a3, Bytes16 a4, decimal a5) => a5;
    static Exception M133(in Bytes16 a0, in char a1, in ulong a2, in Bytes64 a3, in sbyte a4, in Exception a5) => a5;
    static double M134(int* a0, nint a1, Access a2, Bytes1 a3, Int128 a4, double a5) => a5;
    static Bytes1 M135(in byte a0, in object a1, in Holder<int> a2, in ReadOnlySpan<char> a3, in Nested a4, in InUShort a5, in Access a6, in Int128 a7, in int[,] a8, in string a9, in DateTime a10, in ulong a11, in KeyValuePair<int, Point> a12, in Bytes2 a13, in Bytes2 a14, in ulong a15, in Colour a16, in Union a17, in double a18, in Bytes1 a19) => a19;
    static DateTime M136(Holder<int> a0, delegate*<int, int> a1, double a2, double a3, DateOnly a4, DateTime a5) => a5;
    static ReadOnlySpan<char> M137(Colour a0, (byte, double, Colour) a1, ulong a2, ReadOnlySpan<char> a3, Nested a4, ReadOnlySpan<char> a5) => a5;
    static DateTime M138(Holder<string> a0, Order a1, double a2, Box<string> a3, DateTime a4) => a4;
    static ushort M139(ref Span<int> a0, ref Bytes3 a1, ref InLong a2, ref FourFloats a3, ref ushort a4) => a4;
    static Order M140(nint a0, Bytes12 a1, InSByte a2, TimeSpan a3, Bytes2 a4, TwoDoubles a5, InByte a6, DateTime a7, KeyValuePair<string, int> a8, Vector64<byte> a9, TwoFloats a10, Order a11) => a11;
    static InULong M141(in string? a0, in char a1, in InULong a2) => a2;
    static object M142(ref Order? a0, ref IComparable a1, ref Order a2, ref object a3) => a3;
    static decimal M143(ref Order? a0, ref char a1, ref (byte, double, Colour) a2, ref Half a3, ref InUInt a4, ref char a5, ref Exception a6, ref Bytes24 a7, ref Bytes12 a8, ref DateTime a9, ref nint a10, ref int? a11, ref decimal a12, ref char a13, ref ushort a14, ref string a15, ref Dictionary<string, Point[]> a16, ref KeyValuePair<string, int> a17, ref Access a18, ref decimal a19) => a19;
    static DateTime M144(Change a0, DateTime a1) => a1;
    static object? M145(in Point a0, in object? a1) => a1;
    static double M146(nuint a0, float a1, InLong a2, Half a3, int? a4, TwoFloats a5, Bytes40 a6, Wrapper a7, Holder<int> a8, bool a9, Bytes24 a10, double a11) => a11;
    static Bytes8 M147(in decimal? a0, in Bytes8 a1) => a1;
    static object? M148(string a0, Bytes16 a1, object a2, TimeOnly a3, Memory<int> a4, decimal? a5, Order a6, object? a7) => a7;
    static Span<int> M149(Guid a0, float a1, Union a2, Bytes1 a3, Access a4, Span<int> a5) => a5;
    static WithText M150(object a0, DateTime a1, int[,] a2, (byte, double, Colour) a3, double a4, Vector64<byte> a5, List<int> a6, WithText a7) => a7;
    static Memory<int> M151(int[] a0, InSByte a1, Bytes3 a2, Memory<int> a3) => a3;
    static DateTimeOffset M152(ref Holder<string> a0, ref float a1, ref DateTimeOffset a2, ref InSByte a3, ref int[,] a4, ref DateTimeOffset a5) => a5;
    static Bytes16 M153(Bytes5 a0, Order a1, object a2, Point? a3, TimeOnly a4, Memory<int> a5, Int128 a6, InLong a7, FourDoubles a8, bool a9, object? a10, Bytes16 a11) => a11;
    static int[] M154(double a0, Vector256<double> a1, double a2, Mixed a3, TimeOnly a4, InSByte a5, float a6, (byte, double, Colour) a7, float a8, Point? a9, Bytes24 a10, IComparable a11, Bytes5 a12, int[,] a13, int[,] a14, int? a15, KeyValuePair<int, Point> a16, WithText a17, Bytes8 a18, int[] a19) => a19;
    static Holder<int> M155(string a0, UInt128 a1, DateTimeOffset a2, DateTime a3, DateTime a4, TwoDoubles a5, Vector64<byte> a6, Mixed a7, int? a8, double a9, KeyValuePair<int, Point> a10, Holder<int> a11) => a11;
    static OneFloat M156(in Bytes2 a0, in char a1, in int a2, in float a3, in OneFloat a4) => a4;
    static Span<int> M157(ref Holder<int> a0, ref Four a1, ref Int128 a2, ref KeyValuePair<string, int> a3, ref Order? a4, ref Colour a5, ref Wrapper a6, ref DateTime a7, ref InLong a8, ref Access a9, ref ThreeFloats a10, ref Access a11, ref TimeSpan a12, ref RealFirst a13, ref float a14, ref Change a15, ref Access a16, ref OneFloat a17, ref object a18, ref Span<int> a19) => a19;
    static Holder<string> M158(in double a0, in object a1, in DateTimeOffset a2, in Vector64<byte> a3, in Nested a4, in TimeSpan a5, in Point a6, in Mixed a7, in ReadOnlySpan<char> a8, in Bytes16 a9, in DateOnly a10, in Bytes8 a11, in WithText a12, in DateTime a13, in InByte a14, in Memory<int> a15, in char a16, in int* a17, in decimal a18, in Holder<string> a19) => a19;
    static Bytes1 M159(decimal a0, InUInt a1, Index a2, ushort a3, Half a4, Dictionary<string, Point[]> a5, object a6, Access a7, Colour a8, UInt128 a9, string[][] a10, int a11, object? a12, (int, string) a13, List<int> a14, nint a15, double a16, (byte, double, Colour) a17, Int128 a18, Bytes1 a19) => a19;
    static string? M160(Half a0, int a1, ushort a2, decimal? a3, float a4, nuint a5, Colour? a6, (byte, double, Colour) a7, Bytes64 a8, Span<int> a9, DateTime a10, string? a11) => a11;
    static FourDoubles M161(FourDoubles a0, FourDoubles a1) => a1;
    static ulong M162(Order a0, Bytes12 a1, Memory<int> a2, FourFloats a3, DateTime a4, char a5, string a6, Bytes64 a7, int[,] a8, RealFirst a9, string a10, double a11, uint a12, Nested a13, string a14, IComparable a15, int[] a16, Access a17, Order a18, ulong a19) => a19;
    static DateTime M163(sbyte a0, string? a1, decimal a2, object a3, int* a4, DateTime a5) => a5;
    static double M164((string?, (int, bool)) a0, KeyValuePair<string, int> a1, Bytes12 a2, sbyte a3, Vector64<byte> a4, double a5) => a5;
    static object? M165(in bool a0, in IComparable a1, in string a2, in Bytes8 a3, in Bytes5 a4, in Box<string> a5, in nuint a6, in ReadOnlySpan<char> a7, in double a8, in Exception a9, in (string?, (int, bool)) a10, in object? a11) => a11;
    static int[]? M166(float a0, Bytes5 a1, int a2, int[]? a3) => a3;
    static RealFirst M167((byte, double, Colour) a0, Union a1, double a2, string? a3, RealFirst a4) => a4;
    static Holder<string> M168(ref Span<Point> a0, ref Holder<string> a1) => a1;
    static decimal M169(Half a0, DateOnly a1, Holder<int> a2, object a3, DateTime a4, Bytes12 a5, TimeSpan a6, Bytes3 a7, Dictionary<string, Point[]> a8, Bytes2 a9, DateTime a10, decimal a11) => a11;
    static FourFloats M170(ref Exception a0, ref Access a1, ref List<int> a2, ref Vector64<byte> a3, ref FourFloats a4) => a4;
    static long M171(in nint a0, in Access a1, in object? a2, in Guid a3, in bool a4, in Int128 a5, in nint a6, in Int128 a7, in ThreeFloats a8, in Vector128<int> a9, in WithText a10, in long a11) => a11;
    static Bytes5 M172(ref short a0, ref Bytes5 a1) => a1;
    static string M173(InByte a0, TwoFloats a1, Bytes3 a2, DateOnly a3, int? a4, Order a5, Order a6, string a7) => a7;
    static int[]? M174(short a0, object a1, Change a2, int[]? a3) => a3;
    static Int128 M175(bool a0, bool a1, InByte a2, RealFirst a3, Mixed a4, Point a5, decimal a6, DateTime? a7, InULong a8, Access a9, int[] a10, sbyte a11, Exception a12, Bytes8 a13, int[,] a14, int* a15, DateTime a16, Four a17, ThreeFloats a18, Int128 a19) => a19;
    static DateTime M176(Dictionary<string, Point[]> a0, double a1, InByte a2, string a3, Guid a4, Index a5, Guid a6, Bytes1 a7, string a8, Int128 a9, UInt128 a10, Bytes5 a11, Order? a12, Int128 a13, Nested a14, char a15, Order? a16, int? a17, Colour a18, DateTime a19) => a19;
    static uint M177(in string a0, in int a1, in TwoFloats a2, in string a3, in uint a4) => a4;
    static InByte M178(OneFloat a0, Bytes8 a1, TimeSpan a2, Access a3, InByte a4) => a4;
    static Box<string> M179(in char a0, in Span<Point> a1, in int a2, in Box<string> a3) => a3;
    static int[]? M180(in Wrapper a0, in Bytes16 a1, in Exception a2, in nuint a3, in short a4, in double a5, in float a6, in InSByte a7, in decimal? a8, in RealFirst a9, in int a10, in int[]? a11) => a11;
    static Span<Point> M181(ref InUInt a0, ref Bytes16 a1, ref Colour a2, ref Bytes32 a3, ref Bytes3 a4, ref Span<Point> a5) => a5;
    static InSByte M182(Box<string> a0, (byte, double, Colour) a1, Wrapper a2, DateTime a3, InSByte a4) => a4;
    static double M183(Bytes1 a0, IComparable a1, Bytes1 a2, float a3, Bytes12 a4, object a5, Bytes8 a6, int a7, bool a8, KeyValuePair<string, int> a9, decimal a10, double a11) => a11;
    static Bytes3 M184(string a0, DateTime a1, double a2, TwoDoubles a3, Colour a4, Memory<int> a5, int* a6, Bytes3 a7) => a7;
    static DateTime M185(List<int> a0, int* a1, DateTime a2, DateTime a3) => a3;
    static Order? M186(in ushort a0, in DateOnly a1, in InULong a2, in float a3, in Holder<Point> a4, in Guid a5, in int* a6, in Colour? a7, in (int, string) a8, in InByte a9, in Bytes32 a10, in Order? a11) => a11;
    static float M187(ref Bytes5 a0, ref Half a1, ref Colour? a2, ref float a3) => a3;
    static Guid M188(Half a0, Order? a1, WithText a2, char a3, Colour a4, Holder<string> a5, Bytes24 a6, char a7, DateTime a8, nuint a9, Span<int> a10, decimal? a11, object? a12, ThreeFloats a13, Int128 a14, FourFloats a15, KeyValuePair<string, int> a16, TimeSpan a17, int a18, Guid a19) => a19;
    static float M189(Index a0, float a1) => a1;
    static char M190(int a0, Nested a1, Bytes40 a2, DateTime a3, Half a4, int? a5, Point? a6, float a7, bool a8, UInt128 a9, FourFloats a10, char a11) => a11;
    static double M191(object a0, Order a1, int a2, Bytes2 a3, double a4) => a4;
    static Four M192(int a0, Access a1, (string?, (int, bool)) a2, UInt128 a3, DateTime a4, char a5, TwoDoubles a6, Four a7) => a7;
    static RealFirst M193(Half a0, DateTime? a1, RealFirst a2) => a2;
    static Change M194(int[]? a0, (string?, (int, bool)) a1, nuint a2, InSByte a3, Change a4) => a4;
    static Access M195(in string a0, in InSByte a1, in double a2, in nint a3, in Access a4, in Access a5) => a5;
    static float M196(ref TwoDoubles a0, ref Point? a1, ref Memory<int> a2, ref bool a3, ref float a4) => a4;
    static string M197(Order? a0, InSByte a1, decimal a2, Bytes12 a3, Span<Point> a4, Nested a5, bool a6, Holder<string> a7, Change a8, Access a9, ushort a10, string a11) => a11;
    static Bytes8 M198(int? a0, Bytes8 a1) => a1;
    static int? M199(InUShort a0, Access a1, WithText a2, string a3, int? a4) => a4;

    public static void Run()
    {
        { M0(true); Say("M0|a0=true|=true"); }
        { M1(false); Say("M1|a0=false|=false"); }
        { M2('x'); Say("M2|a0='x'|='x'"); }
        { M3('\n'); Say("M3|a0='\\n'|='\\n'"); }
        { M4(-5); Say("M4|a0=-5|=-5"); }
        { M5(200); Say("M5|a0=200|=200"); }
        { M6(-300); Say("M6|a0=-300|=-300"); }
        { M7(60000); Say("M7|a0=60000|=60000"); }
        { M8(-70000); Say("M8|a0=-70000|=-70000"); }
        { M9(int.MinValue); Say("M9|a0=-2147483648|=-2147483648"); }
        { M10(4000000000); Say("M10|a0=4000000000|=4000000000"); }
        { M11(-5000000000); Say("M11|a0=-5000000000|=-5000000000"); }
        { M12(ulong.MaxValue); Say("M12|a0=18446744073709551615|=18446744073709551615"); }
        { M13(-7); Say("M13|a0=-7|=-7"); }
        { M14(7); Say("M14|a0=7|=7"); }
        { M15(1.5f); Say("M15|a0=1.5|=1.5"); }
        { M16(-0.1f); Say("M16|a0=-0.1|=-0.1"); }
        { M17(float.MaxValue); Say("M17|a0=3.4028235E+38|=3.4028235E+38"); }
        { M18(float.NaN); Say("M18|a0=NaN|=NaN"); }
        { M19(0.1); Say("M19|a0=0.1|=0.1"); }
        { M20(1e20); Say("M20|a0=1E+20|=1E+20"); }
        { M21(-2.5e-7); Say("M21|a0=-2.5E-07|=-2.5E-07"); }
        { M22(double.NegativeInfinity); Say("M22|a0=-Infinity|=-Infinity"); }
        { M23(123456789.125); Say("M23|a0=123456789.125|=123456789.125"); }
        { M24(12.50m); Say("M24|a0=12.50|=12.50"); }
        { M25(-79228162514264337593543950335m); Say("M25|a0=-79228162514264337593543950335|=-79228162514264337593543950335"); }
        { M26("Anna"); Say("M26|a0=\"Anna\"|=\"Anna\""); }
        { M27(null); Say("M27|a0=null|=null"); }
        { M28(""); Say("M28|a0=\"\"|=\"\""); }
        { M29("a\"b\\c\n\u0001ü€😀"); Say("M29|a0=\"a\\\"b\\\\c\\n\\u0001ü€😀\"|=\"a\\\"b\\\\c\\n\\u0001ü€😀\""); }
        { M30(Text100.Long); Say("M30|a0=\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"…|=\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"…"); }
        { M31(null); Say("M31|a0=null|=null"); }
        { M32(42); Say("M32|a0=42|=42"); }
        { M33(Colour.Blue); Say("M33|a0=Blue|=Blue"); }
        { M34("text"); Say("M34|a0=\"text\"|=\"text\""); }
        { M35(new Point(1, 2)); Say("M35|a0={ X = 1, Y = 2 }|={ X = 1, Y = 2 }"); }
        { M36(new int[3]); Say("M36|a0=int[3]|=int[3]"); }
        { M37(new string[2][]); Say("M37|a0=string[2][]|=string[2][]"); }
        { M38(new int[2, 3]); Say("M38|a0=int[2,3]|=int[2,3]"); }
        { M39(null); Say("M39|a0=null|=null"); }
        { M40(Colour.Green); Say("M40|a0=Green|=Green"); }
        { M41((Colour)99); Say("M41|a0=99|=99"); }
        { M42(InSByte.Low); Say("M42|a0=Low|=Low"); }
        { M43((InSByte)(-3)); Say("M43|a0=-3|=-3"); }
        { M44(InByte.Most); Say("M44|a0=Most|=Most"); }
        { M45(InShort.Low); Say("M45|a0=Low|=Low"); }
        { M46(InUShort.Most); Say("M46|a0=Most|=Most"); }
        { M47(InUInt.Most); Say("M47|a0=Most|=Most"); }
        { M48(InLong.Low); Say("M48|a0=Low|=Low"); }
        { M49(InULong.Most); Say("M49|a0=Most|=Most"); }
        { M50(Access.Read | Access.Run); Say("M50|a0=Read | Run|=Read | Run"); }
        { M51(Access.None); Say("M51|a0=None|=None"); }
        { M52(Access.All | Access.Owner); Say("M52|a0=All | Owner|=All | Owner"); }
        { M53((Access)64); Say("M53|a0=64|=64"); }
        { M54(new DateTime(2026, 2, 28, 3, 4, 5)); Say("M54|a0=2026-02-28T03:04:05|=2026-02-28T03:04:05"); }
        { M55(new DateTime(638000000001234567, DateTimeKind.Utc)); Say("M55|a0=2022-09-28T22:13:20.1234567Z|=2022-09-28T22:13:20.1234567Z"); }
        { M56(DateTime.MaxValue); Say("M56|a0=9999-12-31T23:59:59.9999999|=9999-12-31T23:59:59.9999999"); }
        { M57(new DateTime(2024, 2, 29)); Say("M57|a0=2024-02-29T00:00:00|=2024-02-29T00:00:00"); }
        { M58(TimeSpan.FromMilliseconds(1500)); Say("M58|a0=00:00:01.5|=00:00:01.5"); }
        { M59(-new TimeSpan(1, 2, 3, 4)); Say("M59|a0=-1.02:03:04|=-1.02:03:04"); }
        { M60(new DateTimeOffset(2026, 1, 1, 0, 30, 0, TimeSpan.FromHours(2))); Say("M60|a0=2026-01-01T00:30:00+02:00|=2026-01-01T00:30:00+02:00"); }
        { M61(new DateOnly(2026, 11, 30)); Say("M61|a0=2026-11-30|=2026-11-30"); }
        { M62(new TimeOnly(1, 2, 3)); Say("M62|a0=01:02:03|=01:02:03"); }
        { M63(new Guid("00112233-4455-6677-8899-aabbccddeeff")); Say("M63|a0=00112233-4455-6677-8899-aabbccddeeff|=00112233-4455-6677-8899-aabbccddeeff"); }
        { M64(Int128.MinValue); Say("M64|a0=-170141183460469231731687303715884105728|=-170141183460469231731687303715884105728"); }
        { M65(UInt128.MaxValue); Say("M65|a0=340282366920938463463374607431768211455|=340282366920938463463374607431768211455"); }
        { M66(-5); Say("M66|a0=-5|=-5"); }
        { M67((Half)0.5); Say("M67|a0=0.5|=0.5"); }
        { M68(5); Say("M68|a0=5|=5"); }
        { M69(null); Say("M69|a0=null|=null"); }
        { M70(Colour.Red); Say("M70|a0=Red|=Red"); }
        { M71(null); Say("M71|a0=null|=null"); }
        { M72(1.5m); Say("M72|a0=1.5|=1.5"); }
        { M73(new Point(3, 4)); Say("M73|a0={ X = 3, Y = 4 }|={ X = 3, Y = 4 }"); }
        { M74((1, "a")); Say("M74|a0=(1, \"a\")|=(1, \"a\")"); }
        { M75((1, 2.5, Colour.Blue)); Say("M75|a0=(1, 2.5, Blue)|=(1, 2.5, Blue)"); }
        { M76((null, (1, true))); Say("M76|a0=(null, (1, true))|=(null, (1, true))"); }
        { M77(new("k", 5)); Say("M77|a0={ key = \"k\", value = 5 }|={ key = \"k\", value = 5 }"); }
        { M78(new(1, new(2, 3))); Say("M78|a0={ key = 1, value = { X = 2, Y = 3 } }|={ key = 1, value = { X = 2, Y = 3 } }"); }
        { M79(new() { A = 1 }); Say("M79|a0={ A = 1 }|={ A = 1 }"); }
        { M80(new() { A = 1, B = 2 }); Say("M80|a0={ A = 1, B = 2 }|={ A = 1, B = 2 }"); }
        { M81(new() { A = 1, B = 2, C = 3 }); Say("M81|a0={ A = 1, B = 2, C = 3 }|={ A = 1, B = 2, C = 3 }"); }
        { M82(new() { A = 1, B = 2 }); Say("M82|a0={ A = 1, B = 2 }|={ A = 1, B = 2 }"); }
        { M83(new() { A = 1, B = -2 }); Say("M83|a0={ A = 1, B = -2 }|={ A = 1, B = -2 }"); }
        { M84(new() { A = 1, B = 2, C = 3 }); Say("M84|a0={ A = 1, B = 2, C = 3 }|={ A = 1, B = 2, C = 3 }"); }
        { M85(new() { A = 1, B = 2 }); Say("M85|a0={ A = 1, B = 2 }|={ A = 1, B = 2 }"); }
        { M86(new() { A = 1, B = 2, C = 3 }); Say("M86|a0={ A = 1, B = 2, C = 3 }|={ A = 1, B = 2, C = 3 }"); }
        { M87(new() { A = 1, D = 4 }); Say("M87|a0={ A = 1, B = 0, C = 0, D = 4 }|={ A = 1, B = 0, C = 0, D = 4 }"); }
        { M88(new() { A = 1, E = 5 }); Say("M88|a0={ A = 1, B = 0, C = 0, D = 0, E = 5 }|={ A = 1, B = 0, C = 0, D = 0, E = 5 }"); }
        { M89(new() { A = 1, H = 8 }); Say("M89|a0={ A = 1, B = 0, C = 0, D = 0, E = 0, F = 0, G = 0, H = 8 }|={ A = 1, B = 0, C = 0, D = 0, E = 0, F = 0, G = 0, H = 8 }"); }
        { M90(new() { X = 0.5f }); Say("M90|a0={ X = 0.5 }|={ X = 0.5 }"); }
        { M91(new() { X = 1, Y = 2.5f }); Say("M91|a0={ X = 1, Y = 2.5 }|={ X = 1, Y = 2.5 }"); }
        { M92(new() { X = 1, Y = 2, Z = 3 }); Say("M92|a0={ X = 1, Y = 2, Z = 3 }|={ X = 1, Y = 2, Z = 3 }"); }
        { M93(new() { X = 1, W = 4 }); Say("M93|a0={ X = 1, Y = 0, Z = 0, W = 4 }|={ X = 1, Y = 0, Z = 0, W = 4 }"); }
        { M94(new() { X = 1, Y = 2.5 }); Say("M94|a0={ X = 1, Y = 2.5 }|={ X = 1, Y = 2.5 }"); }
        { M95(new() { X = 1, W = 4.5 }); Say("M95|a0={ X = 1, Y = 0, Z = 0, W = 4.5 }|={ X = 1, Y = 0, Z = 0, W = 4.5 }"); }
        { M96(new() { Number = 1, Real = 2.5 }); Say("M96|a0={ Number = 1, Real = 2.5 }|={ Number = 1, Real = 2.5 }"); }
        { M97(new() { Real = 1.5f, Number = 2 }); Say("M97|a0={ Real = 1.5, Number = 2 }|={ Real = 1.5, Number = 2 }"); }
        { M98(new() { Number = 1, Text = "t", Other = new Order() }); Say("M98|a0={ Number = 1, Text = \"t\", Other = Order }|={ Number = 1, Text = \"t\", Other = Order }"); }
        { M99(default); Say("M99|a0={ Number = 0, Text = null, Other = null }|={ Number = 0, Text = null, Other = null }"); }
        { M100(new() { Inner = new() { Number = 1, Real = 2 }, Colour = Colour.Blue, Text = "n" }); Say("M100|a0={ Inner = { Number = 1, Real = 2 }, Colour = Blue, Text = \"n\" }|={ Inner = { Number = 1, Real = 2 }, Colour = Blue, Text = \"n\" }"); }
        { M101(default); Say("M101|a0={ }|={ }"); }
        { M102(new(5, 6)); Say("M102|a0={ X = 5, Y = 6 }|={ X = 5, Y = 6 }"); }
        { M103(new() { Value = 1, Count = 2 }); Say("M103|a0={ Value = 1, Count = 2 }|={ Value = 1, Count = 2 }"); }
        { M104(new() { Value = "v", Count = 2 }); Say("M104|a0={ Value = \"v\", Count = 2 }|={ Value = \"v\", Count = 2 }"); }
        { M105(new() { Value = new(1, 2), Count = 3 }); Say("M105|a0={ Value = { X = 1, Y = 2 }, Count = 3 }|={ Value = { X = 1, Y = 2 }, Count = 3 }"); }
        { M106(new() { Numbers = new() { Value = 1 }, Texts = new() { Value = "w" }, Maybe = 3 }); Say("M106|a0={ Numbers = { Value = 1, Count = 0 }, Texts = { Value = \"w\", Count = 0 }, Maybe = 3 }|={ Numbers = { Value = 1, Count = 0 }, Texts = { Value = \"w\", Count = 0 }, Maybe = 3 }"); }
        { M107(new() { Number = 258 }); Say("M107|a0={ Number = 258, First = 2 }|={ Number = 258, First = 2 }"); }
        { M108(default); Say("M108|a0=[4]|=[4]"); }
        { M109(Vector128.Create(1, 2, 3, 4)); Say("M109|a0=<1, 2, 3, 4>|=<1, 2, 3, 4>"); }
        { M110(Vector256.Create(1.5, 2, 3, 4)); Say("M110|a0=<1.5, 2, 3, 4>|=<1.5, 2, 3, 4>"); }
        { M111(Vector64.Create((byte)9)); Say("M111|a0=<9, 9, 9, 9, 9, 9, 9, 9>|=<9, 9, 9, 9, 9, 9, 9, 9>"); }
        { M112([]); Say("M112|a0=System.Collections.Generic.List<int>|=System.Collections.Generic.List<int>"); }
        { M113(new()); Say("M113|a0=Order|=Order"); }
        { M114(new Special()); Say("M114|a0=Special|=Special"); }
        { M115(null); Say("M115|a0=null|=null"); }
        { M116(static value => value); Say("M116|a0=Change|=Change"); }
        { M117(new()); Say("M117|a0=Box<string>|=Box<string>"); }
        { M118(5); Say("M118|a0=5|=5"); }
        { M119(new ArgumentException()); Say("M119|a0=System.ArgumentException|=System.ArgumentException"); }
        { M120([]); Say("M120|a0=System.Collections.Generic.Dictionary<string, Point[]>|=System.Collections.Generic.Dictionary<string, Point[]>"); }
        { M121((int*)0x1234); Say("M121|a0=0x1234|=0x1234"); }
        { M122(null); Say("M122|a0=null|=null"); }
        { M123(new int[5]); Say("M123|a0=int[5]|=int[5]"); }
        { M124("spans"); Say("M124|a0=\"spans\"|=\"spans\""); }
        { M125(default); Say("M125|a0=Point[0]|=Point[0]"); }
        { M126(default); Say("M126|a0={ _object = null, _index = 0, _length = 0 }|={ _object = null, _index = 0, _length = 0 }"); }
        { M127(^3); Say("M127|a0={ _value = -4 }|={ _value = -4 }"); }
        { M128(new("k", 5), new() { X = 1, W = 4 }, (1, "a"), InByte.Most, null, "", -300, new Guid("00112233-4455-6677-8899-aabbccddeeff"), new() { Number = 1, Text = "t", Other = new Order() }, new() { Number = 258 }, Int128.MinValue, new() { A = 1, B = 2, C = 3 }); Say("M128|a0={ key = \"k\", value = 5 }|a1={ X = 1, Y = 0, Z = 0, W = 4 }|a2=(1, \"a\")|a3=Most|a4=null|a5=\"\"|a6=-300|a7=00112233-4455-6677-8899-aabbccddeeff|a8={ Number = 1, Text = \"t\", Other = Order }|a9={ Number = 258, First = 2 }|a10=-170141183460469231731687303715884105728|a11={ A = 1, B = 2, C = 3 }|={ A = 1, B = 2, C = 3 }"); }
        { M129(new Point(1, 2), 1.5f, new Point(1, 2), Access.Read | Access.Run, new int[2, 3], (Access)64, new() { A = 1, B = 2, C = 3 }, null, float.MaxValue, new() { A = 1 }, new() { Value = "v", Count = 2 }, 1e20); Say("M129|a0={ X = 1, Y = 2 }|a1=1.5|a2={ X = 1, Y = 2 }|a3=Read | Run|a4=int[2,3]|a5=64|a6={ A = 1, B = 2, C = 3 }|a7=null|a8=3.4028235E+38|a9={ A = 1 }|a10={ Value = \"v\", Count = 2 }|a11=1E+20|=1E+20"); }
        { M130(new int[3], new() { Value = "v", Count = 2 }, new() { A = 1, B = 2, C = 3 }, -5, Vector256.Create(1.5, 2, 3, 4), new() { X = 1, W = 4.5 }, -7, new() { X = 0.5f }, ulong.MaxValue, null, new() { X = 1, W = 4.5 }, false, new() { Value = 1, Count = 2 }, new DateOnly(2026, 11, 30), "a\"b\\c\n\u0001ü€😀", new DateTime(2026, 2, 28, 3, 4, 5), new Guid("00112233-4455-6677-8899-aabbccddeeff"), new() { X = 1, Y = 2, Z = 3 }, 7, 5); Say("M130|a0=int[3]|a1={ Value = \"v\", Count = 2 }|a2={ A = 1, B = 2, C = 3 }|a3=-5|a4=<1.5, 2, 3, 4>|a5={ X = 1, Y = 0, Z = 0, W = 4.5 }|a6=-7|a7={ X = 0.5 }|a8=18446744073709551615|a9=null|a10={ X = 1, Y = 0, Z = 0, W = 4.5 }|a11=false|a12={ Value = 1, Count = 2 }|a13=2026-11-30|a14=\"a\\\"b\\\\c\\n\\u0001ü€😀\"|a15=2026-02-28T03:04:05|a16=00112233-4455-6677-8899-aabbccddeeff|a17={ X = 1, Y = 2, Z = 3 }|a18=7|a19=5|=5"); }
        { M131(Colour.Red, InULong.Most, Colour.Blue); Say("M131|a0=Red|a1=Most|a2=Blue|=Blue"); }
        { M132(new(1, new(2, 3)), new() { A = 1, H = 8 }, new() { A = 1, B = 2, C = 3 }, (InSByte)(-3), new() { A = 1, B = 2 }, 12.50m); Say("M132|a0={ key = 1, value = { X = 2, Y = 3 } }|a1={ A = 1, B = 0, C = 0, D = 0, E = 0, F = 0, G = 0, H = 8 }|a2={ A = 1, B = 2, C = 3 }|a3=-3|a4={ A = 1, B = 2 }|a5=12.50|=12.50"); }
        { Bytes16 v0 = new() { A = 1, B = 2 }; char v1 = 'x'; ulong v2 = ulong.MaxValue; Bytes64 v3 = new() { A = 1, H = 8 }; sbyte v4 = -5; Exception v5 = new ArgumentException(); M133(in v0, in v1, in v2, in v3, in v4, in v5); Say("M133|a0={ A = 1, B = 2 }|a1='x'|a2=18446744073709551615|a3={ A = 1, B = 0, C = 0, D = 0, E = 0, F = 0, G = 0, H = 8 }|a4=-5|a5=System.ArgumentException|=System.ArgumentException"); }
        { M134((int*)0x1234, -7, Access.Read | Access.Run, new() { A = 1 }, -5, 0.1); Say("M134|a0=0x1234|a1=-7|a2=Read | Run|a3={ A = 1 }|a4=-5|a5=0.1|=0.1"); }
        { byte v0 = 200; object v1 = new Point(1, 2); Holder<int> v2 = new() { Value = 1, Count = 2 }; ReadOnlySpan<char> v3 = "spans"; Nested v4 = new() { Inner = new() { Number = 1, Real = 2 }, Colour = Colour.Blue, Text = "n" }; InUShort v5 = InUShort.Most; Access v6 = Access.Read | Access.Run; Int128 v7 = Int128.MinValue; int[,] v8 = new int[2, 3]; string v9 = ""; DateTime v10 = new DateTime(2026, 2, 28, 3, 4, 5); ulong v11 = ulong.MaxValue; KeyValuePair<int, Point> v12 = new(1, new(2, 3)); Bytes2 v13 = new() { A = 1, B = 2 }; Bytes2 v14 = new() { A = 1, B = 2 }; ulong v15 = ulong.MaxValue; Colour v16 = (Colour)99; Union v17 = new() { Number = 258 }; double v18 = 123456789.125; Bytes1 v19 = new() { A = 1 }; M135(in v0, in v1, in v2, in v3, in v4, in v5, in v6, in v7, in v8, in v9, in v10, in v11, in v12, in v13, in v14, in v15, in v16, in v17, in v18, in v19); Say("M135|a0=200|a1={ X = 1, Y = 2 }|a2={ Value = 1, Count = 2 }|a3=\"spans\"|a4={ Inner = { Number = 1, Real = 2 }, Colour = Blue, Text = \"n\" }|a5=Most|a6=Read | Run|a7=-170141183460469231731687303715884105728|a8=int[2,3]|a9=\"\"|a10=2026-02-28T03:04:05|a11=18446744073709551615|a12={ key = 1, value = { X = 2, Y = 3 } }|a13={ A = 1, B = 2 }|a14={ A = 1, B = 2 }|a15=18446744073709551615|a16=99|a17={ Number = 258, First = 2 }|a18=123456789.125|a19={ A = 1 }|={ A = 1 }"); }
        { M136(new() { Value = 1, Count = 2 }, null, 0.1, -2.5e-7, new DateOnly(2026, 11, 30), new DateTime(2024, 2, 29)); Say("M136|a0={ Value = 1, Count = 2 }|a1=null|a2=0.1|a3=-2.5E-07|a4=2026-11-30|a5=2024-02-29T00:00:00|=2024-02-29T00:00:00"); }
        { M137((Colour)99, (1, 2.5, Colour.Blue), ulong.MaxValue, "spans", new() { Inner = new() { Number = 1, Real = 2 }, Colour = Colour.Blue, Text = "n" }, "spans"); Say("M137|a0=99|a1=(1, 2.5, Blue)|a2=18446744073709551615|a3=\"spans\"|a4={ Inner = { Number = 1, Real = 2 }, Colour = Blue, Text = \"n\" }|a5=\"spans\"|=\"spans\""); }
        { M138(new() { Value = "v", Count = 2 }, new(), 0.1, new(), new DateTime(638000000001234567, DateTimeKind.Utc)); Say("M138|a0={ Value = \"v\", Count = 2 }|a1=Order|a2=0.1|a3=Box<string>|a4=2022-09-28T22:13:20.1234567Z|=2022-09-28T22:13:20.1234567Z"); }
        { Span<int> v0 = new int[5]; Bytes3 v1 = new() { A = 1, B = 2, C = 3 }; InLong v2 = InLong.Low; FourFloats v3 = new() { X = 1, W = 4 }; ushort v4 = 60000; M139(ref v0, ref v1, ref v2, ref v3, ref v4); Say("M139|a0=int[5]|a1={ A = 1, B = 2, C = 3 }|a2=Low|a3={ X = 1, Y = 0, Z = 0, W = 4 }|a4=60000|=60000"); }
        { M140(-7, new() { A = 1, B = 2, C = 3 }, (InSByte)(-3), -new TimeSpan(1, 2, 3, 4), new() { A = 1, B = 2 }, new() { X = 1, Y = 2.5 }, InByte.Most, new DateTime(2026, 2, 28, 3, 4, 5), new("k", 5), Vector64.Create((byte)9), new() { X = 1, Y = 2.5f }, new Special()); Say("M140|a0=-7|a1={ A = 1, B = 2, C = 3 }|a2=-3|a3=-1.02:03:04|a4={ A = 1, B = 2 }|a5={ X = 1, Y = 2.5 }|a6=Most|a7=2026-02-28T03:04:05|a8={ key = \"k\", value = 5 }|a9=<9, 9, 9, 9, 9, 9, 9, 9>|a10={ X = 1, Y = 2.5 }|a11=Special|=Special"); }
        { string? v0 = null; char v1 = 'x'; InULong v2 = InULong.Most; M141(in v0, in v1, in v2); Say("M141|a0=null|a1='x'|a2=Most|=Most"); }
        { Order? v0 = null; IComparable v1 = 5; Order v2 = new Special(); object v3 = new Point(1, 2); M142(ref v0, ref v1, ref v2, ref v3); Say("M142|a0=null|a1=5|a2=Special|a3={ X = 1, Y = 2 }|={ X = 1, Y = 2 }"); }
        { Order? v0 = null; char v1 = '\n'; (byte, double, Colour) v2 = (1, 2.5, Colour.Blue); Half v3 = (Half)0.5; InUInt v4 = InUInt.Most; char v5 = 'x'; Exception v6 = new ArgumentException(); Bytes24 v7 = new() { A = 1, B = 2, C = 3 }; Bytes12 v8 = new() { A = 1, B = 2, C = 3 }; DateTime v9 = new DateTime(2026, 2, 28, 3, 4, 5); nint v10 = -7; int? v11 = 5; decimal v12 = -79228162514264337593543950335m; char v13 = '\n'; ushort v14 = 60000; string v15 = ""; Dictionary<string, Point[]> v16 = []; KeyValuePair<string, int> v17 = new("k", 5); Access v18 = Access.All | Access.Owner; decimal v19 = -79228162514264337593543950335m; M143(ref v0, ref v1, ref v2, ref v3, ref v4, ref v5, ref v6, ref v7, ref v8, ref v9, ref v10, ref v11, ref v12, ref v13, ref v14, ref v15, ref v16, ref v17, ref v18, ref v19); Say("M143|a0=null|a1='\\n'|a2=(1, 2.5, Blue)|a3=0.5|a4=Most|a5='x'|a6=System.ArgumentException|a7={ A = 1, B = 2, C = 3 }|a8={ A = 1, B = 2, C = 3 }|a9=2026-02-28T03:04:05|a10=-7|a11=5|a12=-79228162514264337593543950335|a13='\\n'|a14=60000|a15=\"\"|a16=System.Collections.Generic.Dictionary<string, Point[]>|a17={ key = \"k\", value = 5 }|a18=All | Owner|a19=-79228162514264337593543950335|=-79228162514264337593543950335"); }
        { M144(static value => value, DateTime.MaxValue); Say("M144|a0=Change|a1=9999-12-31T23:59:59.9999999|=9999-12-31T23:59:59.9999999"); }
        { Point v0 = new(5, 6); object? v1 = null; M145(in v0, in v1); Say("M145|a0={ X = 5, Y = 6 }|a1=null|=null"); }
        { M146(7, 1.5f, InLong.Low, (Half)0.5, 5, new() { X = 1, Y = 2.5f }, new() { A = 1, E = 5 }, new() { Numbers = new() { Value = 1 }, Texts = new() { Value = "w" }, Maybe = 3 }, new() { Value = 1, Count = 2 }, false, new() { A = 1, B = 2, C = 3 }, 1e20); Say("M146|a0=7|a1=1.5|a2=Low|a3=0.5|a4=5|a5={ X = 1, Y = 2.5 }|a6={ A = 1, B = 0, C = 0, D = 0, E = 5 }|a7={ Numbers = { Value = 1, Count = 0 }, Texts = { Value = \"w\", Count = 0 }, Maybe = 3 }|a8={ Value = 1, Count = 2 }|a9=false|a10={ A = 1, B = 2, C = 3 }|a11=1E+20|=1E+20"); }
        { decimal? v0 = 1.5m; Bytes8 v1 = new() { A = 1, B = -2 }; M147(in v0, in v1); Say("M147|a0=1.5|a1={ A = 1, B = -2 }|={ A = 1, B = -2 }"); }
        { M148(Text100.Long, new() { A = 1, B = 2 }, 42, new TimeOnly(1, 2, 3), default, 1.5m, new(), null); Say("M148|a0=\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"…|a1={ A = 1, B = 2 }|a2=42|a3=01:02:03|a4={ _object = null, _index = 0, _length = 0 }|a5=1.5|a6=Order|a7=null|=null"); }
        { M149(new Guid("00112233-4455-6677-8899-aabbccddeeff"), float.NaN, new() { Number = 258 }, new() { A = 1 }, Access.None, new int[5]); Say("M149|a0=00112233-4455-6677-8899-aabbccddeeff|a1=NaN|a2={ Number = 258, First = 2 }|a3={ A = 1 }|a4=None|a5=int[5]|=int[5]"); }
        { M150(42, new DateTime(2026, 2, 28, 3, 4, 5), new int[2, 3], (1, 2.5, Colour.Blue), -2.5e-7, Vector64.Create((byte)9), [], default); Say("M150|a0=42|a1=2026-02-28T03:04:05|a2=int[2,3]|a3=(1, 2.5, Blue)|a4=-2.5E-07|a5=<9, 9, 9, 9, 9, 9, 9, 9>|a6=System.Collections.Generic.List<int>|a7={ Number = 0, Text = null, Other = null }|={ Number = 0, Text = null, Other = null }"); }
        { M151(new int[3], InSByte.Low, new() { A = 1, B = 2, C = 3 }, default); Say("M151|a0=int[3]|a1=Low|a2={ A = 1, B = 2, C = 3 }|a3={ _object = null, _index = 0, _length = 0 }|={ _object = null, _index = 0, _length = 0 }"); }
        { Holder<string> v0 = new() { Value = "v", Count = 2 }; float v1 = -0.1f; DateTimeOffset v2 = new DateTimeOffset(2026, 1, 1, 0, 30, 0, TimeSpan.FromHours(2)); InSByte v3 = (InSByte)(-3); int[,] v4 = new int[2, 3]; DateTimeOffset v5 = new DateTimeOffset(2026, 1, 1, 0, 30, 0, TimeSpan.FromHours(2)); M152(ref v0, ref v1, ref v2, ref v3, ref v4, ref v5); Say("M152|a0={ Value = \"v\", Count = 2 }|a1=-0.1|a2=2026-01-01T00:30:00+02:00|a3=-3|a4=int[2,3]|a5=2026-01-01T00:30:00+02:00|=2026-01-01T00:30:00+02:00"); }
        { M153(new() { A = 1, B = 2 }, new(), 42, new Point(3, 4), new TimeOnly(1, 2, 3), default, Int128.MinValue, InLong.Low, new() { X = 1, W = 4.5 }, false, null, new() { A = 1, B = 2 }); Say("M153|a0={ A = 1, B = 2 }|a1=Order|a2=42|a3={ X = 3, Y = 4 }|a4=01:02:03|a5={ _object = null, _index = 0, _length = 0 }|a6=-170141183460469231731687303715884105728|a7=Low|a8={ X = 1, Y = 0, Z = 0, W = 4.5 }|a9=false|a10=null|a11={ A = 1, B = 2 }|={ A = 1, B = 2 }"); }
        { M154(0.1, Vector256.Create(1.5, 2, 3, 4), double.NegativeInfinity, new() { Number = 1, Real = 2.5 }, new TimeOnly(1, 2, 3), (InSByte)(-3), float.NaN, (1, 2.5, Colour.Blue), float.NaN, new Point(3, 4), new() { A = 1, B = 2, C = 3 }, 5, new() { A = 1, B = 2 }, new int[2, 3], new int[2, 3], 5, new(1, new(2, 3)), new() { Number = 1, Text = "t", Other = new Order() }, new() { A = 1, B = -2 }, new int[3]); Say("M154|a0=0.1|a1=<1.5, 2, 3, 4>|a2=-Infinity|a3={ Number = 1, Real = 2.5 }|a4=01:02:03|a5=-3|a6=NaN|a7=(1, 2.5, Blue)|a8=NaN|a9={ X = 3, Y = 4 }|a10={ A = 1, B = 2, C = 3 }|a11=5|a12={ A = 1, B = 2 }|a13=int[2,3]|a14=int[2,3]|a15=5|a16={ key = 1, value = { X = 2, Y = 3 } }|a17={ Number = 1, Text = \"t\", Other = Order }|a18={ A = 1, B = -2 }|a19=int[3]|=int[3]"); }
        { M155("Anna", UInt128.MaxValue, new DateTimeOffset(2026, 1, 1, 0, 30, 0, TimeSpan.FromHours(2)), new DateTime(638000000001234567, DateTimeKind.Utc), new DateTime(2026, 2, 28, 3, 4, 5), new() { X = 1, Y = 2.5 }, Vector64.Create((byte)9), new() { Number = 1, Real = 2.5 }, null, 1e20, new(1, new(2, 3)), new() { Value = 1, Count = 2 }); Say("M155|a0=\"Anna\"|a1=340282366920938463463374607431768211455|a2=2026-01-01T00:30:00+02:00|a3=2022-09-28T22:13:20.1234567Z|a4=2026-02-28T03:04:05|a5={ X = 1, Y = 2.5 }|a6=<9, 9, 9, 9, 9, 9, 9, 9>|a7={ Number = 1, Real = 2.5 }|a8=null|a9=1E+20|a10={ key = 1, value = { X = 2, Y = 3 } }|a11={ Value = 1, Count = 2 }|={ Value = 1, Count = 2 }"); }
        { Bytes2 v0 = new() { A = 1, B = 2 }; char v1 = '\n'; int v2 = int.MinValue; float v3 = 1.5f; OneFloat v4 = new() { X = 0.5f }; M156(in v0, in v1, in v2, in v3, in v4); Say("M156|a0={ A = 1, B = 2 }|a1='\\n'|a2=-2147483648|a3=1.5|a4={ X = 0.5 }|={ X = 0.5 }"); }
        { Holder<int> v0 = new() { Value = 1, Count = 2 }; Four v1 = default; Int128 v2 = -5; KeyValuePair<string, int> v3 = new("k", 5); Order? v4 = null; Colour v5 = (Colour)99; Wrapper v6 = new() { Numbers = new() { Value = 1 }, Texts = new() { Value = "w" }, Maybe = 3 }; DateTime v7 = new DateTime(2026, 2, 28, 3, 4, 5); InLong v8 = InLong.Low; Access v9 = (Access)64; ThreeFloats v10 = new() { X = 1, Y = 2, Z = 3 }; Access v11 = Access.Read | Access.Run; TimeSpan v12 = TimeSpan.FromMilliseconds(1500); RealFirst v13 = new() { Real = 1.5f, Number = 2 }; float v14 = float.NaN; Change v15 = static value => value; Access v16 = Access.Read | Access.Run; OneFloat v17 = new() { X = 0.5f }; object v18 = 42; Span<int> v19 = new int[5]; M157(ref v0, ref v1, ref v2, ref v3, ref v4, ref v5, ref v6, ref v7, ref v8, ref v9, ref v10, ref v11, ref v12, ref v13, ref v14, ref v15, ref v16, ref v17, ref v18, ref v19); Say("M157|a0={ Value = 1, Count = 2 }|a1=[4]|a2=-5|a3={ key = \"k\", value = 5 }|a4=null|a5=99|a6={ Numbers = { Value = 1, Count = 0 }, Texts = { Value = \"w\", Count = 0 }, Maybe = 3 }|a7=2026-02-28T03:04:05|a8=Low|a9=64|a10={ X = 1, Y = 2, Z = 3 }|a11=Read | Run|a12=00:00:01.5|a13={ Real = 1.5, Number = 2 }|a14=NaN|a15=Change|a16=Read | Run|a17={ X = 0.5 }|a18=42|a19=int[5]|=int[5]"); }
        { double v0 = double.NegativeInfinity; object v1 = Colour.Blue; DateTimeOffset v2 = new DateTimeOffset(2026, 1, 1, 0, 30, 0, TimeSpan.FromHours(2)); Vector64<byte> v3 = Vector64.Create((byte)9); Nested v4 = new() { Inner = new() { Number = 1, Real = 2 }, Colour = Colour.Blue, Text = "n" }; TimeSpan v5 = TimeSpan.FromMilliseconds(1500); Point v6 = new(5, 6); Mixed v7 = new() { Number = 1, Real = 2.5 }; ReadOnlySpan<char> v8 = "spans"; Bytes16 v9 = new() { A = 1, B = 2 }; DateOnly v10 = new DateOnly(2026, 11, 30); Bytes8 v11 = new() { A = 1, B = -2 }; WithText v12 = new() { Number = 1, Text = "t", Other = new Order() }; DateTime v13 = new DateTime(2026, 2, 28, 3, 4, 5); InByte v14 = InByte.Most; Memory<int> v15 = default; char v16 = 'x'; int* v17 = (int*)0x1234; decimal v18 = -79228162514264337593543950335m; Holder<string> v19 = new() { Value = "v", Count = 2 }; M158(in v0, in v1, in v2, in v3, in v4, in v5, in v6, in v7, in v8, in v9, in v10, in v11, in v12, in v13, in v14, in v15, in v16, in v17, in v18, in v19); Say("M158|a0=-Infinity|a1=Blue|a2=2026-01-01T00:30:00+02:00|a3=<9, 9, 9, 9, 9, 9, 9, 9>|a4={ Inner = { Number = 1, Real = 2 }, Colour = Blue, Text = \"n\" }|a5=00:00:01.5|a6={ X = 5, Y = 6 }|a7={ Number = 1, Real = 2.5 }|a8=\"spans\"|a9={ A = 1, B = 2 }|a10=2026-11-30|a11={ A = 1, B = -2 }|a12={ Number = 1, Text = \"t\", Other = Order }|a13=2026-02-28T03:04:05|a14=Most|a15={ _object = null, _index = 0, _length = 0 }|a16='x'|a17=0x1234|a18=-79228162514264337593543950335|a19={ Value = \"v\", Count = 2 }|={ Value = \"v\", Count = 2 }"); }
        { M159(-79228162514264337593543950335m, InUInt.Most, ^3, 60000, (Half)0.5, [], Colour.Blue, Access.Read | Access.Run, Colour.Green, UInt128.MaxValue, new string[2][], int.MinValue, null, (1, "a"), [], -7, double.NegativeInfinity, (1, 2.5, Colour.Blue), -5, new() { A = 1 }); Say("M159|a0=-79228162514264337593543950335|a1=Most|a2={ _value = -4 }|a3=60000|a4=0.5|a5=System.Collections.Generic.Dictionary<string, Point[]>|a6=Blue|a7=Read | Run|a8=Green|a9=340282366920938463463374607431768211455|a10=string[2][]|a11=-2147483648|a12=null|a13=(1, \"a\")|a14=System.Collections.Generic.List<int>|a15=-7|a16=-Infinity|a17=(1, 2.5, Blue)|a18=-5|a19={ A = 1 }|={ A = 1 }"); }
        { M160((Half)0.5, -70000, 60000, 1.5m, float.NaN, 7, Colour.Red, (1, 2.5, Colour.Blue), new() { A = 1, H = 8 }, new int[5], new DateTime(2026, 2, 28, 3, 4, 5), null); Say("M160|a0=0.5|a1=-70000|a2=60000|a3=1.5|a4=NaN|a5=7|a6=Red|a7=(1, 2.5, Blue)|a8={ A = 1, B = 0, C = 0, D = 0, E = 0, F = 0, G = 0, H = 8 }|a9=int[5]|a10=2026-02-28T03:04:05|a11=null|=null"); }
        { M161(new() { X = 1, W = 4.5 }, new() { X = 1, W = 4.5 }); Say("M161|a0={ X = 1, Y = 0, Z = 0, W = 4.5 }|a1={ X = 1, Y = 0, Z = 0, W = 4.5 }|={ X = 1, Y = 0, Z = 0, W = 4.5 }"); }
        { M162(new Special(), new() { A = 1, B = 2, C = 3 }, default, new() { X = 1, W = 4 }, DateTime.MaxValue, 'x', "a\"b\\c\n\u0001ü€😀", new() { A = 1, H = 8 }, new int[2, 3], new() { Real = 1.5f, Number = 2 }, "a\"b\\c\n\u0001ü€😀", 1e20, 4000000000, new() { Inner = new() { Number = 1, Real = 2 }, Colour = Colour.Blue, Text = "n" }, "", 5, new int[3], Access.Read | Access.Run, new(), ulong.MaxValue); Say("M162|a0=Special|a1={ A = 1, B = 2, C = 3 }|a2={ _object = null, _index = 0, _length = 0 }|a3={ X = 1, Y = 0, Z = 0, W = 4 }|a4=9999-12-31T23:59:59.9999999|a5='x'|a6=\"a\\\"b\\\\c\\n\\u0001ü€😀\"|a7={ A = 1, B = 0, C = 0, D = 0, E = 0, F = 0, G = 0, H = 8 }|a8=int[2,3]|a9={ Real = 1.5, Number = 2 }|a10=\"a\\\"b\\\\c\\n\\u0001ü€😀\"|a11=1E+20|a12=4000000000|a13={ Inner = { Number = 1, Real = 2 }, Colour = Blue, Text = \"n\" }|a14=\"\"|a15=5|a16=int[3]|a17=Read | Run|a18=Order|a19=18446744073709551615|=18446744073709551615"); }
        { M163(-5, null, 12.50m, new Point(1, 2), (int*)0x1234, DateTime.MaxValue); Say("M163|a0=-5|a1=null|a2=12.50|a3={ X = 1, Y = 2 }|a4=0x1234|a5=9999-12-31T23:59:59.9999999|=9999-12-31T23:59:59.9999999"); }
        { M164((null, (1, true)), new("k", 5), new() { A = 1, B = 2, C = 3 }, -5, Vector64.Create((byte)9), double.NegativeInfinity); Say("M164|a0=(null, (1, true))|a1={ key = \"k\", value = 5 }|a2={ A = 1, B = 2, C = 3 }|a3=-5|a4=<9, 9, 9, 9, 9, 9, 9, 9>|a5=-Infinity|=-Infinity"); }
        { bool v0 = true; IComparable v1 = 5; string v2 = "Anna"; Bytes8 v3 = new() { A = 1, B = -2 }; Bytes5 v4 = new() { A = 1, B = 2 }; Box<string> v5 = new(); nuint v6 = 7; ReadOnlySpan<char> v7 = "spans"; double v8 = 123456789.125; Exception v9 = new ArgumentException(); (string?, (int, bool)) v10 = (null, (1, true)); object? v11 = null; M165(in v0, in v1, in v2, in v3, in v4, in v5, in v6, in v7, in v8, in v9, in v10, in v11); Say("M165|a0=true|a1=5|a2=\"Anna\"|a3={ A = 1, B = -2 }|a4={ A = 1, B = 2 }|a5=Box<string>|a6=7|a7=\"spans\"|a8=123456789.125|a9=System.ArgumentException|a10=(null, (1, true))|a11=null|=null"); }
        { M166(float.NaN, new() { A = 1, B = 2 }, int.MinValue, null); Say("M166|a0=NaN|a1={ A = 1, B = 2 }|a2=-2147483648|a3=null|=null"); }
        { M167((1, 2.5, Colour.Blue), new() { Number = 258 }, -2.5e-7, null, new() { Real = 1.5f, Number = 2 }); Say("M167|a0=(1, 2.5, Blue)|a1={ Number = 258, First = 2 }|a2=-2.5E-07|a3=null|a4={ Real = 1.5, Number = 2 }|={ Real = 1.5, Number = 2 }"); }
        { Span<Point> v0 = default; Holder<string> v1 = new() { Value = "v", Count = 2 }; M168(ref v0, ref v1); Say("M168|a0=Point[0]|a1={ Value = \"v\", Count = 2 }|={ Value = \"v\", Count = 2 }"); }
        { M169((Half)0.5, new DateOnly(2026, 11, 30), new() { Value = 1, Count = 2 }, Colour.Blue, DateTime.MaxValue, new() { A = 1, B = 2, C = 3 }, -new TimeSpan(1, 2, 3, 4), new() { A = 1, B = 2, C = 3 }, [], new() { A = 1, B = 2 }, new DateTime(2026, 2, 28, 3, 4, 5), -79228162514264337593543950335m); Say("M169|a0=0.5|a1=2026-11-30|a2={ Value = 1, Count = 2 }|a3=Blue|a4=9999-12-31T23:59:59.9999999|a5={ A = 1, B = 2, C = 3 }|a6=-1.02:03:04|a7={ A = 1, B = 2, C = 3 }|a8=System.Collections.Generic.Dictionary<string, Point[]>|a9={ A = 1, B = 2 }|a10=2026-02-28T03:04:05|a11=-79228162514264337593543950335|=-79228162514264337593543950335"); }
        { Exception v0 = new ArgumentException(); Access v1 = (Access)64; List<int> v2 = []; Vector64<byte> v3 = Vector64.Create((byte)9); FourFloats v4 = new() { X = 1, W = 4 }; M170(ref v0, ref v1, ref v2, ref v3, ref v4); Say("M170|a0=System.ArgumentException|a1=64|a2=System.Collections.Generic.List<int>|a3=<9, 9, 9, 9, 9, 9, 9, 9>|a4={ X = 1, Y = 0, Z = 0, W = 4 }|={ X = 1, Y = 0, Z = 0, W = 4 }"); }
        { nint v0 = -7; Access v1 = Access.Read | Access.Run; object? v2 = null; Guid v3 = new Guid("00112233-4455-6677-8899-aabbccddeeff"); bool v4 = false; Int128 v5 = -5; nint v6 = -7; Int128 v7 = -5; ThreeFloats v8 = new() { X = 1, Y = 2, Z = 3 }; Vector128<int> v9 = Vector128.Create(1, 2, 3, 4); WithText v10 = new() { Number = 1, Text = "t", Other = new Order() }; long v11 = -5000000000; M171(in v0, in v1, in v2, in v3, in v4, in v5, in v6, in v7, in v8, in v9, in v10, in v11); Say("M171|a0=-7|a1=Read | Run|a2=null|a3=00112233-4455-6677-8899-aabbccddeeff|a4=false|a5=-5|a6=-7|a7=-5|a8={ X = 1, Y = 2, Z = 3 }|a9=<1, 2, 3, 4>|a10={ Number = 1, Text = \"t\", Other = Order }|a11=-5000000000|=-5000000000"); }
        { short v0 = -300; Bytes5 v1 = new() { A = 1, B = 2 }; M172(ref v0, ref v1); Say("M172|a0=-300|a1={ A = 1, B = 2 }|={ A = 1, B = 2 }"); }
        { M173(InByte.Most, new() { X = 1, Y = 2.5f }, new() { A = 1, B = 2, C = 3 }, new DateOnly(2026, 11, 30), 5, new(), new Special(), ""); Say("M173|a0=Most|a1={ X = 1, Y = 2.5 }|a2={ A = 1, B = 2, C = 3 }|a3=2026-11-30|a4=5|a5=Order|a6=Special|a7=\"\"|=\"\""); }
        { M174(-300, new Point(1, 2), static value => value, null); Say("M174|a0=-300|a1={ X = 1, Y = 2 }|a2=Change|a3=null|=null"); }
        { M175(false, false, InByte.Most, new() { Real = 1.5f, Number = 2 }, new() { Number = 1, Real = 2.5 }, new(5, 6), -79228162514264337593543950335m, null, InULong.Most, Access.None, new int[3], -5, new ArgumentException(), new() { A = 1, B = -2 }, new int[2, 3], (int*)0x1234, DateTime.MaxValue, default, new() { X = 1, Y = 2, Z = 3 }, -5); Say("M175|a0=false|a1=false|a2=Most|a3={ Real = 1.5, Number = 2 }|a4={ Number = 1, Real = 2.5 }|a5={ X = 5, Y = 6 }|a6=-79228162514264337593543950335|a7=null|a8=Most|a9=None|a10=int[3]|a11=-5|a12=System.ArgumentException|a13={ A = 1, B = -2 }|a14=int[2,3]|a15=0x1234|a16=9999-12-31T23:59:59.9999999|a17=[4]|a18={ X = 1, Y = 2, Z = 3 }|a19=-5|=-5"); }
        { M176([], double.NegativeInfinity, InByte.Most, "Anna", new Guid("00112233-4455-6677-8899-aabbccddeeff"), ^3, new Guid("00112233-4455-6677-8899-aabbccddeeff"), new() { A = 1 }, "Anna", -5, UInt128.MaxValue, new() { A = 1, B = 2 }, null, -5, new() { Inner = new() { Number = 1, Real = 2 }, Colour = Colour.Blue, Text = "n" }, 'x', null, 5, (Colour)99, new DateTime(2026, 2, 28, 3, 4, 5)); Say("M176|a0=System.Collections.Generic.Dictionary<string, Point[]>|a1=-Infinity|a2=Most|a3=\"Anna\"|a4=00112233-4455-6677-8899-aabbccddeeff|a5={ _value = -4 }|a6=00112233-4455-6677-8899-aabbccddeeff|a7={ A = 1 }|a8=\"Anna\"|a9=-5|a10=340282366920938463463374607431768211455|a11={ A = 1, B = 2 }|a12=null|a13=-5|a14={ Inner = { Number = 1, Real = 2 }, Colour = Blue, Text = \"n\" }|a15='x'|a16=null|a17=5|a18=99|a19=2026-02-28T03:04:05|=2026-02-28T03:04:05"); }
        { string v0 = "Anna"; int v1 = -70000; TwoFloats v2 = new() { X = 1, Y = 2.5f }; string v3 = "a\"b\\c\n\u0001ü€😀"; uint v4 = 4000000000; M177(in v0, in v1, in v2, in v3, in v4); Say("M177|a0=\"Anna\"|a1=-70000|a2={ X = 1, Y = 2.5 }|a3=\"a\\\"b\\\\c\\n\\u0001ü€😀\"|a4=4000000000|=4000000000"); }
        { M178(new() { X = 0.5f }, new() { A = 1, B = -2 }, TimeSpan.FromMilliseconds(1500), (Access)64, InByte.Most); Say("M178|a0={ X = 0.5 }|a1={ A = 1, B = -2 }|a2=00:00:01.5|a3=64|a4=Most|=Most"); }
        { char v0 = 'x'; Span<Point> v1 = default; int v2 = -70000; Box<string> v3 = new(); M179(in v0, in v1, in v2, in v3); Say("M179|a0='x'|a1=Point[0]|a2=-70000|a3=Box<string>|=Box<string>"); }
        { Wrapper v0 = new() { Numbers = new() { Value = 1 }, Texts = new() { Value = "w" }, Maybe = 3 }; Bytes16 v1 = new() { A = 1, B = 2 }; Exception v2 = new ArgumentException(); nuint v3 = 7; short v4 = -300; double v5 = double.NegativeInfinity; float v6 = -0.1f; InSByte v7 = InSByte.Low; decimal? v8 = 1.5m; RealFirst v9 = new() { Real = 1.5f, Number = 2 }; int v10 = -70000; int[]? v11 = null; M180(in v0, in v1, in v2, in v3, in v4, in v5, in v6, in v7, in v8, in v9, in v10, in v11); Say("M180|a0={ Numbers = { Value = 1, Count = 0 }, Texts = { Value = \"w\", Count = 0 }, Maybe = 3 }|a1={ A = 1, B = 2 }|a2=System.ArgumentException|a3=7|a4=-300|a5=-Infinity|a6=-0.1|a7=Low|a8=1.5|a9={ Real = 1.5, Number = 2 }|a10=-70000|a11=null|=null"); }
        { InUInt v0 = InUInt.Most; Bytes16 v1 = new() { A = 1, B = 2 }; Colour v2 = (Colour)99; Bytes32 v3 = new() { A = 1, D = 4 }; Bytes3 v4 = new() { A = 1, B = 2, C = 3 }; Span<Point> v5 = default; M181(ref v0, ref v1, ref v2, ref v3, ref v4, ref v5); Say("M181|a0=Most|a1={ A = 1, B = 2 }|a2=99|a3={ A = 1, B = 0, C = 0, D = 4 }|a4={ A = 1, B = 2, C = 3 }|a5=Point[0]|=Point[0]"); }
        { M182(new(), (1, 2.5, Colour.Blue), new() { Numbers = new() { Value = 1 }, Texts = new() { Value = "w" }, Maybe = 3 }, new DateTime(638000000001234567, DateTimeKind.Utc), (InSByte)(-3)); Say("M182|a0=Box<string>|a1=(1, 2.5, Blue)|a2={ Numbers = { Value = 1, Count = 0 }, Texts = { Value = \"w\", Count = 0 }, Maybe = 3 }|a3=2022-09-28T22:13:20.1234567Z|a4=-3|=-3"); }
        { M183(new() { A = 1 }, 5, new() { A = 1 }, 1.5f, new() { A = 1, B = 2, C = 3 }, "text", new() { A = 1, B = -2 }, int.MinValue, false, new("k", 5), -79228162514264337593543950335m, -2.5e-7); Say("M183|a0={ A = 1 }|a1=5|a2={ A = 1 }|a3=1.5|a4={ A = 1, B = 2, C = 3 }|a5=\"text\"|a6={ A = 1, B = -2 }|a7=-2147483648|a8=false|a9={ key = \"k\", value = 5 }|a10=-79228162514264337593543950335|a11=-2.5E-07|=-2.5E-07"); }
        { M184("a\"b\\c\n\u0001ü€😀", new DateTime(2026, 2, 28, 3, 4, 5), double.NegativeInfinity, new() { X = 1, Y = 2.5 }, Colour.Green, default, (int*)0x1234, new() { A = 1, B = 2, C = 3 }); Say("M184|a0=\"a\\\"b\\\\c\\n\\u0001ü€😀\"|a1=2026-02-28T03:04:05|a2=-Infinity|a3={ X = 1, Y = 2.5 }|a4=Green|a5={ _object = null, _index = 0, _length = 0 }|a6=0x1234|a7={ A = 1, B = 2, C = 3 }|={ A = 1, B = 2, C = 3 }"); }
        { M185([], (int*)0x1234, new DateTime(638000000001234567, DateTimeKind.Utc), new DateTime(2024, 2, 29)); Say("M185|a0=System.Collections.Generic.List<int>|a1=0x1234|a2=2022-09-28T22:13:20.1234567Z|a3=2024-02-29T00:00:00|=2024-02-29T00:00:00"); }
        { ushort v0 = 60000; DateOnly v1 = new DateOnly(2026, 11, 30); InULong v2 = InULong.Most; float v3 = float.NaN; Holder<Point> v4 = new() { Value = new(1, 2), Count = 3 }; Guid v5 = new Guid("00112233-4455-6677-8899-aabbccddeeff"); int* v6 = (int*)0x1234; Colour? v7 = Colour.Red; (int, string) v8 = (1, "a"); InByte v9 = InByte.Most; Bytes32 v10 = new() { A = 1, D = 4 }; Order? v11 = null; M186(in v0, in v1, in v2, in v3, in v4, in v5, in v6, in v7, in v8, in v9, in v10, in v11); Say("M186|a0=60000|a1=2026-11-30|a2=Most|a3=NaN|a4={ Value = { X = 1, Y = 2 }, Count = 3 }|a5=00112233-4455-6677-8899-aabbccddeeff|a6=0x1234|a7=Red|a8=(1, \"a\")|a9=Most|a10={ A = 1, B = 0, C = 0, D = 4 }|a11=null|=null"); }
        { Bytes5 v0 = new() { A = 1, B = 2 }; Half v1 = (Half)0.5; Colour? v2 = Colour.Red; float v3 = -0.1f; M187(ref v0, ref v1, ref v2, ref v3); Say("M187|a0={ A = 1, B = 2 }|a1=0.5|a2=Red|a3=-0.1|=-0.1"); }
        { M188((Half)0.5, null, default, 'x', (Colour)99, new() { Value = "v", Count = 2 }, new() { A = 1, B = 2, C = 3 }, 'x', new DateTime(2026, 2, 28, 3, 4, 5), 7, new int[5], 1.5m, null, new() { X = 1, Y = 2, Z = 3 }, -5, new() { X = 1, W = 4 }, new("k", 5), TimeSpan.FromMilliseconds(1500), -70000, new Guid("00112233-4455-6677-8899-aabbccddeeff")); Say("M188|a0=0.5|a1=null|a2={ Number = 0, Text = null, Other = null }|a3='x'|a4=99|a5={ Value = \"v\", Count = 2 }|a6={ A = 1, B = 2, C = 3 }|a7='x'|a8=2026-02-28T03:04:05|a9=7|a10=int[5]|a11=1.5|a12=null|a13={ X = 1, Y = 2, Z = 3 }|a14=-5|a15={ X = 1, Y = 0, Z = 0, W = 4 }|a16={ key = \"k\", value = 5 }|a17=00:00:01.5|a18=-70000|a19=00112233-4455-6677-8899-aabbccddeeff|=00112233-4455-6677-8899-aabbccddeeff"); }
        { M189(^3, float.NaN); Say("M189|a0={ _value = -4 }|a1=NaN|=NaN"); }
        { M190(-70000, new() { Inner = new() { Number = 1, Real = 2 }, Colour = Colour.Blue, Text = "n" }, new() { A = 1, E = 5 }, DateTime.MaxValue, (Half)0.5, null, new Point(3, 4), 1.5f, false, UInt128.MaxValue, new() { X = 1, W = 4 }, '\n'); Say("M190|a0=-70000|a1={ Inner = { Number = 1, Real = 2 }, Colour = Blue, Text = \"n\" }|a2={ A = 1, B = 0, C = 0, D = 0, E = 5 }|a3=9999-12-31T23:59:59.9999999|a4=0.5|a5=null|a6={ X = 3, Y = 4 }|a7=1.5|a8=false|a9=340282366920938463463374607431768211455|a10={ X = 1, Y = 0, Z = 0, W = 4 }|a11='\\n'|='\\n'"); }
        { M191(Colour.Blue, new Special(), int.MinValue, new() { A = 1, B = 2 }, double.NegativeInfinity); Say("M191|a0=Blue|a1=Special|a2=-2147483648|a3={ A = 1, B = 2 }|a4=-Infinity|=-Infinity"); }
        { M192(-70000, Access.None, (null, (1, true)), UInt128.MaxValue, new DateTime(2026, 2, 28, 3, 4, 5), 'x', new() { X = 1, Y = 2.5 }, default); Say("M192|a0=-70000|a1=None|a2=(null, (1, true))|a3=340282366920938463463374607431768211455|a4=2026-02-28T03:04:05|a5='x'|a6={ X = 1, Y = 2.5 }|a7=[4]|=[4]"); }
        { M193((Half)0.5, null, new() { Real = 1.5f, Number = 2 }); Say("M193|a0=0.5|a1=null|a2={ Real = 1.5, Number = 2 }|={ Real = 1.5, Number = 2 }"); }
        { M194(null, (null, (1, true)), 7, InSByte.Low, static value => value); Say("M194|a0=null|a1=(null, (1, true))|a2=7|a3=Low|a4=Change|=Change"); }
        { string v0 = ""; InSByte v1 = InSByte.Low; double v2 = 123456789.125; nint v3 = -7; Access v4 = Access.None; Access v5 = Access.None; M195(in v0, in v1, in v2, in v3, in v4, in v5); Say("M195|a0=\"\"|a1=Low|a2=123456789.125|a3=-7|a4=None|a5=None|=None"); }
        { TwoDoubles v0 = new() { X = 1, Y = 2.5 }; Point? v1 = new Point(3, 4); Memory<int> v2 = default; bool v3 = true; float v4 = float.MaxValue; M196(ref v0, ref v1, ref v2, ref v3, ref v4); Say("M196|a0={ X = 1, Y = 2.5 }|a1={ X = 3, Y = 4 }|a2={ _object = null, _index = 0, _length = 0 }|a3=true|a4=3.4028235E+38|=3.4028235E+38"); }
        { M197(null, InSByte.Low, -79228162514264337593543950335m, new() { A = 1, B = 2, C = 3 }, default, new() { Inner = new() { Number = 1, Real = 2 }, Colour = Colour.Blue, Text = "n" }, false, new() { Value = "v", Count = 2 }, static value => value, Access.Read | Access.Run, 60000, "a\"b\\c\n\u0001ü€😀"); Say("M197|a0=null|a1=Low|a2=-79228162514264337593543950335|a3={ A = 1, B = 2, C = 3 }|a4=Point[0]|a5={ Inner = { Number = 1, Real = 2 }, Colour = Blue, Text = \"n\" }|a6=false|a7={ Value = \"v\", Count = 2 }|a8=Change|a9=Read | Run|a10=60000|a11=\"a\\\"b\\\\c\\n\\u0001ü€😀\"|=\"a\\\"b\\\\c\\n\\u0001ü€😀\""); }
        { M198(5, new() { A = 1, B = -2 }); Say("M198|a0=5|a1={ A = 1, B = -2 }|={ A = 1, B = -2 }"); }
        { M199(InUShort.Most, Access.Read | Access.Run, new() { Number = 1, Text = "t", Other = new Order() }, Text100.Long, 5); Say("M199|a0=Most|a1=Read | Run|a2={ Number = 1, Text = \"t\", Other = Order }|a3=\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"…|a4=5|=5"); }
    }
}
