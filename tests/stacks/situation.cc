#include "tests/stacks/situation.h"

#include <algorithm>
#include <cctype>
#include <span>

#include "unwind/cfi/cfi_interpret.h"
#include "unwind/cfi/cfi_plt.h"
#include "unwind/machine/call_site.h"
#include "unwind/machine/epilog_x64.h"
#include "unwind/pe/pe_codes.h"

namespace walkabout::stacks {
namespace {

namespace pe = unwind::pe;
using Bytes = std::span<const uint8_t>;

constexpr uint64_t kPage = 4096;

// "libc.so.6" is libc, "libcoreclr.so" is coreclr: versions and the prefix say nothing of the walk.
std::string short_name(const std::string& file) {
  std::string name = file.substr(0, file.find(".so"));
  if (name.starts_with("lib") && name != "libc") name.erase(0, 3);
  if (name == "dotnet" || name.starts_with("host")) return "host";
  return name.empty() ? "unnamed" : name;
}

const char* kind_name(const CodePlace& place) {
  if (place.region != nullptr) return "jitted";
  return place.image != nullptr && place.image->managed ? "ready-to-run" : "stub";
}

// What an UNWIND_INFO says of the kind of frame.
struct Shape {
  uint8_t prolog = 0;
  int pushes = 0;
  int codes = 0;
  bool frame_register = false;
  bool osr = false;  // the frame it stands on is described at offset 0
  bool chained = false;
  bool large = false;  // a frame of a page or more, whose prolog probes
  std::string text() const {
    return std::string(osr ? " osr" : "") + (chained ? " chained" : "") + (frame_register ? " rbp" : " rsp") +
           (large ? " large" : "");
  }
};

Shape shape_of(Bytes info) {
  Shape shape;
  if (unwind::unwind_info_size(info) == 0) return shape;
  shape.prolog = info[1];
  shape.chained = (info[0] >> 3 & unwind::kUnwindFlagChained) != 0;
  shape.frame_register = (info[3] & 15) != 0;
  for (pe::Codes codes(info); !codes.done();) {
    pe::Code code;
    if (!codes.next(&code)) break;
    ++shape.codes;
    shape.pushes += code.op == pe::kPushNonvol ? 1 : 0;
    shape.osr |= code.offset == 0;
    shape.large |= code.op == pe::kAllocLarge && code.info == 0 && code.operand * 8 >= kPage;
  }
  return shape;
}

// How many of a prolog's codes were done.
int done_by(Bytes info, uint64_t offset) {
  int done = 0;
  if (unwind::unwind_info_size(info) == 0) return done;
  for (pe::Codes codes(info); !codes.done();) {
    pe::Code code;
    if (!codes.next(&code)) break;
    done += code.offset <= offset ? 1 : 0;
  }
  return done;
}

// What is left of an epilog: "add pop:3 ret".
std::string epilog_text(Bytes code) {
  std::string text;
  const auto starts = [&](std::initializer_list<uint8_t> bytes) {
    return code.size() >= bytes.size() && std::equal(bytes.begin(), bytes.end(), code.begin());
  };
  const auto skip = [&](const char* what, size_t size) {
    text += what;
    code = code.subspan(std::min(size, code.size()));
  };
  if (starts({0x48, 0x83, 0xc4})) skip("add ", 4);
  if (starts({0x48, 0x81, 0xc4})) skip("add ", 7);
  if (starts({0x48, 0x8d, 0x65})) skip("lea ", 4);
  if (starts({0x48, 0x8d, 0xa5})) skip("lea ", 7);
  int pops = 0;
  for (;; ++pops) {
    const size_t prefix = starts({0x41}) ? 1 : 0;
    if (code.size() <= prefix || (code[prefix] & 0xf8) != 0x58) break;
    code = code.subspan(prefix + 1);
  }
  if (pops > 0) text += "pop:" + std::to_string(pops) + " ";
  return text + (starts({0xc3}) ? "ret" : "jmp");
}

struct ManagedCode {
  uint64_t begin = 0;
  uint64_t end = 0;
  Bytes info;
  bool funclet = false;
};

bool managed_code(const RecordedProcess& process, uint64_t lookup, ManagedCode* code) {
  if (const unwind::JitRegion* region = process.region(lookup); region != nullptr) {
    *code = {region->begin,
             region->end(),
             {region->unwind, region->unwind_size},
             region->begin != region->method_start};
    return true;
  }
  const unwind::Image* image = process.image(lookup);
  if (image == nullptr || !image->managed) return false;
  const auto rva = static_cast<uint32_t>(lookup - image->base);
  const unwind::RuntimeFunction* f = unwind::find_function(image->functions, rva);
  if (f == nullptr || f->unwind + unwind::kUnwindHeaderSize > image->mapped.size()) return false;
  const size_t size = unwind::kUnwindHeaderSize + size_t{image->mapped[f->unwind + 2]} * 2;
  if (f->unwind + size > image->mapped.size()) return false;
  *code = {image->base + f->begin, image->base + f->end, image->mapped.subspan(f->unwind, size), false};
  return true;
}

// saved: with how many registers.
std::string native_rule(const unwind::Image& image, uint64_t lookup, bool saved, bool* signal_frame) {
  unwind::CfiRule rule;
  if (unwind::cfi_interpret(image.cfi, lookup, &rule) != unwind::CfiStatus::kOk) return "no-rule";
  *signal_frame = rule.signal_frame;
  if (rule.signal_frame) return "signal";
  unwind::CompactRule compact;
  unwind::Fde fde;
  if (unwind::find_fde(image.cfi, lookup, &fde) != unwind::CfiStatus::kOk) return "plt";
  if (rule.cfa.kind == unwind::CfaKind::kExpression) return "expression";
  if (!unwind::CompactRule::plain(rule, &compact)) return "general";
  const uint8_t reg = compact.cfa_register();
  const std::string base = reg == unwind::kRsp   ? "rsp"
                           : reg == unwind::kRbp ? "rbp"
                                                 : "r" + std::to_string(reg);
  if (reg == unwind::kRsp && compact.cfa_offset() == 8) return lookup == fde.begin ? "entry" : "frameless";
  if (!saved) return base;
  int count = 0;
  for (size_t i = 0; i < unwind::kSavedCount; ++i) count += compact.slot(i) != unwind::kNotSaved ? 1 : 0;
  return base + " saved:" + std::to_string(count);
}

class Describer {
 public:
  Describer(const RecordedProcess& process, const RecordedStack& stack) : process_(process), stack_(stack) {}

