#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/file_name.h"
#include "cli/linux/symbols.h"
#include "console/numbers.h"

namespace walkabout::cli {
namespace {

std::string row(size_t width, std::string_view library, uint64_t addresses, uint64_t before, uint64_t now,
                const std::string& from) {
  return fmt::format("{:<{}}  {:>9}  {:>12}  {:>9}  {}\n", library, width, grouped(addresses),
                     grouped(before), grouped(now), from);
}

std::string origin(const LibraryNames& library) {
  if (library.from.empty()) return "no names";
  return library.place.empty() ? library.from : library.from + ": " + library.place;
}

}  // namespace

Json symbols_json(const NewNames& names, const std::string& written) {
  Json json;
  json["written"] = written;
  json["addresses"] = names.addresses();
  json["named_before"] = names.named_before();
  json["named"] = names.named();
  json["libraries"] = Json::array();
  for (const LibraryNames& l : names.libraries) {
    json["libraries"].push_back({{"path", l.path},
                                 {"build_id", l.build_id},
                                 {"addresses", l.addresses},
                                 {"named_before", l.named_before},
                                 {"named", l.named},
                                 {"from", l.from},
                                 {"place", l.place},
                                 {"confirmed", l.check.confirmed},
                                 {"contradicted", l.check.contradicted},
                                 {"why", l.why},
                                 {"had_lines", l.had_lines},
                                 {"has_lines", l.has_lines},
                                 {"lines_place", l.lines_place}});
  }
  json["assemblies"] = Json::array();
  for (const AssemblyLines& a : names.assemblies) {
    json["assemblies"].push_back({{"path", a.path},
                                  {"methods", a.methods},
                                  {"had_lines", a.had_lines},
                                  {"has_lines", a.has_lines},
                                  {"from", a.from},
                                  {"place", a.place},
                                  {"why", a.why}});
  }
  json["problems"] = names.problems;
  json["damage"] = names.damage;
  return json;
}

namespace {

std::string check_text(const LibraryNames& library) {
  constexpr size_t kMostShown = 20;
  const std::vector<std::string>& others = library.check.contradicted;
  const size_t all = library.check.confirmed + others.size();
  if (all == 0) return {};
  std::string out =
      fmt::format("\n{}: symbols confirm {} of the {} names that it had without them\n",
                  base::file_name(library.path), grouped(library.check.confirmed), grouped(all));
  for (size_t i = 0; i < std::min(others.size(), kMostShown); ++i) out += "  otherwise: " + others[i] + "\n";
  if (others.size() > kMostShown)
    out += fmt::format("  and {} more (--json has all)\n", grouped(others.size() - kMostShown));
  return out;
}

std::string libraries_text(const NewNames& names) {
  size_t width = 7;
  for (const LibraryNames& l : names.libraries) width = std::max(width, base::file_name(l.path).size());
  std::string out = fmt::format("{:<{}}  {:>9}  {:>12}  {:>9}  {}\n", "library", width, "addresses",
                                "named before", "named now", "names from");
  for (const LibraryNames& l : names.libraries) {
    out += row(width, base::file_name(l.path), l.addresses, l.named_before, l.named, origin(l));
  }
  out += row(width, "all", names.addresses(), names.named_before(), names.named(), "");
  std::string without;
  for (const LibraryNames& l : names.libraries) {
    if (!l.why.empty())
      without +=
          fmt::format("  {} ({}): {}\n", base::file_name(l.path), grouped(l.addresses - l.named), l.why);
  }
  if (!without.empty()) out += "\nwithout a name, and why:\n" + without;
  for (const LibraryNames& l : names.libraries) out += check_text(l);
  return out;
}

std::string more_with_lines(uint64_t count, const char* one, const char* many) {
  return count == 0 ? "" : fmt::format(", {} {} more with lines", grouped(count), count == 1 ? one : many);
}

std::string assemblies_text(const NewNames& names) {
  size_t width = 8;
  for (const AssemblyLines& a : names.assemblies)
    width = std::max(width, base::file_name_of_any(a.path).size());
  std::string out = fmt::format("{:<{}}  {:>9}  {}\n", "assembly", width, "methods", "lines from");
  for (const AssemblyLines& a : names.assemblies)
    out += fmt::format("{:<{}}  {:>9}  {}\n", base::file_name_of_any(a.path), width, grouped(a.methods),
                       a.has_lines ? a.from + ": " + a.place : "no lines: " + a.why);
  return out;
}

}  // namespace

std::string symbols_text(const NewNames& names, const std::string& file, const std::string& written) {
  if (names.libraries.empty() && names.assemblies.empty())
    return file + " has no native code that needs a name\n";
  std::string out;
  if (!names.libraries.empty()) out += libraries_text(names);
  if (!names.assemblies.empty()) out += (out.empty() ? "" : "\n") + assemblies_text(names);
  if (written.empty()) return out + "\nnothing new; " + file + " is as it was\n";
  const std::string lines = more_with_lines(names.edit.without_lines_of.size(), "assembly", "assemblies") +
                            more_with_lines(names.libraries_with_new_lines(), "library", "libraries");
  return out + fmt::format("\n{} more addresses have a name{}; wrote {}\n",
                           grouped(names.named() - names.named_before()), lines, written);
}

}  // namespace walkabout::cli
