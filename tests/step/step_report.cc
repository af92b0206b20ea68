#include "tests/step/step_report.h"

#include <stdio.h>

#include <array>
#include <iterator>

#include "base/file_name.h"

namespace walkabout::agent::step {
namespace {

constexpr const char* kTiers[] = {
    "unknown_tier",       "min_opts",           "optimized",           "tier0",  "tier1", "osr",
    "tier0_instrumented", "tier1_instrumented", "ready_to_run_method", "pre_jit"};
constexpr const char* kStopped[] = {"end", "budget", "lost"};
constexpr const char* kEnds[] = {"rooted",      "no_unwind_info", "bad_memory", "bad_return",
                                 "no_progress", "too_deep",       "gap",        "not_walked"};
static_assert(std::size(kEnds) == static_cast<size_t>(wire::WalkEnd::kCount));

std::string hex(uint64_t value) {
  char text[24];
  ::snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < ' ' ? '?' : c;
  }
  return out + '"';
}

std::string field(const char* name, uint64_t value) {
  return std::string(", \"") + name + "\": " + std::to_string(value);
}

}  // namespace

base::CodeId Report::library(const std::string& name) const {
  for (const unwind::Image* image : registry_.all_images()) {
    wire::Module module;
    if (registry_.module(image->code, &module) && base::file_name(module.path) == name) return image->code;
  }
  return {};
}

std::string Report::name_of(wire::Frame frame, bool leaf) {
  const std::string at = "+0x" + hex(frame.offset());
  if (!frame.has_code()) return "stub 0x" + hex(frame.address());
  CompiledMethod compiled;
  wire::Module module;
  if (frame.kind() == wire::FrameKind::kJitted) {
    if (!registry_.compiled_method(frame.code(), &compiled)) return "gone" + at;
    const clr::MethodName name = compiled.name != nullptr ? *compiled.name : names_.of(compiled.function);
    return kTiers[static_cast<size_t>(compiled.tier)] + (" " + name.type) + "." + name.method + at;
  }
  if (!registry_.module(frame.code(), &module)) return "image" + at;
  std::string name(base::file_name(module.path));
  clr::FunctionID function = 0;
  if (frame.kind() == wire::FrameKind::kReadyToRun &&
      info_->GetFunctionFromIP(reinterpret_cast<uint8_t*>(module.bias + frame.offset() - (leaf ? 0 : 1)),
                               &function) >= 0 &&
      function != 0) {
    const clr::MethodName known = names_.of(function);
    name += " " + known.type + "." + known.method;
  }
  return name + at;
}

std::string Report::frames(const wire::Frame* frames, uint32_t from, uint32_t count) {
  std::string out = "[";
  for (uint32_t i = 0; i < Example::kFrames && from + i < count; ++i) {
    if (i != 0) out += ", ";
    out += quoted(name_of(frames[i], from + i == 0));
  }
  return out + "]";
}

std::string Report::example(const std::string& section, const Example& e) {
  const uint32_t from = e.first_difference < 2 ? 0 : e.first_difference - 2;
  std::string out =
      "{\"example\": " + quoted(section) + ", \"end\": " + quoted(kEnds[static_cast<size_t>(e.end)]);
  out += std::string(", \"memo\": ") + (e.with_memo ? "true" : "false");
  out += std::string(", \"slots\": ") + (e.slots ? "true" : "false");
  out += std::string(", \"replaced\": ") + (e.replaced ? "true" : "false");
  out += field("walked_count", e.walked_count) + field("true_count", e.true_count);
  out += field("first_difference", e.first_difference) + ", \"code\": \"";
  for (const uint8_t byte : e.code) out += hex(byte >> 4) + hex(byte & 15);
  out += "\", \"previous_pc\": \"" + hex(e.previous_pc) + "\", \"registers\": [";
  for (size_t i = 0; i < std::size(e.regs.r); ++i) out += (i == 0 ? "\"" : ", \"") + hex(e.regs.r[i]) + "\"";
  out += "], \"stack\": [";
  for (size_t i = 0; i < std::size(e.stack); ++i) out += (i == 0 ? "\"" : ", \"") + hex(e.stack[i]) + "\"";
  out += "], \"walked\": " + frames(e.walked, from, e.walked_count);
  return out + ", \"truth\": " + frames(e.truth, from, e.true_count) + "}\n";
}

std::string Report::of(const std::string& section, Stepper& stepper) {
  const Judge& judge = stepper.judge();
  const Figures& f = judge.figures();
  std::array<uint64_t, std::size(kTiers)> tiers{};
  for (uint32_t code = 0; code < judge.by_code().size(); ++code) {
    if (judge.by_code()[code] == 0) continue;
    CompiledMethod compiled;
    const bool known = registry_.compiled_method(base::CodeId(code), &compiled);
    tiers[known ? static_cast<size_t>(compiled.tier) : 0] += judge.by_code()[code];
  }
  std::string out = "{\"section\": " + quoted(section);
  out += ", \"stopped\": " + quoted(kStopped[static_cast<size_t>(stepper.stopped())]);
  out += field("steps", f.steps) + field("wrong", f.wrong) + field("wrong_memo", f.wrong_memo);
  out += field("not_rooted", f.not_rooted) + field("replaced", f.replaced) + field("unwinding", f.unwinding) +
         field("faults", f.faults) + field("hijacked", f.hijacked) + field("long_jumps", f.long_jumps) +
         field("calls", f.calls);
  out += field("deepest", f.deepest) + field("native", f.native) + field("ready_to_run", f.ready_to_run);
  out += field("stub", f.stub);
  for (size_t i = 0; i < tiers.size(); ++i) {
    if (tiers[i] != 0) out += field(kTiers[i], tiers[i]);
  }
  out += "}\n";
  for (uint32_t i = 0; i < judge.examples(); ++i) out += example(section, judge.example(i));
  return out;
}

}  // namespace walkabout::agent::step
