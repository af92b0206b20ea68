#include "wire/inline_tree.h"

#include <string_view>

#include "wire/protozero_writer.h"
#include "wire/varint.h"

namespace walkabout::wire {
namespace {

bool take(std::string_view& bytes, uint64_t* value) {
  size_t used = 0;
  if (take_varint(bytes, *value, used) != Varint::kWhole) return false;
  bytes.remove_prefix(used);
  return true;
}

bool take_three(std::string_view& bytes, uint64_t* first, uint64_t* second, uint64_t* third) {
  return take(bytes, first) && take(bytes, second) && take(bytes, third);
}

}  // namespace

void add_three(uint64_t first, uint64_t second, uint64_t third, std::string* to) {
  for (const uint64_t value : {first, second, third}) protozero::add_varint_to_buffer(to, value);
}

InlineTree inline_tree(base::CodeId code, const InlineColumns& columns) {
  InlineTree tree;
  tree.code = code;
  for (size_t i = 0; i < columns.method.size(); ++i)
    add_three(columns.method[i], columns.parent[i], columns.site[i], &tree.calls);
  uint64_t before = 0;
  for (size_t i = 0; i < columns.native.size(); ++i) {
    add_three(columns.native[i] - before, columns.node[i], columns.il[i], &tree.places);
    before = columns.native[i];
  }
  return tree;
}

std::optional<InlineColumns> columns_of(const InlineTree& tree) {
  InlineColumns columns;
  uint64_t first = 0, second = 0, third = 0;
  for (std::string_view bytes = tree.calls; !bytes.empty();) {
    if (!take_three(bytes, &first, &second, &third)) return std::nullopt;
    columns.method.push_back(first);
    columns.parent.push_back(second);
    columns.site.push_back(third);
    if (first > UINT32_MAX || second > columns.method.size()) return std::nullopt;
  }
  uint64_t native = 0;
  for (std::string_view bytes = tree.places; !bytes.empty();) {
    if (!take_three(bytes, &first, &second, &third)) return std::nullopt;
    if (first > UINT32_MAX || (native += first) > UINT32_MAX || second > columns.method.size())
      return std::nullopt;
    columns.native.push_back(native);
    columns.node.push_back(second);
    columns.il.push_back(third);
  }
  return columns;
}

}  // namespace walkabout::wire
