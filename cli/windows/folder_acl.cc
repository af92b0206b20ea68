#include "base/windows/win32.h"
// after win32.h
#include <aclapi.h>
#include <sddl.h>

#include <vector>

#include "base/windows/wide_text.h"
#include "cli/windows/access_rules.h"
#include "cli/windows/folder_acl.h"

namespace walkabout::cli {
namespace {

// This user's SID; empty when the system does not say.
std::vector<uint8_t> own_sid() {
  HANDLE token = nullptr;
  alignas(TOKEN_USER) uint8_t answer[1024];
  DWORD size = 0;
  if (!::OpenProcessToken(::GetCurrentProcess(), TOKEN_QUERY, &token)) return {};
  const bool known = ::GetTokenInformation(token, TokenUser, answer, sizeof answer, &size);
  ::CloseHandle(token);
  if (!known) return {};
  PSID sid = reinterpret_cast<const TOKEN_USER*>(answer)->User.Sid;  // points into the answer
  const auto* bytes = static_cast<const uint8_t*>(sid);
  return {bytes, bytes + ::GetLengthSid(sid)};
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

const char* what(Place place) {
  switch (place) {
    case Place::kFile:
      return "the agent ";
    case Place::kFolder:
      return "the agent's folder ";
    default:
      return "a folder above the agent, ";
  }
}

base::Status refusal(const std::wstring& path, Place place, const std::string& may) {
  const char* where = place == Place::kAbove || place == Place::kRoot ? "renamed or replaced" : "written";
  return base::Status::error(what(place) + base::utf8(path.c_str()) + " may be " + where + " by " + may +
                             ": take that right away (icacls), or install walkabout where only you and "
                             "administrators may write");
}

base::Status check(const std::wstring& path, Place place, PSID self) {
  PSID owner = nullptr;
  PACL list = nullptr;
  PSECURITY_DESCRIPTOR descriptor = nullptr;
  const DWORD error = ::GetNamedSecurityInfoW(path.c_str(), SE_FILE_OBJECT,
                                              OWNER_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION, &owner,
                                              nullptr, &list, nullptr, &descriptor);
  if (error != ERROR_SUCCESS)
    return base::Status::error("cannot see who may write to " + base::utf8(path.c_str()) + " (error " +
                               std::to_string(error) + ")");
  base::Status status;
  if (list == nullptr) {
    status = refusal(path, place, "everyone (it has no access list)");
  } else if (owner != nullptr && !is_trusted(owner, self)) {
    status = refusal(path, place, name_of(owner) + ", its owner");
  } else if (PSID who = find_stranger(list, place, self); who != nullptr) {
    status = refusal(path, place, name_of(who));
  }
  ::LocalFree(descriptor);
  return status;
}

base::Status check_way(const std::wstring& library, PSID self) {
  if (base::Status s = check(library, Place::kFile, self); !s.ok()) return s;
  const std::vector<std::wstring> folders = folders_above(library);
  if (folders.empty()) return base::Status::error(base::utf8(library.c_str()) + " is no absolute path");
  for (size_t i = 0; i < folders.size(); ++i) {
    const Place place = i == 0 ? Place::kFolder : i + 1 == folders.size() ? Place::kRoot : Place::kAbove;
    if (base::Status s = check(folders[i], place, self); !s.ok()) return s;
  }
  return {};
}

// Where the path leads, every junction and link followed; as it is, where the system does not say.
std::wstring followed(const std::wstring& path) {
  const HANDLE file = ::CreateFileW(path.c_str(), 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                    nullptr, OPEN_EXISTING, 0, nullptr);
  if (file == INVALID_HANDLE_VALUE) return path;
  wchar_t found[4096] = {};
  const DWORD length = ::GetFinalPathNameByHandleW(file, found, 4096, FILE_NAME_NORMALIZED | VOLUME_NAME_DOS);
  ::CloseHandle(file);
  if (length == 0 || length >= 4096) return path;
  const std::wstring full(found, length);
  if (full.rfind(L"\\\\?\\UNC\\", 0) == 0) return L"\\\\" + full.substr(8);
  return full.rfind(L"\\\\?\\", 0) == 0 ? full.substr(4) : full;
}

}  // namespace

base::Status check_library(const std::wstring& library) {
  std::vector<uint8_t> sid = own_sid();
  PSID self = sid.empty() ? nullptr : sid.data();
  if (base::Status s = check_way(library, self); !s.ok()) return s;
  const std::wstring end = followed(library);
  return end == library ? base::Status() : check_way(end, self);
}

}  // namespace walkabout::cli
