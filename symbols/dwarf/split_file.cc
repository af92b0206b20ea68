#include "symbols/dwarf/split_file.h"

#include <dwarf.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "base/linux/trust_rule.h"

namespace walkabout::symbols {
namespace {

namespace fs = std::filesystem;

std::string attribute_text(Dwarf_Die* unit, unsigned attribute) {
  Dwarf_Attribute found;
  const char* text = dwarf_formstring(dwarf_attr(unit, attribute, &found));
  return text == nullptr ? "" : text;
}

std::string name_of_split(Dwarf_Die* unit) {
  const std::string name = attribute_text(unit, DW_AT_dwo_name);
  return name.empty() ? attribute_text(unit, DW_AT_GNU_dwo_name) : name;
}

// A regular file, or nothing; and others can make it neither.
bool is_safe(const fs::path& path) {
  std::error_code error;
  fs::path there = path.lexically_normal();
  const fs::file_status what = fs::status(there, error);
  if (what.type() != fs::file_type::regular && what.type() != fs::file_type::not_found) return false;
  while (!fs::exists(there, error) && there.has_relative_path()) there = there.parent_path();
  const fs::path real = fs::canonical(there, error);
  return !error && !base::find_distrusted(real.string(), "/", base::private_by_files);
}

}  // namespace

bool is_skeleton(Dwarf_Die* unit) {
  uint8_t type = 0;
  return dwarf_cu_info(unit->cu, nullptr, &type, nullptr, nullptr, nullptr, nullptr, nullptr) == 0 &&
         type == DW_UT_skeleton;
}

// libdw looks beside the image first, then where the compiler ran.
bool may_open_split(Dwarf_Die* unit, const std::string& image_folder) {
  const fs::path name = name_of_split(unit), compiled = attribute_text(unit, DW_AT_comp_dir);
  if (name.empty()) return false;
  const fs::path beside = image_folder;
  return is_safe(beside / name) && is_safe(beside / compiled / name);
}

}  // namespace walkabout::symbols
