#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>

#include "cover/outputs_of_coverage.h"

namespace walkabout::cover {
namespace {

using nlohmann::json;

constexpr char kVersion[] = "walkabout_cover";
constexpr int kCoverVersion = 1;

json json_of(const SourceFile& file) {
  json methods = json::array(), lines = json::array(), arms = json::array();
  for (const Method& m : file.methods) methods.push_back({m.type, m.name, m.parameters});
  for (const auto& [number, line] : file.lines) lines.push_back({number, line.hits, line.method});
  for (const Arm& a : file.arms) arms.push_back({a.line, a.branch, a.path, a.hits, a.method});
  return {{"checksum", file.checksum}, {"methods", methods}, {"lines", lines}, {"arms", arms}};
}

// Numbers of a row; none: it is no such row.
std::optional<std::vector<uint64_t>> numbers_of(const json& row, size_t count) {
  if (!row.is_array() || row.size() != count) return std::nullopt;
  std::vector<uint64_t> numbers;
  for (const json& number : row) {
    if (!number.is_number_unsigned()) return std::nullopt;
    numbers.push_back(number.get<uint64_t>());
  }
  return numbers;
}

bool fits(uint64_t number) { return number <= std::numeric_limits<int32_t>::max(); }

bool read_file(const json& from, SourceFile* file) {
  if (!from.is_object() || !from.contains("methods") || !from.contains("lines") || !from.contains("arms"))
    return false;
  if (const auto checksum = from.find("checksum"); checksum != from.end() && checksum->is_string())
    file->checksum = checksum->get<std::string>();
  for (const json& row : from["methods"]) {
    if (!row.is_array() || row.size() != 3 || !row[0].is_string() || !row[1].is_string() ||
        !row[2].is_string())
      return false;
    file->methods.push_back(
        {row[0].get<std::string>(), row[1].get<std::string>(), row[2].get<std::string>()});
  }
  for (const json& row : from["lines"]) {
    const auto line = numbers_of(row, 3);
    if (!line || !fits((*line)[0]) || (*line)[2] >= file->methods.size()) return false;
    file->lines[static_cast<uint32_t>((*line)[0])] = {(*line)[1], static_cast<uint32_t>((*line)[2])};
  }
  for (const json& row : from["arms"]) {
    const auto arm = numbers_of(row, 5);
    if (!arm || !fits((*arm)[0]) || !fits((*arm)[1]) || !fits((*arm)[2]) || (*arm)[4] >= file->methods.size())
      return false;
    file->arms.push_back({static_cast<uint32_t>((*arm)[0]), static_cast<uint32_t>((*arm)[4]),
                          static_cast<uint32_t>((*arm)[1]), static_cast<uint32_t>((*arm)[2]), (*arm)[3]});
  }
  return true;
}

}  // namespace

base::Status write_cover(const Coverage& coverage, std::ostream& out) {
  json modules = json::object();
  for (const auto& [name, module] : coverage.modules) {
    json files = json::object();
    for (const auto& [path, file] : module.files) files[path] = json_of(file);
    modules[name] = {{"files", files}};
  }
  out << json{{kVersion, kCoverVersion}, {"counts", coverage.counts}, {"modules", modules}}.dump(
             -1, ' ', false, json::error_handler_t::replace)
      << '\n';
  return {};
}

base::Result<Coverage> read_cover(std::string_view text) {
  const base::Status wrong = base::Status::error("it is no file that walkabout cover wrote, or is damaged");
  const json from = json::parse(text, nullptr, false);
  if (!from.is_object() || !from.contains(kVersion)) return wrong;
  if (from[kVersion] != kCoverVersion)
    return base::Status::error("it is of another version of walkabout; cover again with this one");
  if (!from.contains("counts") || !from["counts"].is_boolean() || !from.contains("modules") ||
      !from["modules"].is_object())
    return wrong;
  Coverage coverage;
  coverage.counts = from["counts"].get<bool>();
  for (const auto& [name, module] : from["modules"].items()) {
    if (!module.is_object() || !module.contains("files") || !module["files"].is_object()) return wrong;
    for (const auto& [path, file] : module["files"].items()) {
      if (!read_file(file, &coverage.modules[name].files[path])) return wrong;
    }
  }
  return coverage;
}

}  // namespace walkabout::cover
