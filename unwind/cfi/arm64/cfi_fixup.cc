// No call frame information of AArch64 code is known to need a fixup.
#include "unwind/cfi/cfi_fixup.h"

namespace walkabout::unwind {

bool way_out_rule(const MappedBytes&, uint64_t, uint64_t, CfiRule*) { return false; }
CfiFault CfiFaultSearch::look_at(const CfiRows&) { return CfiFault::kNone; }
CfiFault find_fault(const CfiSection&, CfiRows&, const Fde&) { return CfiFault::kNone; }
void CfiFixer::enter_row(const CfiRule& row) { row_ = row; }
CfiRule CfiFixer::rule_at(uint64_t) const { return row_; }

}  // namespace walkabout::unwind
