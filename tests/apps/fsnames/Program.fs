// One busy function of every kind that F# names in a way of its own.  fsnames [ROUNDS]
// tests/e2e/fsharp_names_test.py knows the names and the lines.
module Naming.Program

open System.Diagnostics
open System.Runtime.CompilerServices
open System.Threading.Tasks

[<MethodImpl(MethodImplOptions.NoInlining)>]
let spin (ms: int) =
    let until = Stopwatch.GetTimestamp() + int64 ms * Stopwatch.Frequency / 1000L
    let mutable rounds = 0
    while Stopwatch.GetTimestamp() < until do
        rounds <- rounds + 1
    rounds

type Shape =
    | Circle of radius: float
    | Square of side: float
    member this.Area =
        spin 20 |> ignore
        match this with
        | Circle r -> r * 3.0
        | Square s -> s * s

[<MethodImpl(MethodImplOptions.NoInlining)>]
let (|Even|Odd|) n =
    spin 20 |> ignore
    if n % 2 = 0 then Even else Odd

[<MethodImpl(MethodImplOptions.NoInlining)>]
let (++>) a b =
    spin 20 |> ignore
    a + b

[<MethodImpl(MethodImplOptions.NoInlining)>]
let mapper (factor: int) (items: int list) =
    List.map (fun item -> spin 20 |> ignore; item * factor) items

[<MethodImpl(MethodImplOptions.NoInlining)>]
let adder (captured: int) = fun (n: int) -> spin 20 + captured + n

let items count =
    seq {
        for i in 1..count do
            spin 20 |> ignore
            yield i
    }

let work (n: int) =
    task {
        do! Task.Yield()
        spin 20 |> ignore
        return n
    }

let old (n: int) =
    async {
        do! Async.SwitchToThreadPool()
        spin 20 |> ignore
        return n
    }

[<EntryPoint>]
let main args =
    let rounds = if args.Length > 0 then int args[0] else 3
    for round in 1..rounds do
        (Circle 1.0).Area |> ignore
        (match round with
         | Even -> 1
         | Odd -> 2)
        ++> 3
        |> ignore
        mapper 2 [ 1; 2 ] |> ignore
        List.iter (fun (f: int -> int) -> f 1 |> ignore) [ adder 3; adder 4 ]
        Seq.sum (items 2) |> ignore
        (work 1).Result |> ignore
        old 1 |> Async.RunSynchronously |> ignore
    printfn "done"
    0
