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

template <typename Record>
std::string encoded(const Record& record) {
  std::string bytes;
  wire::encode(record, bytes);
  return bytes;
}

std::string session(std::string_view body) {
  wire::Session r = decode_session(body);
  r.command_line = program_of(r.command_line);
  r.host.clear();
  return encoded(r);
}

std::string module(std::string_view body) {
  wire::Module r = decode_module(body);
  r.path = file_name(r.path);
  return encoded(r);
}

std::string method(std::string_view body) {
  wire::Method r = decode_method(body);
  r.module = file_name(r.module);
  return encoded(r);
}

std::string message(std::string_view body) {
  wire::Message r = decode_message(body);
  r.text = without_folders(r.text);
  return encoded(r);
}

std::string native_symbols(std::string_view body) {
  wire::NativeSymbols r = decode_native_symbols(body);
  r.source = file_name(r.source);
  return encoded(r);
}

}  // namespace

std::string redacted(const RawRecord& record) {
  using Type = wire::RecordType;
  switch (record.type) {
    case Type::kSession:
      return session(record.body);
    case Type::kModule:
      return module(record.body);
    case Type::kMethod:
      return method(record.body);
    case Type::kMessage:
      return message(record.body);
    case Type::kNativeSymbols:
      return native_symbols(record.body);
    case Type::kThread:  // names are the program's own words; fields of a later version go
      return encoded(decode_thread(record.body));
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
