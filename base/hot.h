// Marks the functions of a walk: the linker puts them side by side. A tick comes once in many milliseconds
// and finds neither their instructions nor their addresses in any cache, so the fewer pages they lie on the
// better.
#pragma once

#define WALKABOUT_HOT __attribute__((hot))
