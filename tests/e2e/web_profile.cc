// web_profile KIND OUT.html: a made-up profile as HTML report, for the tests in the browser.
//   small    a few known stacks on three threads, whose numbers the test knows
//   wall     the same with a second event: wall time of all threads, most of it blocked
//   events   the first with events of the runtime: two pauses of the collector, five exceptions and the sum
//   of others
//   traced   traced calls: those of profile/model/test_trace.h
//   lines    source lines, of three files: the text of the first is there
//   hostile  names that try to be markup, script, control characters, no UTF-8; warnings, damage
//   empty    a recording without samples
//   large N  N nodes of a plausible program (a fixed pseudo-random tree), with two samples per leaf
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "formats/html.h"
#include "profile/build/traces.h"
#include "profile/model/test_recording.h"
#include "profile/model/test_trace.h"

namespace {

using walkabout::profile::Activity;
using walkabout::profile::Kind;
using walkabout::profile::Profile;
namespace wire = walkabout::wire;

constexpr uint64_t kSecond = 1'000'000;

class Builder {
 public:
  explicit Builder(std::string command) {
    profile.nodes.push_back({});
    profile.frames.push_back({"", "", "", Kind::kOther});
    profile.session.command_line = std::move(command);
    profile.session.runtime = ".NET 10.0.12";
    profile.session.os = "Linux 6.1.0 x86_64";
    profile.session.host = "example";
    profile.session.pid = 4242;
    profile.session.interval_ns = 10'000'000;
    profile.session.wall_start_ns = 1'760'000'000'000'000'000;
    profile.complete = true;
  }
  uint32_t thread(std::string name, wire::ThreadKind kind = wire::ThreadKind::kManaged) {
    const auto id = static_cast<uint32_t>(profile.threads.size());
    profile.threads.push_back({std::move(name), 4242 + id, kind});
    return id;
  }
  uint32_t frame(std::string name, Kind kind, std::string module, std::string raw = "") {
    if (raw.empty()) raw = name;
    profile.frames.push_back({std::move(name), std::move(raw), std::move(module), kind});
    if (kind != Kind::kOther)
      profile.frames.back().origin =
          kind == Kind::kManaged ? walkabout::profile::Origin::kMine : walkabout::profile::Origin::kFramework;
    return static_cast<uint32_t>(profile.frames.size() - 1);
  }
  uint32_t node(uint32_t parent, uint32_t frame) {
    profile.nodes.push_back({parent, frame});
    return static_cast<uint32_t>(profile.nodes.size() - 1);
  }
  void sample(uint64_t time_us, uint32_t thread, uint32_t node, uint64_t weight, Activity activity) {
    profile.samples.push_back({time_us, weight, thread, node, wire::WalkEnd::kRooted, activity});
    profile.threads[thread].samples += 1;
    profile.threads[thread].weight += weight;
    profile.total_weight += weight;
    profile.duration_us = std::max(profile.duration_us, time_us + 1);
  }
  Profile& finish() {
    profile.counters.samples = profile.samples.size();
    profile.counters.attempts = profile.samples.size();
    profile.counters.drops = {0, 0, 0, 0, 0};
    return profile;
  }

