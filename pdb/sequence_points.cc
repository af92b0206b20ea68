#include "pdb/sequence_points.h"

#include "clr/abi/signature_bytes.h"

namespace walkabout::pdb {
namespace {

using clr::SignatureBytes;

constexpr int64_t kMostLine = 0x1fffffff;  // the specification's bound, also of IL offsets
constexpr int64_t kMostIl = 0x1fffffff;

// ECMA-335 II.23.2: the sign is in the lowest bit, and how wide the number is depends on its bytes.
int64_t signed_number(SignatureBytes& from) {
  const size_t before = from.left();
  const uint32_t coded = from.number();
  const size_t bytes = before - from.left();
  const int64_t above = bytes == 1 ? 0x40 : bytes == 2 ? 0x2000 : 0x10000000;
  return (coded & 1) == 0 ? int64_t{coded >> 1} : int64_t{coded >> 1} - above;
}

PointsLoss read(precompiled::Bytes blob, uint32_t document, std::vector<SequencePoint>& points) {
  SignatureBytes from(blob);
  from.number();  // the signature of the local variables
  if (document == 0) document = from.number();
  int64_t il = 0, line = 0;
  bool has_line = false;
  size_t documents = 0;
  while (from.ok() && from.left() > 0) {
    if (points.size() >= kMostPoints || documents > kMostPoints) return PointsLoss::kTooMany;
    const uint32_t il_more = from.number();
    if (il_more == 0 && !points.empty()) {
      document = from.number();
      ++documents;
      continue;
    }
    il += il_more;
    const uint32_t lines = from.number();
    const int64_t columns = lines == 0 ? from.number() : signed_number(from);
    const bool hidden = lines == 0 && columns == 0;
    if (!hidden) {
      line += has_line ? signed_number(from) : from.number();
      has_line ? signed_number(from) : from.number();  // the column
      has_line = true;
      if (line < 1 || line > kMostLine) return PointsLoss::kDamaged;
    }
    if (il > kMostIl) return PointsLoss::kDamaged;
    const int64_t last = line + lines;
    if (!hidden && last > kMostLine) return PointsLoss::kDamaged;
    points.push_back({static_cast<uint32_t>(il), document, hidden ? 0 : static_cast<uint32_t>(line),
                      hidden ? 0 : static_cast<uint32_t>(last)});
  }
  return from.ok() ? PointsLoss::kNone : PointsLoss::kDamaged;
}

}  // namespace

std::vector<SequencePoint> read_sequence_points(precompiled::Bytes blob, uint32_t document,
                                                PointsLoss* loss) {
  std::vector<SequencePoint> points;
  const PointsLoss why = read(blob, document, points);
  if (why != PointsLoss::kNone) points.clear();
  if (loss != nullptr) *loss = why;
  return points;
}

}  // namespace walkabout::pdb
