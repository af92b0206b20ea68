// The data of the HTML report as bytes; web/src/data/data.ts reads them. The page carries base64(raw
// deflate(payload)).
//
// payload = length of the JSON (u32, little endian), the JSON (UTF-8), the columns one after another.
// The JSON has the facts of the recording, `strings`, `bucket_us`, `buckets`, and `columns`: name, count and
// bytes of each in their order. A column is `count` unsigned LEB128 varints:
//   frame.name  frame.raw  frame.module   index into strings        frame.kind     profile::Kind
//   node.parent  index of the node minus that of its parent (the root: 0)      node.frame  index of the frame
//   row.bucket  row.thread  row.node      zigzag difference to the row before  row.activity profile::Activity
//   row.weight  microseconds; rounding is carried on from row to row, so that sums stay right      row.count
//   samples
#pragma once

#include <string>

#include "formats/html_rows.h"
#include "formats/html_tree.h"
#include "profile/model/profile.h"

namespace walkabout::formats {

inline constexpr int kHtmlPayloadVersion = 1;

std::string html_payload(const profile::Profile& profile, const HtmlTree& tree, const HtmlRows& rows);

}  // namespace walkabout::formats
