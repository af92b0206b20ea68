#include "base/win32.h"
// after win32.h
#include <aclapi.h>
#include <sddl.h>

#include <vector>

#include "base/utf16.h"
#include "cli/windows/folder_acl.h"

namespace walkabout::cli {
namespace {

// Any of these lets one replace a file of the folder, or take the right to.
constexpr DWORD kChanges =
    FILE_ADD_FILE | FILE_DELETE_CHILD | WRITE_DAC | WRITE_OWNER | GENERIC_WRITE | GENERIC_ALL;

std::vector<uint8_t> own_sid() {
  HANDLE token = nullptr;
  std::vector<uint8_t> user(1024);
  DWORD size = 0;
  if (!::OpenProcessToken(::GetCurrentProcess(), TOKEN_QUERY, &token)) return {};
  const bool known =
      ::GetTokenInformation(token, TokenUser, user.data(), static_cast<DWORD>(user.size()), &size);
  ::CloseHandle(token);
  return known ? user : std::vector<uint8_t>();
}

// TrustedInstaller owns what Windows brings.
bool is_trusted_installer(PSID sid) {
  wchar_t* text = nullptr;
  if (!::ConvertSidToStringSidW(sid, &text)) return false;
  const bool is = ::wcscmp(text, L"S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464") == 0;
  ::LocalFree(text);
  return is;
}

bool trusted(PSID sid, const std::vector<uint8_t>& self) {
  return ::IsWellKnownSid(sid, WinBuiltinAdministratorsSid) || ::IsWellKnownSid(sid, WinLocalSystemSid) ||
         ::IsWellKnownSid(sid, WinCreatorOwnerSid) || is_trusted_installer(sid) ||
         (!self.empty() && ::EqualSid(sid, reinterpret_cast<const TOKEN_USER*>(self.data())->User.Sid));
}

std::string name_of(PSID sid) {
  wchar_t name[256] = {}, domain[256] = {};
  DWORD name_size = 256, domain_size = 256;
  SID_NAME_USE use{};
  if (::LookupAccountSidW(nullptr, sid, name, &name_size, domain, &domain_size, &use))
    return base::utf8(name);
  wchar_t* text = nullptr;
  if (!::ConvertSidToStringSidW(sid, &text)) return "someone";
  std::string narrowed = base::utf8(text);
  ::LocalFree(text);
  return narrowed;
}

// The first who may change it and is not trusted; null if there is none.
PSID stranger(PACL acl) {
  const std::vector<uint8_t> self = own_sid();
  for (DWORD i = 0; i < acl->AceCount; ++i) {
    ACCESS_ALLOWED_ACE* ace = nullptr;
    if (!::GetAce(acl, i, reinterpret_cast<void**>(&ace))) continue;
    if (ace->Header.AceType != ACCESS_ALLOWED_ACE_TYPE || (ace->Header.AceFlags & INHERIT_ONLY_ACE) != 0)
      continue;
    PSID sid = &ace->SidStart;
    if ((ace->Mask & kChanges) != 0 && !trusted(sid, self)) return sid;
  }
  return nullptr;
}

}  // namespace

base::Status check_folder(const std::wstring& folder) {
  PACL acl = nullptr;
  PSECURITY_DESCRIPTOR descriptor = nullptr;
  const DWORD error = ::GetNamedSecurityInfoW(folder.c_str(), SE_FILE_OBJECT, DACL_SECURITY_INFORMATION,
                                              nullptr, nullptr, &acl, nullptr, &descriptor);
  if (error != ERROR_SUCCESS)
    return base::Status::error("cannot see who may write to " + base::utf8(folder.c_str()) + " (error " +
                               std::to_string(error) + ")");
  std::string who = "everyone (it has no access list)";
  bool safe = false;
  if (acl != nullptr) {
    PSID sid = stranger(acl);
    safe = sid == nullptr;
    if (!safe) who = name_of(sid);
  }
  ::LocalFree(descriptor);
  if (safe) return {};
  return base::Status::error(
      "the agent's folder " + base::utf8(folder.c_str()) + " may be written by " + who +
      ": take that right away (icacls), or install walkabout where only you and administrators "
      "may write");
}

}  // namespace walkabout::cli
