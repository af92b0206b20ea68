#include "agent/linux/cover/covered_module.h"

#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <array>
#include <utility>

#include "agent/linux/cover/test_flow.h"
#include "base/byte_hash.h"
#include "clr/abi/hresults.h"
#include "il/body_reader.h"
#include "il/body_writer.h"
#include "il/instruction_bytes.h"
#include "il/pieces.h"
#include "il/probe_plan.h"
#include "precompiled/call_shape.h"
#include "wire/cover_file.h"

namespace walkabout::agent {
namespace {

constexpr uint32_t kRowOfToken = 0x00ffffff;
constexpr uint32_t kStatic = 0x10;     // of MethodAttributes
constexpr uint32_t kMostVersions = 5;  // of one body: each stays, for a compiler may be reading it
constexpr int32_t kExact = 1;          // of a COR_IL_MAP

// So that stack traces have the lines that they had.
void tell_places(clr::ICorProfilerInfo12* info, clr::FunctionID function, const il::WrittenBody& written) {
  const auto count = static_cast<uint32_t>(written.moved.size());
  auto* map = static_cast<clr::COR_IL_MAP*>(::malloc(count * sizeof(clr::COR_IL_MAP)));  // the runtime's now
  if (map == nullptr) return;
  for (uint32_t i = 0; i < count; ++i) map[i] = {written.moved[i].from, written.moved[i].to, kExact};
  info->SetILInstrumentedCodeMap(function, 1, count, map);
}

}  // namespace

CoveredModule::CoveredModule(clr::ModuleID id, Parts parts, CountsFile& counts, clr::ICorProfilerInfo12* info)
    : id_(id),
      parts_(std::move(parts)),
      counts_(counts),
      info_(info),
      done_(parts_.file->metadata().rows(precompiled::Table::kMethodDef)),
      rows_(parts_.file->metadata().rows(precompiled::Table::kMethodDef)) {}

void CoveredModule::unloaded() {
  const base::Lock lock(mutex_);
  id_.store(0, std::memory_order_relaxed);
}

bool CoveredModule::load_again(clr::ModuleID id, const std::string& path, base::Bytes version) {
  const base::Lock lock(mutex_);
  const base::Bytes known = parts_.file->metadata().module_version();
  if (id_.load(std::memory_order_relaxed) != 0 || path != parts_.path || parts_.tests != nullptr ||
      parts_.reach != 0 || !std::equal(known.begin(), known.end(), version.begin(), version.end()))
    return false;
  done_.clear();
  methods_.clear();
  id_.store(id, std::memory_order_release);  // partner: id()
  return true;
}

bool CoveredModule::may_be_inlined(clr::mdMethodDef token, uint64_t then) const {
  return done_.had(token & kRowOfToken, then);
}

bool CoveredModule::probe(clr::FunctionID function, clr::mdMethodDef token) {
  const uint32_t row = token & kRowOfToken;
  if (row == 0 || row > rows_) return false;
  if (done_.has(row)) return false;
  const base::Lock lock(mutex_);
  if (done_.has(row)) return true;  // by another thread, just now
  const il::Cause cause = rewrite(function, token);
  if (cause != il::Cause::kNone && parts_.number != 0 && left_alone_.insert(token).second)
    counts_.add_left_alone(parts_.number, token,
                           cause == il::Cause::kCount ? wire::kCoverRefused : static_cast<uint32_t>(cause));
  done_.mark(row);
  return true;
}

CoveredModule::Placed CoveredModule::place(clr::mdMethodDef token, uint32_t body_hash, uint32_t probes) {
  const auto known = placed_.find(token);
  if (known != placed_.end() && known->second.body_hash == body_hash && known->second.probes == probes)
    return known->second;
  const Placed placed{body_hash, probes, counts_.add_method(parts_.number, token, body_hash, probes)};
  if (placed.method.counts != nullptr) placed_[token] = placed;
  return placed;
}

il::Cause CoveredModule::put_probes_into(il::Body* body, base::Bytes old, clr::mdMethodDef token,
                                         Placed* placed) {
  const precompiled::Metadata& metadata = parts_.file->metadata();
  const bool instance =
      (metadata.cell(precompiled::Table::kMethodDef, token & kRowOfToken, 2) & kStatic) == 0;
  il::ProbePlan plan;
  const il::Cause cause = il::plan_probes(
      *body, [&](uint32_t called) { return precompiled::call_shape(metadata, called); }, instance, &plan);
  if (cause != il::Cause::kNone) return cause;
  const auto hash = static_cast<uint32_t>(base::hash_of(il::code_of(old), 0));
  *placed = place(token, hash, static_cast<uint32_t>(plan.probes.size()));
  if (placed->method.counts == nullptr) return il::Cause::kTooLarge;
  const uint32_t each = counts_.probe_size();
  const auto counts = reinterpret_cast<uint64_t>(placed->method.counts);
  il::Piece piece;
  return il::put_probes(
      plan,
      [&](uint32_t probe) -> const il::Piece& {
        const uint64_t count = counts + uint64_t{probe} * each;
        piece = each == 1 ? il::mark_at(count) : il::count_at(count);
        if (parts_.reach != 0) {
          const std::array<uint64_t, 1> number = {uint64_t{placed->method.first_probe} + probe};
          const il::Piece call =
              il::call_native(reinterpret_cast<uint64_t>(&walkabout_cover_reach), number, parts_.reach);
          piece.code.insert(piece.code.end(), call.code.begin(), call.code.end());
          piece.stack = std::max(piece.stack, call.stack);
        }
        return piece;
      },
      body);
}

// kCount: it is the runtime that does not want the new body.
il::Cause CoveredModule::rewrite(clr::FunctionID function, clr::mdMethodDef token) {
  const uint8_t* bytes = nullptr;
  uint32_t size = 0;
  if (clr::failed(info_->GetILFunctionBody(id(), token, &bytes, &size)) || bytes == nullptr)
    return il::Cause::kHeader;
  const base::Bytes old(bytes, size);
  il::Body body;
  Placed placed;
  il::Cause cause = il::read_body(old, &body);
  if (cause == il::Cause::kNone && parts_.number != 0) cause = put_probes_into(&body, old, token, &placed);
  if (cause != il::Cause::kNone) return cause;
  bool wrapped = false;
  if (parts_.tests != nullptr && parts_.tests->wrap(token, &body, &wrapped) != il::Cause::kNone)
    counts_.count_unwrapped();
  if (parts_.number == 0 && !wrapped) return il::Cause::kNone;
  il::WrittenBody written;
  cause = il::write_body(body, &written);
  if (cause != il::Cause::kNone) return cause;
  if (!give_to_runtime(token, written.bytes)) return il::Cause::kCount;
  tell_places(info_, function, written);
  if (placed.probes != 0 && counts_.probe_size() == 1 && parts_.reach == 0)
    methods_.push_back({token, placed.probes, placed.method.counts, std::move(written.bytes), 0, 1});
  return il::Cause::kNone;
}

// The runtime reads it from there, for as long as there is the module.
bool CoveredModule::give_to_runtime(clr::mdMethodDef token, const std::vector<uint8_t>& body) {
  auto* const kept = new uint8_t[body.size()];
  ::memcpy(kept, body.data(), body.size());
  return clr::succeeded(info_->SetILFunctionBody(id(), token, kept));
}

void CoveredModule::leave_out_what_ran() {
  const base::Lock lock(mutex_);
  if (id() == 0) return;
  for (ProbedMethod& method : methods_) {
    if (method.left_out == method.probes || method.versions == kMostVersions) continue;
    const auto ran = static_cast<uint32_t>(std::count(method.counts, method.counts + method.probes, 1));
    if (ran != method.left_out) leave_out(method, ran);
  }
}

// A probe becomes as many bytes that do nothing.
void CoveredModule::leave_out(ProbedMethod& method, uint32_t ran) {
  const auto first = reinterpret_cast<uint64_t>(method.counts);
  const base::Bytes code = il::code_of(method.body);
  const size_t begin = static_cast<size_t>(code.data() - method.body.data());
  for (size_t at = 0; at < code.size();) {
    const auto found = il::instruction_at(code, at);
    if (!found) return;
    if (found->op == il::Op::kLdcI8) {
      const uint64_t probe = *base::load<uint64_t>(code, at + 1) - first;
      if (probe < method.probes && method.counts[probe] != 0) {
        std::fill_n(method.body.begin() + static_cast<ptrdiff_t>(begin + at), il::kMarkSize, uint8_t{0});
        at += il::kMarkSize;
        continue;
      }
    }
    at += found->size;
  }
  method.left_out = ran;
  ++method.versions;
  give_to_runtime(method.token, method.body);
}

}  // namespace walkabout::agent
