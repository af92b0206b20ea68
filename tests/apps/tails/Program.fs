// Tail calls: a method's frame is gone when the one that it calls begins.
//   tails DEPTH
module Tails

open System

let mutable sum = 0L

[<CompiledName("Even")>]
let rec even (n: int) (a: int64) : int64 =
    if n = 0 then a else odd (n - 1) (a + 1L)

and [<CompiledName("Odd")>] odd (n: int) (a: int64) : int64 =
    if n = 0 then a else even (n - 1) (a + 2L)

// With more arguments than its caller: the runtime needs a helper for such a tail call.
and [<CompiledName("Wide")>] wide (n: int) (a: int64) (b: int64) (c: int64) (d: int64) (e: int64) (f: int64) (g: int64) (h: int64) : int64 =
    if n = 0 then a + b + c + d + e + f + g + h else narrow (n - 1) (a + h)

and [<CompiledName("Narrow")>] narrow (n: int) (a: int64) : int64 =
    if n = 0 then a else wide (n - 1) a 1L 2L 3L 4L 5L 6L 7L

[<AllowNullLiteral>]
type Step(next: Step) =
    abstract Run: int -> int64
    default _.Run(n: int) : int64 = if isNull next then int64 n else next.Run(n + 1)

[<CompiledName("Thrower")>]
let thrower (n: int) : int64 = if n >= 0 then failwith "thrown" else 1L

[<CompiledName("CallsThrower")>]
let callsThrower (n: int) : int64 = thrower (n + 1)

[<CompiledName("Catches")>]
let catches (n: int) : int64 =
    try
        callsThrower n
    with _ -> 1L

[<EntryPoint>]
let main arguments =
    let depth = int arguments.[0]
    sum <- sum + even depth 0L
    sum <- sum + narrow 1000 1L
    let mutable chain: Step = null
    for _ in 1..100 do
        chain <- Step(chain)
    for i in 1..10 do
        sum <- sum + chain.Run i + catches i
    Console.WriteLine sum
    0
