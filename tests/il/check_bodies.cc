// check_bodies FILE.dll...: reads every method's body of these assemblies, writes it back, and compares the
// bytes. Then each is changed: a counter before every instruction, and code around the whole in try and
// finally; what was written is read again and must be the old body with that in it, and nothing else. Prints
// JSON: how many bodies and instructions there were, how many came back equal, what was changed and why the
// others were not, and each that is wrong.
//
// check_bodies --opcodes: the instructions that are known, as tests/apps/prepare prints the runtime's.
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "il/body_reader.h"
#include "il/body_writer.h"
#include "il/insertion.h"
#include "il/pieces.h"
#include "il/signature_types.h"
#include "il/try_finally.h"
#include "precompiled/metadata_tables.h"
#include "precompiled/pe_layout.h"

namespace {

using namespace walkabout;
using precompiled::Bytes;
using precompiled::Metadata;
using precompiled::PeLayout;
using precompiled::Table;

constexpr size_t kImplementation = 1;  // columns
constexpr size_t kSignature = 0;
constexpr uint32_t kRow = 0x00ffffff;
constexpr size_t kMostShown = 20;

struct Found {
  uint64_t files = 0, not_managed = 0, bodies = 0, equal = 0, instructions = 0, clauses = 0, fat = 0,
           grown = 0;
  uint64_t counted = 0, wrapped = 0, tail_calls = 0;
  std::map<std::string, uint64_t> not_read, not_counted, not_wrapped;
  uint64_t wrong = 0;
  std::vector<std::string> shown;

  void is_wrong(const std::string& what) {
    if (++wrong <= kMostShown) shown.push_back(what);
  }
};

void tell(std::map<std::string, uint64_t>* causes, il::Cause cause) {
  ++(*causes)[std::string(il::sentence_of(cause))];
}

// A body of an assembly, its changes, and what is wrong with them.
class OneBody {
 public:
  OneBody(Bytes bytes, const il::Body& body, std::string name, Found& found)
      : bytes_(bytes), body_(body), name_(std::move(name)), found_(found) {}

  void write_back() {
    il::WrittenBody written;
    if (il::write_body(body_, &written) != il::Cause::kNone) return found_.is_wrong(name_ + ": not written");
    for (const il::Moved& moved : written.moved) {
      if (moved.from != moved.to) return found_.is_wrong(name_ + ": an instruction moved");
    }
    if (std::equal(bytes_.begin(), bytes_.end(), written.bytes.begin(), written.bytes.end()))
      ++found_.equal;
    else
      found_.is_wrong(name_ + ": not equal");
  }

  void count() {
    const il::Piece piece = il::count_at(0x1122334455667788);
    std::vector<il::Insertion> insertions;
    for (uint32_t i = 0; i < body_.code.size(); ++i) {
      const bool is_behind_prefix = i > 0 && il::is_prefix(body_.code[i - 1].op);
      if (is_behind_prefix) continue;
      const il::Cause cause = il::can_insert(body_, i);
      if (cause == il::Cause::kNone)
        insertions.push_back({i, &piece});
      else
        tell(&found_.not_counted, cause);
    }
    il::Body changed = body_, read;
    il::WrittenBody written;
    il::Cause cause = il::insert(insertions, &changed);
    if (cause == il::Cause::kNone) cause = il::write_body(changed, &written);
    if (cause != il::Cause::kNone) return tell(&found_.not_counted, cause);
    ++found_.counted;
    size_t size = 0;
    if (il::read_body(written.bytes, &read, &size) != il::Cause::kNone || size != written.bytes.size())
      return found_.is_wrong(name_ + ": counted, cannot be read");
    if (read.header.max_stack != body_.header.max_stack + 3 || read.init_locals() != body_.init_locals() ||
        read.header.locals != body_.header.locals)
      return found_.is_wrong(name_ + ": counted, its header");
    // Of the new instructions those that begin old ones, then what leads where.
    std::vector<uint32_t> old_begin, old_self;
    size_t at = 0;
    for (uint32_t i = 0, next = 0; i < body_.code.size(); ++i) {
      old_begin.push_back(static_cast<uint32_t>(at));
      if (next < insertions.size() && insertions[next].before == i) {
        for (const il::Instruction& inserted : piece.code) {
          if (at >= read.code.size() || read.code[at].op != inserted.op ||
              (inserted.op == il::Op::kLdcI8 && read.code[at].operand != inserted.operand))
            return found_.is_wrong(name_ + ": counted, no counter");
          ++at;
        }
        ++next;
      }
      old_self.push_back(static_cast<uint32_t>(at++));
    }
    old_begin.push_back(static_cast<uint32_t>(at));
    if (at != read.code.size()) return found_.is_wrong(name_ + ": counted, its length");
    compare(read, old_begin, old_self, written, "counted");
  }

