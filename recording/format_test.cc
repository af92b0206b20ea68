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
      case Form::kTable:
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
  static const std::regex kRow(R"(\| (\d* ?)\| ([A-Z][A-Za-z]+) \| (.*) \|)");
  const std::map<std::string, Fields> parts{{"SourceValue", listed<wire::SourceValue>()},
                                            {"SourceLabel", listed<wire::SourceLabel>()},
                                            {"SourceCounters", listed<wire::SourceCounters>()},
                                            {"NativeSymbol", listed<wire::NativeSymbol>()},
                                            {"Document", listed<wire::Document>()},
                                            {"MethodLines", listed<wire::MethodLines>()},
                                            {"NativeFunction", listed<wire::NativeFunction>()},
                                            {"TracedValue", listed<wire::TracedValue>()}};
  size_t rows = 0;
  std::smatch row;
  for (std::string line; std::getline(file, line);) {
    if (!std::regex_match(line, row, kRow)) continue;
    const std::string number = row[1], name = row[2], text = row[3];
    if (number.empty()) {
      ++rows;
      ASSERT_EQ(parts.count(name), 1u) << name;
      EXPECT_EQ(specified(text), parts.at(name)) << text;
      continue;
    }
    const auto type = static_cast<wire::RecordType>(std::stoul(number));
    rows += wire::with_record(
        type, [&]<typename Record>(const Record*) { EXPECT_EQ(specified(text), listed<Record>()) << text; });
  }
  EXPECT_EQ(rows, 42u);
}

}  // namespace
}  // namespace walkabout::recording
