// What a recording says about code, to look frames up in: modules, methods, compiled methods, ready-to-run
// ranges, native symbols. Add everything, sort() once, then ask. Later records of the same id replace earlier
// ones. One thread while filling; any number after sort().
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "profile/model/inline_table.h"
#include "profile/model/line_table.h"
#include "profile/model/native_line_table.h"
#include "wire/records.h"

namespace walkabout::profile {

// A caller's offset is a return address: the call, and so the function, is before it. Where native code was
// called it may be where a fault was instead: the runtime calls its handlers with that for a return address.
enum class Role : uint8_t { kLeaf, kCaller, kCallerOfNative };
inline constexpr size_t kRoles = 3;

class CodeTable {
 public:
  void add(const wire::Module& module) { modules_[module.code] = module; }
  void add(const wire::Method& method) { methods_[method.id] = method; }
  void add(const wire::JitCode& code) { jit_codes_[code.code] = code; }
  void add(const wire::MethodRange& range) { ranges_[range.module].push_back(range); }
  void add(const wire::NativeSymbols& symbols) { symbols_[symbols.module] = symbols; }
  void add(const wire::IlMap& map) { lines_.add(map); }
  void add(const wire::SourceLines& lines) { lines_.add(lines); }
  void add(const wire::NativeLines& lines) { native_lines_.add(lines); }
  void add(const wire::InlineTree& tree) {
    const std::optional<wire::InlineColumns> columns = wire::columns_of(tree);
    if (!columns) return;
    inlined_.add(tree.code, *columns);
    lines_.add(tree.code, *columns);
  }
  void sort();

  // All null when the recording does not say.
  const wire::Module* module(base::CodeId code) const;
  const wire::Method* method(wire::Frame frame, Role role) const;
  const wire::NativeSymbol* symbol(wire::Frame frame, Role role) const;
  // The body of a catch, finally or filter: a function of its own for the machine, a part of its method for
  // people.
  bool is_funclet(wire::Frame frame, Role role) const;
  // The source line, or those that it may be; of a caller the call's.
  SourcePlace place(wire::Frame frame, Role role) const;
  uint64_t lines_left_out() const { return lines_.left_out(); }                // as LineTable::left_out()
  uint64_t native_lines_left_out() const { return native_lines_.left_out(); }  // likewise
  // Of a native frame: its place, and the functions that the compiler has put there.
  NativePlaces native_places(wire::Frame frame, Role role) const;
  // Of a jitted frame the calls that the compiler has replaced by the called methods' code, outermost first.
  std::vector<InlinedCall> inlined_calls(wire::Frame frame, Role role) const;
  // The line that a call was in, of the method `in`. Certain, or nothing is known.
  SourcePlace place_of_site(const InlinedCall& call, const wire::Method& in) const;
  // Of the innermost of the frame's inlined calls: where in its method the code is.
  SourcePlace place_in(const InlinedCall& innermost, wire::Frame frame, Role role) const;
  const wire::Method* method_by_id(base::MethodId id) const;
  // What compiled it; unknown of what is no managed code.
  wire::Tier tier(wire::Frame frame) const;
  std::vector<SourceDocument> documents(const std::set<std::string>& paths) const;
  const wire::NativeSymbols* symbols(base::CodeId code) const;
  const std::unordered_map<base::CodeId, wire::Module>& modules() const { return modules_; }
  const std::unordered_map<base::MethodId, wire::Method>& methods() const { return methods_; }

 private:
  const wire::MethodRange* range_of(wire::Frame frame, Role role) const;
  static bool is_optimized(wire::Tier tier);
  bool is_awaiter(wire::Frame frame) const;

  std::unordered_map<base::CodeId, wire::Module> modules_;
  std::unordered_map<base::MethodId, wire::Method> methods_;
  std::unordered_map<base::CodeId, wire::JitCode> jit_codes_;
  std::unordered_map<base::CodeId, std::vector<wire::MethodRange>> ranges_;  // by begin, after sort()
  std::unordered_map<uint64_t, uint32_t> method_begins_;  // (module, method) → lowest begin, after sort()
  std::unordered_map<base::CodeId, wire::NativeSymbols> symbols_;  // by begin, after sort()
  LineTable lines_;
  InlineTable inlined_;
  NativeLineTable native_lines_;
};

}  // namespace walkabout::profile
