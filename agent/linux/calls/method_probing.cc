#include "agent/linux/calls/method_probing.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <set>
#include <utility>

#include "base/clock.h"
#include "base/file_name.h"
#include "clr/abi/enums.h"
#include "clr/abi/info_helpers.h"
#include "clr/names/method_record.h"
#include "clr/names/module_info.h"
#include "clr/names/module_names.h"
#include "clr/names/runtime_info.h"
#include "il/body_reader.h"
#include "il/body_writer.h"
#include "wire/counter_blocks.h"
#include "wire/encode.h"

namespace walkabout::agent {
namespace {

constexpr uint16_t kFirstWithRuntimeAsync = 10;
// The runtime holds locks that compiling threads need while it looks for callers: in small portions, and with
// rests between them, the program does not stand.
constexpr size_t kPortion = 16, kRevertPortion = 256;
constexpr useconds_t kRestUs = 200;  // at least; else as long as the request took
constexpr int kRevertRounds = 3;
constexpr char kTooLate[] = "the recording ended before the runtime was asked for it";
constexpr useconds_t kSettleBetweenRoundsUs = 20'000;

std::string hresult_text(clr::HRESULT hresult) {
  char text[64];
  std::snprintf(text, sizeof text, "the runtime refused it (0x%08x)", static_cast<uint32_t>(hresult));
  return text;
}

wire::CountedMethod describe(uint32_t index, clr::ModuleNames& names, clr::mdMethodDef token) {
  return clr::counted_method_record(index, clr::declared_name(names, token));
}

// The runtime copies what it is given.
clr::HRESULT set_body(const il::WrittenBody& written, clr::ICorProfilerFunctionControl& control) {
  const clr::HRESULT set =
      control.SetILFunctionBody(static_cast<uint32_t>(written.bytes.size()), written.bytes.data());
  if (clr::failed(set)) return set;
  // So that stack traces have the lines that they had.
  std::vector<clr::COR_IL_MAP> map;
  map.reserve(written.moved.size());
  for (const il::Moved& moved : written.moved) map.push_back({moved.from, moved.to, 1});
  return control.SetILInstrumentedCodeMap(static_cast<uint32_t>(map.size()), map.data());
}

}  // namespace

MethodProbing::MethodProbing(const Parts& parts, std::vector<wire::MethodPattern> patterns, bool any_number)
    : parts_(parts),
      any_number_(any_number),
      search_(parts.info, std::move(patterns), parts.probe.enters_state_machines()) {
  parts_.port.use(this);
}

MethodProbing::~MethodProbing() { stop(true); }

base::Status MethodProbing::start(std::vector<clr::ModuleID> modules, std::atomic<pid_t>* tid) {
  if (modules.empty()) {
    const base::Lock lock(mutex_);
    state_.looked = true;
    return {};
  }
  return thread_.start("walkabout-count", tid, [this, all = std::move(modules)] {
    parts_.port.info()->InitializeCurrentThread();
    const bool whole = look_through(all);
    {
      const base::Lock lock(mutex_);
      state_.looked = whole;
    }
    find_runtime_async(all);
  });
}

bool MethodProbing::looked() {
  const base::Lock lock(mutex_);
  return state_.looked;
}

std::vector<clr::ModuleID> MethodProbing::modules_seen() {
  const base::Lock lock(mutex_);
  return {modules_.begin(), modules_.end()};
}

bool MethodProbing::is_new(clr::ModuleID module) {
  const base::Lock lock(mutex_);
  return modules_.insert(module).second;
}

void MethodProbing::module_loaded(clr::ModuleID module) {
  loading_.fetch_add(1);  // partner: stop()
  if (!stopping_.load() && is_new(module)) {
    std::vector<FoundMethod> found;
    search_.look(module, &found);
    if (!found.empty() && !is_too_many(found.size())) ask_for(found, true);
  }
  loading_.fetch_sub(1);
}

// False: the recording's end came before.
bool MethodProbing::look_through(const std::vector<clr::ModuleID>& modules) {
  std::vector<FoundMethod> found;
  for (const clr::ModuleID module : modules) {
    if (stopping_.load()) return false;
    if (is_new(module)) search_.look(module, &found);
  }
  search_.find_similar(modules_seen());
  return is_too_many(found.size()) || ask_for(found, false);
}

void MethodProbing::leave_out(const std::string& path) {
  if (!search_.may_match(base::file_name_of_any(path))) return;
  const base::Lock lock(mutex_);
  ++state_.unloadable;
}

bool MethodProbing::is_too_many(size_t more) {
  const base::Lock lock(mutex_);
  const size_t most = any_number_ ? wire::kMostCountedMethods : kMostWithoutAsking;
  if (methods_.size() + more <= most) return false;
  state_.too_many += more;
  return true;
}

// The runtime does not name such methods as callers of what is inlined in them.
void MethodProbing::find_runtime_async(const std::vector<clr::ModuleID>& modules) {
  const std::optional<clr::RuntimeVersion> version = clr::runtime_version(parts_.info);
  if (version && version->major < kFirstWithRuntimeAsync) return;
  for (const clr::ModuleID module : modules) {
    if (stopping_.load()) return;
    if (!has_runtime_async(*parts_.info, module)) continue;
    const base::Lock lock(mutex_);
    state_.runtime_async = true;
    return;
  }
}

// REQUIRES: rising by module. at_once: in a callback that nothing of the module runs before. False: the
// recording's end came before all of them.
bool MethodProbing::ask_for(const std::vector<FoundMethod>& found, bool at_once) {
  std::vector<uint32_t> wanted;
  uint32_t first = 0;
  {
    const base::Lock lock(mutex_);
    first = static_cast<uint32_t>(methods_.size());
    for (const FoundMethod& one : found) methods_.add({one.module, one.token}, {one.named, one.async});
    state_.chosen = methods_.size();
  }
  std::string declared;
  for (size_t i = 0; i < found.size();) {
    const clr::ModuleID module = found[i].module;
    clr::ModuleNames names = clr::ModuleNames::of(*parts_.info, module);
    for (; i < found.size() && found[i].module == module; ++i)
      wire::encode(describe(first + static_cast<uint32_t>(i), names, found[i].named), declared);
  }
  {
    const base::Lock lock(mutex_);
    declared_ += declared;
  }
  const base::Status room = parts_.probe.make_room(first + static_cast<uint32_t>(found.size()));
  clr::ModuleID last = 0;
  bool taken_up = false;
  for (size_t i = 0; i < found.size(); ++i) {
    if (found[i].module != last) taken_up = take_up(last = found[i].module);
    std::string problem = found[i].problem;
    if (problem.empty() && !room.ok()) problem = room.message();
    if (problem.empty() && !taken_up) problem = "its module's metadata cannot be added to";
    const uint32_t index = first + static_cast<uint32_t>(i);
    if (problem.empty()) wanted.push_back(index);
    const base::Lock lock(mutex_);
    if (problem.empty())
      methods_.may_be_changed(index);
    else
      leave_alone(index, std::move(problem));
  }
  return request(wanted, at_once);
}

bool MethodProbing::take_up(clr::ModuleID module) {
  const clr::ComPtr<clr::IMetaDataEmit> metadata = writable_metadata_of(*parts_.port.info(), module);
  return metadata && parts_.probe.take_up(module, *metadata.get());
}

// What the end of the recording is before is said of each.
bool MethodProbing::request(const std::vector<uint32_t>& methods, bool at_once) {
  const size_t portion = at_once ? methods.size() : kPortion;
  size_t begin = 0;
  for (; begin < methods.size() && !stopping_.load(); begin += portion) {
    const size_t count = std::min(portion, methods.size() - begin);
    std::vector<clr::ModuleID> modules;
    std::vector<clr::mdMethodDef> tokens;
    {
      const base::Lock lock(mutex_);
      for (size_t i = begin; i < begin + count; ++i) {
        methods_.request(methods[i]);
        modules.push_back(methods_.key_of(methods[i]).first);
        tokens.push_back(methods_.key_of(methods[i]).second);
      }
    }
    const uint64_t begin_ns = base::monotonic_ns();
    const clr::HRESULT answer = parts_.port.info()->RequestReJITWithInliners(
        clr::COR_PRF_REJIT_BLOCK_INLINING | clr::COR_PRF_REJIT_INLINING_CALLBACKS,
        static_cast<uint32_t>(count), modules.data(), tokens.data());
    const uint64_t took_ns = base::monotonic_ns() - begin_ns;
    {
      const base::Lock lock(mutex_);
      state_.request_ns = std::max(state_.request_ns, took_ns);
      for (size_t i = begin; clr::failed(answer) && i < begin + count; ++i)
        leave_alone(methods[i], hresult_text(answer));
    }
    if (!at_once) ::usleep(std::max(kRestUs, static_cast<useconds_t>(took_ns / 1000)));
  }
  const base::Lock lock(mutex_);
  for (size_t i = begin; i < methods.size(); ++i) leave_alone(methods[i], kTooLate);
  return begin >= methods.size();
}

void MethodProbing::leave_alone(uint32_t index, std::string why) {
  if (!methods_.leave_alone(index)) return;
  ++state_.refused;
  problems_.push_back({index, std::move(why)});
}

void MethodProbing::rewrite(clr::ModuleID module, clr::mdMethodDef method,
                            clr::ICorProfilerFunctionControl& control) {
  std::optional<uint32_t> index;
  bool async = false;
  {
    const base::Lock lock(mutex_);
    index = methods_.to_change({module, method});
    async = index && methods_.about(*index).async;
  }
  if (!index) return note_caller(module, method);
  std::string problem = change({module, method, *index, async}, control);
  const base::Lock lock(mutex_);
  if (problem.empty()) {
    state_.rewritten += methods_.changed(*index) ? 1 : 0;
    return;
  }
  leave_alone(*index, std::move(problem));
  methods_.note_caller({module, method});
}

// Empty, or why it is left as it is.
std::string MethodProbing::change(const ProbedMethod& method, clr::ICorProfilerFunctionControl& control) {
  const uint8_t* bytes = nullptr;
  uint32_t size = 0;
  const clr::HRESULT got = parts_.info->GetILFunctionBody(method.module, method.token, &bytes, &size);
  if (clr::failed(got) || bytes == nullptr) return hresult_text(got);
  il::Body body;
  il::Cause cause = il::read_body({bytes, size}, &body);
  if (cause != il::Cause::kNone) return std::string(il::sentence_of(cause));
  if (std::string problem = parts_.probe.put_into(method, &body); !problem.empty()) return problem;
  il::WrittenBody written;
  cause = il::write_body(body, &written);
  if (cause != il::Cause::kNone) return std::string(il::sentence_of(cause));
  const clr::HRESULT set = set_body(written, control);
  return clr::failed(set) ? hresult_text(set) : "";
}

void MethodProbing::refused(clr::ModuleID module, clr::mdMethodDef method, clr::HRESULT why) {
  const base::Lock lock(mutex_);
  if (const std::optional<uint32_t> index = methods_.find({module, method}); index)
    leave_alone(*index, hresult_text(why));
}

// What can be unloaded may be gone before it could be given its own code back.
void MethodProbing::note_caller(clr::ModuleID module, clr::mdMethodDef method) {
  const std::optional<clr::ModuleInfo> info = clr::module_info(parts_.info, module);
  if (!info || (info->flags & clr::COR_PRF_MODULE_COLLECTIBLE) != 0) return;
  const base::Lock lock(mutex_);
  methods_.note_caller({module, method});
}

size_t MethodProbing::revert(const std::vector<Key>& methods) {
  size_t reverted = 0;
  for (size_t begin = 0; begin < methods.size(); begin += kRevertPortion) {
    const size_t count = std::min(kRevertPortion, methods.size() - begin);
    std::vector<clr::ModuleID> modules;
    std::vector<clr::mdMethodDef> tokens;
    for (size_t i = begin; i < begin + count; ++i) {
      modules.push_back(methods[i].first);
      tokens.push_back(methods[i].second);
    }
    std::vector<clr::HRESULT> each(count, clr::E_FAIL);
    parts_.port.info()->RequestRevert(static_cast<uint32_t>(count), modules.data(), tokens.data(),
                                      each.data());
    reverted += static_cast<size_t>(
        std::count_if(each.begin(), each.end(), [](clr::HRESULT one) { return clr::succeeded(one); }));
  }
  return reverted;
}

void MethodProbing::give_back() {
  parts_.port.info()->InitializeCurrentThread();
  std::vector<Key> wanted;
  {
    const base::Lock lock(mutex_);
    wanted = methods_.methods_to_revert();
  }
  size_t reverted = revert(wanted);
  // Callers that are compiling just now are learnt a moment later.
  std::set<Key> done;
  for (int round = 0; round < kRevertRounds; ++round) {
    wanted.clear();
    {
      const base::Lock lock(mutex_);
      const std::set<Key>& callers = methods_.callers_to_revert();
      std::set_difference(callers.begin(), callers.end(), done.begin(), done.end(),
                          std::back_inserter(wanted));
    }
    if (wanted.empty() && round > 0) break;
    reverted += revert(wanted);
    done.insert(wanted.begin(), wanted.end());
    ::usleep(kSettleBetweenRoundsUs);
  }
  const base::Lock lock(mutex_);
  state_.reverted = reverted;
}

void MethodProbing::stop(bool process_ends) {
  if (stopping_.exchange(true)) return;
  thread_.join();
  if (!process_ends) {
    while (loading_.load() != 0) ::usleep(kRestUs);
    give_back();
  }
  parts_.port.use(nullptr);
  parts_.probe.stop();
  if (looked()) search_.find_similar(modules_seen());
}

void MethodProbing::emit(uint64_t time_us, std::string* records) {
  search_.emit(records);
  size_t declared = 0;
  struct Troubled {
    clr::ModuleID module;
    clr::mdMethodDef named;
    Problem problem;
  };
  std::vector<Troubled> troubled;
  wire::CallState state;
  {
    const base::Lock lock(mutex_);
    *records += declared_;
    declared_.clear();
    for (Problem& problem : problems_)
      troubled.push_back(
          {methods_.key_of(problem.index).first, methods_.about(problem.index).named, std::move(problem)});
    problems_.clear();
    declared = methods_.size();
    state = state_;
    state.callers = methods_.callers();
  }
  for (Troubled& one : troubled) {
    clr::ModuleNames names = clr::ModuleNames::of(*parts_.info, one.module);
    wire::CountedMethod record = describe(one.problem.index, names, one.named);
    record.problem = std::move(one.problem.why);
    wire::encode(record, *records);
  }
  parts_.probe.emit(time_us, declared, records);
  std::string said;
  wire::encode(state, said);
  if (std::exchange(last_state_, said) == said) return;
  state.time_us = time_us;
  wire::encode(state, *records);
}

}  // namespace walkabout::agent
