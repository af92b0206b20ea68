#include "launch/agent_path.h"

#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "launch/trust.h"

namespace walkabout::cli {
namespace {

namespace fs = std::filesystem;

fs::path own_path() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error);
}

}  // namespace

base::Result<std::string> agent_path() {
  const fs::path folder = own_path().parent_path();
  const fs::path places[] = {folder / "libwalkabout.so",
                             folder.parent_path() / "lib/walkabout/libwalkabout.so"};
  for (const auto& place : places) {
    if (::access(place.c_str(), R_OK) != 0) continue;
    std::error_code error;
    const fs::path real = fs::canonical(place, error);
    return error ? place.string() : real.string();
  }
  return base::Status::error("the agent is missing: neither " + places[0].string() + " nor " +
                             places[1].string() + " can be read; install walkabout again");
}

base::Status check_agent_is_ours(const std::string& path) {
  base::Status status = check_trust(path, own_path().string());
  if (status.ok()) return status;
  return base::Status::error("the agent is not loaded, for it could be replaced: " + status.message());
}

}  // namespace walkabout::cli
