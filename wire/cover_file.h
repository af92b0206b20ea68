// What a process that is covered leaves (walkabout cover): a file of its own in a folder that the CLI names,
// mapped by the process. Each probe of its code is a number in it, so what ran is there however the process
// ends. The CLI reads it then.
//
// A head, and records one behind the other, each a multiple of eight bytes; all numbers little-endian. `used`
// is published when a record is whole: what lies behind it is none. The file is larger than that. Hostile
// bytes for whoever reads it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace walkabout::wire {

inline constexpr uint64_t kCoverMagic = 0x31'72'65'76'6f'63'6b'77;  // "wkcover1"
inline constexpr char kCoverSuffix[] = ".counts";
inline constexpr size_t kCoverAlignment = 8;

struct CoverHead {
  uint64_t magic = 0;
  std::atomic<uint64_t> used{0};  // bytes, the head included
  uint32_t pid = 0;
  uint32_t probe_size = 0;              // 1: whether it ran; 8: how often
  std::atomic<uint32_t> no_room{0};     // methods that were left as they are: the file could not grow
  std::atomic<uint32_t> not_mapped{0};  // modules that were wanted and could not be read
  std::atomic<uint32_t> unwrapped{0};   // methods of test assemblies whose flow cannot be told
  uint32_t unused = 0;
};
static_assert(sizeof(CoverHead) == 40);

enum class CoverKind : uint32_t {
  kModule = 1,
  kMethod = 2,
  kLeftAlone = 3,
  kTestModule =
      4,  // a CoverModule too: one that has tests, which CoverTest names; of its methods nothing is said
  kTest = 5,
  kPages = 6,  // bits of tests, which CoverTest::pages names
};

struct CoverRecord {
  CoverKind kind = CoverKind::kModule;
  uint32_t size = 0;  // bytes, with this and what fills up to the alignment
};
// A module whose methods may follow, in any order. Behind it: its path, then a bit for each of its methods,
// by row, the first one's in the lowest bit of the first byte: set where there was no room for the method's
// record.
struct CoverModule {
  CoverRecord record;
  uint32_t id = 0;  // of this file
  uint32_t path_size = 0;
  uint8_t version[16] = {};  // the MVID
  uint32_t methods = 0;      // rows of its metadata
  uint32_t unused = 0;
};
static_assert(sizeof(CoverModule) == 40);
// A method that was probed before it first ran. Behind it: its probes. One module's methods appear once; a
// module that is loaded twice at the same time has two ids.
struct CoverMethod {
  CoverRecord record;
  uint32_t module = 0;
  uint32_t token = 0;
  uint32_t body_hash = 0;  // of the body's instructions before (base/byte_hash.h, folded)
  uint32_t probes = 0;
  uint32_t first_probe = 0;  // of this file's: numbers of probes rise
  uint32_t unused = 0;
};
static_assert(sizeof(CoverMethod) == 32);
// A method that was left as it is: whether it ran is not known.
inline constexpr uint32_t kCoverRefused = ~uint32_t{0};     // the runtime did not take the new body
inline constexpr uint32_t kCoverNoRoom = ~uint32_t{0} - 1;  // for its record
struct CoverLeftAlone {
  CoverRecord record;
  uint32_t module = 0;
  uint32_t token = 0;
  uint32_t cause = 0;  // il::Cause, or one of those
  uint32_t unused = 0;
};
static_assert(sizeof(CoverLeftAlone) == 24);
// What ran in the flow of a test, or of a type's other methods outside of tests, or of nothing that is known:
// a bit for each probe of the file, in pages that are there once something of them ran.
inline constexpr uint32_t kCoverTestPages = 256;
inline constexpr uint32_t kCoverPageProbes = 8192;  // a page: a bit each
struct CoverTest {
  CoverRecord record;
  uint32_t module = 0;                             // of a kTestModule; 0: nothing that is known
  uint32_t token = 0;                              // of a test method, or of a type
  std::atomic<uint32_t> lost{0};                   // probes that had no room
  uint16_t lane = 0, rank = 0;                     // the agent's own
  std::atomic<uint32_t> pages[kCoverTestPages]{};  // where in the file; 0: there is none
};
static_assert(sizeof(CoverTest) == 24 + 4 * kCoverTestPages);

}  // namespace walkabout::wire
