#include "cli/copy_recording.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "recording/reader.h"
#include "recording/writer.h"

namespace walkabout::cli {
namespace {

base::Result<std::string> copy(const std::string& from, const std::string& to) {
  base::Result<recording::Writer> writer = recording::Writer::create(to);
  if (!writer.ok()) return writer.status();
  recording::RecordVisitor nobody;
  const auto summary = recording::read_recording(
      from, nobody, [&](const recording::RawRecord& r) { return writer->append(r); });
  if (!summary.ok()) return summary.status();
  if (base::Status status = writer->finish(); !status.ok()) return status;
  return summary->damage;
}

}  // namespace

base::Result<std::string> copy_recording(const std::string& from, const std::string& to) {
  const std::string beside = to + "." + std::to_string(::getpid()) + ".tmp";
  base::Result<std::string> damage = copy(from, beside);
  if (!damage.ok()) {
    ::unlink(beside.c_str());
    return damage;
  }
  if (std::rename(beside.c_str(), to.c_str()) == 0) return damage;
  const std::string cause = std::strerror(errno);
  ::unlink(beside.c_str());
  return base::Status::error("cannot write " + to + ": " + cause);
}

}  // namespace walkabout::cli
