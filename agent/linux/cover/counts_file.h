// The file of a covered process's counts (wire/cover_file.h), mapped: what probes write is there for the CLI
// however the process ends. Any thread. It grows by pieces that the file system has given before anything is
// written there, so a full disk costs counts and nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "agent/linux/descriptor_host.h"
#include "base/byte_span.h"
#include "base/mutex.h"
#include "base/result.h"
#include "wire/cover_file.h"

namespace walkabout::agent {

class CountsFile {
 public:
  explicit CountsFile(DescriptorHost& host) : host_(host), fd_(host) {}

  struct Method {
    uint8_t* counts =
        nullptr;  // of its probes, which are 0; null: there is no room, which the file says of it
    uint32_t first_probe = 0;
  };

  // Once. probe_size: as CoverHead has it. tests: it gets pages for what ran in tests.
  base::Status create(const std::string& folder, uint32_t probe_size, bool tests = false);

  // What the module is called in the file; 0: there is no room. methods: rows of its metadata.
  uint32_t add_module(std::string_view path, base::Bytes version, uint32_t methods,
                      wire::CoverKind kind = wire::CoverKind::kModule);
  Method add_method(uint32_t module, uint32_t token, uint32_t body_hash, uint32_t probes);
  // Null: there is no room. It stays where it is.
  wire::CoverTest* add_test(uint32_t module, uint32_t token, uint16_t lane, uint16_t rank);
  void add_left_alone(uint32_t module, uint32_t token, uint32_t cause);
  // A method of a test assembly that could not be changed to say its test.
  void count_unwrapped() { head().unwrapped.fetch_add(1, std::memory_order_relaxed); }
  void count_unmapped() { head().not_mapped.fetch_add(1, std::memory_order_relaxed); }

  uint32_t probe_size() const { return probe_size_; }

 private:
  wire::CoverHead& head() const { return *reinterpret_cast<wire::CoverHead*>(memory_); }
  // The place of a record of this size, which begins with `start`; null: there is no room. publish() it then.
  uint8_t* add(const void* start, size_t start_size, size_t size) WALKABOUT_REQUIRES(mutex_);
  void note_no_room(uint32_t module, uint32_t token) WALKABOUT_REQUIRES(mutex_);
  void publish() WALKABOUT_REQUIRES(mutex_);
  bool grow(size_t to) WALKABOUT_REQUIRES(mutex_);
  void add_pages() WALKABOUT_REQUIRES(mutex_);

  DescriptorHost& host_;
  HostedFd fd_;
  uint8_t* memory_ = nullptr;
  size_t most_ = 0;
  uint32_t probe_size_ = 1, probes_ WALKABOUT_GUARDED_BY(mutex_) = 0;
  bool has_tests_ = false;
  base::Mutex mutex_;
  size_t used_ WALKABOUT_GUARDED_BY(mutex_) = 0, given_ WALKABOUT_GUARDED_BY(mutex_) = 0;
  // Of a module, by its number: what the file says of its methods for which there was no room.
  struct Unplaced {
    uint8_t* bits;
    uint32_t methods;
  };
  std::vector<Unplaced> modules_ WALKABOUT_GUARDED_BY(mutex_);
};

}  // namespace walkabout::agent
