#include "agent/linux/calls/similar_names.h"

#include <algorithm>
#include <numeric>

namespace walkabout::agent {
namespace {

constexpr size_t kLongestCompared = 128;

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

std::string_view trim_dots(std::string_view text) {
  while (text.starts_with('.')) text.remove_prefix(1);
  while (text.ends_with('.')) text.remove_suffix(1);
  return text;
}

std::string_view longest_literal(std::string_view pattern) {
  std::string_view longest;
  while (!pattern.empty()) {
    const size_t end = std::min(pattern.find_first_of("*?"), pattern.size());
    const std::string_view part = trim_dots(pattern.substr(0, end));
    if (part.size() > longest.size()) longest = part;
    pattern.remove_prefix(std::min(end + 1, pattern.size()));
  }
  return longest;
}

}  // namespace

size_t edit_distance(std::string_view a, std::string_view b, size_t most) {
  const size_t apart = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (apart > most || b.size() > kLongestCompared) return most + 1;
  size_t row[kLongestCompared + 1];
  std::iota(row, row + b.size() + 1, size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t above_left = row[0], least = row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t changed = above_left + (a[i - 1] == b[j - 1] ? 0 : 1);
      above_left = row[j];
      row[j] = std::min({changed, row[j] + 1, row[j - 1] + 1});
      least = std::min(least, row[j]);
    }
    if (least > most) return most + 1;
  }
  return std::min(row[b.size()], most + 1);
}

SimilarNames::SimilarNames(std::string_view pattern) : wanted_(lower(longest_literal(pattern))) {
  parts_ += static_cast<size_t>(std::count(wanted_.begin(), wanted_.end(), '.'));
  most_ = wanted_.size() / 3;
}

void SimilarNames::offer(const std::string& name) {
  if (wanted_.empty()) return;
  const std::string text = lower(name);
  size_t nearest = most_ + 1;
  for (size_t begin = 0; begin != std::string::npos && begin < text.size();) {
    size_t end = begin;
    for (size_t i = 0; i < parts_ && end != std::string::npos; ++i)
      end = text.find('.', end + (i == 0 ? 0 : 1));
    const std::string_view part =
        std::string_view(text).substr(begin, end == std::string::npos ? std::string::npos : end - begin);
    nearest = std::min(nearest, edit_distance(wanted_, part, most_));
    if (end == std::string::npos) break;
    const size_t dot = text.find('.', begin);
    begin = dot == std::string::npos ? dot : dot + 1;
  }
  if (nearest > most_) return;
  std::pair<size_t, std::string> found(nearest, name);
  const auto place = std::lower_bound(best_.begin(), best_.end(), found);
  if (place != best_.end() && *place == found) return;
  best_.insert(place, std::move(found));
  if (best_.size() > kMost) best_.pop_back();
}

std::string SimilarNames::all() const {
  std::string all;
  for (const auto& [distance, name] : best_) all.append(all.empty() ? "" : ", ").append(name);
  return all;
}

}  // namespace walkabout::agent
