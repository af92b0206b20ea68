// A library whose initializer stays in the loader for long.
#include "parking.h"

namespace {
__attribute__((constructor)) void loaded() { hostile_parked(); }
}  // namespace
