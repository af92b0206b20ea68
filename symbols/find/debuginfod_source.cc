#include "symbols/find/debuginfod_source.h"

#include <elfutils/debuginfod.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string_view>
#include <utility>

#include "net/shared_library.h"

namespace walkabout::symbols {

struct DebuginfodSource::Functions {
  decltype(&debuginfod_begin) begin;
  decltype(&debuginfod_end) end;
  decltype(&debuginfod_find_debuginfo) find_debuginfo;
  decltype(&debuginfod_find_executable) find_executable;
  decltype(&debuginfod_set_verbose_fd) set_verbose_fd;  // null before 0.186
};

namespace {

// The client says "not found" of every download that failed, also of one that broke off; which it was stands
// only in what it tells whoever asks for its text. Empty if that has nothing but an answer of HTTP.
std::string broken_download(int log) {
  std::string text(64 << 10, '\0');
  const ssize_t size = ::pread(log, text.data(), text.size(), 0);
  text.resize(size > 0 ? static_cast<size_t>(size) : 0);
  static constexpr std::string_view kAnswer = "server response ";
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const size_t at = line.find(kAnswer);
    if (at == std::string::npos) continue;
    std::string answer = line.substr(at + kAnswer.size());
    if (answer != "No error" && !answer.starts_with("HTTP")) return answer;
  }
  return {};
}

bool clear(int log) { return ::ftruncate(log, 0) == 0 && ::lseek(log, 0, SEEK_SET) == 0; }

}  // namespace

base::Result<std::unique_ptr<Source>> DebuginfodSource::create(const std::string& urls) {
  const base::Result<net::SharedLibrary> library =
      net::SharedLibrary::load({DEBUGINFOD_SONAME}, "libdebuginfod1");
  if (!library.ok()) return library.status();
  auto functions = std::make_unique<Functions>();
  const bool whole = library->find("debuginfod_begin", &functions->begin) &&
                     library->find("debuginfod_end", &functions->end) &&
                     library->find("debuginfod_find_debuginfo", &functions->find_debuginfo) &&
                     library->find("debuginfod_find_executable", &functions->find_executable);
  library->find("debuginfod_set_verbose_fd", &functions->set_verbose_fd);
  if (!whole)
    return base::Status::error(DEBUGINFOD_SONAME " is too old; install libdebuginfod1 0.178 or later");
  ::setenv(DEBUGINFOD_URLS_ENV_VAR, urls.c_str(), 1);
  debuginfod_client* client = functions->begin();
  if (client == nullptr) return base::Status::error("debuginfod's client does not start");
  return std::unique_ptr<Source>(new DebuginfodSource(std::move(functions), client));
}

DebuginfodSource::DebuginfodSource(std::unique_ptr<Functions> functions, debuginfod_client* client)
    : functions_(std::move(functions)), client_(client), log_(::memfd_create("debuginfod", MFD_CLOEXEC)) {
  if (log_.valid() && functions_->set_verbose_fd != nullptr) functions_->set_verbose_fd(client_, log_.get());
}

DebuginfodSource::~DebuginfodSource() { functions_->end(client_); }

base::Status DebuginfodSource::failed(int error) {
  base::Status status =
      base::Status::error(std::string("debuginfod cannot be asked: ") + std::strerror(error) +
                          "; check the server's URL (--debuginfod, DEBUGINFOD_URLS) and that it runs");
  if (error != EFBIG) unreachable_ = status;  // that is about the one file (DEBUGINFOD_MAXSIZE)
  return status;
}

base::Result<std::optional<Offer>> DebuginfodSource::find(const Wanted& wanted, FileKind kind) {
  if (kind == FileKind::kPdb || kind == FileKind::kAssembly) return std::optional<Offer>();
  if (!unreachable_.ok()) return unreachable_;
  const auto find = kind == FileKind::kDebug ? functions_->find_debuginfo : functions_->find_executable;
  const bool listening = clear(log_.get());
  char* path = nullptr;
  base::Fd file(find(client_, reinterpret_cast<const unsigned char*>(wanted.build_id.data()),
                     static_cast<int>(wanted.build_id.size()), &path));
  const int error = -file.get();  // a negative answer is no descriptor, and Fd leaves it alone
  const std::string place = path != nullptr ? path : "";
  ::free(path);
  if (file.valid()) return std::optional<Offer>(Offer{std::move(file), place});
  if (error != ENOENT) return failed(error);
  const std::string broken = listening ? broken_download(log_.get()) : std::string();
  if (broken.empty()) return std::optional<Offer>();
  return base::Status::error(
      "debuginfod's file for " + wanted.file_name + " did not arrive whole: " + broken +
      "; its client tries again after ten minutes (or with another DEBUGINFOD_CACHE_PATH)");
}

}  // namespace walkabout::symbols
