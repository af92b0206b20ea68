#include "symbols/dwarf/lines_record.h"

#include "symbols/elf/demangle.h"

namespace walkabout::symbols {
namespace {

constexpr size_t kLongestName = 64 << 10;
// Bytes of the columns of a call or an address: as many calls and functions as there is room for have numbers
// of three bytes, documents too; lines and offsets have five.
constexpr size_t kMostNumbers = 18;

}  // namespace

bool LinesRecord::take(size_t bytes) {
  if (bytes > room_) {
    was_full_ = true;
    return false;
  }
  room_ -= bytes;
  return true;
}

uint64_t LinesRecord::document(const std::string& path, const std::string& md5) {
  if (path.empty()) return 0;
  const auto known = documents_.find({path, md5});
  if (known != documents_.end()) return known->second;
  constexpr size_t kMore = 16;
  if (documents_left_ == 0) was_full_ = true;
  if (documents_left_ == 0 || !take(path.size() + md5.size() + kMore)) return 0;
  --documents_left_;
  wire::Document document{path, wire::HashKind::kUnknown, md5, ""};
  if (!md5.empty()) document.hash_kind = wire::HashKind::kMd5;
  lines_.documents.push_back(std::move(document));
  return documents_[{path, md5}] = lines_.documents.size();
}

uint64_t LinesRecord::call(uint64_t parent, const std::string& function, uint64_t document, uint64_t line) {
  if (function.size() > kLongestName) return parent;
  const auto [named, fresh] = functions_.try_emplace(function, lines_.functions.size() + 1);
  if (fresh) {
    wire::NativeFunction record{readable_symbol(function), function};
    if (record.name == function) record.raw_name.clear();
    constexpr size_t kMore = 16;
    if (!take(record.name.size() + record.raw_name.size() + kMore)) {
      functions_.erase(named);
      return parent;
    }
    lines_.functions.push_back(std::move(record));
  }
  const uint64_t next = lines_.function.size() + 1;
  const auto [known, added] = calls_.try_emplace({parent, named->second, document, line}, next);
  if (!added) return known->second;
  if (!take(kMostNumbers)) {
    calls_.erase(known);
    return parent;
  }
  lines_.function.push_back(named->second);
  lines_.parent.push_back(parent);
  lines_.call_document.push_back(document);
  lines_.call_line.push_back(line);
  return next;
}

bool LinesRecord::add(uint32_t offset, uint64_t call, uint64_t document, uint64_t line) {
  if (!take(kMostNumbers)) return false;
  lines_.offset.push_back(offset);
  lines_.call.push_back(call);
  lines_.document.push_back(document);
  lines_.line.push_back(line);
  return true;
}

}  // namespace walkabout::symbols
