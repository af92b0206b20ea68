// base/byte_span.h by the names that the readers of images use.
#pragma once

#include "base/byte_span.h"

namespace walkabout::precompiled {

using base::Bytes;
using base::from;
using base::load;
using base::part;

}  // namespace walkabout::precompiled
