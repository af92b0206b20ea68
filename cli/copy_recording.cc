#include "cli/copy_recording.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

#include "base/fd.h"
#include "base/system_error.h"
#include "recording/reader.h"
#include "recording/writer.h"

namespace walkabout::cli {
namespace {

class LastNames : public recording::RecordVisitor {
 public:
  void on_native_symbols(const wire::NativeSymbols& record) override { module = record.module; }
  base::CodeId module;
};

base::Result<std::string> copy(const std::string& from, const std::string& to, const RecordingEdit& edit) {
  base::Result<recording::Writer> writer = recording::Writer::create(to);
  if (!writer.ok()) return writer.status();
  LastNames last;
  const auto summary = recording::read_recording(from, last, [&](const recording::RawRecord& r) {
    const bool names = r.type == wire::RecordType::kNativeSymbols;
    return names && edit.without_names_of.contains(last.module) ? base::Status() : writer->append(r);
  });
  if (!summary.ok()) return summary.status();
  if (base::Status status = writer->append_encoded(edit.add); !status.ok()) return status;
  if (base::Status status = writer->finish(); !status.ok()) return status;
  return summary->damage;
}

base::Status failed(const std::string& path) { return base::system_error("cannot write " + path); }

// Nobody else may read the new file before it has the mode of the one it replaces.
base::Result<base::Fd> create_beside(const std::string& beside, const std::string& to) {
  struct stat replaced {};
  const bool replaces = ::stat(to.c_str(), &replaced) == 0 && S_ISREG(replaced.st_mode);
  base::Fd file(
      ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, replaces ? 0600 : 0666));
  if (!file.valid()) return failed(to);
  if (!replaces) return file;
  mode_t mode = replaced.st_mode & 0777;
  if (::fchown(file.get(), replaced.st_uid, replaced.st_gid) != 0 &&
      ::fchown(file.get(), static_cast<uid_t>(-1), replaced.st_gid) != 0) {
    mode &= ~static_cast<mode_t>(S_IRWXG);  // our group is not the one that was meant
  }
  if (::fchmod(file.get(), mode) != 0) return failed(to);
  return file;
}

}  // namespace

base::Result<std::string> copy_recording(const std::string& from, const std::string& to,
                                         const RecordingEdit& edit) {
  const std::string beside = to + "." + std::to_string(::getpid()) + ".tmp";
  const base::Result<base::Fd> file = create_beside(beside, to);
  if (!file.ok()) return file.status();
  base::Result<std::string> damage = copy(from, beside, edit);
  // On the disk before it takes the place of the only copy there is.
  if (damage.ok() && ::fsync(file->get()) != 0) damage = failed(to);
  if (damage.ok() && std::rename(beside.c_str(), to.c_str()) != 0) damage = failed(to);
  if (!damage.ok()) ::unlink(beside.c_str());
  return damage;
}

}  // namespace walkabout::cli
