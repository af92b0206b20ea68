#include "recording/redact.h"

#include <algorithm>
#include <string_view>
#include <tuple>

#include "recording/fields.h"
#include "wire/encode.h"

namespace walkabout::recording {
namespace {

// Of a path of Linux or of Windows, also where it looks like one in the other.
std::string_view last_part(std::string_view path) {
  path.remove_prefix(path.find_last_of("/\\") + 1);
  return path;
}

// The program without its folder: reports know a single-file program by it, and by the library that dotnet
// hosts which assembly is the program's own ("dotnet App.dll").
std::string program_of(std::string_view command_line) {
  std::string program(last_part(command_line.substr(0, command_line.find(' '))));
  if (program != "dotnet") return program;
  while (command_line.find(' ') != std::string_view::npos) {
    command_line.remove_prefix(command_line.find(' ') + 1);
    const std::string_view word = command_line.substr(0, command_line.find(' '));
    if (word.empty() || word.starts_with('-') || word == "exec") continue;
    if (word.ends_with(".dll")) program.append(" ").append(last_part(word));
    break;  // else a verb of the SDK
  }
  return program;
}

// Each word that is a path: its last part.
std::string without_folders(const std::string& text) {
  std::string kept;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    kept.append(at == 0 ? "" : " ").append(last_part(std::string_view(text).substr(at, end - at)));
    at = end + 1;
  }
  return kept;
}

std::string without(wire::Place place, const std::string& text) {
  switch (place) {
    case wire::Place::kNone:
      return text;
    case wire::Place::kHost:
      return "";
    case wire::Place::kCommandLine:
      return program_of(text);
    case wire::Place::kPath:
      return std::string(last_part(text));
    case wire::Place::kSentence:
      return without_folders(text);
    case wire::Place::kMessage:
      return text.empty() ? "" : "(left out)";
  }
  return "";
}

template <typename Record>
void leave_out_places(Record& record) {
  wire::for_each_field<Record>(
      [&record]<wire::Form kForm, typename Value>(const wire::Field<kForm, Record, Value>& field) {
        Value& value = record.*field.member;
        if constexpr (kForm == wire::Form::kText) value = without(field.place, value);
        if constexpr (kForm == wire::Form::kMessages) {
          for (auto& one : value) leave_out_places(one);
        }
      });
}

template <typename Record>
constexpr bool only_numbers() {
  return std::apply(
      [](const auto&... field) { return ((is_number(field.form()) || is_columns(field.form())) && ...); },
      wire::kFields<Record>);
}

}  // namespace

std::string redacted(const RawRecord& raw) {
  std::string kept;
  wire::with_record(raw.type, [&]<typename Record>(const Record*) {
    if constexpr (only_numbers<Record>()) {
      kept = raw.framed;
    } else {  // encoded again: fields of a later version, which nobody here knows, go as well
      auto record = decoded<Record>(raw.body);
      leave_out_places(record);
      wire::encode(record, kept);
    }
  });
  return kept;
}

}  // namespace walkabout::recording
