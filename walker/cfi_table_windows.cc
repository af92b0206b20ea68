// No image has a table there: each is stepped over by its PE unwind data.
#include "walker/cfi_table.h"

namespace walkabout::walker {

CfiTable::~CfiTable() = default;

}  // namespace walkabout::walker
