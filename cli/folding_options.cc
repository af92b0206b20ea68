#include "cli/folding_options.h"

namespace walkabout::cli {

void add_folding_options(Verb& verb, FoldingOptions& options) {
  verb.flag("--my-code", options.my_code,
            "just my code: fold each run of frames of .NET's libraries, the runtime and native code to one, "
            "(+7 System.Linq)");
  verb.flag("--fold-async", options.async,
            "fold only what runs async methods, tasks and work of the thread pool");
  verb.option(
          "--mine", options.rules.mine,
          "--my-code, where this is mine too: an assembly (Microsoft.Contoso), a library (libmine.so), or "
          "what begins so (Contoso.*)")
      .one_value_each()
      .shown_as("NAME");
  verb.option("--not-mine", options.rules.not_mine, "--my-code, where this is not mine (Newtonsoft.*)")
      .one_value_each()
      .shown_as("NAME");
}

}  // namespace walkabout::cli
