#include "base/windows/win32.h"
// after win32.h
#include <sddl.h>

#include <algorithm>

#include "cli/windows/access_rules.h"

namespace walkabout::cli {
namespace {

// TrustedInstaller owns what Windows brings.
constexpr const wchar_t* kTrustedInstaller =
    L"S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464";
constexpr uint32_t kTakes = WRITE_DAC | WRITE_OWNER | GENERIC_ALL;
constexpr uint8_t kAllowedWithCondition = 9;  // ACCESS_ALLOWED_CALLBACK_ACE: laid out as the plain one

bool is_trusted_installer(PSID who) {
  wchar_t* text = nullptr;
  if (!::ConvertSidToStringSidW(who, &text)) return false;
  const bool is = ::wcscmp(text, kTrustedInstaller) == 0;
  ::LocalFree(text);
  return is;
}

// How many characters are the root: "C:\" or "\\server\share\"; 0: not absolute.
size_t root_length(const std::wstring& path) {
  if (path.size() >= 3 && path[1] == L':' && path[2] == L'\\') return 3;
  if (path.rfind(L"\\\\", 0) != 0) return 0;
  const size_t server = path.find(L'\\', 2);
  if (server == std::wstring::npos || server == 2) return 0;
  const size_t share = path.find(L'\\', server + 1);
  return share == std::wstring::npos ? path.size() : share + 1;
}

}  // namespace

bool may_replace(uint32_t rights, Place place) {
  switch (place) {
    case Place::kFile:
      return (rights & (kTakes | GENERIC_WRITE | FILE_WRITE_DATA | FILE_APPEND_DATA | DELETE)) != 0;
    case Place::kFolder:
      return (rights & (kTakes | GENERIC_WRITE | FILE_ADD_FILE | FILE_DELETE_CHILD | DELETE)) != 0;
    case Place::kAbove:
      return (rights & (kTakes | FILE_DELETE_CHILD | DELETE)) != 0;
    case Place::kRoot:
      return (rights & (kTakes | FILE_DELETE_CHILD)) != 0;
  }
  return true;
}

bool is_trusted(PSID who, PSID self) {
  return ::IsWellKnownSid(who, WinBuiltinAdministratorsSid) || ::IsWellKnownSid(who, WinLocalSystemSid) ||
         ::IsWellKnownSid(who, WinCreatorOwnerSid) || is_trusted_installer(who) ||
         (self != nullptr && ::EqualSid(who, self));
}

PSID find_stranger(PACL list, Place place, PSID self) {
  for (DWORD i = 0; i < list->AceCount; ++i) {
    ACCESS_ALLOWED_ACE* entry = nullptr;
    if (!::GetAce(list, i, reinterpret_cast<void**>(&entry))) continue;
    const ACE_HEADER& header = entry->Header;
    if (header.AceType != ACCESS_ALLOWED_ACE_TYPE && header.AceType != kAllowedWithCondition) continue;
    if ((header.AceFlags & INHERIT_ONLY_ACE) != 0) continue;
    PSID who = &entry->SidStart;
    if (may_replace(entry->Mask, place) && !is_trusted(who, self)) return who;
  }
  return nullptr;
}

std::vector<std::wstring> folders_above(const std::wstring& path) {
  std::vector<std::wstring> found;
  const size_t root = root_length(path);
  for (size_t end = path.size(); root != 0 && end > root;) {
    const size_t slash = path.find_last_of(L'\\', end - 1);
    end = std::max(slash, root);
    found.push_back(path.substr(0, end));
  }
  return found;
}

}  // namespace walkabout::cli
