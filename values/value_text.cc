#include "values/value_text.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>

#include "clr/abi/element_type.h"
#include "clr/names/utf16.h"
#include "values/number_text.h"
#include "values/primitive_bytes.h"

namespace walkabout::values {
namespace {

using base::Bytes;

constexpr std::string_view kNull = "null", kUnknown = "?", kMore = "…";

// The number in the first `size` bytes; without more bytes than there are.
uint64_t number_in(Bytes bytes, size_t size) {
  uint64_t number = 0;
  for (size_t i = 0; i < std::min(size, bytes.size()); ++i) number |= uint64_t{bytes[i]} << 8 * i;
  return number;
}

std::string character_text(uint16_t character) {
  const char16_t one[] = {static_cast<char16_t>(character)};
  return quoted(clr::to_utf8(std::u16string_view(one, 1)), '\'', false);
}

std::string bits_text(uint8_t element, uint64_t bits) {
  switch (element) {
    case clr::kElementBoolean:
      return (bits & 0xff) != 0 ? "true" : "false";
    case clr::kElementChar:
      return character_text(static_cast<uint16_t>(bits));
    case clr::kElementI1:
      return std::to_string(static_cast<int8_t>(bits));
    case clr::kElementU1:
      return std::to_string(static_cast<uint8_t>(bits));
    case clr::kElementI2:
      return std::to_string(static_cast<int16_t>(bits));
    case clr::kElementU2:
      return std::to_string(static_cast<uint16_t>(bits));
    case clr::kElementI4:
      return std::to_string(static_cast<int32_t>(bits));
    case clr::kElementU4:
      return std::to_string(static_cast<uint32_t>(bits));
    case clr::kElementI8:
    case clr::kElementNativeInt:
      return std::to_string(static_cast<int64_t>(bits));
    case clr::kElementU8:
    case clr::kElementNativeUInt:
      return std::to_string(bits);
    case clr::kElementR4:
      return real_text(std::bit_cast<float>(static_cast<uint32_t>(bits)));
    case clr::kElementR8:
      return real_text(std::bit_cast<double>(bits));
    case clr::kElementPointer:
    case clr::kElementFunctionPointer:
      return address_text(bits);
    default:
      return std::string(kUnknown);
  }
}

// As constants have it: with its sign.
uint64_t widened(uint8_t element, uint64_t bits) {
  switch (element) {
    case clr::kElementI1:
      return static_cast<uint64_t>(int64_t{static_cast<int8_t>(bits)});
    case clr::kElementI2:
      return static_cast<uint64_t>(int64_t{static_cast<int16_t>(bits)});
    case clr::kElementI4:
      return static_cast<uint64_t>(int64_t{static_cast<int32_t>(bits)});
    default:
      return bits;
  }
}

std::string enumeration_text(const ValueType& type, uint64_t bits) {
  const uint64_t value = widened(type.element, bits);
  for (const auto& [constant, name] : type.constants) {
    if (constant == value) return name;
  }
  if (!type.flags || value == 0) return bits_text(type.element, bits);
  // The widest ones first, shown in the order of their bits.
  std::vector<std::pair<uint64_t, std::string_view>> all(type.constants.begin(), type.constants.end());
  std::sort(all.begin(), all.end());
  std::vector<std::string_view> names;
  uint64_t left = value;
  for (auto one = all.rbegin(); one != all.rend(); ++one) {
    if (one->first == 0 || (left & one->first) != one->first) continue;
    left &= ~one->first;
    names.push_back(one->second);
  }
  if (left != 0) return bits_text(type.element, bits);
  std::string text;
  for (auto name = names.rbegin(); name != names.rend(); ++name)
    text += (text.empty() ? "" : " | ") + std::string(*name);
  return text;
}

class Writer {
 public:
  Writer(ValueTypes& types, const Redaction& redaction) : types_(types), redaction_(redaction) {}

  bool cut() const { return cut_; }

  // As it is, of one line.
  std::string message(const CapturedText& text) {
    std::string quotes = text_of(text);
    const size_t end = quotes.rfind('"');
    return quotes.substr(1, end - 1) + quotes.substr(end + 1);
  }

  std::string text_of(const CapturedText& text) {
    const size_t kept = text.kept.size() / 2;
    const bool more = kept < text.length;
    cut_ = cut_ || more;
    std::u16string characters(kept, u'\0');
    if (kept != 0) std::memcpy(characters.data(), text.kept.data(), kept * 2);
    // Half of a pair is no character.
    if (more && !characters.empty() && (characters.back() & 0xfc00) == 0xd800) characters.pop_back();
    return quoted(clr::to_utf8(characters), '"', more);
  }

