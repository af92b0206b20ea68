#include "profile/builder.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "profile/frame_namer.h"
#include "profile/runtime_library.h"
#include "recording/advice.h"
#include "recording/words.h"

namespace walkabout::profile {
namespace {

using wire::SampleFlag;

bool has(uint8_t flags, SampleFlag flag) { return (flags & static_cast<uint8_t>(flag)) != 0; }

// Threads that do nothing but collect garbage. Source: the names coreclr gives them (gcenv.ee.cpp, gc.cpp).
bool is_gc_thread(const wire::Thread& thread) {
  const std::string_view name = thread.os_name;
  return name.substr(0, 14) == ".NET Server GC" || name.substr(0, 8) == ".NET BGC";
}

std::string display_name(const wire::Thread& thread) {
  if (!thread.managed_name.empty()) return thread.managed_name;
  if (!thread.os_name.empty()) return thread.os_name;
  return "thread " + std::to_string(thread.tid);
}

// What the thread was doing, best knowledge first: the runtime's word, the compiler on the stack, the leaf's
// kind. The collector's library on a stack says nothing: allocating is there too.
Activity activity_of(uint8_t flags, uint8_t traits, bool gc_thread, Kind leaf) {
  if (has(flags, SampleFlag::kInGc) || gc_thread) return Activity::kGc;
  if (has(flags, SampleFlag::kInJit)) return Activity::kJit;
  if ((traits & kTraitJit) != 0) return Activity::kJit;
  switch (leaf) {
    case Kind::kManaged:
      return Activity::kManaged;
    case Kind::kRuntime:
    case Kind::kStub:
      return Activity::kRuntime;
    case Kind::kNative:
    case Kind::kOther:
      break;
  }
  return Activity::kNative;
}

bool earlier(const Sample& a, const Sample& b) { return a.time_us < b.time_us; }

}  // namespace

uint32_t Builder::thread_index(base::ThreadId id) {
  const auto [it, added] = threads_.try_emplace(id, static_cast<uint32_t>(thread_records_.size()));
  if (added) {
    thread_records_.emplace_back().id = id;
    profile_.threads.emplace_back();
  }
  return it->second;
}

void Builder::seen(uint64_t time_us) { profile_.duration_us = std::max(profile_.duration_us, time_us); }

void Builder::on_thread(const wire::Thread& r) { thread_records_[thread_index(r.id)] = r; }

void Builder::on_nodes(const wire::Nodes& r, uint32_t /*first_id*/) { stacks_.add(r); }

void Builder::on_samples(const wire::Samples& r) {
  const uint32_t thread = thread_index(r.thread);
  const uint64_t room =
      options_.max_samples - std::min<uint64_t>(options_.max_samples, profile_.samples.size());
  const size_t count = std::min<uint64_t>(r.time_us.size(), room);
  left_out_ += r.time_us.size() - count;
  for (size_t i = 0; i < count; ++i) {
    profile_.samples.push_back({r.time_us[i], r.weight_ns[i], thread, stacks_.entry(r.stack[i].value),
                                r.end[i], static_cast<Activity>(r.flags[i]),
                                has(r.flags[i], SampleFlag::kLeftOut)});
  }
  if (count > 0) last_sample_[thread] = profile_.samples.size() - 1;
  if (!r.time_us.empty()) seen(r.time_us.back());
}

// A weight covers the time before its sample; what a thread used after its last one has no better place than
// that.
void Builder::on_thread_end(const wire::ThreadEnd& r) {
  const uint32_t thread = thread_index(r.thread);
  const auto last = last_sample_.find(thread);
  if (last != last_sample_.end())
    profile_.samples[last->second].weight_ns += r.unsampled_ns;
  else
    profile_.threads[thread].unsampled_ns += r.unsampled_ns;
  seen(r.time_us);
}

void Builder::on_counters(const wire::Counters& r) {
  profile_.counters = r;
  seen(r.time_us);
}

void Builder::on_message(const wire::Message& r) {
  profile_.messages.push_back(r);
  seen(r.time_us);
}

// Every report shows the messages.
void Builder::on_rate(const wire::Rate& r) {
  on_message({r.time_us, wire::Severity::kInfo, recording::sentence(r)});
  has_budget_ = true;
}

void Builder::on_end(const wire::End& r) {
  profile_.complete = true;
  seen(r.time_us);
}

void Builder::finish_threads() {
  for (size_t i = 0; i < thread_records_.size(); ++i) {
    profile_.threads[i].name = display_name(thread_records_[i]);
    profile_.threads[i].tid = thread_records_[i].tid;
    profile_.threads[i].kind = thread_records_[i].kind;
  }
}

void Builder::finish_samples() {
  FrameNamer namer(code_, options_.unfold, profile_.session.command_line);
  StackMap map(stacks_, namer);
  std::vector<uint8_t> gc_threads;
  for (const wire::Thread& thread : thread_records_) gc_threads.push_back(is_gc_thread(thread) ? 1 : 0);
  for (Sample& sample : profile_.samples) {
    const auto flags = static_cast<uint8_t>(sample.activity);
    const uint8_t traits = map.traits(sample.node);
    sample.node = map.node(sample.node, sample.end);
    sample.activity =
        activity_of(flags, traits, gc_threads[sample.thread] != 0, namer.kind(map.frame(sample.node)));
    Thread& thread = profile_.threads[sample.thread];
    ++thread.samples;
    thread.weight_ns += sample.weight_ns;
    profile_.total_weight_ns += sample.weight_ns;
  }
  profile_.nodes = map.take_nodes();
  profile_.frames = namer.take_frames();
}

void Builder::finish_messages() {
  for (std::string& text : recording::advice(profile_.session, profile_.counters, has_budget_))
    profile_.messages.push_back({profile_.duration_us, wire::Severity::kWarning, std::move(text)});
}

void Builder::finish_stripped() {
  for (const auto& [id, module] : code_.modules()) {
    const wire::NativeSymbols* symbols = code_.symbols(id);
    if (symbols != nullptr && symbols->stripped) profile_.stripped.emplace_back(file_name(module.path));
  }
  std::sort(profile_.stripped.begin(), profile_.stripped.end());
  profile_.stripped.erase(std::unique(profile_.stripped.begin(), profile_.stripped.end()),
                          profile_.stripped.end());
}

Profile Builder::build(std::string damage) {
  code_.sort();
  finish_threads();
  finish_samples();
  finish_stripped();
  finish_messages();
  if (left_out_ > 0) {
    damage += (damage.empty() ? "" : "; ") + std::to_string(left_out_) +
              " samples were left out: a profile holds " + std::to_string(options_.max_samples);
  }
  profile_.damage = std::move(damage);
  if (options_.in_time_order && !std::is_sorted(profile_.samples.begin(), profile_.samples.end(), earlier)) {
    std::stable_sort(profile_.samples.begin(), profile_.samples.end(), earlier);
  }
  return std::move(profile_);
}

}  // namespace walkabout::profile
