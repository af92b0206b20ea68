#include "unwind/cfi/cfi_init.h"

#include <algorithm>
#include <string_view>

#include "base/page_size.h"

namespace walkabout::unwind {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kLandingPad = "\xf3\x0f\x1e\xfa"sv;    // endbr64
constexpr std::string_view kMove = "\x48\x83\xec\x08"sv;          // sub $8, %rsp
constexpr std::string_view kMoveBack = "\x48\x83\xc4\x08\xc3"sv;  // add $8, %rsp; ret
constexpr uint64_t kReturnSize = 1;

}  // namespace

bool read_init(const MappedBytes& code, uint64_t pc, InitCode* init) {
  const uint64_t begin = pc & ~(base::kPageSize - 1);
  if (pc - begin >= kInitSize || !code.contains(begin)) return false;
  const MappedBytes rest = code.rest(begin);
  const std::string_view bytes(reinterpret_cast<const char*>(rest.data),
                               std::min<uint64_t>(rest.size, kInitSize));
  const size_t move = bytes.substr(0, kLandingPad.size()) == kLandingPad ? kLandingPad.size() : 0;
  if (bytes.substr(move, kMove.size()) != kMove) return false;
  const size_t back = bytes.find(kMoveBack, move + kMove.size());
  if (back == std::string_view::npos) return false;
  const size_t end = back + kMoveBack.size();
  *init = {begin, begin + move + kMove.size(), begin + end - kReturnSize, begin + end};
  return pc < init->end;
}

}  // namespace walkabout::unwind