  std::string object(const CapturedObject& object, int depth) {
    switch (object.kind) {
      case ObjectKind::kNull:
        return std::string(kNull);
      case ObjectKind::kText:
        return text_of(object.text);
      case ObjectKind::kArray:
        return array(object);
      case ObjectKind::kBox:
        return value(object.box, depth + 1);
      case ObjectKind::kPlain:
        return types_.name_of(object.type);
      case ObjectKind::kException:
        return types_.name_of(object.type) + ": " + message(object.text);
      default:
        return std::string(kUnknown);
    }
  }

  std::string value(const CapturedValue& captured, int depth) {
    if (captured.type == 0) return std::string(kUnknown);
    return value_of(types_.of(captured.type), captured, 0, depth);
  }

 private:
  // "int[]" → "int[3]", "int[,]" → "int[2,3]".
  std::string array(const CapturedObject& object) {
    std::string name = types_.name_of(object.type);
    std::string lengths = std::to_string(object.length);
    if (object.lengths.size() >= 4) {
      lengths.clear();
      for (size_t i = 0; i + 4 <= object.lengths.size(); i += 4)
        lengths += (i == 0 ? "" : ",") + std::to_string(number_in(object.lengths.subspan(i), 4));
    }
    // The outer array's brackets come first.
    const std::string brackets =
        "[" + std::string(object.lengths.size() >= 4 ? object.lengths.size() / 4 - 1 : 0, ',') + "]";
    size_t at = name.size();
    while (at >= 2 && name[at - 1] == ']') {
      const size_t open = name.find_last_not_of(',', at - 2);
      if (open == std::string::npos || name[open] != '[') break;
      at = open;
    }
    if (name.compare(at, brackets.size(), brackets) != 0) return name;
    return name.replace(at, brackets.size(), "[" + lengths + "]");
  }

  // The part of `all` that lies at `offset` and is of this type.
  std::string value_of(const ValueType& type, const CapturedValue& all, uint32_t offset, int depth) {
    if (depth > kDeepestText) return more();
    const Bytes bytes = base::from(all.kept, offset);
    switch (type.kind) {
      case TypeKind::kPrimitive:
        return whole(bytes, primitive_bytes(type.element))
                   ? bits_text(type.element, number_in(bytes, primitive_bytes(type.element)))
                   : more();
      case TypeKind::kEnumeration:
        return whole(bytes, primitive_bytes(type.element))
                   ? enumeration_text(type, number_in(bytes, primitive_bytes(type.element)))
                   : more();
      case TypeKind::kNullable:
        return nullable(type, all, offset, depth);
      case TypeKind::kKnown:
        return known(type, all, offset);
      case TypeKind::kStructure:
        return structure(type, all, offset, depth);
      default:
        return std::string(kUnknown);
    }
  }

  std::string more() {
    cut_ = true;
    return std::string(kMore);
  }
  static bool whole(Bytes bytes, size_t size) { return bytes.size() >= size; }

  std::string field(const TypeField& one, const CapturedValue& all, uint32_t offset, int depth) {
    const uint32_t at = offset + one.offset;
    if (redaction_.hides(one.name)) return std::string(kHiddenText);
    if (one.element == clr::kElementValueType)
      return one.type == nullptr ? std::string(kUnknown) : value_of(*one.type, all, at, depth);
    if (one.element == clr::kElementObject || one.element == clr::kElementString) {
      if (const CapturedObject* found = all.find(at); found != nullptr) return object(*found, depth);
      if (!whole(base::from(all.kept, at), sizeof(uint64_t))) return more();
      return number_in(base::from(all.kept, at), 8) == 0 ? std::string(kNull) : std::string(kUnknown);
    }
    const uint8_t element = one.element == clr::kElementByRef ? uint8_t{clr::kElementPointer} : one.element;
    const Bytes bytes = base::from(all.kept, at);
    const size_t size = primitive_bytes(element);
    return whole(bytes, size) ? bits_text(element, number_in(bytes, size)) : more();
  }

  std::string nullable(const ValueType& type, const CapturedValue& all, uint32_t offset, int depth) {
    if (type.fields.size() != 2) return std::string(kUnknown);
    const TypeField& has = type.fields[0].element == clr::kElementBoolean ? type.fields[0] : type.fields[1];
    const TypeField& content = &has == &type.fields[0] ? type.fields[1] : type.fields[0];
    const Bytes bytes = base::from(all.kept, offset + has.offset);
    if (bytes.empty()) return more();
    return bytes[0] == 0 ? std::string(kNull) : field(content, all, offset, depth);
  }

