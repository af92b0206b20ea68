// The data of the HTML report as bytes; web/src/data/data.ts reads them. The page carries base64(raw
// deflate(payload)).
//
// payload = length of the JSON (u32, little endian), the JSON (UTF-8), the columns one after another.
// The JSON has the facts of the recording, `strings`, `bucket_us`, `buckets`, and `columns`: name, count and
// bytes of each in their order. A column is `count` unsigned LEB128 varints:
//   frame.name  frame.raw  frame.module   index into strings        frame.kind     profile::Kind
//   frame.own     where its name begins behind the namespace, in UTF-16 units
//   frame.origin  profile::Origin
//   frame.run     index into strings: what a run of folded frames is called (profile/query/folding.h)
//   frame.rank    its rank there: 8 times that within a stack, plus that at its root
//   frame.inlined 1: the method's code is in its caller's
//   frame.tier    index into strings: what compiled it
//
//   node.parent   index of the node minus that of its parent (the root: 0)
//   node.frame    index of the frame
//
//   row.bucket  row.thread  row.node      zigzag difference to the row before
//   row.activity  profile::Activity
//   row.weight    microseconds; rounding is carried on from row to row, so that sums stay right
//   row.count     samples
// The JSON's `headline` is profile::headline of CPU time, or of the event that is shown first. The JSON's
// `folding` is profile::Folding that the page begins with. Its weight_us, samples, attempts, walk_end,
// shortened, whole and drops are of CPU time.
//
// Of a profile with source lines it has besides:
//   node.place      1 + index into the places; 0: none is known. Siblings of one frame differ in it
//   place.document  index into documents    place.sure  1: it is its one line; 0: it may be any of its lines
//   place.first  place.last   the lines that its method has in that file; 0: not known
//   place.lines     how many of place.line are its; place.line  numbers from 1
//   JSON `documents`: array of {path, url, note, lines, text}: profile::SourceDocument; text, an array of
//     {first, text}, its pieces
//
// Of one with traced calls: JSON `trace` (formats/html_trace.h). Its time, CPU time, calls, exceptions and
// bytes are events of their own (formats/traced_values.h), whose rows have calls where others have samples.
//
// Version 2 is of a profile with another event than CPU time. It has besides:
//   JSON `sources`: array of objects: name; value, unit and adding ("sum", "max") of what row.weight sums;
//     clock ("event", "thread_cpu", "wall"); period; weight, of its rows together; samples, attempts,
//     walk_end, shortened, whole and drops as above; counts ("sample", "call"): what row.count
//     counts; labels, an array of {name, type}, where type is "state",
//     "system_call", "address", "text" or "number".
//   JSON `label_sets`: array of arrays of texts, one for each label of the source; the first is empty
//   row.source   index into sources; rows are sorted by bucket, then source
//   row.labels   index into label_sets
//   node.wait_method  node.wait_caller   of nodes where a thread was blocked: the method that waits, and
//     who called it (profile::wait_of). 1 + index of the node minus that of its caller; 0: none
//   row.weight   in the unit of its event where that is not nanoseconds; rounding is carried on in each event
//   JSON `lanes`: array of {source, shown, left_out, sums}: of an event whose moments follow, how many there
//     are, how many were left out (the shortest), and how many samples are sums, whose moments are not known
//   moment.time  microseconds after the one before: the end of one event
//   moment.took  microseconds; 0: no length
//   moment.lane  index into lanes
//   moment.thread  moment.node  moment.labels   as of rows
// The facts above are then of CPU time, or of the first event where that was not sampled.
#pragma once

#include <string>

#include "formats/html_rows.h"
#include "formats/html_tree.h"
#include "profile/model/profile.h"

namespace walkabout::formats {

inline constexpr int kHtmlPayloadVersion = 1;
inline constexpr int kHtmlPayloadVersionOfEvents = 2;

std::string html_payload(const profile::Profile& profile, const HtmlTree& tree, const HtmlRows& rows);

}  // namespace walkabout::formats
