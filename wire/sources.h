// The table of sources: what an agent can sample, by which name, and how often. The command line and the
// agent read the same rows. A source's row is all that stands here of it; its code is
// agent/sources/NAME.{h,cc} and defines make_NAME_source() (agent/sources/table.h). Pure; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/result.h"

namespace walkabout::wire {

// A part of a source, which takes it where somebody names it.
struct SourcePart {
  std::string_view name;
  bool usual = false;      // also where nobody names any
  std::string_view costs;  // what it costs the program, for the help; empty: little
};

// Of `callbacks`: the callbacks of the profiling API by the categories of its overview, a bit each in
// SourceChoice::parts (agent/sources/callbacks.cc has which they are). Usual are those that can be had at an
// attach and beside another profiler, too.
inline constexpr SourcePart kCallbackParts[] = {
    {"start", true, ""},
    {"appdomains", true, ""},
    {"assemblies", true, ""},
    {"modules", true, ""},
    {"classes", true, ""},
    {"jit", true, ""},
    {"dynamic", true, ""},
    {"threads", true, ""},
    {"suspension", true, ""},
    {"gc", true, ""},
    {"eventpipe", false, "each event of every session"},
    {"functions", false, "from the start only; little"},
    {"exceptions", false, "a throw takes 1.3 times as long"},
    {"transitions", false,
     "from the start only; all code is compiled at run time: hello world takes 4 times the CPU time"},
    {"objects", false, "from the start only; an allocation takes 200 ns more"},
    {"references", false, "no background collections, and each takes 4 times as long"},
    {"handles", false, "as references"},
    {"rejit", false, "not beside another profiler"},
    {"com", false, "from the start only, on Windows; little"},
};

// ROW(name, id, usual, least, most): the periods in nanoseconds; 0 for a source that takes none. Ids are part
// of the format: 1 is CPU time, none is ever used for another source. A text for the help stands behind them,
// behind that the parts of a source that has any, and whether "all" leaves it out because it is costly.
#define WALKABOUT_SOURCES(ROW)                                                         \
  ROW(cpu, 1, 0, 0, 0, "CPU time")                                                     \
  ROW(wall, 2, 50'000'000, 1'000'000, 10'000'000'000,                                  \
      "wall-clock time of every thread, also of blocked ones")                         \
  ROW(alloc, 3, 0, 0, 0, "allocations of objects, by type")                            \
  ROW(exceptions, 4, 0, 0, 0, "every throw, by type")                                  \
  ROW(locks, 5, 0, 0, 0, "waits for locks that others hold")                           \
  ROW(waits, 6, 0, 0, 0, "waits on handles, semaphores and tasks, from .NET 9 on")     \
  ROW(gc, 7, 0, 0, 0, "pauses of the garbage collector")                               \
  ROW(jit, 8, 0, 0, 0, "methods as they are compiled")                                 \
  ROW(loads, 9, 0, 0, 0, "assemblies and types as they are loaded")                    \
  ROW(threads, 10, 0, 0, 0, "threads and pool workers as they come and go")            \
  ROW(live, 11, 0, 0, 0, "objects that are still there, by where they were allocated") \
  ROW(callbacks, 12, 0, 0, 0, "callbacks of the profiling API", kCallbackParts)        \
  ROW(async, 13, 10'000'000'000, 100'000'000, 3'600'000'000'000,                       \
      "async methods that wait, on Linux; not of all: "                                \
      "the program stands while its heap is looked through",                           \
      {}, true)                                                                        \
  ROW(call, 14, 0, 0, 0, "calls that took long, of `walkabout trace` alone", {}, true)

// A source's ring accounts and riders are found by its id, so ids are below this bound.
inline constexpr uint32_t kMostSources = 16;

struct SourceRow {        // NOLINT(clang-analyzer-optin.performance.Padding): in the order of the rows
  std::string_view name;  // what the user calls it by
  base::SourceId id;
  uint64_t usual_ns = 0;  // its period where the user names none
  uint64_t least_ns = 0;
  uint64_t most_ns = 0;  // 0: it takes no period
  std::string_view what;
  std::span<const SourcePart> parts = {};
  bool costly = false;
  // "all" stands for it.
  constexpr bool is_in_all() const { return parts.empty() && !costly; }
};

#define WALKABOUT_SOURCE_ROW(name, id, usual, least, most, ...) \
  SourceRow{#name, base::SourceId(id), usual, least, most, __VA_ARGS__},
inline constexpr SourceRow kSources[] = {WALKABOUT_SOURCES(WALKABOUT_SOURCE_ROW)};
#undef WALKABOUT_SOURCE_ROW

void there_is_no_such_source();  // no constant has it

// The row of that name. REQUIRES: there is one.
consteval const SourceRow& source_row(std::string_view name) {
  for (const SourceRow& row : kSources) {
    if (row.name == name) return row;
  }
  there_is_no_such_source();
  return kSources[0];
}
consteval base::SourceId source_id(std::string_view name) { return source_row(name).id; }
inline constexpr const SourceRow& kAsyncRow = source_row("async");

// Empty where no row has that id.
constexpr std::string_view name_of(base::SourceId id) {
  for (const SourceRow& row : kSources) {
    if (row.id == id) return row.name;
  }
  return {};
}

// A source that is on, and how often it samples.
struct SourceChoice {
  base::SourceId id;
  uint64_t period_ns = 0;  // 0: it takes none
  uint32_t parts = 0;      // a bit each, in the row's order
  bool operator==(const SourceChoice&) const = default;
};

// What is on where nobody names any.
inline constexpr std::string_view kUsualEvents = "cpu";

// What "default" stands for: what costs a busy service next to nothing.
inline constexpr std::string_view kDefaultEvents[] = {"cpu",   "wall", "alloc",  "exceptions",
                                                      "locks", "gc",   "threads"};

// "cpu,wall=10ms,callbacks=jit+gc": NAME, NAME=PERIOD or NAME=PART+PART, with commas between; "all" and
// "default" stand for several, without those that are named beside them. In the order of their ids. An error
// names what is wrong and lists what there is.
base::Result<std::vector<SourceChoice>> parse_events(std::string_view list,
                                                     std::span<const SourceRow> table = kSources);
// "cpu (CPU time), wall[=PERIOD] (…, 1ms to 10s, 50ms if not named), callbacks[=PART+…] (…)".
std::string sources_help(std::span<const SourceRow> table = kSources);
bool is_on(const std::vector<SourceChoice>& events, base::SourceId id);

}  // namespace walkabout::wire
