// A method's body, or its signatures, whatever is in them: what is read is written as it was, and what is
// changed is read again as what it should be.
#include <algorithm>
#include <vector>

#include "fuzz/fuzz_target.h"
#include "fuzz/input.h"
#include "il/body_reader.h"
#include "il/body_writer.h"
#include "il/insertion.h"
#include "il/pieces.h"
#include "il/probe_plan.h"
#include "il/signature_types.h"
#include "il/try_finally.h"

using namespace walkabout;
using fuzz::expect;
using il::Cause;

namespace {

il::Body read_again(const il::Body& body) {
  il::WrittenBody written;
  il::Body again;
  size_t size = 0;
  expect(il::write_body(body, &written) == Cause::kNone, "what was read can be written");
  expect(il::read_body(written.bytes, &again, &size) == Cause::kNone, "what was written can be read");
  expect(size == written.bytes.size(), "all of it");
  expect(again.code.size() == body.code.size(), "it has the same instructions");
  for (size_t i = 0; i < body.code.size(); ++i) {
    const il::Instruction &old = body.code[i], &now = again.code[i];
    const il::Operand operand = il::operand_of(old.op);
    const bool grown = operand == il::Operand::kShortBranch && now.op == il::long_form(old.op);
    expect(now.op == old.op || grown, "each is the same");
    if (il::is_branch(operand))
      expect(again.labels[now.operand] == body.labels[old.operand], "a branch leads to the same");
    else if (operand == il::Operand::kSwitch)
      expect(again.switches[now.operand].size() == body.switches[old.operand].size(), "a switch is as large");
    else
      expect(now.operand == old.operand, "an operand is the same");
  }
  expect(again.clauses.size() == body.clauses.size(), "it has the same clauses");
  for (size_t i = 0; i < body.clauses.size(); ++i) {
    const il::Clause &old = body.clauses[i], &now = again.clauses[i];
    const auto same = [&](il::Label a, il::Label b) { return body.labels[a] == again.labels[b]; };
    expect(old.kind == now.kind && old.type_token == now.type_token, "a clause is the same");
    expect(same(old.try_begin, now.try_begin) && same(old.try_end, now.try_end), "its try is");
    expect(same(old.handler_begin, now.handler_begin) && same(old.handler_end, now.handler_end),
           "its handler is");
    expect(old.kind != il::ClauseKind::kFilter || same(old.filter, now.filter), "its filter is");
  }
  uint32_t from = 0, to = 0;
  for (const il::Moved& moved : written.moved) {
    expect(moved.from >= from && moved.to >= to, "what was moved is in order");
    from = moved.from, to = moved.to;
  }
  return again;
}

// Probed for coverage.
void use_probes(il::Body body) {
  il::ProbePlan plan;
  const auto shape = [](uint32_t token) -> std::optional<il::CallShape> {
    if (token == 0) return std::nullopt;
    return il::CallShape{token & 3, (token & 4) != 0, (token & 8) != 0};
  };
  if (il::plan_probes(body, shape, body.clauses.empty(), &plan) != Cause::kNone) return;
  const il::Runs none = il::runs_of(plan, std::vector<uint64_t>(plan.probes.size()));
  expect(std::count(none.points.begin(), none.points.end(), 0u) == static_cast<ptrdiff_t>(plan.points.size()),
         "what no probe saw did not run");
  const il::Piece piece = il::mark_at(0);
  const size_t before = body.code.size();
  const auto of = [&piece](uint32_t) -> const il::Piece& { return piece; };
  if (il::put_probes(plan, of, &body) != Cause::kNone) return;
  expect(body.code.size() >= before + plan.probes.size() * piece.code.size(), "each probe is in it");
  read_again(body);
}

void use_body(const std::vector<uint8_t>& bytes, uint8_t stride, bool wraps) {
  il::Body body;
  size_t size = 0;
  if (il::read_body(bytes, &body, &size) != Cause::kNone) return;
  expect(size <= bytes.size() && body.code.size() <= size, "it is as large as its bytes");
  il::WrittenBody written;
  expect(il::write_body(body, &written) == Cause::kNone, "it can be written");
  const base::Bytes old_code = il::code_of(bytes), code = il::code_of(written.bytes);
  expect(std::equal(code.begin(), code.end(), old_code.begin(), old_code.end()), "its code is what it was");
  read_again(body);
  use_probes(body);

  const il::Piece piece = il::count_at(stride);
  std::vector<il::Insertion> insertions;
  for (uint32_t i = 0; i < body.code.size(); i += stride + 1u) {
    if (il::can_insert(body, i) == Cause::kNone) insertions.push_back({i, &piece});
  }
  const size_t before = body.code.size();
  if (il::insert(insertions, &body) == Cause::kNone) {
    expect(body.code.size() == before + insertions.size() * piece.code.size(), "each piece is in it");
    body = read_again(body);
  }
  if (!wraps) return;
  const il::Around around{il::count_at(1), il::count_at(2), il::count_at(3), stride};
  const size_t clauses = body.clauses.size();
  if (il::wrap_in_finally(around, &body) != Cause::kNone) return;
  expect(body.clauses.size() == clauses + 1, "it has a clause more");
  read_again(body);
}

void use_signatures(const std::vector<uint8_t>& method, const std::vector<uint8_t>& of_locals) {
  il::Returned returned;
  il::Locals locals, again;
  if (il::read_returned(method, 0, &returned) != Cause::kNone) return;
  expect(returned.type.size() < method.size(), "a type is a part of it");
  if (il::Locals::read(of_locals, &locals) != Cause::kNone) return;
  const uint32_t count = locals.count();
  uint16_t index = 0;
  if (returned.nothing || locals.append(returned.type, &index) != Cause::kNone) return;
  expect(index == count, "it is the last");
  const std::vector<uint8_t> bytes = locals.bytes();
  expect(il::Locals::read(bytes, &again) == Cause::kNone && again.bytes() == bytes, "it is one again");
}

}  // namespace

// u8: 0 signatures, of a method, of so many bytes as the u16 behind says, and of locals; else a body: a
// counter before every instruction of so many and one (u8); where it is 2, the whole in a try.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input in(data, size);
  const uint8_t shape = in.u8();
  if (shape == 0) {
    const std::vector<uint8_t> method = in.bytes(in.u16());
    use_signatures(method, in.rest());
    return 0;
  }
  const uint8_t stride = in.u8();
  use_body(in.rest(), stride, shape == 2);
  return 0;
}