  void wrap(const il::Returned& returned, il::Locals locals) {
    il::Around around{il::count_at(1), il::count_at(2), il::count_at(3), {}};
    if (!returned.nothing) {
      uint16_t index = 0;
      const il::Cause cause = locals.append(returned.type, &index);
      if (cause != il::Cause::kNone) return tell(&found_.not_wrapped, cause);
      around.result = index;
    }
    il::Locals again;
    const std::vector<uint8_t> signature = locals.bytes();
    if (il::Locals::read(signature, &again) != il::Cause::kNone || again.bytes() != signature)
      return found_.is_wrong(name_ + ": its locals");
    il::Body changed = body_, read;
    il::WrittenBody written;
    uint32_t tail_calls = 0;
    il::Cause cause = il::wrap_in_finally(around, &changed, &tail_calls);
    if (cause == il::Cause::kNone) cause = il::write_body(changed, &written);
    if (cause != il::Cause::kNone) return tell(&found_.not_wrapped, cause);
    ++found_.wrapped;
    found_.tail_calls += tail_calls;
    size_t size = 0;
    if (il::read_body(written.bytes, &read, &size) != il::Cause::kNone || size != written.bytes.size())
      return found_.is_wrong(name_ + ": wrapped, cannot be read");
    std::vector<uint32_t> begin;
    uint32_t at = 8, returns = 0, tails = 0;
    for (const il::Instruction& instruction : body_.code) {
      begin.push_back(at);
      const bool is_return = instruction.op == il::Op::kRet, is_tail = instruction.op == il::Op::kTail;
      returns += is_return, tails += is_tail;
      at += is_return ? 9 + (around.result ? 1 : 0) : is_tail ? 0 : 1;
    }
    begin.push_back(at);
    const size_t end = at + 9 + (returns == 0 ? 0 : around.result ? 2 : 1);
    if (read.code.size() != end || tails != tail_calls || read.clauses.size() != body_.clauses.size() + 1)
      return found_.is_wrong(name_ + ": wrapped, its length");
    const il::Clause& outer = read.clauses.back();
    if (read.labels[outer.try_begin] != 8 || read.labels[outer.try_end] != at ||
        read.labels[outer.handler_begin] != at || read.labels[outer.handler_end] != at + 9)
      return found_.is_wrong(name_ + ": wrapped, its clause");
    compare(read, begin, begin, written, "wrapped");
  }

 private:
  // begin, self: by index of an old instruction, where what led to it leads, and where it is itself.
  void compare(const il::Body& read, const std::vector<uint32_t>& begin, const std::vector<uint32_t>& self,
               const il::WrittenBody& written, const std::string& how) {
    const auto wrong = [&](const char* what) { found_.is_wrong(name_ + ": " + how + ", " + what); };
    const auto leads = [&](il::Label label, il::Label now) {
      return begin[body_.labels[label]] == read.labels[now];
    };
    bool grown = false;
    for (size_t i = 0; i < body_.code.size(); ++i) {
      const il::Instruction& old = body_.code[i];
      const uint32_t now_at = begin[i] < read.code.size() ? read.code[begin[i]].origin : 0;
      if (written.moved_to(old.origin) != now_at && old.op != il::Op::kTail)
        return wrong("where it was moved");
      if (old.op == il::Op::kTail && how == "wrapped") continue;
      const il::Instruction& now = read.code[self[i]];
      const il::Operand operand = il::operand_of(old.op);
      if (old.op == il::Op::kRet && how == "wrapped") continue;
      const bool same = now.op == old.op;
      if (!same && (operand != il::Operand::kShortBranch || now.op != il::long_form(old.op)))
        return wrong("another instruction");
      grown = grown || !same;
      if (il::is_branch(operand)) {
        if (!leads(static_cast<il::Label>(old.operand), static_cast<il::Label>(now.operand)))
          return wrong("a branch");
      } else if (operand == il::Operand::kSwitch) {
        const auto& from = body_.switches[old.operand];
        const auto& to = read.switches[now.operand];
        if (from.size() != to.size()) return wrong("a switch");
        for (size_t n = 0; n < from.size(); ++n) {
          if (!leads(from[n], to[n])) return wrong("a switch's target");
        }
      } else if (now.operand != old.operand) {
        return wrong("an operand");
      }
    }
    found_.grown += grown;
    for (size_t i = 0; i < body_.clauses.size(); ++i) {
      const il::Clause &old = body_.clauses[i], &now = read.clauses[i];
      if (old.kind != now.kind || old.type_token != now.type_token || !leads(old.try_begin, now.try_begin) ||
          !leads(old.try_end, now.try_end) || !leads(old.handler_begin, now.handler_begin) ||
          !leads(old.handler_end, now.handler_end) ||
          (old.kind == il::ClauseKind::kFilter && !leads(old.filter, now.filter)))
        return wrong("a clause");
    }
  }

