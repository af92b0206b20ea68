#include "agent/core/code_registry.h"

#include <unistd.h>

#include <utility>

#include "agent/core/jit_code_record.h"
#include "agent/core/jit_unwind.h"
#include "agent/core/os.h"
#include "base/file_name.h"
#include "clr/events/inlining.h"
#include "clr/names/method_record.h"
#include "unwind/pe/prolog_x64.h"
#include "wire/encode.h"

namespace walkabout::agent {
namespace {
constexpr int kGraceRounds = 50;

CompiledMethod compiled_method_of(FoundCode code) {
  CompiledMethod method;
  method.function = code.function;
  method.start = code.start;
  method.size = code.size;
  method.name = std::move(code.name);
  return method;
}

}  // namespace

CodeRegistry::CodeRegistry(unwind::ReaderGate& gate) : gate_(gate), jitted_(gate), images_(gate) {}

base::CodeId CodeRegistry::jitted(const clr::MethodLoad& event, clr::TypeHandles* types) {
  unreported_until_ns_.store(0, std::memory_order_relaxed);
  if (event.start == 0 || event.size == 0) return {};
  CompiledMethod method;
  method.function = event.method_id;
  method.start = event.start;
  method.size = event.size;
  method.tier = static_cast<wire::Tier>(event.tier);
  clr::MethodName name = clr::name_of_event(event, types);
  const base::Lock lock(mutex_);
  // An instantiation's module may be that of one of its arguments.
  if (!event.dynamic && !event.generic) {
    const auto module = module_files_.find(event.module_id);
    if (module != module_files_.end()) name.module = module->second;
  }
  // Code that may vanish before the spooler comes to it keeps the event's names. Instantiations over types of
  // a collectible module are collectible too, and look like any other generic method.
  const auto owner = collectible_.find(event.module_id);
  if (event.dynamic || owner != collectible_.end() || (event.generic && !collectible_.empty())) {
    method.name = std::make_shared<const clr::MethodName>(name);
    if (!event.dynamic) method.alive_at = unloads();
  }
  const base::CodeId code = add_compiled_method(std::move(method), &name);
  if (!event.dynamic && owner != collectible_.end()) owner->second.push_back(code);
  return code;
}

void CodeRegistry::note_in(Rings& rings) {
  const base::Lock lock(mutex_);
  notes_.begin(rings);
}

void CodeRegistry::note(const wire::Module& module) {
  if (!notes_.begun()) return;
  std::string records;
  wire::encode(module, records);
  notes_.add(records);
}

void CodeRegistry::note(const CompiledMethod& compiled, clr::MethodName name) {
  if (!notes_.begun()) return;
  std::string records;
  const base::MethodId method(1);  // the only one of its note
  wire::encode(clr::method_record(method, std::move(name)), records);
  wire::encode(jit_code_record(compiled, method), records);
  notes_.add(records);
}

// name: null where only the CLR knows it.
base::CodeId CodeRegistry::add_compiled_method(CompiledMethod method, const clr::MethodName* name) {
  method.code = next_code();
  publish_regions(method);
  if (name != nullptr) note(method, *name);
  if (const auto old = code_at_.find(method.start); old != code_at_.end())
    unloaded_.emplace_back(old->second);
  const base::CodeId code = method.code;
  code_at_[method.start] = code.value;
  compiled_methods_.emplace(code.value, std::move(method));
  return code;
}

base::CodeId CodeRegistry::async_method(clr::MethodName name) {
  const base::Lock lock(mutex_);
  CompiledMethod method;
  method.code = next_code();
  method.name = std::make_shared<const clr::MethodName>(name);
  note(method, std::move(name));
  const base::CodeId code = method.code;
  compiled_methods_.emplace(code.value, std::move(method));
  return code;
}

base::CodeId CodeRegistry::newest_code() const {
  const base::Lock lock(mutex_);
  return base::CodeId(last_code_);
}

void CodeRegistry::found(FoundCode code) {
  if (code.start == 0 || code.size == 0) return;
  const base::Lock lock(mutex_);
  if (code_at_.count(code.start) != 0) return;
  const bool may_ask = code.may_ask && code.name != nullptr && !code.name->dynamic;
  CompiledMethod method = compiled_method_of(std::move(code));
  if (may_ask) method.alive_at = unloads();
  const auto name = method.name;
  add_compiled_method(std::move(method), name.get());
}

void CodeRegistry::compiled(FoundCode code) {
  if (code.start == 0 || code.size == 0) return;
  const base::Lock lock(mutex_);
  const auto owner = collectible_.find(code.collectible);
  CompiledMethod method = compiled_method_of(std::move(code));
  const auto name = method.name;
  const base::CodeId id = add_compiled_method(std::move(method), name.get());
  if (owner != collectible_.end()) owner->second.push_back(id);
}

bool CodeRegistry::knows_compiled_method(uint64_t start) const {
  const base::Lock lock(mutex_);
  return code_at_.count(start) != 0;
}

bool CodeRegistry::knows_compiled_method(uint64_t start, clr::FunctionID of) const {
  const base::Lock lock(mutex_);
  const auto at = code_at_.find(start);
  if (at == code_at_.end()) return false;
  const auto method = compiled_methods_.find(at->second);
  return method != compiled_methods_.end() && method->second.function == of;
}

bool CodeRegistry::is_collectible(clr::ModuleID module) const {
  const base::Lock lock(mutex_);
  return collectible_.count(module) != 0;
}

bool CodeRegistry::stays(clr::ModuleID module) const {
  const base::Lock lock(mutex_);
  return staying_.count(module) != 0;
}

bool CodeRegistry::has_collectible() const {
  const base::Lock lock(mutex_);
  return !collectible_.empty();
}

// What was inlined into dynamic and collectible code could go away with it: the CLR would be asked for names
// of methods that are no more.
[[gnu::cold]] void CodeRegistry::inlined(base::CodeId code, clr::FunctionID function,
                                         std::span<const uint8_t> said) {
  told_of_inlining_.fetch_add(1, std::memory_order_relaxed);
  clr::InlinedCode known;
  if (clr::InlinedCode::parse(said, &known) && known.nodes() == 1) return;
  const base::Lock lock(mutex_);
  const auto method = compiled_methods_.find(code.value);
  if (method == compiled_methods_.end() || method->second.function != function ||
      method->second.name != nullptr || inlined_bytes_ + said.size() > kMostInlined) {
    inlining_lost_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  inlined_bytes_ += said.size();
  inlined_.emplace_front(reinterpret_cast<const char*>(said.data()), said.size());
  method->second.inlined = &inlined_.front();
}

void CodeRegistry::unloaded(const clr::MethodUnload& event) {
  const base::Lock lock(mutex_);
  take_out(event.start);
}

void CodeRegistry::take_out(uint64_t start) {
  jitted_.retire(start);
  generation_.fetch_add(1, std::memory_order_release);
  const auto at = code_at_.find(start);
  if (at == code_at_.end()) return;
  unloaded_.emplace_back(at->second);
  code_at_.erase(at);
}

void CodeRegistry::collectible_module(clr::ModuleID module) {
  const base::Lock lock(mutex_);
  collectible_.try_emplace(module);
}

void CodeRegistry::module_loaded(clr::ModuleID module, std::string_view path) {
  const std::string_view file = base::file_name_of_any(path);
  const base::Lock lock(mutex_);
  if (collectible_.count(module) == 0) staying_.insert(module);
  if (!file.empty()) module_files_.insert_or_assign(module, file);
}

bool CodeRegistry::module_unloaded(clr::ModuleID module) {
  const base::Lock lock(mutex_);
  module_files_.erase(module);
  if (staying_.erase(module) != 0) return false;
  unloads_.fetch_add(1, std::memory_order_seq_cst);
  const auto unloaded = collectible_.find(module);
  if (unloaded == collectible_.end()) return true;
  for (base::CodeId code : unloaded->second) {
    const auto method = compiled_methods_.find(code.value);
    if (method == compiled_methods_.end()) continue;
    const auto living = code_at_.find(method->second.start);  // other code may be there by now
    if (living != code_at_.end() && living->second == code.value) take_out(method->second.start);
  }
  collectible_.erase(unloaded);
  return true;
}

const std::string& CodeRegistry::intern(const uint8_t* bytes, uint32_t size) {
  const std::string_view key(reinterpret_cast<const char*>(bytes), size);
  const auto known = unwind_infos_.find(key);
  return known != unwind_infos_.end() ? *known : *unwind_infos_.emplace(key).first;
}

void CodeRegistry::publish_region(const CompiledMethod& method, uint64_t begin, uint32_t size,
                                  const uint8_t* info, uint32_t info_size) {
  const std::string& kept = intern(info, info_size);
  unwind::JitRegion region;
  region.begin = begin;
  region.method_start = method.start;
  region.size = size;
  region.code = method.code.value;
  region.unwind = reinterpret_cast<const uint8_t*>(kept.data());
  region.unwind_size = info_size;
  if (jitted_.publish(region)) generation_.fetch_add(1, std::memory_order_release);
}

void CodeRegistry::publish_regions(CompiledMethod& method) {
  JitUnwindReader reader;
  UnwindRegion region;
  if (reader.open(method.start, method.size, method.function)) {
    for (uint32_t i = 0; i < reader.regions(); ++i) {
      if (!reader.region(i, &region)) continue;
      if (i == 0 && reader.regions() > 1) method.main_size = region.size;
      publish_region(method, region.begin, region.size, region.info, region.info_size);
    }
    return;
  }
  without_unwind_data_.fetch_add(1, std::memory_order_relaxed);
  const unwind::PrologInfo decoded =
      unwind::decode_prolog({reinterpret_cast<const uint8_t*>(method.start), method.size});
  publish_region(method, method.start, method.size, decoded.bytes, decoded.size);
}

void CodeRegistry::remove_image(unwind::Image* image) {
  {
    const base::Lock lock(mutex_);
    unloaded_.push_back(image->code);
    images_.remove(image);
    // Before the wait of retire() begins: who enters the gate from then on forgets what it knew of the image
    // (seq_cst, as at the gate; partner: the walk's load of the generation behind its entry).
    generation_.fetch_add(1, std::memory_order_seq_cst);
    images_.retire(image);
  }
  wait_for_readers();
}

// The memory goes away next. A walk takes microseconds; a handler that was switched out is not waited for
// long. (On Windows a sleep of less than a millisecond is none: so says os.h.)
void CodeRegistry::wait_for_readers() {
  unwind::ReaderGate::Grace grace(gate_);
  for (int i = 0; i < kGraceRounds && !grace.over(); ++i) ::usleep(kShortestSleepUs);
}

std::vector<unwind::Image*> CodeRegistry::all_images() const {
  const base::Lock lock(mutex_);
  return images_.images();
}

bool CodeRegistry::compiled_method(base::CodeId code, CompiledMethod* method) const {
  const base::Lock lock(mutex_);
  const auto it = compiled_methods_.find(code.value);
  if (it == compiled_methods_.end()) return false;
  *method = it->second;
  return true;
}

bool CodeRegistry::module(base::CodeId code, wire::Module* module) const {
  const base::Lock lock(mutex_);
  const auto it = modules_.find(code.value);
  if (it == modules_.end()) return false;
  *module = it->second;
  return true;
}

void CodeRegistry::maintain() {
  const base::Lock lock(mutex_);
  jitted_.maintain();
  images_.maintain();
}

std::vector<base::CodeId> CodeRegistry::erase_unloaded() {
  const base::Lock lock(mutex_);
  for (const base::CodeId code : unloaded_before_) {
    compiled_methods_.erase(code.value);
    modules_.erase(code.value);
  }
  return std::exchange(unloaded_before_, std::exchange(unloaded_, {}));
}

size_t CodeRegistry::compiled_methods() const {
  const base::Lock lock(mutex_);
  return compiled_methods_.size();
}

}  // namespace walkabout::agent
