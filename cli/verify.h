// `walkabout verify`: our stacks against the CLR's own, for a recording made with `run --oracle`.
#pragma once

#include <string>

#include "cli/json_out.h"
#include "profile/verify.h"

namespace CLI {
class App;
}

namespace walkabout::cli {

struct VerifyOptions {
  std::string file;
  uint32_t process = 0;  // of several; 0: all
  bool json = false;
  size_t examples = 3;  // of each verdict
};

// Adds the verb; *exit_code is set when it was chosen and has run.
void add_verify(CLI::App& app, int* exit_code);

int verify(const VerifyOptions& options);

Json verify_json(const profile::Verification& v);
std::string verify_text(const profile::Verification& v);

}  // namespace walkabout::cli