  Bytes bytes_;
  const il::Body& body_;
  std::string name_;
  Found& found_;
};

il::Cause locals_of(const Metadata& metadata, uint32_t token, il::Locals* locals) {
  constexpr Table kTable = Table::kStandAloneSig;
  if (token == 0) return il::Cause::kNone;
  if (token >> 24 != static_cast<uint32_t>(kTable) || !metadata.has(kTable, token & kRow))
    return il::Cause::kSignature;
  return il::Locals::read(metadata.blob(metadata.cell(kTable, token & kRow, kSignature)), locals);
}

void check(const std::string& path, Found& found) {
  std::ifstream in(path, std::ios::binary);
  const std::vector<uint8_t> file(std::istreambuf_iterator<char>(in), {});
  const auto image = PeLayout::read(file);
  const auto metadata = image ? Metadata::read(image->metadata()) : std::nullopt;
  if (!metadata) {
    ++found.not_managed;
    return;
  }
  ++found.files;
  for (uint32_t row = 1; row <= metadata->rows(Table::kMethodDef); ++row) {
    const auto method = metadata->method_def(row);
    const uint32_t implementation = metadata->cell(Table::kMethodDef, row, kImplementation);
    constexpr uint32_t kNative = 3;  // the kinds of code that are not IL
    if (!method || method->rva == 0 || (implementation & kNative) != 0) continue;
    const std::string name =
        std::string(metadata->module_name()) + " " + std::to_string(row) + " " + std::string(method->name);
    ++found.bodies;
    const Bytes bytes = image->at(method->rva);
    il::Body body;
    size_t size = 0;
    if (const il::Cause cause = il::read_body(bytes, &body, &size); cause != il::Cause::kNone) {
      tell(&found.not_read, cause);
      if (found.shown.size() < kMostShown)
        found.shown.push_back(name + ": " + std::string(il::sentence_of(cause)));
      continue;
    }
    found.instructions += body.code.size();
    found.clauses += body.clauses.size();
    found.fat += body.header.fat;
    OneBody one(precompiled::part(bytes, 0, size), body, name, found);
    one.write_back();
    one.count();
    il::Returned returned;
    il::Locals locals;
    il::Cause cause = il::read_returned(method->signature, implementation, &returned);
    if (cause == il::Cause::kNone) cause = locals_of(*metadata, body.header.locals, &locals);
    if (cause == il::Cause::kNone)
      one.wrap(returned, locals);
    else
      tell(&found.not_wrapped, cause);
  }
}

void print_opcodes() {
  for (uint32_t code = 0; code <= 0xffff; ++code) {
    const auto operand = il::operand_of(static_cast<uint16_t>(code));
    if (!operand) continue;
    const auto op = static_cast<il::Op>(code);
    const bool is_switch = *operand == il::Operand::kSwitch;
    std::cout << std::hex << code << " " << name_of(op) << " "
              << (is_switch ? "switch" : std::to_string(size_of(*operand)))
              << (is_branch(*operand) ? " branch" : "") << (is_prefix(op) ? " prefix" : "") << "\n";
  }
}

}  // namespace

// NOLINTNEXTLINE(bugprone-exception-escape): a tool of the tests
int main(int argc, char** argv) {
  if (argc == 2 && argv[1] == std::string_view("--opcodes")) {
    print_opcodes();
    return 0;
  }
  Found found;
  for (int i = 1; i < argc; ++i) check(argv[i], found);
  std::cout << nlohmann::json({{"files", found.files},
                               {"not_managed", found.not_managed},
                               {"bodies", found.bodies},
                               {"fat", found.fat},
                               {"instructions", found.instructions},
                               {"clauses", found.clauses},
                               {"equal", found.equal},
                               {"counted", found.counted},
                               {"wrapped", found.wrapped},
                               {"grown", found.grown},
                               {"tail_calls", found.tail_calls},
                               {"not_read", found.not_read},
                               {"not_counted", found.not_counted},
                               {"not_wrapped", found.not_wrapped},
                               {"wrong", found.wrong},
                               {"shown", found.shown}})
                   .dump(1, ' ', false, nlohmann::json::error_handler_t::replace)
            << "\n";
  return 0;
}
