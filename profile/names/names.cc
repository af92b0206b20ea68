#include "profile/names/names.h"

namespace walkabout::profile {

std::string display_name(const wire::Thread& thread) {
  if (!thread.managed_name.empty()) return thread.managed_name;
  if (!thread.os_name.empty()) return thread.os_name;
  return "thread " + std::to_string(thread.tid);
}

}  // namespace walkabout::profile
