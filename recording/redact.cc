#include "recording/redact.h"

#include <algorithm>
#include <string_view>

#include "recording/messages.h"
#include "wire/encode.h"

namespace walkabout::recording {
namespace {

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// The program without its folder: reports know a single-file program by it.
std::string program_of(const std::string& command_line) {
  return file_name(command_line.substr(0, command_line.find(' ')));
}

// Each word that is a path: its last part.
std::string without_folders(const std::string& text) {
  std::string kept;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    kept += (at == 0 ? "" : " ") + file_name(text.substr(at, end - at));
    at = end + 1;
  }
  return kept;
}

void leave_out_places(wire::Session& r) {
  r.command_line = program_of(r.command_line);
  r.host.clear();
}
void leave_out_places(wire::Module& r) { r.path = file_name(r.path); }
void leave_out_places(wire::Method& r) { r.module = file_name(r.module); }
void leave_out_places(wire::Message& r) { r.text = without_folders(r.text); }
void leave_out_places(wire::NativeSymbols& r) { r.source = file_name(r.source); }
void leave_out_places(wire::Thread&) {}  // names are the program's own words

// Decoded and encoded again: fields of a later version, which nobody here knows, go as well.
template <typename Record>
std::string rewritten(Record record) {
  leave_out_places(record);
  std::string bytes;
  wire::encode(record, bytes);
  return bytes;
}

}  // namespace

std::string redacted(const RawRecord& record) {
  using Type = wire::RecordType;
  switch (record.type) {
    case Type::kSession:
      return rewritten(decode_session(record.body));
    case Type::kModule:
      return rewritten(decode_module(record.body));
    case Type::kMethod:
      return rewritten(decode_method(record.body));
    case Type::kMessage:
      return rewritten(decode_message(record.body));
    case Type::kNativeSymbols:
      return rewritten(decode_native_symbols(record.body));
    case Type::kThread:
      return rewritten(decode_thread(record.body));
    // Numbers.
    case Type::kJitCode:
    case Type::kMethodRange:
    case Type::kNodes:
    case Type::kSamples:
    case Type::kOracle:
    case Type::kThreadEnd:
    case Type::kCounters:
    case Type::kRate:
    case Type::kEnd:
      return std::string(record.framed);
  }
  return {};
}

}  // namespace walkabout::recording
