#include "profile/query/startup.h"

#include <algorithm>
#include <map>
#include <utility>

#include "profile/query/blocked.h"
#include "profile/query/named_source.h"

namespace walkabout::profile {
namespace {

// The innermost managed method: whose code asked the runtime for it.
uint32_t caller_of(const Profile& profile, const Sample& sample) {
  for (uint32_t node = sample.node; node != 0; node = profile.nodes[node].parent) {
    const uint32_t frame = profile.nodes[node].frame;
    if (profile.frames[frame].kind == Kind::kManaged) return frame;
  }
  return kNobody;
}

std::vector<StartupItem> longest(std::vector<StartupItem> items, size_t most) {
  std::stable_sort(items.begin(), items.end(),
                   [](const StartupItem& a, const StartupItem& b) { return a.ns > b.ns; });
  items.resize(std::min(items.size(), most));
  return items;
}

class Collector {
 public:
  Collector(const Profile& profile, uint64_t end_us) : profile_(profile) {
    out_.end_us = end_us;
    const uint64_t part_us = (end_us + kStartupParts - 1) / kStartupParts;
    for (size_t i = 0; i < kStartupParts; ++i)
      out_.parts.push_back({i * part_us, std::min((i + 1) * part_us, end_us), {}, 0, 0, 0});
    if (samples_cpu()) out_.cpu_ns.emplace();
    if (wall_.recorded()) out_.main_ns.emplace();
    if (jit_.recorded()) out_.compiles.emplace();
    if (loads_.recorded()) out_.loads.emplace();
    if (gc_.recorded()) out_.pauses.emplace();
    if (exceptions_.recorded()) out_.exceptions.emplace();
    if (locks_.recorded()) out_.locks.emplace();
    if (waits_.recorded()) out_.waits.emplace();
    if (wall_.recorded()) state_ = find_label(wall_.source(), wire::LabelType::kThreadState);
    for (size_t i = 0; i < profile.threads.size(); ++i) {
      if (profile.threads[i].tid == profile.session.pid) main_ = static_cast<uint32_t>(i);
    }
  }

  // Of the time that is looked at.
  void add(const Sample& sample) {
    for (const NamedSource* events : {&jit_, &loads_, &gc_, &exceptions_, &locks_, &waits_})
      out_.summed += events->has_sum(sample) ? sample.count : 0;
    if (profile_.sources.empty() || cpu_.has(sample)) add_cpu(sample);
    if (jit_.has(sample)) add_compile(sample);
    if (loads_.has(sample)) add_load(sample);
    if (gc_.has(sample)) {
      add_to(*out_.pauses, gc_.value(sample, "pauses"), gc_.value(sample, "pause"));
      part(sample).pause_ns += gc_.value(sample, "pause");
    }
    if (exceptions_.has(sample)) add_to(*out_.exceptions, exceptions_.value(sample, "exceptions"), 0);
    if (locks_.has(sample))
      add_to(*out_.locks, locks_.value(sample, "contentions"), locks_.value(sample, "time waited"));
    if (waits_.has(sample))
      add_to(*out_.waits, waits_.value(sample, "waits"), waits_.value(sample, "time waited"));
  }

  // Of any time: a sample of wall-clock time is about what was before it.
  void add_main(const Sample& sample) {
    if (!wall_.has(sample) || sample.thread != main_) return;
    const uint64_t time_ns = sample.time_us * 1000, end_ns = std::min(time_ns, out_.end_us * 1000);
    const uint64_t begin_ns = time_ns - std::min(sample.weight, time_ns);
    const uint64_t state = label_of(profile_, sample.labels, state_);
    (*out_.main_ns)[std::min<uint64_t>(state, out_.main_ns->size() - 1)] +=
        end_ns - std::min(begin_ns, end_ns);
  }

