#include "net/http.h"

#include <curl/curl.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "net/shared_library.h"

// Only its types and numbers: the functions are looked up in the library, and curl.h's macros that check
// their arguments stand in the way of their names.
#undef curl_easy_setopt
#undef curl_easy_getinfo

namespace walkabout::net {
namespace {

constexpr long kConnectSeconds = 20;
constexpr long kSilenceSeconds = 30;
constexpr long kMostRedirects = 10;
constexpr int64_t kMostBytes = int64_t{8} << 30;
constexpr long kOk = 200, kNotFound = 404, kGone = 410;

struct Download {
  int fd = -1;
  int64_t bytes = 0;
  int error = 0;
};

size_t write_part(char* bytes, size_t one, size_t count, void* user) {
  auto* download = static_cast<Download*>(user);
  const size_t size = one * count;
  download->bytes += static_cast<int64_t>(size);
  if (download->bytes > kMostBytes) download->error = EFBIG;
  for (size_t at = 0; download->error == 0 && at < size;) {
    const ssize_t n = ::write(download->fd, bytes + at, size - at);
    if (n > 0) at += static_cast<size_t>(n);
    if (n < 0 && errno != EINTR) download->error = errno;
  }
  return download->error == 0 ? size : 0;
}

base::Fd unnamed_file() {
  const char* wanted = ::getenv("TMPDIR");
  const std::string folder = wanted != nullptr && *wanted == '/' ? wanted : "/tmp";
  base::Fd file(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (file.valid()) return file;
  std::string name = folder + "/walkabout-XXXXXX";  // a file system without O_TMPFILE
  file = base::Fd(::mkostemp(name.data(), O_CLOEXEC));
  if (file.valid()) ::unlink(name.c_str());
  return file;
}

Http::Answer problem(Http::Problem kind, std::string cause) { return {std::nullopt, kind, std::move(cause)}; }

}  // namespace

struct Http::Curl {
  decltype(&curl_easy_init) init;
  decltype(&curl_easy_cleanup) cleanup;
  decltype(&curl_easy_setopt) setopt;
  decltype(&curl_easy_perform) perform;
  decltype(&curl_easy_getinfo) getinfo;
  decltype(&curl_easy_strerror) strerror;
  CURL* handle = nullptr;

  ~Curl() {
    if (handle != nullptr) cleanup(handle);
  }
};

std::string without_secrets(const std::string& url) {
  std::string shown = url.substr(0, url.find_first_of("?#"));
  const size_t scheme = shown.find("://");
  const size_t host = scheme == std::string::npos ? 0 : scheme + 3;
  const size_t at = shown.substr(0, shown.find('/', host)).rfind('@');
  if (at != std::string::npos && at >= host) shown.erase(host, at + 1 - host);
  return shown;
}

Http::Http(std::unique_ptr<Curl> curl) : curl_(std::move(curl)) {}
Http::Http(Http&&) noexcept = default;
Http::~Http() = default;

base::Result<Http> Http::create() {
  const base::Result<SharedLibrary> library =
      SharedLibrary::load({"libcurl-gnutls.so.4", "libcurl.so.4"}, "libcurl3-gnutls");
  if (!library.ok()) return library.status();
  auto curl = std::make_unique<Curl>();
  const bool whole = library->find("curl_easy_init", &curl->init) &&
                     library->find("curl_easy_cleanup", &curl->cleanup) &&
                     library->find("curl_easy_setopt", &curl->setopt) &&
                     library->find("curl_easy_perform", &curl->perform) &&
                     library->find("curl_easy_getinfo", &curl->getinfo) &&
                     library->find("curl_easy_strerror", &curl->strerror);
  if (whole) curl->handle = curl->init();
  if (curl->handle == nullptr) return base::Status::error("libcurl does not start");
  CURL* h = curl->handle;
  curl->setopt(h, CURLOPT_PROTOCOLS_STR, "http,https");
  curl->setopt(h, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
  curl->setopt(h, CURLOPT_FOLLOWLOCATION, 1L);
  curl->setopt(h, CURLOPT_MAXREDIRS, kMostRedirects);
  curl->setopt(h, CURLOPT_CONNECTTIMEOUT, kConnectSeconds);
  curl->setopt(h, CURLOPT_LOW_SPEED_LIMIT, 1L);
  curl->setopt(h, CURLOPT_LOW_SPEED_TIME, kSilenceSeconds);
  curl->setopt(h, CURLOPT_NOSIGNAL, 1L);
  curl->setopt(h, CURLOPT_USERAGENT, "walkabout");
  curl->setopt(h, CURLOPT_WRITEFUNCTION, write_part);
  return Http(std::move(curl));
}

Http::Answer Http::get(const std::string& url) {
  base::Fd file = unnamed_file();
  if (!file.valid())
    return problem(Problem::kServer, std::string("no temporary file (TMPDIR): ") + std::strerror(errno));
  Download download{file.get()};
  std::array<char, CURL_ERROR_SIZE> error_text{};
  CURL* h = curl_->handle;
  curl_->setopt(h, CURLOPT_URL, url.c_str());
  curl_->setopt(h, CURLOPT_WRITEDATA, &download);
  curl_->setopt(h, CURLOPT_ERRORBUFFER, error_text.data());
  const CURLcode code = curl_->perform(h);
  curl_->setopt(h, CURLOPT_ERRORBUFFER, nullptr);
  if (download.error != 0)
    return problem(Problem::kThisFile, std::string("writing it: ") + std::strerror(download.error));
  const std::string cause = error_text[0] != '\0' ? error_text.data() : curl_->strerror(code);
  if (code == CURLE_PARTIAL_FILE) return problem(Problem::kThisFile, "the download was cut off: " + cause);
  if (code != CURLE_OK) return problem(Problem::kServer, cause);
  long status = 0;
  curl_->getinfo(h, CURLINFO_RESPONSE_CODE, &status);
  if (status == kNotFound || status == kGone) return {};
  if (status != kOk) return problem(Problem::kThisFile, "the server says " + std::to_string(status));
  if (::lseek(file.get(), 0, SEEK_SET) != 0) return problem(Problem::kThisFile, std::strerror(errno));
  return {std::move(file), Problem::kNone, {}};
}

}  // namespace walkabout::net
