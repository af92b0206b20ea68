// Debug files from debuginfod servers, through elfutils' own client: several servers, a cache, timeouts and
// their settings (DEBUGINFOD_CACHE_PATH, DEBUGINFOD_TIMEOUT …) are its own. One thread: the client reads its
// servers from the environment, which is set for it.
#pragma once

#include <memory>
#include <string>

#include "symbols/find/file_source.h"

struct debuginfod_client;

namespace walkabout::symbols {

class DebuginfodSource : public Source {
 public:
  // urls: separated by spaces. An error when the client library is not installed.
  static base::Result<std::unique_ptr<Source>> create(const std::string& urls);
  ~DebuginfodSource() override;
  std::string name() const override { return "debuginfod"; }
  std::string label() const override { return name(); }
  base::Result<std::optional<Offer>> find(const Wanted& wanted, FileKind kind) override;

 private:
  struct Functions;
  DebuginfodSource(std::unique_ptr<Functions> functions, debuginfod_client* client);
  base::Status failed(int error);

  std::unique_ptr<Functions> functions_;
  debuginfod_client* client_;
  base::Fd log_;  // what the client says of its last query
  base::Status unreachable_;
};

}  // namespace walkabout::symbols
