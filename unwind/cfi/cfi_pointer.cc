#include "unwind/cfi/cfi_pointer.h"

namespace walkabout::unwind {
namespace {

enum Format : uint8_t {
  kAbsptr = 0x00,
  kUleb128 = 0x01,
  kUdata2 = 0x02,
  kUdata4 = 0x03,
  kUdata8 = 0x04,
  kSigned = 0x08,
  kSleb128 = 0x09,
  kSdata2 = 0x0a,
  kSdata4 = 0x0b,
  kSdata8 = 0x0c,
};
enum Base : uint8_t { kAbsolute = 0x00, kPcRelative = 0x10, kDataRelative = 0x30, kAligned = 0x50 };
constexpr uint8_t kFormatMask = 0x0f;
constexpr uint8_t kBaseMask = 0x70;
constexpr uint8_t kIndirect = 0x80;

template <typename Signed, typename Unsigned>
uint64_t sign_extend(Unsigned value) {
  return static_cast<uint64_t>(static_cast<int64_t>(static_cast<Signed>(value)));
}

uint64_t read_format(CfiReader& reader, uint8_t encoding) {
  switch (encoding & kFormatMask) {
    case kAbsptr:
    case kUdata8:
    case kSigned:
    case kSdata8:
      return reader.u64();
    case kUleb128:
      return reader.uleb();
    case kSleb128:
      return static_cast<uint64_t>(reader.sleb());
    case kUdata2:
      return reader.u16();
    case kSdata2:
      return sign_extend<int16_t>(reader.u16());
    case kUdata4:
      return reader.u32();
    case kSdata4:
      return sign_extend<int32_t>(reader.u32());
    default:
      reader.fail();
      return 0;
  }
}

// An aligned pointer is a plain one behind padding.
void skip_padding(CfiReader& reader, uint8_t encoding) {
  if ((encoding & kBaseMask) == kAligned) reader.skip(-reader.address() & 7);
}

}  // namespace

bool read_pointer(CfiReader& reader, uint8_t encoding, uint64_t data_base, uint64_t* value) {
  if (encoding == kPointerOmit || (encoding & kIndirect) != 0) {
    reader.fail();
    return false;
  }
  skip_padding(reader, encoding);
  uint64_t base = 0;
  switch (encoding & kBaseMask) {
    case kAbsolute:
    case kAligned:
      break;
    case kPcRelative:
      base = reader.address();
      break;
    case kDataRelative:
      base = data_base;
      break;
    default:
      reader.fail();
      return false;
  }
  *value = base + read_format(reader, encoding);
  return reader.ok();
}

bool skip_pointer(CfiReader& reader, uint8_t encoding) {
  if (encoding == kPointerOmit) return reader.ok();
  skip_padding(reader, encoding);
  read_format(reader, encoding);
  return reader.ok();
}

bool read_pointer_range(CfiReader& reader, uint8_t encoding, uint64_t* value) {
  *value = read_format(reader, encoding);
  return reader.ok();
}

unsigned pointer_size(uint8_t encoding) {
  if (encoding == kPointerOmit || (encoding & kBaseMask) == kAligned) return 0;
  switch (encoding & kFormatMask) {
    case kAbsptr:
    case kUdata8:
    case kSigned:
    case kSdata8:
      return 8;
    case kUdata4:
    case kSdata4:
      return 4;
    case kUdata2:
    case kSdata2:
      return 2;
    default:
      return 0;
  }
}

}  // namespace walkabout::unwind
