#include "agent/linux/handler/ring_wait.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "agent/linux/handler/self_memory.h"

namespace walkabout::agent {
namespace {

constexpr greg_t kEnterRing = 426;                // io_uring_enter
constexpr greg_t kGetEvents = 1, kByNumber = 16;  // its flags: it waits; the ring is not a descriptor
constexpr std::array<uint8_t, 2> kSyscall{0x0f, 0x05};
constexpr std::string_view kRing = "anon_inode:[io_uring]";

bool is_ring(greg_t fd) {
  std::array<char, 32> path{"/proc/self/fd/"};
  char* end = path.data() + std::strlen(path.data());
  if (fd < 0 || fd > 99'999'999) return false;
  char* digits = end;
  do {
    *end++ = static_cast<char>('0' + fd % 10);
    fd /= 10;
  } while (fd != 0);
  std::reverse(digits, end);
  std::array<char, 64> link{};
  const ssize_t size = ::readlink(path.data(), link.data(), link.size());
  return size > 0 && std::string_view(link.data(), static_cast<size_t>(size)) == kRing;
}

}  // namespace

bool repeat_ring_wait(ucontext_t* context) {
  greg_t* regs = context->uc_mcontext.gregs;
  if (regs[REG_RAX] != -EINTR) [[likely]]
    return false;
  if ((regs[REG_R10] & (kGetEvents | kByNumber)) != kGetEvents) return false;
  std::array<uint8_t, kSyscall.size()> code;
  const uint64_t call = static_cast<uint64_t>(regs[REG_RIP]) - kSyscall.size();
  if (!read_self(nullptr, call, code.data(), code.size()) || code != kSyscall || !is_ring(regs[REG_RDI]))
    return false;
  regs[REG_RIP] = static_cast<greg_t>(call);
  regs[REG_RAX] = kEnterRing;
  return true;
}

}  // namespace walkabout::agent
