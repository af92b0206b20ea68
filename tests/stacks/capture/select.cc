// From the captured stacks of a run and the recording made beside them: one fixture per situation.
//   stack_select CAPTURED RECORDING OUTPUT.stacks [options]     (tools/capture_stack calls it)
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <regex>

#include "cli/command_line.h"
#include "tests/stacks/capture/judge.h"
#include "tests/stacks/check_stack.h"
#include "tests/stacks/merge_stacks.h"
#include "tests/stacks/situation.h"

namespace walkabout::stacks {
namespace {

struct Options {
  std::string captured, recording, output, known, program, method, kind;
  size_t limit = 100;
  size_t per_leaf = 2;
  bool wrong = false;
};

struct Counts {
  size_t all = 0, untrusted[5] = {}, other = 0, repeated = 0, incomplete = 0, kept = 0;
};

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The next of the captured stacks, each behind its length.
bool next_message(std::istream& in, std::string* message) {
  uint32_t size = 0;
  if (!in.read(reinterpret_cast<char*>(&size), sizeof size) || size > kMaxBytes) return false;
  message->resize(size);
  return static_cast<bool>(in.read(message->data(), size));
}

class Selector {
 public:
  Selector(const Options& options, Judge judge) : options_(options), judge_(std::move(judge)) {
    file_.program = options.program + ", " + judge_.runtime();
    if (!options.method.empty()) method_ = std::regex(options.method);
    if (!options.kind.empty()) kind_ = std::regex(options.kind);
  }

  // Situations that need no second example.
  void know(const StackFile& file) {
    for (const RecordedStack& stack : file.stacks) {
      known_.insert(stack.situation);
      ++leaves_[leaf_of(stack.situation)];
    }
  }

  void take(StackFile one) {
    ++counts_.all;
    RecordedStack& stack = one.stacks.front();
    const Trust trust = judge_.judge(stack);
    ++counts_.untrusted[static_cast<size_t>(trust)];
    if (options_.wrong ? trust != Trust::kDifferent && trust != Trust::kNotRooted : trust != Trust::kRight)
      return;
    if (!options_.method.empty() && !std::regex_search(judge_.leaf_name(stack.frames.front()), method_))
      return void(++counts_.other);
    judge_.name(one);
    const auto process = RecordedProcess::load(one, Cfi::kInterpreted);
    if (!process.ok()) return void(++counts_.incomplete);
    const Situation situation = situation_of(**process, stack, stack.frames);
    if (!options_.kind.empty() && !std::regex_search(situation.text(), kind_)) return void(++counts_.other);
    if (known_.count(situation.text()) != 0 || leaves_[leaf_of(situation.text())] >= options_.per_leaf)
      return void(++counts_.repeated);
    if (!options_.wrong && !right(one)) return void(++counts_.incomplete);
    if (options_.wrong) {
      stack.judge = "wrong when captured: the CLR's walk is what is right";
      stack.frames.clear();
      stack.end = wire::WalkEnd::kRooted;
    }
    stack.situation = situation.text();
    stack.tid = 0;
    stack.sample = 0;
    if (!merge(one, &file_)) return void(++counts_.repeated);
    known_.insert(situation.text());
    ++leaves_[leaf_of(situation.text())];
    std::cout << situation.text() << "  [" << one.stacks.front().judge << "]\n";
  }

  bool full() const { return file_.stacks.size() >= options_.limit; }
  const StackFile& file() const { return file_; }

  void report() const {
    const size_t* u = counts_.untrusted;
    std::cerr << counts_.all << " different stacks: " << u[0] << " right, " << u[1] << " not rooted, " << u[2]
              << " refused by the CLR, " << u[3] << " different from the CLR's, " << u[4]
              << " not in the recording; of the right ones " << counts_.other << " not asked for, "
              << counts_.repeated << " in situations there are examples of, " << counts_.incomplete
              << " that cannot be walked again; " << file_.stacks.size() << " kept\n";
  }

 private:
  static std::string leaf_of(const std::string& situation) {
    return situation.substr(0, situation.find(';'));
  }
  static bool right(const StackFile& file) {
    for (const Cfi cfi : {Cfi::kInterpreted, Cfi::kCompiled}) {
      const auto process = RecordedProcess::load(file, cfi);
      const unwind::MappedMemo memo = unwind::map_memo();
      if (!process.ok() || !check_stack(**process, file.stacks.front(), memo.get()).empty()) return false;
    }
    return true;
  }

  const Options& options_;
  Judge judge_;
  std::regex method_, kind_;
  std::set<std::string> known_;
  std::map<std::string, size_t> leaves_;
  StackFile file_;
  Counts counts_;
};

int fail(const std::string& why) {
  std::cerr << "stack_select: " << why << "\n";
  return 1;
}

int run(const Options& options) {
  base::Result<Judge> judge = Judge::open(options.recording);
  if (!judge.ok()) return fail(judge.message());
  Selector selector(options, std::move(*judge));
  if (!options.known.empty()) {
    for (const auto& entry : std::filesystem::directory_iterator(options.known)) {
      if (entry.path().extension() != ".stacks" || entry.path() == options.output) continue;
      const base::Result<StackFile> known = unpack(read_file(entry.path()));
      if (!known.ok()) return fail(entry.path().string() + ": " + known.message());
      selector.know(*known);
    }
  }
  std::ifstream in(options.captured, std::ios::binary);
  for (std::string message; !selector.full() && next_message(in, &message);) {
    base::Result<StackFile> one = decode(message);
    if (!one.ok() || one->stacks.size() != 1) return fail("what was captured is damaged: " + one.message());
    if (!one->stacks.front().frames.empty()) selector.take(std::move(*one));
  }
  selector.report();
  if (selector.file().stacks.empty()) return fail("no stack to keep");
  const base::Result<std::string> bytes = pack(selector.file());
  if (!bytes.ok()) return fail(bytes.message());
  std::ofstream out(options.output, std::ios::binary);
  out << *bytes;
  return out.good() ? 0 : fail("cannot write " + options.output);
}

}  // namespace
}  // namespace walkabout::stacks

int main(int argc, char** argv) {
  walkabout::stacks::Options o;
  walkabout::cli::CommandLine line("One fixture per situation, of the stacks a run captured.",
                                   "stack_select");
  walkabout::cli::Verb app = line.without_verb();
  app.option("captured", o.captured, "").required();
  app.option("recording", o.recording, "").required();
  app.option("output", o.output, "a .stacks file").required();
  app.option("--known", o.known, "a folder of fixtures: their situations are not kept again");
  app.option("--program", o.program, "what ran");
  app.option("--method", o.method, "only leaves whose name matches");
  app.option("--kind", o.kind, "only situations whose text matches");
  app.option("--limit", o.limit, "stacks kept");
  app.option("--per-leaf", o.per_leaf, "stacks kept of one kind of leaf");
  app.flag("--wrong", o.wrong, "those where the CLR's walk differs without a reason, or that are not rooted");
  const walkabout::cli::CommandLine::Result result = line.run({argv + 1, argv + argc});
  std::cout << result.out;
  std::cerr << result.err;
  return result.ran ? walkabout::stacks::run(o) : result.exit_code;
}