  Startup result(size_t most) {
    if (out_.compiles) {
      for (auto& [name, sums] : tiers_) out_.compiles->tiers.push_back({name, sums});
      std::stable_sort(out_.compiles->tiers.begin(), out_.compiles->tiers.end(),
                       [](const StartupTier& a, const StartupTier& b) { return a.sums.ns > b.sums.ns; });
      out_.compiles->longest = longest(std::move(methods_), most);
    }
    if (out_.loads) {
      out_.loads->longest = longest(std::move(types_), most);
      std::stable_sort(out_.loads->assemblies.begin(), out_.loads->assemblies.end(),
                       [](const StartupItem& a, const StartupItem& b) { return a.time_us < b.time_us; });
    }
    return std::move(out_);
  }

 private:
  // A recording of version 1 names no source.
  bool samples_cpu() const { return profile_.sources.empty() || cpu_.recorded(); }
  static void add_to(StartupSums& sums, uint64_t count, uint64_t ns) {
    sums.count += count;
    sums.ns += ns;
  }
  StartupPart& part(const Sample& sample) {
    const uint64_t part_us = std::max<uint64_t>(out_.parts[0].end_us, 1);
    return out_.parts[std::min<uint64_t>(sample.time_us / part_us, kStartupParts - 1)];
  }
  void add_cpu(const Sample& sample) {
    const auto activity = static_cast<size_t>(sample.activity);
    (*out_.cpu_ns)[activity] += sample.weight;
    part(sample).cpu_ns[activity] += sample.weight;
  }
  void add_compile(const Sample& sample) {
    StartupCompiles& compiles = *out_.compiles;
    const uint64_t ns = jit_.value(sample, "compile time"), methods = jit_.value(sample, "methods");
    add_to(compiles, methods, ns);
    compiles.code_bytes += jit_.value(sample, "code");
    compiles.il_bytes += jit_.value(sample, "IL");
    add_to(tiers_[jit_.label(sample, "tier")], methods, ns);
    part(sample).compile_ns += ns;
    if (methods == 1) methods_.push_back(item(jit_.label(sample, "method"), sample, ns));
  }
  void add_load(const Sample& sample) {
    StartupLoads& loads = *out_.loads;
    const std::string kind = loads_.label(sample, "kind");
    const uint64_t count = loads_.value(sample, "loads"), ns = loads_.value(sample, "load time");
    if (kind == "assembly") {
      loads.assemblies.push_back(item(loads_.label(sample, "name"), sample, ns));
    } else if (kind == "module") {
      loads.modules += count;
    } else {
      add_to(loads.types, count, ns);
      part(sample).load_ns += ns;
      if (count == 1) types_.push_back(item(loads_.label(sample, "name"), sample, ns));
    }
  }
  StartupItem item(std::string name, const Sample& sample, uint64_t ns) const {
    return {std::move(name), sample.time_us, ns, caller_of(profile_, sample)};
  }

  const Profile& profile_;
  const NamedSource cpu_{profile_, "cpu"}, wall_{profile_, "wall"}, jit_{profile_, "jit"},
      loads_{profile_, "loads"}, gc_{profile_, "gc"}, exceptions_{profile_, "exceptions"},
      locks_{profile_, "locks"}, waits_{profile_, "waits"};
  std::optional<size_t> state_;
  uint32_t main_ = kNobody;
  std::map<std::string, StartupSums> tiers_;
  std::vector<StartupItem> methods_, types_;
  Startup out_;
};

}  // namespace

base::Result<Startup> startup(const Profile& profile, uint64_t end_us, size_t most) {
  if (profile.session.attached)
    return base::Status::error(
        "the recording begins when the program ran already: it does not have the program's start. That is in "
        "the "
        "first recording of `walkabout run --events all`");
  Collector collector(profile, std::min(end_us, profile.duration_us));
  for (const Sample& sample : profile.samples) {
    if (sample.time_us < end_us) collector.add(sample);
    collector.add_main(sample);
  }
  return collector.result(most);
}

}  // namespace walkabout::profile
