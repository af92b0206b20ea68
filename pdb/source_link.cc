#include "pdb/source_link.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace walkabout::pdb {
namespace {

constexpr size_t kLongestJson = 1 << 20;
constexpr size_t kLongestUrl = 4096;  // also of a rule's path
constexpr size_t kRuleCost = 16;      // of a rule whatever its length, in bytes looked through

// Paths of Windows are told apart without case, and a rule fits those of either kind.
char folded(char c) {
  if (c == '\\') return '/';
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool begins_with(std::string_view path, std::string_view prefix) {
  return path.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), path.begin(),
                                                    [](char a, char b) { return folded(a) == folded(b); });
}

// As a part of a URL's path: RFC 3986, but '/' stays.
std::string escaped(std::string_view path) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string out;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~/").find(c) != std::string_view::npos;
    if (c == '\\')
      out += '/';
    else if (plain)
      out += c;
    else
      out.append(1, '%').append(1, kDigits[byte >> 4]).append(1, kDigits[byte & 15]);
  }
  return out;
}

}  // namespace

SourceLink::SourceLink(std::string_view json) {
  if (json.size() > kLongestJson) return;
  const auto all = nlohmann::json::parse(json, nullptr, false);
  if (!all.is_object() || !all.contains("documents") || !all["documents"].is_object()) return;
  for (const auto& [path, url] : all["documents"].items()) {
    if (!url.is_string() || path.size() > kLongestUrl) continue;
    std::string to = url.get<std::string>();
    if (to.size() > kLongestUrl) continue;
    rules_.emplace_back(path, std::move(to));
    cost_ += path.size() + kRuleCost;
  }
  std::stable_sort(rules_.begin(), rules_.end(),
                   [](const auto& a, const auto& b) { return a.first.size() > b.first.size(); });
}

std::string SourceLink::url_of(std::string_view path) const {
  for (const auto& [pattern, url] : rules_) {
    const bool is_prefix = pattern.ends_with('*');
    const std::string_view prefix(pattern.data(), pattern.size() - (is_prefix ? 1 : 0));
    if (!begins_with(path, prefix) || (!is_prefix && path.size() != prefix.size())) continue;
    const size_t star = url.find('*');
    if (is_prefix != (star != std::string::npos)) continue;
    std::string found = url;
    if (is_prefix) found.replace(star, 1, escaped(path.substr(prefix.size())));
    return found.size() <= kLongestUrl ? found : std::string();
  }
  return {};
}

}  // namespace walkabout::pdb