  std::string structure(const ValueType& type, const CapturedValue& all, uint32_t offset, int depth) {
    if (type.name == "System.DateTimeOffset" && type.fields.size() == 2) return moment(type, all, offset);
    if (type.repeated != 0) return "[" + std::to_string(type.repeated) + "]";
    const bool is_tuple = type.name.starts_with("System.ValueTuple<") || type.name == "System.ValueTuple";
    std::string text;
    size_t shown = 0;
    for (const TypeField& one : type.fields) {
      if (!text.empty()) text += ", ";
      if (shown++ == kMostFieldsShown || text.size() > kLongestText) {
        text += more();
        break;
      }
      if (!is_tuple) text += one.name + " = ";
      text += field(one, all, offset, depth + 1);
    }
    if (is_tuple) return "(" + text + ")";
    return text.empty() ? "{ }" : "{ " + text + " }";
  }

  std::string known(const ValueType& type, const CapturedValue& all, uint32_t offset);
  std::string vector(const ValueType& type, const CapturedValue& all, uint32_t offset);
  std::string moment(const ValueType& type, const CapturedValue& all, uint32_t offset);
  std::string span(const ValueType& type, const CapturedValue& all, uint32_t offset);

  ValueTypes& types_;
  const Redaction& redaction_;
  bool cut_ = false;
};

std::string Writer::known(const ValueType& type, const CapturedValue& all, uint32_t offset) {
  constexpr uint64_t kTicks = 0x3fffffffffffffff;
  const Bytes bytes = base::from(all.kept, offset);
  const std::string_view name(type.name);
  const auto is = [&](std::string_view wanted, size_t size) {
    return name == wanted && bytes.size() >= size;
  };
  const uint64_t low = number_in(bytes, 8);
  const uint64_t high = number_in(base::from(bytes, 8), 8);
  if (is("System.Decimal", 16)) return decimal_text(bytes);
  if (is("System.TimeSpan", 8)) return span_text(static_cast<int64_t>(low));
  if (is("System.DateTime", 8)) return date_text(low & kTicks) + (low >> 62 == 1 ? "Z" : "");
  if (is("System.Guid", 16)) return guid_text(bytes);
  if (is("System.DateOnly", 4)) return day_text(static_cast<uint32_t>(low));
  if (is("System.TimeOnly", 8)) return time_of_day_text(low);
  if (is("System.Int128", 16) || is("System.UInt128", 16))
    return integer_text(low, high, name == "System.Int128");
  if (is("System.Half", 2)) return real_text(half_value(static_cast<uint16_t>(low)));
  if (is("System.Text.Rune", 4)) {
    std::u16string one;
    const auto value = static_cast<uint32_t>(low);
    if (value >= 0x10000) one += static_cast<char16_t>(0xd800 + ((value - 0x10000) >> 10));
    one += static_cast<char16_t>(value < 0x10000 ? value : 0xdc00 + (value & 0x3ff));
    return quoted(clr::to_utf8(one), '\'', false);
  }
  if (name.find("Span<") != std::string_view::npos) return span(type, all, offset);
  if (name.find("Vector") != std::string_view::npos) return vector(type, all, offset);
  return std::string(kUnknown);
}

// Its time is in UTC; what is shown is where it was. Which field comes first depends on the runtime.
std::string Writer::moment(const ValueType& type, const CapturedValue& all, uint32_t offset) {
  constexpr uint64_t kTicks = 0x3fffffffffffffff, kTicksOfMinute = 600'000'000;
  const bool date_first = type.fields[0].element == clr::kElementValueType;
  const Bytes date = base::from(all.kept, offset + type.fields[date_first ? 0 : 1].offset);
  const Bytes shift = base::from(all.kept, offset + type.fields[date_first ? 1 : 0].offset);
  if (!whole(date, 8) || !whole(shift, 2)) return more();
  const auto minutes = static_cast<int16_t>(number_in(shift, 2));
  const auto moved = static_cast<uint64_t>(minutes * static_cast<int64_t>(kTicksOfMinute));
  return date_text((number_in(date, 8) & kTicks) + moved) + offset_text(minutes);
}

// "System.Span<int>" of three: "int[3]". Its length lies behind the reference.
std::string Writer::span(const ValueType& type, const CapturedValue& all, uint32_t offset) {
  const size_t begin = type.name.find('<'), end = type.name.rfind('>');
  const Bytes length = base::from(all.kept, offset + sizeof(void*));
  if (!whole(length, 4) || begin == std::string::npos || end == std::string::npos) return more();
  return type.name.substr(begin + 1, end - begin - 1) + "[" + std::to_string(number_in(length, 4)) + "]";
}

// "<1, 2, 3, 4>"
std::string Writer::vector(const ValueType& type, const CapturedValue& all, uint32_t offset) {
  static constexpr std::pair<std::string_view, uint8_t> kElements[] = {
      {"byte", clr::kElementU1},   {"sbyte", clr::kElementI1},       {"short", clr::kElementI2},
      {"ushort", clr::kElementU2}, {"int", clr::kElementI4},         {"uint", clr::kElementU4},
      {"long", clr::kElementI8},   {"ulong", clr::kElementU8},       {"float", clr::kElementR4},
      {"double", clr::kElementR8}, {"nint", clr::kElementNativeInt}, {"nuint", clr::kElementNativeUInt}};
  const size_t begin = type.name.find('<'), end = type.name.rfind('>');
  const size_t digits = type.name.find("Vector") + 6;
  if (begin == std::string::npos || end == std::string::npos) return std::string(kUnknown);
  const std::string of = type.name.substr(begin + 1, end - begin - 1);
  const size_t size = digits < begin && type.name[digits] != '`'
                          ? std::strtoul(&type.name[digits], nullptr, 10) / 8
                          : all.size - offset;
  const Bytes bytes = base::from(all.kept, offset);
  for (const auto& [name, element] : kElements) {
    if (of != name) continue;
    const size_t each = primitive_bytes(element);
    std::string text = "<";
    for (size_t at = 0; at + each <= size; at += each) {
      if (at != 0) text += ", ";
      if (!whole(base::from(bytes, at), each)) return text + more() + ">";
      text += bits_text(element, number_in(base::from(bytes, at), each));
    }
    return text + ">";
  }
  return std::string(kUnknown);
}

wire::TracedValue write_value(const PlannedValue& planned, const CapturedSlot* slot, bool returned,
                              const Redaction& redaction, ValueTypes& types) {
  wire::TracedValue result;
  result.name = planned.name;
  result.type = planned.type;
  result.text = kUnknown;
  if (planned.take == Take::kHidden) {
    result.text = kHiddenText;
    return result;
  }
  if (slot == nullptr) {
    if (planned.at_end && !returned) result.text = "";  // it was never set
    return result;
  }
  Writer writer(types, redaction);
  switch (slot->form) {
    case SlotForm::kBits:
      if (planned.take == Take::kReal && planned.element == clr::kElementR4)
        result.text = real_text(static_cast<float>(std::bit_cast<double>(slot->bits)));
      else
        result.text = bits_text(planned.element, slot->bits);
      break;
    case SlotForm::kObject:
      result.text = writer.object(slot->object, 0);
      if (slot->object.type != 0 && slot->object.kind != ObjectKind::kText)
        result.type = types.name_of(slot->object.type);
      break;
    case SlotForm::kValue:
      if (slot->value.type != 0)
        result.text = writer.value(slot->value, 0);
      else if (planned.take == Take::kBits || planned.take == Take::kReal)
        result.text =
            bits_text(planned.element, number_in(slot->value.kept, primitive_bytes(planned.element)));
      break;
    case SlotForm::kText:
      result.text = writer.text_of(slot->text);
      break;
    case SlotForm::kNowhere:
      result.text = kNull;
      break;
    case SlotForm::kNoRoom:
      result.text = kMore;
      result.cut = true;
      break;
  }
  result.cut = result.cut || writer.cut();
  return result;
}

wire::TracedValue write_thrown(const CapturedSlot& slot, const ValuePlan& plan, const Redaction& redaction,
                               ValueTypes& types) {
  wire::TracedValue result;
  result.text = kUnknown;
  if (slot.object.type == 0) return result;
  result.type = types.name_of(slot.object.type);
  Writer writer(types, redaction);
  const bool hidden = plan.hides_all || redaction.hides(result.type);
  result.text = hidden ? result.type + ": " + std::string(kHiddenText) : writer.object(slot.object, 0);
  result.cut = writer.cut();
  return result;
}

}  // namespace

ValueTexts write_values(const ValuePlan& plan, base::Bytes captured, bool returned,
                        const Redaction& redaction, ValueTypes& types) {
  const std::vector<CapturedSlot> slots = read_slots(captured);
  ValueTexts texts;
  for (const CapturedSlot& slot : slots) {
    if (slot.slot != kThrownSlot || returned) continue;
    texts.result = {write_thrown(slot, plan, redaction, types)};  // of several the last one
  }
  for (size_t i = 0; i < plan.values.size(); ++i) {
    const PlannedValue& planned = plan.values[i];
    if (planned.is_result && !returned) continue;
    const auto slot =
        std::find_if(slots.begin(), slots.end(), [i](const CapturedSlot& one) { return one.slot == i; });
    (planned.is_result ? texts.result : texts.arguments)
        .push_back(write_value(planned, slot == slots.end() ? nullptr : &*slot, returned, redaction, types));
  }
  return texts;
}

}  // namespace walkabout::values
