// Messages of the .NET diagnostics IPC protocol: a header of 20 bytes ("DOTNET_IPC_V1\0", the whole size,
// command set, command, two reserved bytes), then the payload; little-endian, strings as a count of UTF-16
// units with the terminating zero. Source: dotnet/diagnostics, documentation/design-docs/ipc-protocol.md.
// Pure.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace walkabout::diagnostics {

inline constexpr size_t kHeaderSize = 20;

struct Command {
  uint8_t set = 0;
  uint8_t id = 0;
};
inline constexpr Command kAttachProfiler{0x03, 0x01};
inline constexpr Command kProcessInfo2{0x04, 0x04};  // .NET 6 and later

// "8B2F5D0C-3E6A-…" as a GUID lies in memory. REQUIRES: 36 characters of that form.
std::array<uint8_t, 16> guid_bytes(std::string_view text);

// Puts a payload together.
class PayloadWriter {
 public:
  PayloadWriter& number(uint32_t value);
  PayloadWriter& bytes(std::string_view value) { return text_.append(value), *this; }
  PayloadWriter& string(std::string_view utf8);
  const std::string& done() const { return text_; }

 private:
  std::string text_;
};

// An error when the payload is too large for the protocol's 16-bit size.
base::Result<std::string> make_message(Command command, std::string_view payload);

// The size of the message that begins with these bytes; 0 while the header is not there yet. An error when
// they are no such header.
base::Result<size_t> message_size(std::string_view bytes);

struct Reply {
  uint32_t hresult = 0;  // of a command that failed; 0: it was done
  std::string payload;   // of one that was done
};
// bytes: one whole message.
base::Result<Reply> parse_reply(std::string_view bytes);

struct ProcessInfo {
  uint64_t pid = 0;     // as the process sees itself
  std::string version;  // "10.0.1"
};
base::Result<ProcessInfo> parse_process_info(std::string_view payload);

}  // namespace walkabout::diagnostics
