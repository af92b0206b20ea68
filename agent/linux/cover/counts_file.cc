#include "agent/linux/cover/counts_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <new>

#include "agent/linux/cover/test_flow.h"
#include "base/system_error.h"

namespace walkabout::agent {
namespace {

constexpr size_t kMostCounts = 128 << 20;  // of address space; what is used of it is the file's size
constexpr size_t kMostWithTests = 1 << 30;
constexpr size_t kGrowth = 256 << 10;
constexpr uint32_t kRowOfMethod = 0x00ffffff;  // of a token
constexpr int kNameTries = 1000;               // processes of one id, one behind the other

size_t filled_up(size_t size) {
  return (size + wire::kCoverAlignment - 1) / wire::kCoverAlignment * wire::kCoverAlignment;
}

// Growing a file beyond the limit sends a signal that ends programs not prepared for it.
bool may_be_so_large(size_t size) {
  rlimit limit{};
  return ::getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= size;
}

}  // namespace

base::Status CountsFile::create(const std::string& folder, uint32_t probe_size, bool tests) {
  const base::Lock lock(mutex_);
  probe_size_ = probe_size;
  has_tests_ = tests;
  most_ = tests ? kMostWithTests : kMostCounts;
  void* memory = MAP_FAILED;
  base::Status made = host_.try_call([&]() -> base::Status {
    int fd = -1;
    for (int i = 0; i < kNameTries && fd < 0; ++i) {
      const std::string name = folder + "/" + std::to_string(::getpid()) +
                               (i == 0 ? "" : "-" + std::to_string(i)) + wire::kCoverSuffix;
      fd = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
      if (fd < 0 && errno != EEXIST) break;
    }
    if (fd < 0) return base::system_error("cannot create a file for the counts");
    fd_.take(fd);
    memory = ::mmap(nullptr, most_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd_.get(), 0);
    return memory == MAP_FAILED ? base::system_error("cannot map the counts") : base::Status();
  });
  if (!made.ok()) return made;
  memory_ = static_cast<uint8_t*>(memory);
  ::madvise(memory_, most_, MADV_DONTDUMP);
  if (!grow(kGrowth)) return base::Status::error("there is no room for the counts");
  auto* head = new (memory_) wire::CoverHead();
  head->magic = wire::kCoverMagic;
  head->pid = static_cast<uint32_t>(::getpid());
  head->probe_size = probe_size;
  used_ = sizeof(wire::CoverHead);
  publish();
  return {};
}

bool CountsFile::grow(size_t to) {
  if (to <= given_) return true;
  const size_t wanted = std::max(to, given_ + kGrowth);
  if (wanted > most_ || !may_be_so_large(wanted)) return false;
  const base::Status grown = host_.try_call([&]() -> base::Status {
    const int error =
        fd_.is_ours() ? ::posix_fallocate(fd_.get(), 0, static_cast<off_t>(wanted)) : int{EBADF};
    return error == 0 ? base::Status() : base::Status::error("no room");
  });
  if (!grown.ok()) return false;
  given_ = wanted;
  return true;
}

void CountsFile::note_no_room(uint32_t module, uint32_t token) {
  head().no_room.fetch_add(1, std::memory_order_relaxed);
  const uint32_t method = (token & kRowOfMethod) - 1;
  if (module - 1 >= modules_.size() || method >= modules_[module - 1].methods) return;
  modules_[module - 1].bits[method / 8] |= static_cast<uint8_t>(1u << method % 8);
}

uint8_t* CountsFile::add(const void* start, size_t start_size, size_t size) {
  if (!grow(used_ + size)) return nullptr;
  uint8_t* const at = memory_ + used_;
  ::memcpy(at, start, start_size);
  used_ += size;
  return at;
}

// Partner: the CLI's reader, once the process has ended or while it goes on.
void CountsFile::publish() { head().used.store(used_, std::memory_order_release); }

uint32_t CountsFile::add_module(std::string_view path, base::Bytes version, uint32_t methods,
                                wire::CoverKind kind) {
  const base::Lock lock(mutex_);
  wire::CoverModule module;
  const size_t size = filled_up(sizeof module + path.size() + (size_t{methods} + 7) / 8);
  module.record = {kind, static_cast<uint32_t>(size)};
  module.id = static_cast<uint32_t>(modules_.size()) + 1;
  module.methods = methods;
  module.path_size = static_cast<uint32_t>(path.size());
  ::memcpy(module.version, version.data(), std::min(version.size(), sizeof module.version));
  uint8_t* const at = add(&module, sizeof module, size);
  if (at == nullptr) return 0;
  ::memcpy(at + sizeof module, path.data(), path.size());
  publish();
  modules_.push_back({at + sizeof module + path.size(), methods});
  return module.id;
}

CountsFile::Method CountsFile::add_method(uint32_t module, uint32_t token, uint32_t body_hash,
                                          uint32_t probes) {
  const base::Lock lock(mutex_);
  const size_t size = filled_up(sizeof(wire::CoverMethod) + size_t{probes} * probe_size_);
  const wire::CoverMethod method{
      {wire::CoverKind::kMethod, static_cast<uint32_t>(size)}, module, token, body_hash, probes, probes_, 0};
  uint8_t* const at = add(&method, sizeof method, size);
  if (at == nullptr) {
    note_no_room(module, token);
    return {};
  }
  publish();
  probes_ += probes;
  add_pages();
  return {at + sizeof method, method.first_probe};
}

void CountsFile::add_left_alone(uint32_t module, uint32_t token, uint32_t cause) {
  const base::Lock lock(mutex_);
  const wire::CoverLeftAlone left{
      {wire::CoverKind::kLeftAlone, sizeof(wire::CoverLeftAlone)}, module, token, cause, 0};
  if (add(&left, sizeof left, sizeof left) != nullptr)
    publish();
  else
    note_no_room(module, token);
}

wire::CoverTest* CountsFile::add_test(uint32_t module, uint32_t token, uint16_t lane, uint16_t rank) {
  const base::Lock lock(mutex_);
  wire::CoverRecord start{wire::CoverKind::kTest, sizeof(wire::CoverTest)};
  uint8_t* const at = add(&start, sizeof start, sizeof(wire::CoverTest));
  if (at == nullptr) return nullptr;
  auto* const test = new (at) wire::CoverTest();
  test->record = start;
  test->module = module;
  test->token = token;
  test->lane = lane;
  test->rank = rank;
  publish();
  add_pages();
  return test;
}

// Probes take them where nothing can be waited for. What is compiled adds to what they may need.
void CountsFile::add_pages() {
  if (!has_tests_ || test_pages().left() >= TestPages::kReserve) return;
  constexpr size_t kSize = sizeof(wire::CoverRecord) + size_t{TestPages::kPiece} * TestPages::kPageBytes;
  const wire::CoverRecord start{wire::CoverKind::kPages, static_cast<uint32_t>(kSize)};
  const size_t begin = used_;
  if (add(&start, sizeof start, kSize) == nullptr) return;
  publish();
  test_pages().add(memory_, static_cast<uint32_t>(begin + sizeof start));
}

}  // namespace walkabout::agent
