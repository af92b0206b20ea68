#include "cover/name_tests.h"

#include <fmt/format.h>

#include <optional>
#include <string>

#include "base/file_name.h"
#include "precompiled/metadata_tables.h"
#include "precompiled/pe_layout.h"
#include "symbols/elf/file_root.h"
#include "symbols/elf/whole_file.h"

namespace walkabout::cover {
namespace {

using precompiled::Metadata;
using precompiled::Table;

constexpr uint64_t kMostAssembly = 512 << 20;
constexpr uint32_t kRowOfToken = 0x00ffffff;
constexpr int kMostAround = 16;  // types around a nested one

// A test assembly's file, as long as it is the one that ran.
struct TestAssembly {
  std::vector<uint8_t> bytes;
  std::optional<precompiled::PeLayout> image;
  std::optional<Metadata> metadata;

  TestAssembly(const std::string& path, const std::string& version)
      : bytes(symbols::read_whole(path, symbols::FileRoot(), kMostAssembly)),
        image(precompiled::PeLayout::read(bytes)),
        metadata(image ? Metadata::read(image->metadata()) : std::nullopt) {
    if (!metadata) return;
    const precompiled::Bytes mvid = metadata->module_version();
    if (std::string(mvid.begin(), mvid.end()) != version) metadata.reset();
  }
};

// "Shop.Tests.Orders+Inner".
std::string type_name(const Metadata& metadata, uint32_t type) {
  std::string name;
  for (int step = 0; step < kMostAround && type != 0; ++step, type = metadata.outer_of(type)) {
    const auto row = metadata.type_def(type);
    if (!row) break;
    std::string whole(row->space);
    if (!whole.empty()) whole += '.';
    whole += row->name;
    name = name.empty() ? whole : whole + "+" + name;
  }
  return name;
}

std::string name_of(const Metadata& metadata, uint32_t token) {
  const uint32_t row = token & kRowOfToken;
  if (token >> 24 == static_cast<uint32_t>(Table::kTypeDef)) return type_name(metadata, row);
  const auto method = metadata.method_def(row);
  return method ? type_name(metadata, method->owner) + "." + std::string(method->name) : std::string();
}

}  // namespace

TestMap name_tests(const Counted& counted) {
  TestMap map;
  map.lost = counted.unwrapped + counted.lost_in_tests;
  std::map<std::string, TestAssembly> assemblies;  // by MVID
  for (const CountedTest& test : counted.tests) {
    TestFlow flow;
    if (!test.version.empty()) {
      const bool is_type = test.token >> 24 == static_cast<uint32_t>(Table::kTypeDef);
      flow.kind = is_type ? TestFlow::Kind::kType : TestFlow::Kind::kTest;
      const std::string file(base::file_name(test.path));
      flow.assembly = file.substr(0, file.rfind('.'));
      const TestAssembly& assembly =
          assemblies.try_emplace(test.version, test.path, test.version).first->second;
      if (assembly.metadata) flow.name = name_of(*assembly.metadata, test.token);
      if (flow.name.empty()) flow.name = fmt::format("{}({:08x})", flow.assembly, test.token);
    }
    map.flows.push_back(std::move(flow));
  }
  return map;
}

}  // namespace walkabout::cover
