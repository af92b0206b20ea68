#include "cli/agent_path.h"

#include <unistd.h>

#include <filesystem>
#include <system_error>

namespace walkabout::cli {

base::Result<std::string> agent_path() {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::filesystem::path folder = self.parent_path();
  const std::filesystem::path places[] = {folder / "libwalkabout.so",
                                          folder.parent_path() / "lib/walkabout/libwalkabout.so"};
  for (const auto& place : places) {
    if (::access(place.c_str(), R_OK) == 0) return place.string();
  }
  return base::Status::error("the agent is missing: neither " + places[0].string() + " nor " +
                             places[1].string() + " can be read; install walkabout again");
}

}  // namespace walkabout::cli
