#include <unistd.h>

#include <cstdio>

#include "base/linux/new_file.h"
#include "base/system_error.h"
#include "cli/copy_recording.h"
#include "recording/reader.h"
#include "recording/redact.h"
#include "recording/writer.h"

namespace walkabout::cli {
namespace {

class LastNames : public recording::RecordVisitor {
 public:
  void on_native_symbols(const wire::NativeSymbols& record) override { module = record.module; }
  void on_source_lines(const wire::SourceLines& record) override { assembly = record.assembly; }
  base::CodeId module;
  base::AssemblyId assembly;
};

base::Result<std::string> copy(const std::string& from, const std::string& to, const RecordingEdit& edit) {
  base::Result<recording::Writer> writer = recording::Writer::create(to);
  if (!writer.ok()) return writer.status();
  LastNames last;
  const auto summary = recording::read_recording(from, last, [&](const recording::RawRecord& r) {
    const bool names = r.type == wire::RecordType::kNativeSymbols;
    const bool lines = r.type == wire::RecordType::kSourceLines;
    if (names && edit.without_names_of.contains(last.module)) return base::Status();
    if (lines && edit.without_lines_of.contains(last.assembly)) return base::Status();
    return edit.redact ? writer->append_encoded(recording::redacted(r)) : writer->append(r);
  });
  if (!summary.ok()) return summary.status();
  if (base::Status status = writer->append_encoded(edit.add); !status.ok()) return status;
  if (base::Status status = writer->finish(); !status.ok()) return status;
  return summary->damage;
}

base::Status failed(const std::string& path) { return base::system_error("cannot write " + path); }

}  // namespace

base::Result<std::string> copy_recording(const std::string& from, const std::string& to,
                                         const RecordingEdit& edit) {
  const base::Result<base::NewFile> file = base::create_beside(to);
  if (!file.ok()) return file.status();
  base::Result<std::string> damage = copy(from, file->path, edit);
  // On the disk before it takes the place of the only copy there is.
  if (damage.ok() && ::fsync(file->fd.get()) != 0) damage = failed(to);
  if (damage.ok() && std::rename(file->path.c_str(), to.c_str()) != 0) damage = failed(to);
  if (!damage.ok()) ::unlink(file->path.c_str());
  return damage;
}

}  // namespace walkabout::cli
