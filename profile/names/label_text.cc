#include "profile/names/label_text.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "profile/names/hex.h"
#include "profile/names/readable_name.h"
#include "profile/names/readable_type.h"

namespace walkabout::profile {
namespace {

struct SystemCall {
  uint32_t number;
  const char* name;
};

// Those in which threads block, on x86-64. Source: arch/x86/entry/syscalls/syscall_64.tbl of Linux.
constexpr SystemCall kCallsOfX64[] = {
    {0, "read"},
    {1, "write"},
    {2, "open"},
    {3, "close"},
    {7, "poll"},
    {9, "mmap"},
    {10, "mprotect"},
    {11, "munmap"},
    {16, "ioctl"},
    {17, "pread64"},
    {18, "pwrite64"},
    {19, "readv"},
    {20, "writev"},
    {23, "select"},
    {24, "sched_yield"},
    {26, "msync"},
    {28, "madvise"},
    {34, "pause"},
    {35, "nanosleep"},
    {40, "sendfile"},
    {42, "connect"},
    {43, "accept"},
    {44, "sendto"},
    {45, "recvfrom"},
    {46, "sendmsg"},
    {47, "recvmsg"},
    {56, "clone"},
    {57, "fork"},
    {58, "vfork"},
    {61, "wait4"},
    {65, "semop"},
    {69, "msgsnd"},
    {70, "msgrcv"},
    {72, "fcntl"},
    {73, "flock"},
    {74, "fsync"},
    {75, "fdatasync"},
    {128, "rt_sigtimedwait"},
    {130, "rt_sigsuspend"},
    {202, "futex"},
    {208, "io_getevents"},
    {219, "restart_syscall"},
    {220, "semtimedop"},
    {230, "clock_nanosleep"},
    {232, "epoll_wait"},
    {242, "mq_timedsend"},
    {243, "mq_timedreceive"},
    {247, "waitid"},
    {257, "openat"},
    {270, "pselect6"},
    {271, "ppoll"},
    {275, "splice"},
    {277, "sync_file_range"},
    {281, "epoll_pwait"},
    {288, "accept4"},
    {295, "preadv"},
    {296, "pwritev"},
    {299, "recvmmsg"},
    {307, "sendmmsg"},
    {324, "membarrier"},
    {326, "copy_file_range"},
    {333, "io_pgetevents"},
    {426, "io_uring_enter"},
    {435, "clone3"},
    {441, "epoll_pwait2"},
    {449, "futex_waitv"},
    {455, "futex_wait"},
};
static_assert(std::is_sorted(std::begin(kCallsOfX64), std::end(kCallsOfX64),
                             [](const SystemCall& a, const SystemCall& b) { return a.number < b.number; }));

const char* name_on_x64(uint64_t number) {
  const auto* at = std::lower_bound(std::begin(kCallsOfX64), std::end(kCallsOfX64), number,
                                    [](const SystemCall& call, uint64_t n) { return call.number < n; });
  return at != std::end(kCallsOfX64) && at->number == number ? at->name : nullptr;
}

bool is_x64(std::string_view os) {
  constexpr std::string_view kMachine = "x86_64";
  return os.size() >= kMachine.size() && os.substr(os.size() - kMachine.size()) == kMachine;
}

// Those of compiles and of exceptions' handlers.
bool is_method(const wire::SourceLabel& label) { return label.name == "method" || label.name == "handler"; }

// Of threads that had the number one after the other, the last.
std::string thread_text(const Profile& profile, uint64_t tid) {
  const auto thread = std::find_if(profile.threads.rbegin(), profile.threads.rend(),
                                   [tid](const Thread& one) { return one.tid == tid; });
  const std::string number = std::to_string(tid);
  return thread == profile.threads.rend() ? number : thread->name + " (" + number + ")";
}

}  // namespace

const char* to_string(wire::ThreadState state) {
  switch (state) {
    case wire::ThreadState::kRunning:
      return "running";
    case wire::ThreadState::kRunnable:
      return "runnable";
    case wire::ThreadState::kBlocked:
      return "blocked";
  }
  return "unknown";
}

std::string system_call_text(uint64_t label_value, const std::string& os) {
  if (label_value == 0) return {};
  const char* name = is_x64(os) ? name_on_x64(label_value - 1) : nullptr;
  return name != nullptr ? name : "system call " + std::to_string(label_value - 1);
}

std::string label_text(const Profile& profile, const wire::SourceLabel& label, uint64_t value) {
  switch (static_cast<wire::LabelType>(label.type)) {
    case wire::LabelType::kThreadState:
      return value == 0 ? std::string()
                        : to_string(static_cast<wire::ThreadState>(std::min<uint64_t>(value, UINT8_MAX)));
    case wire::LabelType::kSystemCall:
      return system_call_text(value, profile.session.os);
    case wire::LabelType::kAddress:
      return value == 0 ? std::string() : hex(value);
    case wire::LabelType::kText:
      if (is_method(label) && value != 0 && value <= profile.texts.size())
        return readable_label(profile.texts[value - 1]);
      [[fallthrough]];
    case wire::LabelType::kMessage:
      return value == 0 || value > profile.texts.size() ? std::string() : profile.texts[value - 1];
    case wire::LabelType::kType:
      return value == 0 || value > profile.texts.size() ? std::string()
                                                        : readable_event_type(profile.texts[value - 1]);
    case wire::LabelType::kThread:
      return value == 0 ? std::string() : thread_text(profile, value);
    case wire::LabelType::kMethod:
      return {};
    case wire::LabelType::kNumber:
    case wire::LabelType::kObject:
      break;
  }
  return std::to_string(value);
}

}  // namespace walkabout::profile
