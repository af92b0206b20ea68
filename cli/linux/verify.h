// `walkabout verify`: our stacks against the CLR's own, for a recording made with `run --oracle`.
#pragma once

#include <string>

#include "cli/command_line.h"
#include "console/json_out.h"
#include "verify/verify_collector.h"

namespace walkabout::cli {

struct VerifyOptions {
  std::string file;
  uint32_t process = 0;  // of several; 0: all
  bool json = false;
  size_t examples = 3;  // of each verdict
};

void add_verify(CommandLine& line);

int verify(const VerifyOptions& options);

Json verify_json(const profile::Verification& v);
std::string verify_text(const profile::Verification& v);

}  // namespace walkabout::cli
