// For tests of symbols: where the sample library lies that the build makes, whole, stripped and with its
// names in a file of their own.
#pragma once

#include <string>

namespace walkabout::symbols::testing {

inline const std::string kSamples = WALKABOUT_SAMPLE_DIR;

}  // namespace walkabout::symbols::testing
