// Files from a server with the .NET symbol server's paths: URL/NAME/elf-buildid-ID/NAME is the library,
// URL/_.debug/elf-buildid-sym-ID/_.debug its debug file, all in lower case ("SSQP Key Conventions" of
// dotnet/symstore). One thread.
#pragma once

#include <memory>
#include <string>

#include "net/http.h"
#include "symbols/find/file_source.h"

namespace walkabout::symbols {

// The path below the server's URL. Names are escaped as URLs need it.
std::string symbol_server_path(const Wanted& wanted, FileKind kind);

class SymbolServerSource : public Source {
 public:
  // An error when it is no HTTP or HTTPS URL, or libcurl is not installed.
  static base::Result<std::unique_ptr<Source>> create(const std::string& url);
  std::string name() const override { return "symbol server"; }
  base::Result<std::optional<Offer>> find(const Wanted& wanted, FileKind kind) override;

 private:
  SymbolServerSource(std::string url, net::Http http) : url_(std::move(url)), http_(std::move(http)) {}

  const std::string url_;  // ends without a slash
  net::Http http_;
  base::Status unreachable_;
};

}  // namespace walkabout::symbols
