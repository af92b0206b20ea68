#include "agent/linux/calls/call_counting.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <set>

#include "agent/linux/calls/counted_call.h"
#include "agent/linux/calls/similar_names.h"
#include "base/clock.h"
#include "base/file_name.h"
#include "clr/abi/enums.h"
#include "clr/abi/info_helpers.h"
#include "clr/abi/metadata.h"
#include "clr/names/method_record.h"
#include "clr/names/module_info.h"
#include "clr/names/module_methods.h"
#include "clr/names/runtime_info.h"
#include "il/body_reader.h"
#include "il/body_writer.h"
#include "il/insertion.h"
#include "il/pieces.h"
#include "wire/encode.h"

namespace walkabout::agent {
namespace {

constexpr uint32_t kReadWrite = 1;          // ofWrite
constexpr uint32_t kRuntimeAsync = 0x2000;  // MethodImplOptions.Async
constexpr uint16_t kFirstWithRuntimeAsync = 10;
// void (ulong) in the runtime's own convention (ECMA-335 II.23.2.1).
constexpr clr::COR_SIGNATURE kCountSignature[] = {0, 1, 1, 0x0b};
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

clr::ComPtr<clr::IMetaDataImport2> metadata_of(clr::ICorProfilerInfo12& info, clr::ModuleID module) {
  clr::ComPtr<clr::IMetaDataImport2> import;
  if (clr::failed(
          info.GetModuleMetaData(module, clr::ofRead, clr::IMetaDataImport2::kIid, import.put_unknown())))
    import.reset();
  return import;
}

}  // namespace

CallCounting::CallCounting(const Parts& parts, std::vector<wire::MethodPattern> patterns, bool any_number)
    : parts_(parts), patterns_(std::move(patterns)), any_number_(any_number) {
  pattern_states_.resize(patterns_.size());
  parts_.port.use(this);
}

CallCounting::~CallCounting() { stop(true); }

base::Status CallCounting::start(std::vector<clr::ModuleID> modules, std::atomic<pid_t>* tid) {
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

bool CallCounting::looked() {
  const base::Lock lock(mutex_);
  return state_.looked;
}

bool CallCounting::is_new(clr::ModuleID module) {
  const base::Lock lock(mutex_);
  return modules_.insert(module).second;
}

void CallCounting::module_loaded(clr::ModuleID module) {
  loading_.fetch_add(1);  // partner: stop()
  if (!stopping_.load() && is_new(module)) {
    std::vector<Chosen> chosen;
    look(module, &chosen);
    if (!chosen.empty() && !is_too_many(chosen.size())) ask_for(chosen, true);
  }
  loading_.fetch_sub(1);
}

// False: the recording's end came before.
bool CallCounting::look_through(const std::vector<clr::ModuleID>& modules) {
  std::vector<Chosen> chosen;
  for (const clr::ModuleID module : modules) {
    if (stopping_.load()) return false;
    if (is_new(module)) look(module, &chosen);
  }
  find_similar();
  return is_too_many(chosen.size()) || ask_for(chosen, false);
}

bool CallCounting::may_match(std::string_view file) const {
  return std::any_of(patterns_.begin(), patterns_.end(), [file](const wire::MethodPattern& pattern) {
    return !pattern.exclude && wire::may_match(pattern, file);
  });
}

void CallCounting::leave_out(const std::string& path) {
  if (!may_match(base::file_name_of_any(path))) return;
  const base::Lock lock(mutex_);
  ++state_.unloadable;
}

bool CallCounting::is_too_many(size_t more) {
  const base::Lock lock(mutex_);
  const size_t most = any_number_ ? wire::kMostCountedMethods : kMostWithoutAsking;
  if (methods_.size() + more <= most) return false;
  state_.too_many += more;
  return true;
}

void CallCounting::look(clr::ModuleID module, std::vector<Chosen>* chosen) {
  const std::optional<clr::ModuleInfo> info = clr::module_info(parts_.info, module);
  if (!info || (info->flags & clr::COR_PRF_MODULE_DYNAMIC) != 0) return;
  clr::ModuleNames names = clr::ModuleNames::of(*parts_.info, module);
  const std::string& file = names.file_name();
  const clr::ComPtr<clr::IMetaDataImport2> import = metadata_of(*parts_.info, module);
  if (!may_match(file) || !import) return;
  std::vector<uint64_t> matched(patterns_.size());
  clr::for_each_method(*import.get(), names, [&](const std::string& type, const clr::DefinedMethod& method) {
    const std::string name = wire::matched_name(type, method.name);
    const wire::NamedMethod named{file, name, wire::is_state_machine(type)};
    bool wanted = false, excluded = false;
    for (size_t i = 0; i < patterns_.size(); ++i) {
      if (!wire::matches(patterns_[i], named)) continue;
      ++matched[i];
      (patterns_[i].exclude ? excluded : wanted) = true;
    }
    if (!wanted || excluded) return;
    const bool async = (method.implementation & kRuntimeAsync) != 0;
    chosen->push_back(
        {module, method.token, async ? std::string(il::sentence_of(il::Cause::kRuntimeAsync)) : ""});
  });
  const base::Lock lock(mutex_);
  for (size_t i = 0; i < matched.size(); ++i) {
    if (matched[i] == 0) continue;
    pattern_states_[i].methods += matched[i];
    pattern_states_[i].emitted = false;
  }
}

// Of patterns that choose nothing.
void CallCounting::find_similar() {
  std::vector<clr::ModuleID> modules;
  std::vector<size_t> empty;
  {
    const base::Lock lock(mutex_);
    modules.assign(modules_.begin(), modules_.end());
    for (size_t i = 0; i < patterns_.size(); ++i) {
      if (!patterns_[i].exclude && pattern_states_[i].methods == 0) empty.push_back(i);
    }
  }
  if (empty.empty()) return;
  std::vector<SimilarNames> similar;
  similar.reserve(empty.size());
  for (const size_t i : empty) similar.emplace_back(patterns_[i].name);
  for (const clr::ModuleID module : modules) {
    const std::optional<clr::ModuleInfo> info = clr::module_info(parts_.info, module);
    if (!info || (info->flags & clr::COR_PRF_MODULE_DYNAMIC) != 0) continue;
    const clr::ComPtr<clr::IMetaDataImport2> import = metadata_of(*parts_.info, module);
    if (!import) continue;
    clr::ModuleNames names = clr::ModuleNames::of(*parts_.info, module);
    clr::for_each_method(*import.get(), names,
                         [&](const std::string& type, const clr::DefinedMethod& method) {
                           const std::string name = wire::matched_name(type, method.name);
                           if (name.find('<') != std::string::npos) return;  // a compiler's
                           for (SimilarNames& one : similar) one.offer(name);
                         });
  }
  const base::Lock lock(mutex_);
  for (size_t i = 0; i < empty.size(); ++i) {
    PatternState& state = pattern_states_[empty[i]];
    state.similar = similar[i].all();
    state.emitted = false;
  }
}

// The runtime does not name such methods as callers of what is inlined in them.
void CallCounting::find_runtime_async(const std::vector<clr::ModuleID>& modules) {
  const std::optional<clr::RuntimeVersion> version = clr::runtime_version(parts_.info);
  if (version && version->major < kFirstWithRuntimeAsync) return;
  for (const clr::ModuleID module : modules) {
    if (stopping_.load()) return;
    const clr::ComPtr<clr::IMetaDataImport2> import = metadata_of(*parts_.info, module);
    if (!import) continue;
    clr::ModuleNames names = clr::ModuleNames::of(*parts_.info, module);
    bool found = false;
    clr::for_each_method(*import.get(), names, [&](const std::string&, const clr::DefinedMethod& method) {
      found = found || (method.implementation & kRuntimeAsync) != 0;
    });
    if (!found) continue;
    const base::Lock lock(mutex_);
    state_.runtime_async = true;
    return;
  }
}

wire::CountedMethod CallCounting::describe(uint32_t index, clr::ModuleNames& names,
                                           clr::mdMethodDef token) const {
  wire::Method method = clr::method_record(base::MethodId(1), clr::declared_name(names, token));
  wire::CountedMethod record;
  record.index = index;
  record.flags = method.flags;
  record.type = std::move(method.type);
  record.method = std::move(method.method);
  record.parameters = std::move(method.parameters);
  record.returns = std::move(method.returns);
  record.module = std::move(method.module);
  return record;
}

// REQUIRES: rising by module. at_once: in a callback that nothing of the module runs before. False: the
// recording's end came before all of them.
bool CallCounting::ask_for(const std::vector<Chosen>& chosen, bool at_once) {
  std::vector<uint32_t> wanted;
  uint32_t first = 0;
  {
    const base::Lock lock(mutex_);
    first = static_cast<uint32_t>(methods_.size());
    for (const Chosen& one : chosen) methods_.add({one.module, one.token});
    state_.chosen = methods_.size();
  }
  std::string declared;
  for (size_t i = 0; i < chosen.size();) {
    const clr::ModuleID module = chosen[i].module;
    clr::ModuleNames names = clr::ModuleNames::of(*parts_.info, module);
    for (; i < chosen.size() && chosen[i].module == module; ++i)
      wire::encode(describe(first + static_cast<uint32_t>(i), names, chosen[i].token), declared);
  }
  {
    const base::Lock lock(mutex_);
    declared_ += declared;
  }
  const base::Status room = parts_.counters.make_room(first + static_cast<uint32_t>(chosen.size()));
  clr::ModuleID last = 0;
  clr::mdSignature signature = 0;
  for (size_t i = 0; i < chosen.size(); ++i) {
    if (chosen[i].module != last) signature = signature_in(last = chosen[i].module);
    std::string problem = chosen[i].problem;
    if (problem.empty() && !room.ok()) problem = room.message();
    if (problem.empty() && signature == 0) problem = "its module's metadata cannot be added to";
    const uint32_t index = first + static_cast<uint32_t>(i);
    if (problem.empty()) wanted.push_back(index);
    const base::Lock lock(mutex_);
    signatures_[last] = signature;
    if (problem.empty())
      methods_.may_be_changed(index);
    else
      leave_alone(index, std::move(problem));
  }
  return request(wanted, at_once);
}

clr::mdSignature CallCounting::signature_in(clr::ModuleID module) {
  clr::ComPtr<clr::IMetaDataEmit> emit;
  clr::mdSignature signature = 0;
  if (clr::failed(parts_.port.info()->GetModuleMetaData(module, kReadWrite, clr::IMetaDataEmit::kIid,
                                                        emit.put_unknown())) ||
      clr::failed(emit->GetTokenFromSig(kCountSignature, sizeof kCountSignature, &signature)))
    return 0;
  return signature;
}

// What the end of the recording is before is said of each.
bool CallCounting::request(const std::vector<uint32_t>& methods, bool at_once) {
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

void CallCounting::leave_alone(uint32_t index, std::string why) {
  if (!methods_.leave_alone(index)) return;
  ++state_.refused;
  problems_.push_back({index, std::move(why)});
}

void CallCounting::rewrite(clr::ModuleID module, clr::mdMethodDef method,
                           clr::ICorProfilerFunctionControl& control) {
  std::optional<uint32_t> index;
  clr::mdSignature signature = 0;
  {
    const base::Lock lock(mutex_);
    index = methods_.to_change({module, method});
    if (index) signature = signatures_[module];
  }
  if (!index) return note_caller(module, method);
  std::string problem = change(module, method, *index, signature, control);
  const base::Lock lock(mutex_);
  if (problem.empty()) {
    state_.rewritten += methods_.changed(*index) ? 1 : 0;
    return;
  }
  leave_alone(*index, std::move(problem));
  methods_.note_caller({module, method});
}

// Empty, or why it is left as it is. The runtime copies what it is given.
std::string CallCounting::change(clr::ModuleID module, clr::mdMethodDef method, uint32_t index,
                                 clr::mdSignature signature, clr::ICorProfilerFunctionControl& control) {
  const uint8_t* bytes = nullptr;
  uint32_t size = 0;
  const clr::HRESULT got = parts_.info->GetILFunctionBody(module, method, &bytes, &size);
  if (clr::failed(got) || bytes == nullptr) return hresult_text(got);
  il::Body body;
  il::Cause cause = il::read_body({bytes, size}, &body);
  const std::array<uint64_t, 1> arguments = {index};
  if (cause == il::Cause::kNone)
    cause = il::insert_at_entry(
        il::call_native(reinterpret_cast<uint64_t>(&walkabout_count_call), arguments, signature), &body);
  il::WrittenBody written;
  if (cause == il::Cause::kNone) cause = il::write_body(body, &written);
  if (cause != il::Cause::kNone) return std::string(il::sentence_of(cause));
  std::vector<clr::COR_IL_MAP> map;
  map.reserve(written.moved.size());
  for (const il::Moved& moved : written.moved) map.push_back({moved.from, moved.to, 1});
  clr::HRESULT set =
      control.SetILFunctionBody(static_cast<uint32_t>(written.bytes.size()), written.bytes.data());
  // So that stack traces have the lines that they had.
  if (clr::succeeded(set))
    set = control.SetILInstrumentedCodeMap(static_cast<uint32_t>(map.size()), map.data());
  return clr::failed(set) ? hresult_text(set) : "";
}

void CallCounting::refused(clr::ModuleID module, clr::mdMethodDef method, clr::HRESULT why) {
  const base::Lock lock(mutex_);
  if (const std::optional<uint32_t> index = methods_.find({module, method}); index)
    leave_alone(*index, hresult_text(why));
}

// What can be unloaded may be gone before it could be given its own code back.
void CallCounting::note_caller(clr::ModuleID module, clr::mdMethodDef method) {
  const std::optional<clr::ModuleInfo> info = clr::module_info(parts_.info, module);
  if (!info || (info->flags & clr::COR_PRF_MODULE_COLLECTIBLE) != 0) return;
  const base::Lock lock(mutex_);
  methods_.note_caller({module, method});
}

size_t CallCounting::revert(const std::vector<Key>& methods) {
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

void CallCounting::stop(bool process_ends) {
  if (stopping_.exchange(true)) return;
  thread_.join();
  if (!process_ends) {
    while (loading_.load() != 0) ::usleep(kRestUs);
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
  parts_.port.use(nullptr);
  if (looked()) find_similar();
}

void CallCounting::emit(uint64_t time_us, std::string* records) {
  parts_.counters.keep_spare();
  size_t declared = 0;
  std::vector<std::pair<Key, Problem>> problems;
  wire::CallState state;
  {
    const base::Lock lock(mutex_);
    for (size_t i = 0; i < patterns_.size(); ++i) {
      PatternState& pattern = pattern_states_[i];
      if (std::exchange(pattern.emitted, true)) continue;
      wire::encode(
          wire::CallPattern{static_cast<uint32_t>(i), patterns_[i].text, pattern.methods, pattern.similar},
          *records);
    }
    *records += declared_;
    declared_.clear();
    for (Problem& problem : problems_)
      problems.emplace_back(methods_.key_of(problem.index), std::move(problem));
    problems_.clear();
    declared = methods_.size();
    state = state_;
    state.callers = methods_.callers();
  }
  for (auto& [key, problem] : problems) {
    clr::ModuleNames names = clr::ModuleNames::of(*parts_.info, key.first);
    wire::CountedMethod record = describe(problem.index, names, key.second);
    record.problem = std::move(problem.why);
    wire::encode(record, *records);
  }
  emit_counts(time_us, declared, records);
  std::string said;
  wire::encode(state, said);
  if (std::exchange(last_state_, said) == said) return;
  state.time_us = time_us;
  wire::encode(state, *records);
}

void CallCounting::emit_counts(uint64_t time_us, size_t declared, std::string* records) {
  const std::vector<uint64_t> sums = parts_.counters.sums();
  emitted_.resize(std::max(emitted_.size(), sums.size()));
  wire::CallCounts counts;
  counts.time_us = time_us;
  for (size_t i = 0; i < std::min(sums.size(), declared); ++i) {
    if (sums[i] == emitted_[i]) continue;
    counts.index.push_back(i);
    counts.calls.push_back(sums[i] - emitted_[i]);
    emitted_[i] = sums[i];
  }
  if (!counts.index.empty()) wire::encode(counts, *records);
}

}  // namespace walkabout::agent
