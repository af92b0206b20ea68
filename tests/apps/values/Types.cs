using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

// What is passed around.
public enum Colour { Red, Green, Blue = 7 }
public enum InSByte : sbyte { Low = -128, None = 0, High = 127 }
public enum InByte : byte { One = 1, Most = 255 }
public enum InShort : short { Low = -32768, One = 1 }
public enum InUShort : ushort { One = 1, Most = 65535 }
public enum InUInt : uint { One = 1, Most = 4294967295 }
public enum InLong : long { Low = long.MinValue, One = 1 }
public enum InULong : ulong { One = 1, Most = ulong.MaxValue }
[Flags] public enum Access { None = 0, Read = 1, Write = 2, Run = 4, All = 7, Owner = 1 << 20 }

public struct Bytes1 { public byte A; }
public struct Bytes2 { public byte A, B; }
public struct Bytes3 { public byte A, B, C; }
public struct Bytes5 { public int A; public byte B; }
public struct Bytes8 { public int A, B; }
public struct Bytes12 { public int A, B, C; }
public struct Bytes16 { public long A, B; }
public struct Bytes24 { public long A, B, C; }
public struct Bytes32 { public long A, B, C, D; }
public struct Bytes40 { public long A, B, C, D, E; }
public struct Bytes64 { public long A, B, C, D, E, F, G, H; }
public struct OneFloat { public float X; }
public struct TwoFloats { public float X, Y; }
public struct ThreeFloats { public float X, Y, Z; }
public struct FourFloats { public float X, Y, Z, W; }
public struct TwoDoubles { public double X, Y; }
public struct FourDoubles { public double X, Y, Z, W; }
public struct Mixed { public int Number; public double Real; }
public struct RealFirst { public float Real; public long Number; }
public struct WithText { public int Number; public string? Text; public object? Other; }
public struct Nested { public Mixed Inner; public Colour Colour; public string? Text; }
public struct Empty { }
public readonly record struct Point(int X, int Y);
public struct Holder<T> { public T Value; public int Count; }
public struct Wrapper { public Holder<int> Numbers; public Holder<string> Texts; public int? Maybe; }
[StructLayout(LayoutKind.Explicit)] public struct Union { [FieldOffset(0)] public int Number; [FieldOffset(0)] public byte First; }
[InlineArray(4)] public struct Four { private int _first; }
public ref struct Window { public Span<int> Numbers; public int At; }

public class Order { public int Id; public override string ToString() => throw new InvalidOperationException("nobody may call this"); }
public class Special : Order { }
public class Box<T> { public T? Content; }
public delegate int Change(int value);
public sealed class Text100 { public static readonly string Long = new('x', 100); }
