// Where samples stand in the methods of a recording whose names begin so, and the lines that are told of
// these places:
//   line_places RECORDING PREFIX
// Of each stack the innermost of such methods counts. A place is a line of fields with tabs between them: the
// method, "jitted" or "ready_to_run", the offset in its code (ready-to-run: RVA), the method that it calls
// there ("-": none, the thread was there itself; "native": native code), the samples' nanoseconds, "sure" or
// "unsure", and the source lines with a blank behind each.
// bench/lines.py reads them.
#include <cstdio>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "profile/names/frame_namer.h"
#include "profile/names/names.h"
#include "recording/reader.h"

namespace walkabout::bench {
namespace {

class Reading : public profile::Names {
 public:
  void on_nodes(const wire::Nodes& r, uint32_t first_id) override {
    parent.resize(first_id), frame.resize(first_id);
    parent.insert(parent.end(), r.parent.begin(), r.parent.end());
    frame.insert(frame.end(), r.frame.begin(), r.frame.end());
    whole = whole && !r.new_tree;
  }
  void on_samples(const wire::Samples& r) override {
    if (r.source != wire::kCpuSource) return;
    for (size_t i = 0; i < r.stack.size(); ++i) ns[r.stack[i].value] += r.weight(i);
  }

  std::vector<uint32_t> parent;  // by node
  std::vector<wire::Frame> frame;
  std::map<uint32_t, uint64_t> ns;  // by node, of the samples whose leaf it is
  bool whole = true;                // all stacks are of one tree
};

// As profile/build/stack_map has them.
std::vector<profile::Role> roles_of(const Reading& read) {
  std::vector<profile::Role> roles(read.frame.size(), profile::Role::kLeaf);
  for (size_t i = 1; i < roles.size(); ++i) {
    profile::Role& role = roles[read.parent[i]];
    if (read.frame[i].managed())
      role = profile::Role::kCaller;
    else if (role == profile::Role::kLeaf)
      role = profile::Role::kCallerOfNative;
  }
  return roles;
}

int print_places(const Reading& read, const std::string& prefix) {
  const std::vector<profile::Role> roles = roles_of(read);
  profile::FrameNamer namer(read.code, {.lines = true, .inlined = true}, read.command_line);
  const auto method_of = [&](uint32_t node) { return read.code.method(read.frame[node], roles[node]); };
  std::map<std::tuple<uint32_t, std::string>, uint64_t> places;  // by node and callee
  for (const auto& [leaf, ns] : read.ns) {
    std::string callee = "-";
    for (uint32_t node = leaf; node != 0; node = read.parent[node]) {
      const wire::Method* method = method_of(node);
      if (method != nullptr && method->method.starts_with(prefix)) {
        places[{node, callee}] += ns;
        break;
      }
      callee = method == nullptr ? "native" : method->method;
    }
  }
  for (const auto& [place, ns] : places) {
    const auto& [node, callee] = place;
    const wire::Frame frame = read.frame[node];
    const profile::SourcePlace& said = namer.frames()[namer.frames_of(frame, roles[node])[0].frame].place;
    std::printf("%s\t%s\t%u\t%s\t%llu\t%s\t", method_of(node)->method.c_str(),
                frame.kind() == wire::FrameKind::kJitted ? "jitted" : "ready_to_run", frame.offset(),
                callee.c_str(), static_cast<unsigned long long>(ns), said.sure ? "sure" : "unsure");
    for (const uint32_t line : said.lines) std::printf("%u ", line);
    std::printf("\n");
  }
  return 0;
}

int bench_main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: line_places RECORDING PREFIX\n", stderr);
    return 2;
  }
  Reading read;
  const base::Result<recording::ReadSummary> done = recording::read_recording(argv[1], read);
  if (!done.ok() || !read.whole) {
    std::fprintf(stderr, "line_places: %s: %s\n", argv[1],
                 done.ok() ? "it has more than one tree of stacks" : done.status().message().c_str());
    return 1;
  }
  read.code.sort();
  return print_places(read, argv[2]);
}

}  // namespace
}  // namespace walkabout::bench

int main(int argc, char** argv) { return walkabout::bench::bench_main(argc, argv); }
