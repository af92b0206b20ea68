#include <set>
#include <string>

#include "base/error_line.h"
#include "cli/pipe_reader.h"
#include "console/linux/interrupts.h"
#include "console/print.h"

namespace walkabout::cli {

formats::GoOn until_interrupted() {
  return [before = interrupts(), reported = std::set<std::string>()](const std::string& path,
                                                                     formats::Reader reader) mutable {
    if (reader == formats::Reader::kNone && reported.insert(path).second)
      try_print_stderr(base::error_line(
          path + " is a pipe that nobody reads yet: waiting for a reader (Ctrl-C gives up)"));
    return interrupts() == before;
  };
}

}  // namespace walkabout::cli