  Situation run(const std::vector<wire::Frame>& frames) {
    bool interrupted = true;
    std::string callee;
    for (size_t i = 0; i < frames.size(); ++i) {
      const uint64_t pc = process_.address(frames[i]);
      bool signal_frame = false;
      const std::string kind = kind_of(interrupted ? pc : pc - 1);
      const std::string rule = rule_of(pc, interrupted, &signal_frame);
      if (i == 0)
        situation_.leaf = kind + rule;
      else
        situation_.rules.insert(kind + rule);
      if (!callee.empty() && callee != kind) situation_.calls.insert(callee + "<" + kind);
      callee = kind;
      interrupted = signal_frame;
    }
    const size_t depth = frames.size();
    situation_.depth = depth < 10 ? "<10" : depth < 40 ? "<40" : depth < 200 ? "<200" : ">=200";
    return situation_;
  }

 private:
  std::string kind_of(uint64_t lookup) const {
    const CodePlace place = process_.locate(lookup);
    if (place.image != nullptr && !place.image->managed) return short_name(place.image->name);
    return kind_name(place);
  }

  std::string rule_of(uint64_t pc, bool interrupted, bool* signal_frame) const {
    const uint64_t lookup = interrupted ? pc : pc - 1;
    ManagedCode code;
    if (managed_code(process_, lookup, &code)) return managed_rule(code, pc, interrupted);
    const unwind::Image* image = process_.image(lookup);
    return image == nullptr || image->managed ? " leaf-rule"
                                              : " " + native_rule(*image, lookup, interrupted, signal_frame);
  }

  std::string managed_rule(const ManagedCode& code, uint64_t pc, bool interrupted) const {
    const Shape shape = shape_of(code.info);
    std::string what = std::string(code.funclet ? " funclet" : "") + shape.text();
    if (!interrupted) return (faulted(pc) ? " faulted" : "") + what;
    what += " saved:" + std::to_string(shape.pushes);
    const uint64_t offset = pc - code.begin;
    if (offset < shape.prolog || offset == 0) {
      return " prolog " + std::to_string(done_by(code.info, offset)) + "/" + std::to_string(shape.codes) +
             what;
    }
    const Bytes window =
        memory_of(stack_).code_at(pc, std::min<uint64_t>(code.end - pc, unwind::kEpilogWindow));
    if (unwind::is_epilog(window, code.begin, code.end, pc)) return " epilog " + epilog_text(window) + what;
    return " body" + what;
  }

  // Managed code whose "return address" no call ends at: the runtime calls its handler so.
  bool faulted(uint64_t pc) const { return !unwind::follows_call(pc, memory_of(stack_)).value_or(true); }

  const RecordedProcess& process_;
  const RecordedStack& stack_;
  Situation situation_;
};

std::string joined(const std::set<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

}  // namespace

std::string Situation::text() const {
  return "leaf: " + leaf + "; calls: " + joined(calls) + "; callers: " + joined(rules) + "; frames: " + depth;
}

Situation situation_of(const RecordedProcess& process, const RecordedStack& stack,
                       const std::vector<wire::Frame>& frames) {
  return Describer(process, stack).run(frames);
}

}  // namespace walkabout::stacks
