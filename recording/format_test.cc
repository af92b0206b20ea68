// The specification (recording/format.md, section 3) and the lists of fields say the same.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <regex>
#include <string>
#include <type_traits>

#include "wire/records.h"

namespace walkabout::recording {
namespace {

using Fields = std::map<uint32_t, std::string>;  // number to kind

template <typename Record>
Fields listed() {
  Fields fields;
  wire::for_each_field<Record>([&fields](const auto& field) {
    using Form = wire::Form;
    using Value = std::decay_t<decltype(Record().*field.member)>;
    switch (field.form()) {
      case Form::kNumber:
      case Form::kTime:
      case Form::kChoice:
        fields[field.number] = std::is_same_v<Value, bool> ? "b" : "u";
        break;
      case Form::kText:
        fields[field.number] = "s";
        break;
      case Form::kBytes:
        fields[field.number] = "bytes";
        break;
      case Form::kColumn:
      case Form::kRare:
      case Form::kRising:
        fields[field.number] = "pu";
        break;
      case Form::kDifferences:
      case Form::kParents:
        fields[field.number] = "ps";
        break;
      case Form::kFrames:
        fields[field.number] = fields[field.number + 1] = "pu";
        break;
      case Form::kMessages:
        fields[field.number] = "repeated";
        break;
    }
  });
  return fields;
}

// "1 thread:u · 2 sample:u (so many)"; a name stands for what it numbers.
Fields specified(const std::string& text) {
  static const std::regex kField(R"((\d+) [a-z_0-9]+:( ?[a-z]+))");
  Fields fields;
  for (std::sregex_iterator at(text.begin(), text.end(), kField), end; at != end; ++at) {
    const std::string kind = (*at)[2];
    fields.emplace(std::stoul((*at)[1]), kind.substr(kind.find_first_not_of(' ')));
  }
  return fields;
}

TEST(Format, TheSpecificationListsTheFields) {
  std::ifstream file(WALKABOUT_SOURCE_DIR "/recording/format.md");
  static const std::regex kRow(R"(\| (\d+) \| [A-Z][A-Za-z]+ \| (.*) \|)");
  size_t rows = 0;
  std::smatch row;
  for (std::string line; std::getline(file, line);) {
    if (!std::regex_match(line, row, kRow)) continue;
    const std::string text = row[2];
    const auto type = static_cast<wire::RecordType>(std::stoul(row[1]));
    rows += wire::with_record(type, [&]<typename Record>(const Record*) {
      Fields fields = specified(text);
      if constexpr (std::is_same_v<Record, wire::NativeSymbols>) {
        const size_t symbol = text.find("5 repeated symbol: ");
        ASSERT_NE(symbol, std::string::npos);
        EXPECT_EQ(specified(text.substr(symbol + 19)), listed<wire::NativeSymbol>());
        fields = specified(text.substr(0, symbol));
        fields[5] = "repeated";
      }
      EXPECT_EQ(fields, listed<Record>()) << text;
    });
  }
  EXPECT_EQ(rows, 15u);
}

}  // namespace
}  // namespace walkabout::recording
