#include "agent/core/code_writer.h"

#include <algorithm>
#include <array>
#include <span>

#include "agent/core/inlined_calls.h"
#include "agent/core/jit_code_record.h"
#include "agent/core/os.h"
#include "base/page_size.h"
#include "clr/names/method_record.h"
#include "clr/names/module_identity.h"
#include "clr/names/stub_code.h"
#include "wire/encode.h"

namespace walkabout::agent {

using base::CodeId;
using base::MethodId;
using wire::Frame;
using wire::FrameKind;

namespace {

// A return address may be one past the method's end.
uint32_t looked_up(Frame frame, bool leaf) {
  return leaf || frame.offset() == 0 ? frame.offset() : frame.offset() - 1;
}

}  // namespace

CodeWriter::CodeWriter(CodeRegistry& registry, clr::ICorProfilerInfo2* info, Lines lines)
    : registry_(registry), info_(info), names_(info), sites_(lines.sites) {
  if (lines.on) il_maps_.emplace(registry, info);
}

void CodeWriter::declare(Frame frame, bool leaf, std::string* out) {
  switch (frame.kind()) {
    case FrameKind::kNative:
      declare_module(frame.code(), out);
      break;
    case FrameKind::kJitted:
      declare_jitted(frame.code(), out);
      break;
    case FrameKind::kReadyToRun:
      declare_module(frame.code(), out);
      declare_precompiled(frame.code(), looked_up(frame, leaf), out);
      break;
    default:
      break;
  }
}

Frame CodeWriter::resolve(Frame frame, bool leaf) const {
  if (!frame.unmapped()) return frame;
  const uint64_t pc = frame.address();
  std::optional<Frame> known;
  {
    const unwind::ReaderGate::Reader inside(registry_.gate());
    // A call may be its method's last instruction; a fault's may be its first.
    if (!leaf && pc != 0) known = find(pc, pc - 1);
    if (!known) known = find(pc, pc);
  }
  return known ? *known : as_stub(frame.as_unnamed());
}

// With what its code says that it does. Where what is around it is not there as a whole, its page is: stubs
// of the same kind lie side by side, so few reach into the next page.
Frame CodeWriter::as_stub(Frame frame) {
  if (frame.kind() != FrameKind::kStub) return frame;
  const uint64_t pc = frame.address(), page = pc - pc % base::kPageSize;
  uint64_t begin = pc - std::min<uint64_t>(pc, clr::kStubCodeAround), end = pc + clr::kStubCodeAround;
  std::array<uint8_t, 2 * clr::kStubCodeAround> code;
  if (!read_self(nullptr, begin, code.data(), end - begin)) {
    begin = std::max(begin, page);
    end = std::min(end, page + base::kPageSize);
    if (end <= begin || !read_self(nullptr, begin, code.data(), end - begin)) return frame;
  }
  return wire::with_stub_kind(frame, clr::stub_kind_of({code.data(), end - begin}, pc - begin));
}

std::optional<Frame> CodeWriter::find(uint64_t pc, uint64_t lookup) const {
  if (const unwind::Image* image = registry_.images().find(lookup); image != nullptr) {
    return Frame::in_code(image->managed ? FrameKind::kReadyToRun : FrameKind::kNative, image->code,
                          static_cast<uint32_t>(pc - image->base));
  }
  const unwind::JitRegion* region = registry_.jitted().find(lookup);
  if (region == nullptr) return std::nullopt;
  const CodeId code(region->code.load(std::memory_order_relaxed));
  if (!code.valid()) return std::nullopt;
  return Frame::in_code(FrameKind::kJitted, code, static_cast<uint32_t>(pc - region->method_start));
}

void CodeWriter::erase(CodeId code) {
  declared_.erase(code.value);
  ranges_.erase(code.value);
  bases_.erase(code.value);
  if (il_maps_) il_maps_->erase(code);
}

bool CodeWriter::emit_il_maps(size_t most, std::string* out) {
  if (!il_maps_) return true;
  il_maps_->emit(most, out);
  return il_maps_->pending() == 0;
}

void CodeWriter::declare_module(CodeId code, std::string* out) {
  wire::Module module;
  if (is_declared(code) || !registry_.module(code, &module)) return;
  declared_.insert(code.value);
  if (module.kind == wire::ModuleKind::kReadyToRun) bases_[code.value] = module.start;
  wire::encode(module, *out);
}

void CodeWriter::declare_jitted(CodeId code, std::string* out) {
  if (is_declared(code)) return;
  CompiledMethod compiled;
  if (code == Frame::unreported_code()) {
    compiled.code = code;
    declared_.insert(code.value);
    wire::encode(jit_code_record(compiled, MethodId()), *out);
    return;
  }
  if (!registry_.compiled_method(code, &compiled)) return;
  declared_.insert(code.value);
  MethodId method;
  if (compiled.name != nullptr) {
    // The descriptors of dynamic methods are reused: each compiled one is a method of its own.
    method = MethodId(++last_method_);
    declare_name(method, *compiled.name, out);
  } else {
    method = declare_function(compiled.function, out);
  }
  wire::encode(jit_code_record(compiled, method), *out);
  if (il_maps_) il_maps_->want(compiled);
  if (compiled.inlined != nullptr) declare_inlined(compiled, out);
}

// What is inlined lives as long as the code that it is in, and that does not go away: it is neither dynamic
// nor collectible (CodeRegistry::inlined).
[[gnu::cold]] void CodeWriter::declare_inlined(const CompiledMethod& compiled, std::string* out) {
  struct With {
    CodeWriter* writer;
    std::string* out;
  } with{this, out};
  const InlinedNames names{[](void* of, uint64_t function) -> uint64_t {
                             const auto* to = static_cast<With*>(of);
                             return to->writer->declare_function(function, to->out).value;
                           },
                           &with};
  wire::InlineTree tree;
  tree.code = compiled.code;
  const std::span said(reinterpret_cast<const uint8_t*>(compiled.inlined->data()), compiled.inlined->size());
  if (!fill_inline_tree(said, sites_, names, &tree))
    ++refused_inline_trees_;
  else if (!tree.calls.empty())
    wire::encode(tree, *out);
}

void CodeWriter::declare_precompiled(CodeId code, uint32_t rva, std::string* out) {
  wire::MethodRange range;
  if (!find_range(code, rva, &range)) return;
  const auto [known, fresh] = ranges_[code.value].try_emplace(range.begin, 0);
  if (!fresh) return;
  clr::FunctionID function = 0;
  if (info_->GetFunctionFromIP(reinterpret_cast<uint8_t*>(bases_[code.value] + rva), &function) < 0 ||
      function == 0)
    return;
  known->second = function;
  range.method = declare_function(function, out);
  wire::encode(range, *out);
  if (il_maps_) il_maps_->want(code, bases_[code.value], bases_[code.value] + range.begin, function);
}

clr::FunctionID CodeWriter::function_of(Frame frame, bool leaf) const {
  wire::MethodRange range;
  const auto ranges = ranges_.find(frame.code().value);
  if (ranges == ranges_.end() || !find_range(frame.code(), looked_up(frame, leaf), &range)) return 0;
  const auto known = ranges->second.find(range.begin);
  return known == ranges->second.end() ? 0 : known->second;
}

MethodId CodeWriter::declare_function(clr::FunctionID function, std::string* out) {
  const auto [it, fresh] = methods_.try_emplace(function, MethodId(last_method_ + 1));
  if (!fresh) return it->second;
  ++last_method_;
  const MethodId id = it->second;
  declare_name(id, names_.of(function), out);
  return id;
}

void CodeWriter::declare_name(MethodId id, clr::MethodName name, std::string* out) {
  const clr::ModuleID module = name.module_id;
  const clr::mdToken token = name.token;
  wire::Method record = clr::method_record(id, std::move(name));
  if (il_maps_ && module != 0 && token != 0) {
    record.token = token;
    record.assembly = declare_assembly(module, out);
  }
  wire::encode(record, *out);
}

base::AssemblyId CodeWriter::declare_assembly(clr::ModuleID module, std::string* out) {
  const auto [known, fresh] =
      assemblies_.try_emplace(module, base::AssemblyId(static_cast<uint32_t>(assemblies_.size()) + 1));
  if (!fresh) return known->second;
  clr::ModuleIdentity identity = clr::module_identity(*info_, module);
  wire::encode(wire::Assembly{known->second, std::move(identity.path), std::move(identity.version)}, *out);
  return known->second;
}

// The image's own table of functions, which is mapped while the image is in the map.
bool CodeWriter::find_range(CodeId code, uint32_t rva, wire::MethodRange* range) const {
  const auto base = bases_.find(code.value);
  if (base == bases_.end()) return false;
  const unwind::ReaderGate::Reader inside(registry_.gate());
  const unwind::Image* image = registry_.images().find(base->second + rva);
  if (image == nullptr || image->code != code) return false;
  const unwind::RuntimeFunction* f = unwind::find_function(image->functions, rva);
  if (f == nullptr) return false;
  range->module = code;
  range->begin = f->begin;
  range->end = f->end;
  return true;
}

}  // namespace walkabout::agent
