// What the agent emits, in order: the records of the stream and, framed and compressed, of a .walk file.
// Plain values; recording/format.md is the specification, wire/encode.h writes them, recording/decode.h reads
// them.
//
// The stream is a sequence of (varint length, protobuf message Record). A Record has exactly one field, whose
// number is the RecordType and whose value is the message below. Behind each struct stands how its members
// are listed (fields(), wire/field.h): whatever treats a record field by field follows that list. It is a
// template so that only who uses it pays for it when he compiles. INVARIANTS: what a record refers to was
// declared before it (a Code before a frame in it, a Method before the Code or MethodRange that names it,
// nodes before the samples on them, a Thread before its samples). With WALKABOUT_EVERY the agent
// emits one recording after the other: behind the End of one stands the Session of the next, and nothing
// declared before holds any more but the ids of threads and code. Times are microseconds since
// Session.monotonic_start_ns; weights and CPU times are nanoseconds.
#pragma once

#include "wire/account_records.h"
#include "wire/call_records.h"
#include "wire/code_records.h"
#include "wire/line_records.h"
#include "wire/native_line_records.h"
#include "wire/record_type.h"
#include "wire/sample_records.h"
#include "wire/session_records.h"
#include "wire/source_records.h"
#include "wire/thread_records.h"
#include "wire/trace_records.h"

namespace walkabout::wire {

template <typename... Record>
struct RecordList {};
// All there are, in an order in which a stream may say them.
using Records =
    RecordList<Session, Source, Text, Thread, Module, Method, JitCode, MethodRange, Nodes, Samples, Sweep,
               Snapshot, Oracle, ThreadEnd, Counters, Message, Rate, End, NativeSymbols, Assembly, IlMap,
               SourceLines, InlineTree, NativeLines, CountedMethod, CallCounts, CallPattern, CallState,
               TraceNodes, TraceTimes, TraceSpread, TracedCall, TraceState, CallerCounts>;

// Calls with(const Record*) for the record of this type (the pointer is null and says the type alone). False
// if this version knows none.
template <typename With>
constexpr bool with_record(RecordType type, With with) {
  const auto look = [&]<typename... Record>(RecordList<Record...>) {
    return ((type == Record::kType && (with(static_cast<const Record*>(nullptr)), true)) || ...);
  };
  return look(Records());
}

}  // namespace walkabout::wire
