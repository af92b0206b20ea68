#include "profile/names/frame_namer.h"

#include <string_view>
#include <utility>

#include "base/file_name.h"
#include "profile/names/frame_key.h"
#include "profile/names/hex.h"
#include "profile/names/readable_name.h"
#include "profile/names/runtime_library.h"
#include "wire/stub_kind.h"

namespace walkabout::profile {
namespace {

// A single-file program has the CLR linked in: then the program is what libcoreclr.so is elsewhere.
std::string find_runtime_inside(const CodeTable& code, const std::string& command_line) {
  const std::string program(command_line, 0, command_line.find(' '));
  std::string found;
  for (const auto& [id, module] : code.modules()) {
    if (base::file_name(module.path).substr(0, 10) == "libcoreclr") return "";
    if (module.kind == wire::ModuleKind::kElf && base::file_name(module.path) == base::file_name(program))
      found = module.path;
  }
  return found;
}

std::string file_of(const wire::Module* native) {
  const std::string file(native != nullptr ? base::file_name_of_any(native->path) : "");
  return file.empty() ? "unknown library" : file;
}

const char* stub_name(wire::StubKind kind) {
  switch (kind) {
    case wire::StubKind::kUnknown:
      break;
    case wire::StubKind::kMethodEntry:
      return "stub: method entry";
    case wire::StubKind::kCallCounting:
      return "stub: call counting";
    case wire::StubKind::kInterfaceCall:
      return "stub: interface call";
    case wire::StubKind::kVirtualCall:
      return "stub: virtual call";
    case wire::StubKind::kWriteBarrier:
      return "stub: write barrier";
    case wire::StubKind::kHelper:
      return "stub: helper of precompiled code";
    case wire::StubKind::kDelegateCall:
      return "stub: delegate call";
    case wire::StubKind::kGenericCall:
      return "stub: generic call";
    case wire::StubKind::kUnboxing:
      return "stub: unboxing";
  }
  return "stub";
}

// why: where it is wanted.
std::string async_end(wire::AsyncUnknown end, bool why) {
  if (end == wire::AsyncUnknown::kNone) return "[completed]";
  constexpr const char* kWhy[] = {"",
                                  "its state machine was not found",
                                  "two state machines were found",
                                  "in a collection",
                                  "code that was new",
                                  "a class that is not known",
                                  "one that is not suspended",
                                  "no object",
                                  "taken by another thread",
                                  "frames were left out"};
  const auto number = static_cast<size_t>(end);
  if (!why || number >= std::size(kWhy)) return "[unknown awaiters]";
  return std::string("[unknown awaiters: ") + kWhy[number] + "]";
}

}  // namespace

FrameNamer::FrameNamer(const CodeTable& code, Options options, const std::string& command_line)
    : code_(code),
      command_line_(command_line),
      unfold_(options.unfold),
      lines_(options.lines),
      inlined_(options.inlined),
      runtime_inside_(find_runtime_inside(code, command_line)) {
  look_again();
}

void FrameNamer::look_again() {
  by_record_.clear();
  inlined_by_record_.clear();
  names_.learn(code_);
  origins_.learn(code_, command_line_);
}

std::span<const NamedFrame> FrameNamer::frames_of(wire::Frame frame, Role role) {
  named_.assign(1, name(frame, role));
  if (inlined_ && frame.kind() == wire::FrameKind::kNative)
    add_inlined_functions(frame, role);
  else if (inlined_)
    add_inlined(frame, role);
  return named_;
}

NamedFrame FrameNamer::name(wire::Frame frame, Role role) {
  switch (frame.kind()) {
    case wire::FrameKind::kNative:
      return name_native(frame, role);
    case wire::FrameKind::kReadyToRun:
    case wire::FrameKind::kJitted:
      return name_managed(frame, role);
    case wire::FrameKind::kStub:
    case wire::FrameKind::kUnreported:
    case wire::FrameKind::kUnknown:
    case wire::FrameKind::kLeftOut:
      break;
  }
  return name_address(frame);
}

uint32_t FrameNamer::marker(const std::string& text) { return intern({text, text, "", Kind::kOther, true}); }

DisplayFrame FrameNamer::managed_frame(const wire::Method& method) const {
  ReadableName name = names_.of(method);
  DisplayFrame frame{std::move(name.text), raw_name(method), method.module, Kind::kManaged, true};
  frame.own = name.own;
  return frame;
}

NamedFrame FrameNamer::name_managed(wire::Frame frame, Role role) {
  if (const wire::Method* method = code_.method(frame, role)) {
    const bool is_funclet = code_.is_funclet(frame, role);
    if (!lines_) return {with_tier(method_frame(*method, false), frame), is_funclet};
    DisplayFrame shown = managed_frame(*method);
    shown.place = place_of(frame, role, *method);
    return {with_tier(intern(std::move(shown)), frame), is_funclet};
  }
  // Precompiled code whose method the agent did not learn, or a record lost to damage.
  const wire::Module* module = code_.module(frame.code());
  const std::string file(module != nullptr ? base::file_name_of_any(module->path) : std::string_view());
  const std::string where = file.empty() ? "managed code" : file;
  const std::string name = unfold_ ? where + "+" + hex(frame.offset()) : "[" + where + "]";
  return {intern({name, name, file, Kind::kManaged, false}), !unfold_};
}

uint32_t FrameNamer::method_frame(const wire::Method& method, bool inlined) {
  const auto [it, added] = (inlined ? inlined_by_record_ : by_record_).try_emplace(&method, 0);
  if (added) {
    DisplayFrame frame = managed_frame(method);
    frame.inlined = inlined;
    it->second = intern(std::move(frame));
  }
  return it->second;
}

uint32_t FrameNamer::with_tier(uint32_t named, wire::Frame frame) {
  if (const wire::Tier tier = code_.tier(frame); tier != wire::Tier::kUnknown)
    frames_[named].tiers |= static_cast<uint16_t>(1u << static_cast<unsigned>(tier));
  return named;
}

// Of each but the innermost: the line of the call in it, where the runtime says that.
void FrameNamer::add_inlined(wire::Frame frame, Role role) {
  const std::vector<InlinedCall> calls = code_.inlined_calls(frame, role);
  for (size_t i = 0; i < calls.size(); ++i) {
    if (!calls[i].by_known) named_.push_back({marker("[unknown frames]")});
    const wire::Method* method = code_.method_by_id(calls[i].method);
    if (method == nullptr) {
      named_.push_back({marker("[unknown inlined method]")});
    } else if (!lines_) {
      named_.push_back({with_tier(method_frame(*method, true), frame)});
    } else {
      DisplayFrame shown = managed_frame(*method);
      shown.inlined = true;
      shown.place =
          i + 1 < calls.size() ? place_of_site(calls[i + 1], *method) : code_.place_in(calls[i], frame, role);
      named_.push_back({with_tier(intern(std::move(shown)), frame)});
    }
  }
}

void FrameNamer::add_inlined_functions(wire::Frame frame, Role role) {
  const NativePlaces places = code_.native_places(frame, role);
  if (places.inlined.empty()) return;
  const wire::Module* module = code_.module(frame.code());
  for (const auto& [function, place] : places.inlined) {
    const auto known = lines_ ? inlined_by_record_.end() : inlined_by_record_.find(function);
    if (known != inlined_by_record_.end()) {
      named_.push_back({known->second});
      continue;
    }
    DisplayFrame shown{function->name, function->raw_name.empty() ? function->name : function->raw_name,
                       file_of(module), native_kind(module), true};
    shown.inlined = true;
    if (lines_) shown.place = place;
    const uint32_t named = intern(std::move(shown));
    if (!lines_) inlined_by_record_[function] = named;
    named_.push_back({named});
  }
}

SourcePlace FrameNamer::place_of_site(const InlinedCall& call, const wire::Method& in) const {
  return call.by_known ? code_.place_of_site(call, in) : SourcePlace();
}

// The compiled method's own frame.
SourcePlace FrameNamer::place_of(wire::Frame frame, Role role, const wire::Method& method) const {
  if (inlined_) {
    const std::vector<InlinedCall> calls = code_.inlined_calls(frame, role);
    if (!calls.empty()) {
      if (SourcePlace site = place_of_site(calls.front(), method); site.known()) return site;
    }
  }
  return code_.place(frame, role);
}

Kind FrameNamer::native_kind(const wire::Module* module) const {
  if (module == nullptr) return Kind::kNative;
  if (!runtime_inside_.empty() && module->path == runtime_inside_) return Kind::kRuntime;
  return runtime_part(module->path) == RuntimePart::kNone ? Kind::kNative : Kind::kRuntime;
}

NamedFrame FrameNamer::name_native(wire::Frame frame, Role role) {
  const wire::Module* module = code_.module(frame.code());
  const std::string file = file_of(module);
  const RuntimePart part = runtime_part(file);
  const auto traits = static_cast<uint8_t>(part == RuntimePart::kJit ? kTraitJit : 0);
  const wire::NativeSymbol* symbol = code_.symbol(frame, role);
  // An approximate name says itself how far its function is from the nearest exported one.
  if (symbol != nullptr && (unfold_ || !symbol->approximate)) {
    const auto known = lines_ ? by_record_.end() : by_record_.find(symbol);
    if (known != by_record_.end()) return {known->second, false, traits};
    const std::string& raw = symbol->raw_name.empty() ? symbol->name : symbol->raw_name;
    DisplayFrame shown{symbol->name, raw, file, native_kind(module), !symbol->approximate};
    if (lines_) shown.place = code_.native_places(frame, role).own;
    const uint32_t named = intern(std::move(shown));
    if (!lines_) by_record_[symbol] = named;
    return {named, false, traits};
  }
  const std::string folded = file[0] == '[' ? file : "[" + file + "]";  // the vDSO has its brackets already
  if (!unfold_) {
    DisplayFrame shown{folded, file, file, native_kind(module), false};
    if (lines_) shown.place = code_.native_places(frame, role).own;
    return {intern(std::move(shown)), true, traits};
  }
  const std::string name = file + "+" + hex(frame.offset());
  return {intern({name, name, file, native_kind(module), false}), false, traits};
}

NamedFrame FrameNamer::name_address(wire::Frame frame) {
  if (frame.kind() == wire::FrameKind::kLeftOut) {
    return {marker("[left out " + std::to_string(frame.address()) + " frames]")};
  }
  if (frame == wire::Frame::gap()) return {marker("[unknown frames]")};
  if (frame.is_async_end()) return {marker(async_end(frame.async_why(), unfold_))};
  if (frame == wire::Frame::not_walked()) return {marker("[not walked]")};
  const bool stub = frame.kind() == wire::FrameKind::kStub;
  const std::string what = stub ? stub_name(wire::stub_kind(frame)) : "unknown";
  const std::string raw = what + " " + hex(stub ? wire::stub_address(frame) : frame.address());
  const std::string name = "[" + (unfold_ ? raw : what) + "]";
  return {intern({name, unfold_ ? raw : name, "", stub ? Kind::kStub : Kind::kOther, false}), !unfold_};
}

uint32_t FrameNamer::intern(DisplayFrame frame) {
  const auto [it, added] = by_text_.try_emplace(frame_key(frame), static_cast<uint32_t>(frames_.size()));
  if (added) {
    frame.origin = origins_.of(frame);
    if (frame.inlined) frame.name += kInlinedMark;
    frames_.push_back(std::move(frame));
  }
  return it->second;
}

}  // namespace walkabout::profile
