#include "agent/core/jit_code_record.h"

namespace walkabout::agent {

wire::JitCode jit_code_record(const CompiledMethod& compiled, base::MethodId method) {
  wire::JitCode record;
  record.code = compiled.code;
  record.method = method;
  record.tier = compiled.tier;
  record.start = compiled.start;
  record.size = compiled.size;
  record.main_size = compiled.main_size;
  return record;
}

}  // namespace walkabout::agent
