#include "formats/html.h"

#include <string>

#include "formats/deflate.h"
#include "formats/html_payload.h"
#include "formats/html_rows.h"
#include "formats/html_template.h"
#include "formats/html_tree.h"
#include "formats/traced_values.h"

namespace walkabout::formats {
namespace {

using base::Status;
using profile::Profile;

Status wrong(const std::string& what) { return Status::error("the profile contradicts itself: " + what); }

Status check_tree(const Profile& profile) {
  for (size_t i = 1; i < profile.nodes.size(); ++i) {
    if (profile.nodes[i].parent >= i) return wrong("node " + std::to_string(i) + " comes before its parent");
    if (profile.nodes[i].frame >= profile.frames.size()) {
      return wrong("node " + std::to_string(i) + " has no frame");
    }
  }
  return {};
}

Status check_samples(const Profile& profile) {
  uint64_t time = 0;
  for (const profile::Sample& sample : profile.samples) {
    if (sample.time_us < time) return wrong("a sample is older than the one before it");
    if (sample.node >= profile.nodes.size()) return wrong("a sample has no node");
    if (sample.thread >= profile.threads.size()) return wrong("a sample has no thread");
    if (sample.end >= wire::WalkEnd::kCount || sample.activity >= profile::Activity::kCount) {
      return wrong("a sample has an unknown walk end or activity");
    }
    time = sample.time_us;
  }
  return {};
}

void write_base64(std::string_view bytes, std::ostream& out) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  const auto at = [&](size_t i) { return i < bytes.size() ? uint32_t{static_cast<uint8_t>(bytes[i])} : 0; };
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const uint32_t bits = at(i) << 16 | at(i + 1) << 8 | at(i + 2);
    for (int digit = 0; digit < 4; ++digit) {
      const bool padding = i + digit > bytes.size();
      text.push_back(padding ? '=' : kDigits[bits >> (18 - 6 * digit) & 63]);
    }
  }
  out.write(text.data(), static_cast<std::streamsize>(text.size()));
}

}  // namespace

Status write_html(const Profile& whole, std::ostream& out) {
  if (Status status = check_tree(whole); !status.ok()) return status;
  if (Status status = check_samples(whole); !status.ok()) return status;
  const Profile by_value = whole.traces.empty() ? Profile() : by_traced_value(whole);
  const Profile& profile = whole.traces.empty() ? whole : by_value;
  const HtmlTree tree = html_tree(profile);
  base::Result<std::string> data = deflate_raw(html_payload(profile, tree, html_rows(profile, tree)));
  if (!data.ok()) return data.status();
  const std::string_view page = html_template();
  const size_t mark = page.find(kHtmlDataMark);
  if (mark == std::string_view::npos) return Status::error("the HTML template has no place for the data");
  out << page.substr(0, mark);
  write_base64(*data, out);
  out << page.substr(mark + kHtmlDataMark.size());
  out.flush();
  if (!out)
    return Status::error("the HTML report could not be written: the output failed (is the disk full?)");
  return {};
}

}  // namespace walkabout::formats