  Profile profile;
};

// 10 seconds, 100 samples of 10 ms: main 60 (40 in Parse, of which 10 in qsort; 20 in Render), worker 30 (all
// in Render, in the second half), GC 10.
Profile small() {
  Builder b("dotnet Demo.dll --workers 2");
  const uint32_t main = b.thread(".NET Main"), worker = b.thread("Worker");
  const uint32_t gc = b.thread(".NET Server GC", wire::ThreadKind::kNative);
  b.thread("idle");
  const uint32_t start = b.node(0, b.frame("start_thread", Kind::kNative, "libc.so.6"));
  const uint32_t run = b.node(start, b.frame("Demo.Program.Main(string[])", Kind::kManaged, "Demo.dll"));
  const uint32_t parse = b.node(run, b.frame("Demo.Parser.Parse(System.ReadOnlySpan<char>)", Kind::kManaged,
                                             "Demo.dll", "Demo.Parser+<Parse>d__5.MoveNext"));
  const uint32_t sort = b.node(parse, b.frame("qsort", Kind::kNative, "libc.so.6"));
  const uint32_t render_frame = b.frame("Demo.Renderer.Render()", Kind::kManaged, "Demo.dll");
  const uint32_t render = b.node(run, render_frame);
  const uint32_t worker_render = b.node(start, render_frame);
  const uint32_t collect = b.node(start, b.frame("[libclrgc.so]", Kind::kRuntime, "libclrgc.so"));
  for (uint64_t i = 0; i < 100; ++i) {
    const uint64_t at = i * 100'000;
    if (i % 10 == 9) {
      b.sample(at, gc, collect, 10'000'000, Activity::kGc);
    } else if (i >= 50 && i % 3 != 0) {
      b.sample(at, worker, worker_render, 10'000'000, Activity::kManaged);
    } else if (i % 3 == 0) {
      b.sample(at, main, render, 10'000'000, Activity::kManaged);
    } else {
      const bool sorting = i % 2 == 0;
      b.sample(at, main, sorting ? sort : parse, 10'000'000,
               sorting ? Activity::kNative : Activity::kManaged);
    }
  }
  b.finish().duration_us = 10 * kSecond;
  return b.profile;
}

// Each thread every 50 ms for 10 seconds. Main and Worker run where they have CPU time and wait for a lock or
// read from a socket otherwise; GC and idle are always blocked. In all 40 s, 38 s of them blocked.
Profile wall() {
  Builder b("");
  b.profile = small();
  Profile& p = b.profile;
  p.sources = {wire::cpu_source(p.session), walkabout::profile::testing::wall_source()};
  using walkabout::profile::testing::kFutex;
  using walkabout::profile::testing::kRead;
  constexpr uint64_t kEpollWait = 232;
  p.label_sets = {{}, {1, 0}, {2, 0}, {3, kFutex + 1}, {3, kRead + 1}, {3, kEpollWait + 1}};
  const char* library = "System.Private.CoreLib.dll";
  const uint32_t start = 1, run = 2, parse = 3, worker_render = 6;  // as small() made them
  const uint32_t enter = b.frame("System.Threading.Monitor.Enter(object)", Kind::kManaged, library);
  const uint32_t futex = b.frame("futex_wait", Kind::kNative, "libc.so.6");
  const uint32_t in_lock = b.node(b.node(run, enter), futex);
  const uint32_t receive = b.frame("System.Net.Sockets.Socket.Receive(System.Span<byte>)", Kind::kManaged,
                                   "System.Net.Sockets.dll");
  const uint32_t in_read =
      b.node(b.node(b.node(start, b.frame("Demo.Server.Serve()", Kind::kManaged, "Demo.dll")), receive),
             b.frame("recv", Kind::kNative, "libc.so.6"));
  const uint32_t in_pool = b.node(
      b.node(start,
             b.frame("System.Threading.LowLevelLifoSemaphore.WaitForSignal(int)", Kind::kManaged, library)),
      futex);
  const uint32_t in_poll = b.node(start, b.frame("epoll_wait", Kind::kNative, "libc.so.6"));
  const auto add = [&p](uint64_t time_us, uint32_t thread, uint32_t node, uint32_t labels,
                        Activity activity) {
    walkabout::profile::Sample s{time_us, 50'000'000, thread, node, wire::WalkEnd::kRooted, activity};
    s.source = 1;
    s.labels = labels;
    p.samples.push_back(s);
  };
  for (uint64_t i = 0; i < 200; ++i) {
    const uint64_t at = i * 50'000;
    if (i % 8 == 0) {
      add(at, 0, parse, i % 40 == 0 ? 2 : 1, Activity::kManaged);
    } else {
      add(at, 0, in_lock, 3, Activity::kNative);
    }
    if (i >= 100 && i % 7 == 0) {
      add(at, 1, worker_render, 1, Activity::kManaged);
    } else {
      add(at, 1, in_read, 4, Activity::kNative);
    }
    add(at, 2, in_pool, 3, Activity::kNative);
    add(at, 3, in_poll, 5, Activity::kNative);
  }
  std::stable_sort(p.samples.begin(), p.samples.end(),
                   [](const auto& x, const auto& y) { return x.time_us < y.time_us; });
  p.counters.sources = {{p.sources[1].id, 801, 800, {1}}};
  return p;
}

// Pauses of 500 ms up to 2.5 s and of 100 ms up to 6 s, of main; an exception each second from 3 s on, of
// Worker.
Profile events() {
  Profile p = small();
  wire::Source gc, throws;
  gc.id = walkabout::base::SourceId(7);
  gc.name = "gc";
  gc.values = {{"pause", "nanoseconds", wire::Adding::kSum}};
  gc.labels = {{"reason", static_cast<uint32_t>(wire::LabelType::kText)}};
  throws.id = walkabout::base::SourceId(4);
  throws.name = "exceptions";
  throws.values = {{"exceptions", "count", wire::Adding::kSum}};
  for (wire::Source* source : {&gc, &throws}) source->clock = static_cast<uint32_t>(wire::Clock::kEvent);
  p.sources = {wire::cpu_source(p.session), gc, throws};
  p.texts = {"induced"};
  p.label_sets = {{}, {1}};
  const auto add = [&p](uint8_t source, uint64_t time_us, uint64_t value, uint32_t thread, uint32_t labels,
                        wire::WalkEnd end = wire::WalkEnd::kRooted) {
    walkabout::profile::Sample s{time_us, value, thread, 3, end, Activity::kManaged};  // in Parse
    s.source = source;
    s.labels = labels;
    p.samples.push_back(s);
  };
  add(1, 2'500'000, 500'000'000, 0, 1);
  add(1, 6'000'000, 100'000'000, 0, 1);
  for (uint64_t i = 0; i < 5; ++i) add(2, (3 + i) * kSecond, 1, 1, 0);
  add(2, 9 * kSecond, 70, 1, 0, wire::WalkEnd::kNotWalked);
  std::stable_sort(p.samples.begin(), p.samples.end(),
                   [](const auto& x, const auto& y) { return x.time_us < y.time_us; });
  p.counters.sources = {{gc.id, 2, 2, {}}, {throws.id, 6, 6, {}}};
  return p;
}

// 100 samples of 10 ms. Of Parse 40 at line 12, 20 at 14 or 15, and 30 in qsort, which line 12 calls; 10 of
// Render at line 30.
Profile lines() {
  Builder b("dotnet Demo.dll");
  const uint32_t thread = b.thread(".NET Main");
  const auto at = [&b](uint32_t parent, const char* name, walkabout::profile::SourcePlace place) {
    const uint32_t frame = b.frame(name, Kind::kManaged, "Demo.dll");
    b.profile.frames[frame].place = std::move(place);
    return b.node(parent, frame);
  };
  const char *parse = "Demo.Parser.Parse(System.ReadOnlySpan<char>)", *file = "/src/Parser.cs";
  const uint32_t run = at(b.node(0, b.frame("start_thread", Kind::kNative, "libc.so.6")),
                          "Demo.Program.Main(string[])", {"/src/Program.cs", {5}, true, 3, 8});
  const uint32_t hot = at(run, parse, {file, {12}, true, 11, 17});
  const uint32_t unsure = at(run, parse, {file, {14, 15}, false, 11, 17});
  const uint32_t sort = b.node(hot, b.frame("qsort", Kind::kNative, "libc.so.6"));
  const uint32_t render = at(run, "Demo.Renderer.Render()", {"/src/Renderer.cs", {30}, true, 28, 33});
  for (uint64_t i = 0; i < 100; ++i) {
    const uint32_t node = i < 40 ? hot : i < 60 ? unsure : i < 90 ? sort : render;
    b.sample(i * 10'000, thread, node, 10'000'000, node == sort ? Activity::kNative : Activity::kManaged);
  }
  std::string text;
  for (int line = 9; line <= 60; ++line) {
    const std::string number = std::to_string(line);
    text += line == 12   ? "\tspan.Sort(); // </script><script>window.hacked=3</script>\n"
            : line == 13 ? "\t// \xe2\x80\xae turned around\n"
                         : "    line " + number + ";\n";
  }
  b.profile.documents = {{"/src/Parser.cs"}, {"/src/Program.cs"}, {"/src/Renderer.cs"}};
  b.profile.documents[0].text = {{9, text}};
  b.profile.documents[0].lines = 200;
  b.profile.documents[0].note = "of its 200 lines only the methods that samples were in are here";
  b.profile.documents[2].url = "https://localhost/c0ffee/Renderer.cs";
  b.profile.documents[2].note = "the file differs from the one that was compiled";
  return b.finish();
}

Profile hostile() {
  const std::string script = "</script><script>window.hacked=1</script>";
  const std::string image = "<img src=x onerror=\"window.hacked=2\">";
  Builder b("dotnet '" + script + "' " + image + " @WALKABOUT_DATA@");
  const uint32_t thread = b.thread(image + script);
  uint32_t node = 0;
  const std::string names[] = {script,
                               image,
                               "<!-- <script> -->",
                               "@WALKABOUT_DATA@",
                               std::string("nul\0inside", 10),
                               "not utf-8: \xff\xfe\x80",
                               "Ünïcode.Größe.Messen(日本語, 😀)",
                               "\xe2\x80\xae right to left \xe2\x80\xa8 line",
                               "__proto__",
                               "constructor",
                               std::string(20'000, 'x'),
                               ""};
  for (const std::string& name : names) {
    node = b.node(node, b.frame(name, Kind::kManaged, image, name + script));
    b.sample(b.profile.samples.size() * 1000, thread, node, 1'000'000, Activity::kManaged);
  }
  Profile& p = b.finish();
  p.complete = false;
  p.damage = "12 bytes after record 7 could not be read " + image;
  p.messages.push_back({0, wire::Severity::kWarning, "warned " + script});
  p.messages.push_back({0, wire::Severity::kInfo, "noted " + image});
  p.samples[3].end = wire::WalkEnd::kBadReturn;
  p.counters.attempts += 5;
  p.counters.drops = {3, 2, 0, 0, 0};
  return b.profile;
}

// A fixed generator, so that pictures and figures can be compared.
class Random {
 public:
  uint32_t below(uint32_t limit) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<uint32_t>(state_ >> 33) % limit;
  }

 private:
  uint64_t state_ = 42;
};

std::vector<uint32_t> plausible_frames(Builder& b, Random& random) {
  const char* types[] = {"Parser", "Lexer",  "Binder",  "Emitter", "Cache",
                         "Pool",   "Router", "Handler", "Reader",  "Index"};
  const char* verbs[] = {"Run",   "Visit", "Resolve", "Read",    "Write",
                         "Match", "Flush", "TryGet",  "Compare", "Create"};
  const char* spaces[] = {"Contoso.Compiler", "System.Collections.Generic", "Contoso.Web.Hosting",
                          "System.Text.Json"};
  const char* natives[] = {"memmove",  "qsort", "pthread_mutex_lock", "epoll_wait", "deflate",
                           "SSL_read", "malloc"};
  std::vector<uint32_t> frames;
  for (int i = 0; i < 2500; ++i) {
    const uint32_t pick = random.below(100);
    const std::string number = std::to_string(i % 37);
    if (pick < 70) {
      const std::string space = spaces[random.below(4)];
      std::string name = space;
      name.append(".")
          .append(types[random.below(10)])
          .append(number)
          .append(".")
          .append(verbs[random.below(10)]);
      const char* arguments[] = {"()", "(int)", "(string, System.Func<T, bool>)",
                                 "(System.ReadOnlySpan<byte>)"};
      name.append(arguments[random.below(4)]);
      frames.push_back(b.frame(name, Kind::kManaged, space + ".dll"));
    } else if (pick < 85) {
      frames.push_back(b.frame("[libcoreclr.so]", Kind::kRuntime, "libcoreclr.so"));
    } else if (pick < 97) {
      frames.push_back(b.frame(natives[random.below(7)], Kind::kNative, "libc.so.6"));
    } else {
      frames.push_back(b.frame("[stub]", Kind::kStub, ""));
    }
  }
  return frames;
}

Profile large(uint32_t nodes) {
  Builder b("dotnet Contoso.Compiler.dll -- build src/Contoso.sln --configuration Release");
  Random random;
  const std::vector<uint32_t> frames = plausible_frames(b, random);
  const uint32_t entry = b.node(0, b.frame("start_thread", Kind::kNative, "libc.so.6"));
  const uint32_t dispatch = b.node(entry, b.frame("System.Threading.ThreadPoolWorkQueue.Dispatch()",
                                                  Kind::kManaged, "System.Private.CoreLib.dll"));
  const uint32_t gc = b.node(entry, b.frame("[libclrgc.so]", Kind::kRuntime, "libclrgc.so"));
  const uint32_t jit = b.node(entry, b.frame("[libclrjit.so]", Kind::kRuntime, "libclrjit.so"));
  std::vector<uint32_t> parents{dispatch};
  std::vector<uint32_t> depth(b.profile.nodes.size(), 2);
  while (b.profile.nodes.size() < nodes) {
    // Mostly onto something recent: deep stacks with many branches.
    const auto size = static_cast<uint32_t>(parents.size());
    const uint32_t back = random.below(8) == 0 ? size : std::min(size, 1 + random.below(60));
    uint32_t parent = parents[size - 1 - random.below(back)];
    if (depth[parent] > 70) parent = parents[random.below(std::min(size, 50u))];
    parents.push_back(b.node(parent, frames[random.below(static_cast<uint32_t>(frames.size()))]));
    depth.push_back(depth[parent] + 1);
  }
  for (int i = 0; i < 24; ++i) b.thread(".NET TP Worker " + std::to_string(i));
  const uint32_t gc_thread = b.thread(".NET Server GC", wire::ThreadKind::kNative);
  const uint32_t jit_thread = b.thread(".NET Tiered Compilation", wire::ThreadKind::kManaged);
  const uint64_t span = 60 * kSecond, count = 2ull * nodes;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t at = i * span / count;
    const uint64_t weight = 9'000'000 + random.below(2'000'000);
    const uint64_t phase = at * 12 / span;
    if (phase % 4 == 3 && random.below(3) == 0) {
      b.sample(at, gc_thread, gc, weight, Activity::kGc);
    } else if (random.below(100) < (phase < 2 ? 40u : 4u)) {
      b.sample(at, jit_thread, jit, weight, Activity::kJit);
    } else {
      const uint32_t node = parents[random.below(static_cast<uint32_t>(parents.size()))];
      const Kind kind = b.profile.frames[b.profile.nodes[node].frame].kind;
      const Activity activity = kind == Kind::kNative    ? Activity::kNative
                                : kind == Kind::kRuntime ? Activity::kRuntime
                                                         : Activity::kManaged;
      const uint32_t busy = 1 + random.below(phase % 4 == 1 ? 6 : 24);
      b.sample(at, random.below(busy), node, weight, activity);
    }
  }
  b.finish();
  return b.profile;
}

Profile traced() {
  walkabout::profile::TracedBuilder builder(walkabout::profile::BuildOptions{});
  walkabout::profile::testing::emit_trace(builder);
  return builder.build_all("");
}

Profile make(const std::string& kind, const char* size) {
  if (kind == "wall") return wall();
  if (kind == "events") return events();
  if (kind == "traced") return traced();
  if (kind == "lines") return lines();
  if (kind == "hostile") return hostile();
  if (kind == "empty") return Builder("dotnet Nothing.dll").finish();
  if (kind == "large") return large(static_cast<uint32_t>(std::strtoul(size ? size : "100000", nullptr, 10)));
  return small();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "usage: web_profile small|wall|events|traced|lines|hostile|empty|large OUT.html [NODES]\n";
    return 2;
  }
  std::ofstream out(argv[2], std::ios::binary);
  const walkabout::base::Status status =
      walkabout::formats::write_html(make(argv[1], argc > 3 ? argv[3] : nullptr), out);
  if (!status.ok()) std::cerr << status.message() << "\n";
  return status.ok() ? 0 : 1;
}
