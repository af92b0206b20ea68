// Standard input, output and error, where walkabout was started without one (`2>&-`): the next file opened
// would get its number, and what is printed would go into a recording. One thread, at the start.
#pragma once

namespace walkabout::cli {

// Their numbers are taken by something that can be neither read nor written, and that no command inherits.
void hold_standard_descriptors();

}  // namespace walkabout::cli
