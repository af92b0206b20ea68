#include "symbols/native_lines.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <utility>

#include "base/file_name.h"
#include "base/left_out_text.h"
#include "recording/decode.h"
#include "recording/stream_reader.h"
#include "symbols/dwarf/apart.h"
#include "symbols/dwarf/dwarf_lines.h"
#include "wire/encode.h"

namespace walkabout::symbols {
namespace {

constexpr size_t kLongestFileName = 200;  // of a file, in a sentence

uint64_t& of(NativeLosses& losses, NativeLoss why) { return losses[static_cast<size_t>(why)]; }

NativeLosses all_lost(NativeLoss why, const ModuleHits& hits) {
  NativeLosses losses{};
  of(losses, why) = hits.offsets.size();
  return losses;
}

// The answer of the other process: what was lost, and the record as a stream has it.
std::string text_of(const DwarfLines& found) {
  std::string text(sizeof found.lost, '\0');
  std::memcpy(text.data(), found.lost.data(), sizeof found.lost);
  wire::encode(found.lines, text);
  return text;
}

class TakeLines : public recording::RecordVisitor {
 public:
  void on_native_lines(const wire::NativeLines& record) override { lines = record; }
  std::optional<wire::NativeLines> lines;
};

// It was made of hostile bytes: as little is believed as of a recording.
bool read_answer(const std::string& text, DwarfLines& found) {
  if (text.size() < sizeof found.lost) return false;
  std::memcpy(found.lost.data(), text.data(), sizeof found.lost);
  recording::StreamReader stream;
  stream.push(std::string_view(text).substr(sizeof found.lost));
  const auto record = stream.next();
  TakeLines taken;
  if (!record.ok() || !record->has_value() || !recording::Decoder().decode(**record, taken).ok() ||
      !taken.lines)
    return false;
  found.lines = std::move(*taken.lines);
  return true;
}

NativeLoss loss_of(ApartEnd end) {
  switch (end) {
    case ApartEnd::kOutOfMemory:
      return NativeLoss::kTooBig;
    case ApartEnd::kTooLong:
      return NativeLoss::kUsedUp;
    case ApartEnd::kNotBegun:
      return NativeLoss::kNotRead;
    case ApartEnd::kDone:
    case ApartEnd::kCrashed:
      break;
  }
  return NativeLoss::kDamaged;
}

std::string folder_of(const DebugInfo& info) {
  std::error_code error;
  const auto real = std::filesystem::canonical(info.place, error);
  return error || !info.is_own_root ? "" : real.parent_path().string();
}

// In the other process: mapped files cost no memory of its own.
std::string read_apart(const DebugInfo& info, const ModuleHits& hits, const std::string& folder,
                       const DwarfLimits& limits) {
  const base::Result<ElfFile> file = info.file.mapped();
  std::optional<base::Result<ElfFile>> shared;
  if (info.shared) shared = info.shared->mapped();
  if (!file.ok() || (shared && !shared->ok())) {
    DwarfLines nothing;
    nothing.lost = all_lost(NativeLoss::kDamaged, hits);
    return text_of(nothing);
  }
  return text_of(
      read_dwarf_lines(file->elf(), shared ? (*shared)->elf() : nullptr, hits.offsets, folder, limits));
}

// Behind "have no source lines".
std::string cause(NativeLoss why) {
  switch (why) {
    case NativeLoss::kDamaged:
      return ", or not all of them, for their DWARF is damaged, or of a form that is not known; build them "
             "anew";
    case NativeLoss::kLacksPart:
      return ", or not all of them, for a part of their DWARF is in a file of its own (split, or shared by "
             "dwz) "
             "that is not where a debug package puts it, or could be replaced by others";
    case NativeLoss::kTooBig:
      return ", for reading their DWARF takes more than " + std::to_string(ApartLimits().memory >> 30) +
             " GiB of memory; build them with less (-g1)";
    case NativeLoss::kUsedUp:
      return ", for of one recording at most " + std::to_string(NativeLineBudget::kSeconds) +
             " s of processor time go into DWARF; walkabout symbols reads that of the libraries that have "
             "none";
    case NativeLoss::kRecordFull:
      return ", for those of one library may be at most " + std::to_string(DwarfLimits().record_bytes >> 20) +
             " MiB with at most " + std::to_string(DwarfLimits().documents) +
             " source files, and those of a recording " +
             std::to_string(NativeLineBudget::kRecordBytes >> 20) +
             " MiB; a shorter recording has fewer addresses";
    case NativeLoss::kNotRead:
    case NativeLoss::kCount:
      break;
  }
  return ", for no process could be made that reads their DWARF; walkabout symbols tries again";
}

}  // namespace

void NativeLinesLeftOut::add(const NativeLosses& losses, const std::string& library) {
  for (size_t i = 0; i < losses.size(); ++i) {
    if (losses[i] == 0) continue;
    Loss& loss = losses_[i];
    if (loss.addresses == 0) loss.first = base::file_name(library).substr(0, kLongestFileName);
    loss.addresses += losses[i];
    ++loss.libraries;
  }
}

std::vector<std::string> NativeLinesLeftOut::sentences() const {
  std::vector<std::string> all;
  for (size_t i = 0; i < losses_.size(); ++i) {
    const Loss& loss = losses_[i];
    if (loss.addresses == 0) continue;
    all.push_back(base::left_out_text({loss.addresses, "native address", "native addresses", loss.first,
                                       loss.libraries, "library", "libraries"},
                                      cause(static_cast<NativeLoss>(i))));
  }
  return all;
}

std::optional<wire::NativeLines> native_lines_of(const ModuleHits& hits, const DebugInfo& info,
                                                 NativeLineBudget& budget, NativeLinesLeftOut& left_out) {
  const auto lose = [&](NativeLoss why) {
    left_out.add(all_lost(why, hits), hits.module.path);
    return std::nullopt;
  };
  if (info.lacks_shared) return lose(NativeLoss::kLacksPart);
  if (budget.cpu_us == 0) return lose(NativeLoss::kUsedUp);
  if (budget.record_bytes == 0) return lose(NativeLoss::kRecordFull);
  ApartLimits limits;
  limits.seconds = std::min<uint32_t>(limits.seconds, static_cast<uint32_t>(budget.cpu_us / 1'000'000 + 1));
  DwarfLimits most;
  most.record_bytes = std::min<size_t>(most.record_bytes, budget.record_bytes);
  std::vector<int> fds{info.file.fd()};
  if (info.shared) fds.push_back(info.shared->fd());
  const std::string folder = folder_of(info);
  const ApartResult read = run_apart(limits, fds, [&] { return read_apart(info, hits, folder, most); });
  budget.cpu_us -= std::min(budget.cpu_us, read.cpu_us);
  if (read.end != ApartEnd::kDone) return lose(loss_of(read.end));
  budget.record_bytes -= std::min<uint64_t>(budget.record_bytes, read.answer.size());
  DwarfLines found;
  if (!read_answer(read.answer, found)) return lose(NativeLoss::kDamaged);
  for (uint64_t& lost : found.lost) lost = std::min<uint64_t>(lost, hits.offsets.size());
  left_out.add(found.lost, hits.module.path);
  if (found.lines.offset.empty()) return std::nullopt;
  found.lines.module = hits.module.code;
  found.lines.source = info.place;
  return std::move(found.lines);
}

NativeLinesLeftOut native_lines(const std::vector<ModuleHits>& hits, const FileRoot& root,
                                NativeLineBudget budget,
                                const std::function<void(const wire::NativeLines&)>& take) {
  NativeLinesLeftOut left_out;
  for (const ModuleHits& module : hits) {
    if (module.module.kind != wire::ModuleKind::kElf || module.offsets.empty()) continue;
    const auto info = find_debug_info(module.module.path, module.module.build_id, root);
    if (!info) continue;
    if (const auto lines = native_lines_of(module, *info, budget, left_out)) take(*lines);
  }
  return left_out;
}

}  // namespace walkabout::symbols
