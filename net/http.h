// Downloads files over HTTP(S) with libcurl, which is loaded when the first is made. One thread.
//
// Redirects are followed (HTTP and HTTPS only), proxies of the environment are used. A server that says
// nothing for half a minute is given up. What a server says of a file's size is checked by libcurl; the file
// itself is the caller's to check.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/fd.h"
#include "base/result.h"

namespace walkabout::net {

// A URL without user, password and query, which may be secret, for messages.
std::string without_secrets(const std::string& url);

class Http {
 public:
  // An error when libcurl is not installed.
  static base::Result<Http> create();
  Http(Http&&) noexcept;
  ~Http();

  enum class Problem { kNone, kThisFile, kServer };  // kServer: do not ask it again
  struct Answer {
    std::optional<base::Fd> file;  // without a name, at its beginning; nothing when the server has none (404)
    Problem problem = Problem::kNone;
    std::string cause;  // of the problem
  };
  Answer get(const std::string& url);

 private:
  struct Curl;
  explicit Http(std::unique_ptr<Curl> curl);
  std::unique_ptr<Curl> curl_;
};

}  // namespace walkabout::net
