#include "agent/linux/blocked_thread.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstring>

namespace walkabout::agent {
namespace {

constexpr size_t kLongestLine = 256;  // of both files
constexpr std::string_view kRunning = "running";

// Numbers with single spaces between them, as they stand or with 0x.
class Words {
 public:
  explicit Words(std::string_view text) : rest_(text) {}
  std::string_view next() {
    const size_t end = std::min(rest_.find_first_of(" \n"), rest_.size());
    const std::string_view word = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return word;
  }

 private:
  std::string_view rest_;
};

template <typename T>
bool parse(std::string_view word, T* value) {
  const bool hex = word.starts_with("0x");
  if (hex) word.remove_prefix(2);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), *value, hex ? 16 : 10);
  return error == std::errc() && end == word.data() + word.size();
}

// name: with a slash before it.
std::string_view read_task_file(pid_t tid, std::string_view name, char* buffer, size_t size, bool* gone) {
  char path[64] = "/proc/self/task/";
  char* end = std::to_chars(path + std::strlen(path), path + 40, tid).ptr;
  std::copy(name.begin(), name.end(), end);
  *gone = false;
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    *gone = errno == ENOENT;
    return {};
  }
  const ssize_t n = ::read(fd, buffer, size);
  *gone = n < 0 && errno == ESRCH;
  ::close(fd);
  return {buffer, n > 0 ? static_cast<size_t>(n) : 0};
}

}  // namespace

ThreadPlace parse_syscall(std::string_view text) {
  ThreadPlace place;
  if (text.starts_with(kRunning)) {
    place.standing = Standing::kRuns;
    return place;
  }
  Words words(text);
  int64_t call = -1;
  if (!parse(words.next(), &call) || call < -1) return place;
  constexpr int kArguments = 6;
  for (int i = 0; call >= 0 && i < kArguments; ++i) words.next();
  uint64_t sp = 0, pc = 0;
  if (!parse(words.next(), &sp) || !parse(words.next(), &pc) || pc == 0) return place;
  return {Standing::kBlocked, call, sp, pc};
}

std::optional<SchedCounts> parse_schedstat(std::string_view text) {
  Words words(text);
  SchedCounts counts;
  if (!parse(words.next(), &counts.ran_ns) || !parse(words.next(), &counts.waited_ns) ||
      !parse(words.next(), &counts.runs))
    return {};
  return counts;
}

ThreadPlace place_of(pid_t tid) {
  char line[kLongestLine];
  bool gone = false;
  ThreadPlace place = parse_syscall(read_task_file(tid, "/syscall", line, sizeof line, &gone));
  // Without /proc nobody has a file there.
  if (gone && ::syscall(SYS_tgkill, ::getpid(), tid, 0) != 0) place.standing = Standing::kGone;
  return place;
}

std::optional<SchedCounts> counts_of(pid_t tid) {
  char line[kLongestLine];
  bool gone = false;
  return parse_schedstat(read_task_file(tid, "/schedstat", line, sizeof line, &gone));
}

}  // namespace walkabout::agent
