#include "diagnostics/message.h"

#include <algorithm>
#include <cstring>

namespace walkabout::diagnostics {
namespace {

constexpr std::string_view kMagic("DOTNET_IPC_V1\0", 14);
constexpr size_t kSizeAt = 14;
constexpr size_t kSetAt = 16;
constexpr size_t kCommandAt = 17;
constexpr uint8_t kServer = 0xff;  // the command set of replies
constexpr uint8_t kOk = 0x00;
constexpr uint8_t kError = 0xff;
constexpr size_t kLargest = 0xffff;

// UTF-8 is one unit a character here: paths and names of ASCII; other characters by their code point.
std::u16string to_utf16(std::string_view utf8) {
  std::u16string out;
  for (size_t i = 0; i < utf8.size();) {
    const auto lead = static_cast<uint8_t>(utf8[i]);
    const size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    char32_t c = length == 1 ? lead : lead & (0x7fu >> length);
    for (size_t k = 1; k < length && i + k < utf8.size(); ++k)
      c = c << 6 | (static_cast<uint8_t>(utf8[i + k]) & 0x3fu);
    i += length;
    if (c >= 0x10000) {
      out.push_back(static_cast<char16_t>(0xd800 + ((c - 0x10000) >> 10)));
      out.push_back(static_cast<char16_t>(0xdc00 + ((c - 0x10000) & 0x3ff)));
    } else {
      out.push_back(static_cast<char16_t>(c));
    }
  }
  return out;
}

// Takes values off the front of a payload; `ok` goes false at the first that is not there.
class PayloadReader {
 public:
  explicit PayloadReader(std::string_view bytes) : rest_(bytes) {}
  bool ok() const { return ok_; }

  template <typename T>
  T number() {
    T value{};
    if (rest_.size() < sizeof value) {
      ok_ = false;
      return value;
    }
    std::memcpy(&value, rest_.data(), sizeof value);
    rest_.remove_prefix(sizeof value);
    return value;
  }
  void skip(size_t size) {
    ok_ = ok_ && rest_.size() >= size;
    rest_.remove_prefix(std::min(size, rest_.size()));
  }
  // What is not ASCII becomes '?': versions and names of systems.
  std::string string() {
    const uint32_t units = number<uint32_t>();
    if (!ok_ || rest_.size() / 2 < units) {
      ok_ = false;
      return {};
    }
    std::string text;
    for (uint32_t i = 0; i < units; ++i) {
      const auto unit = number<uint16_t>();
      if (unit != 0) text.push_back(unit < 0x80 ? static_cast<char>(unit) : '?');
    }
    return text;
  }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

base::Status nonsense() {
  return base::Status::error("what answers on the diagnostics socket does not speak .NET's protocol");
}

}  // namespace

std::array<uint8_t, 16> guid_bytes(std::string_view text) {
  // Where each byte's two digits are: the first three fields are little-endian numbers.
  constexpr size_t kDigits[16] = {6, 4, 2, 0, 11, 9, 16, 14, 19, 21, 24, 26, 28, 30, 32, 34};
  std::array<uint8_t, 16> bytes{};
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<uint8_t>(std::stoul(std::string(text.substr(kDigits[i], 2)), nullptr, 16));
  return bytes;
}

PayloadWriter& PayloadWriter::number(uint32_t value) {
  text_.append(reinterpret_cast<const char*>(&value), sizeof value);
  return *this;
}

PayloadWriter& PayloadWriter::string(std::string_view utf8) {
  const std::u16string units = to_utf16(utf8);
  number(static_cast<uint32_t>(units.size() + 1));
  text_.append(reinterpret_cast<const char*>(units.c_str()), (units.size() + 1) * sizeof units[0]);
  return *this;
}

base::Result<std::string> make_message(Command command, std::string_view payload) {
  const size_t size = kHeaderSize + payload.size();
  if (size > kLargest)
    return base::Status::error("a command of more than 64 KB cannot be sent to the runtime");
  std::string message(kMagic);
  message.push_back(static_cast<char>(size & 0xff));
  message.push_back(static_cast<char>(size >> 8));
  message.push_back(static_cast<char>(command.set));
  message.push_back(static_cast<char>(command.id));
  message.append(2, '\0');
  return message.append(payload);
}

base::Result<size_t> message_size(std::string_view bytes) {
  if (bytes.substr(0, kMagic.size()) != kMagic.substr(0, bytes.size())) return nonsense();
  if (bytes.size() < kHeaderSize) return size_t{0};
  const size_t size = static_cast<uint8_t>(bytes[kSizeAt]) | size_t{static_cast<uint8_t>(bytes[kSizeAt + 1])}
                                                                 << 8;
  return size < kHeaderSize ? base::Result<size_t>(nonsense()) : size;
}

base::Result<Reply> parse_reply(std::string_view bytes) {
  if (bytes.size() < kHeaderSize || static_cast<uint8_t>(bytes[kSetAt]) != kServer) return nonsense();
  Reply reply;
  reply.payload = bytes.substr(kHeaderSize);
  const auto kind = static_cast<uint8_t>(bytes[kCommandAt]);
  if (kind == kOk) return reply;
  PayloadReader payload(reply.payload);
  reply.hresult = payload.number<uint32_t>();
  if (kind != kError || !payload.ok() || reply.hresult == 0) return nonsense();
  return reply;
}

base::Result<ProcessInfo> parse_process_info(std::string_view bytes) {
  constexpr size_t kCookie = 16;
  PayloadReader payload(bytes);
  ProcessInfo info;
  info.pid = payload.number<uint64_t>();
  payload.skip(kCookie);
  for (int i = 0; i < 4; ++i) payload.string();  // command line, system, architecture, entry assembly
  info.version = payload.string();
  return payload.ok() ? base::Result<ProcessInfo>(info) : nonsense();
}

}  // namespace walkabout::diagnostics
