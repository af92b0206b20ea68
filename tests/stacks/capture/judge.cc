#include "tests/stacks/capture/judge.h"

#include <algorithm>

#include "base/file_name.h"
#include "profile/names/readable_name.h"
#include "profile/names/runtime_library.h"
#include "recording/reader.h"
#include "verify/verify_collector.h"

namespace walkabout::stacks {
namespace {

constexpr size_t kAll = SIZE_MAX;

class Names : public recording::RecordVisitor {
 public:
  Names(profile::CodeTable& code, std::string& runtime) : code_(code), runtime_(runtime) {}
  void on_session(const wire::Session& r) override { runtime_ = r.runtime; }
  void on_module(const wire::Module& r) override { code_.add(r); }
  void on_method(const wire::Method& r) override { code_.add(r); }
  void on_jit_code(const wire::JitCode& r) override { code_.add(r); }
  void on_method_range(const wire::MethodRange& r) override { code_.add(r); }
  void on_native_symbols(const wire::NativeSymbols& r) override { code_.add(r); }

 private:
  profile::CodeTable& code_;
  std::string& runtime_;
};

// What the comparison calls equal, seen from the frames alone.
bool same_managed(const RecordedStack& stack) {
  std::vector<wire::Frame> ours;
  std::copy_if(stack.frames.begin(), stack.frames.end(), std::back_inserter(ours),
               [](wire::Frame frame) { return frame.managed(); });
  return ours == stack.clr;
}

}  // namespace

base::Result<Judge> Judge::open(const std::string& recording) {
  Judge judge;
  Names names(judge.code_, judge.runtime_);
  if (auto read = recording::read_recording(recording, names); !read.ok()) return read.status();
  judge.code_.sort();
  profile::VerifyCollector verifier;
  if (auto read = recording::read_recording(recording, verifier); !read.ok()) return read.status();
  for (const profile::OracleExample& e : verifier.verify(kAll).examples) {
    judge.differences_[{e.tid, e.sample}] = e.verdict;
  }
  return judge;
}

Trust Judge::judge(RecordedStack& stack) const {
  if (stack.end != wire::WalkEnd::kRooted) return Trust::kNotRooted;
  if (!stack.clr_requested) {
    const auto managed = [](wire::Frame frame) { return frame.managed(); };
    if (std::any_of(stack.frames.begin(), stack.frames.end(), managed)) return Trust::kRefused;
    stack.judge = "rooted; no managed frame to compare";
    return Trust::kRight;
  }
  if (stack.hresult != 0) return Trust::kRefused;
  if (same_managed(stack)) {
    stack.judge = "rooted; managed frames equal the CLR's";
    return Trust::kRight;
  }
  const auto difference = differences_.find({stack.tid, stack.sample});
  if (difference == differences_.end()) return Trust::kLost;
  if (difference->second == "unexplained") return Trust::kDifferent;
  stack.judge = "rooted; differs from the CLR's by " + difference->second;
  return Trust::kRight;
}

void Judge::name(StackFile& file) const {
  for (RecordedImage& image : file.images) {
    const wire::Module* module = code_.module(base::CodeId(image.code));
    if (module == nullptr) continue;
    image.name = base::file_name(module->path);
    image.build_id = module->build_id;
  }
  for (RecordedRegion& region : file.regions) {
    const auto frame = wire::Frame::in_code(wire::FrameKind::kJitted, base::CodeId(region.code),
                                            static_cast<uint32_t>(region.begin - region.method_start));
    const wire::Method* method = code_.method(frame, profile::Role::kLeaf);
    if (method != nullptr) region.name = profile::readable_name(*method).text;
  }
}

std::string Judge::leaf_name(wire::Frame frame) const {
  if (const wire::Method* method = code_.method(frame, profile::Role::kLeaf); method != nullptr)
    return profile::readable_name(*method).text;
  if (const wire::NativeSymbol* symbol = code_.symbol(frame, profile::Role::kLeaf); symbol != nullptr)
    return symbol->name;
  const wire::Module* module = frame.has_code() ? code_.module(frame.code()) : nullptr;
  return module != nullptr ? std::string(base::file_name(module->path)) : "stub";
}

}  // namespace walkabout::stacks
