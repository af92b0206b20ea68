// A whole connection of an agent to the collector: hello, descriptors, then the stream in chunks, and its
// end.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "collect/collector.h"
#include "fuzz/fuzz_target.h"
#include "fuzz/input.h"
#include "launch/test_agent.h"
#include "wire/hello.h"

using namespace walkabout;
using cli::testing::TestAgent;
using fuzz::expect;

namespace {

// A folder of this process, removed at its end.
const std::string& folder() {
  struct Folder {
    Folder() : path((std::filesystem::temp_directory_path() / "walkabout-fuzz-XXXXXX").string()) {
      expect(::mkdtemp(path.data()) != nullptr, "there is a place for a socket");
    }
    ~Folder() { std::filesystem::remove_all(path); }
    std::string path;
  };
  static const Folder made;
  return made.path;
}

// More than this and a send might wait for the collector, which is this thread.
constexpr size_t kMostStream = 32 * 1024;

void converse(fuzz::Input& in) {
  base::Result<cli::Collector> collector = cli::Collector::listen(folder(), false);
  expect(collector.ok(), "a socket can be made");
  TestAgent agent(collector->socket_path());
  expect(agent.connected(), "who listens is found");
  const size_t descriptors = in.u8() % 4;
  const char hello = static_cast<char>(in.u8());
  expect(agent.send(std::string_view(&hello, 1), descriptors), "a hello can be sent");
  collector->poll(0);
  const bool good = hello == wire::kHello && descriptors == 1;
  expect((agent.answer() == wire::kWelcome) == good,
         "a hello with one descriptor is welcome, nothing else is");
  expect(collector->connected() == good && collector->receivers().size() == (good ? 1 : 0),
         "who is welcome is taken in");
  for (size_t sent = 0; good && collector->connected() && in.left() > 1 && sent < kMostStream;) {
    const std::vector<uint8_t> part = in.bytes(std::max<size_t>(in.u8(), 1) * 16);
    expect(agent.send({reinterpret_cast<const char*>(part.data()), part.size()}),
           "the collector still listens");
    sent += part.size();
    collector->poll(0);
  }
  agent.hang_up();
  collector->poll(0);
  expect(!collector->connected(), "who hung up is not connected");
}

}  // namespace

// The number of descriptors, the hello, chunks of the stream: their length / 16 and their bytes.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input in(data, size);
  static const std::string socket = folder() + "/agent";
  const int before = cli::testing::next_descriptor();
  converse(in);
  ::unlink(socket.c_str());
  expect(cli::testing::next_descriptor() == before, "no descriptor stays open");
  return 0;
}
