#include "symbols/find/symbol_server_source.h"

#include <cctype>
#include <utility>

#include "symbols/elf/build_id.h"

namespace walkabout::symbols {
namespace {

// Lower case; what is not "unreserved" in RFC 3986 as %xx.
std::string url_part(const std::string& name) {
  std::string part;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte < 0x80 && (std::isalnum(byte) != 0 ||
                                       std::string_view("-._~").find(c) != std::string_view::npos);
    if (plain) {
      part += static_cast<char>(std::tolower(byte));
    } else {
      part += "%" + hex(std::string(1, c));
    }
  }
  return part;
}

// A PDB's key: the GUID as text has it, without dashes, and a number that is the same for all portable PDBs.
// Source: docs/specs/SSQP_Key_Conventions.md of dotnet/symstore.
std::string pdb_key(const std::string& id) {
  std::string key;
  for (const size_t at : {3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15}) key += hex(id.substr(at, 1));
  return key + "ffffffff";
}

}  // namespace

std::string symbol_server_path(const Wanted& wanted, FileKind kind) {
  if (kind == FileKind::kPdb) {
    const std::string name = url_part(wanted.file_name);
    return "/" + name + "/" + pdb_key(wanted.build_id) + "/" + name;
  }
  const std::string id = hex(wanted.build_id);
  if (kind == FileKind::kDebug) return "/_.debug/elf-buildid-sym-" + id + "/_.debug";
  const std::string name = url_part(wanted.file_name);
  return "/" + name + "/elf-buildid-" + id + "/" + name;
}

base::Result<std::unique_ptr<Source>> SymbolServerSource::create(const std::string& url) {
  if (!url.starts_with("http://") && !url.starts_with("https://"))
    return base::Status::error("the symbol server's URL does not begin with http:// or https://");
  base::Result<net::Http> http = net::Http::create();
  if (!http.ok()) return http.status();
  return std::unique_ptr<Source>(
      new SymbolServerSource(url.substr(0, url.find_last_not_of('/') + 1), std::move(*http)));
}

base::Result<std::optional<Offer>> SymbolServerSource::find(const Wanted& wanted, FileKind kind) {
  if (kind == FileKind::kAssembly) return std::optional<Offer>();  // their keys say nothing of its MVID
  if (!unreachable_.ok()) return unreachable_;
  if (kind != FileKind::kDebug && wanted.file_name.empty()) return std::optional<Offer>();
  const std::string url = url_ + symbol_server_path(wanted, kind);
  net::Http::Answer answer = http_.get(url);
  if (answer.file.has_value())
    return std::optional<Offer>(Offer{std::move(*answer.file), net::without_secrets(url)});
  if (answer.problem == net::Http::Problem::kNone) return std::optional<Offer>();
  if (answer.problem == net::Http::Problem::kThisFile)
    return base::Status::error(net::without_secrets(url) + ": " + answer.cause);
  unreachable_ = base::Status::error(
      "the symbol server " + net::without_secrets(url_) + " cannot be asked: " + answer.cause +
      "; check its URL (--symbol-server, WALKABOUT_SYMBOL_SERVER) and that it runs");
  return unreachable_;
}

}  // namespace walkabout::symbols
