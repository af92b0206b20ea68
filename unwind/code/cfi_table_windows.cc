// No image has a table there: each is stepped over by its PE unwind data.
#include "unwind/cfi/cfi_table.h"

namespace walkabout::unwind {

CfiTable::~CfiTable() = default;

}  // namespace walkabout::unwind
