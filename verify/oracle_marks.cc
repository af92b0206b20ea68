#include "verify/oracle_marks.h"

#include <algorithm>

#include "base/file_name.h"
#include "profile/names/runtime_library.h"

namespace walkabout::profile {
namespace {

// False in a single file: the program's and the runtime's native code in the executable cannot be told apart.
bool runtime_is_a_library(const CodeTable& code) {
  return std::any_of(code.modules().begin(), code.modules().end(), [](const auto& module) {
    return base::file_name(module.second.path) == "libcoreclr.so";
  });
}

bool is_foreign_library(const CodeTable& code, wire::Frame frame, bool single_file) {
  if (frame.kind() != wire::FrameKind::kNative) return false;
  const wire::Module* module = code.module(frame.code());
  if (module == nullptr || runtime_part(module->path) != RuntimePart::kNone) return false;
  return !single_file || base::file_name(module->path).find(".so") != std::string_view::npos;
}

// The function a return address lies in: its begin's frame, or the address itself where no symbol is known.
uint64_t function_of(const CodeTable& code, wire::Frame frame) {
  if (frame.kind() != wire::FrameKind::kNative) return frame.bits;
  const wire::NativeSymbol* symbol = code.symbol(frame, Role::kCaller);
  if (symbol == nullptr) return frame.bits;
  return wire::Frame::in_code(wire::FrameKind::kNative, frame.code(), symbol->begin).bits;
}

bool throws_cpp(const CodeTable& code, wire::Frame frame) {
  if (frame.kind() != wire::FrameKind::kNative) return false;
  const wire::NativeSymbol* symbol = code.symbol(frame, Role::kCaller);
  return symbol != nullptr && symbol->name == "__cxa_throw";
}

}  // namespace

bool is_exception_dispatcher(const wire::Method* method) {
  if (method == nullptr || method->module != "System.Private.CoreLib.dll") return false;
  return method->type == "System.Runtime.EH" || method->type == "System.Runtime.StackFrameIterator" ||
         method->type == "System.Runtime.ExceptionServices.InternalCalls";  // its calls into native code
}

OracleMarks::OracleMarks(const RawStacks& stacks, const CodeTable& code,
                         std::span<const uint32_t> dispatched) {
  const bool single_file = !runtime_is_a_library(code);
  for (const uint32_t leaf : dispatched) learn_throw_helper(stacks, code, leaf);
  std::unordered_set<uint64_t> dispatching, ordinary;  // Frame::bits and function_of()
  for (uint32_t at = 1; at < stacks.frame.size(); ++at) {
    const wire::Frame frame = stacks.frame[at], caller = stacks.frame[stacks.parent[at]];
    // In the runtime a C++ exception on its way becomes a managed one for whoever called it from managed
    // code. What a library of the program's throws it catches itself.
    if (throws_cpp(code, frame) && !is_foreign_library(code, caller, single_file))
      learn_throw_helper(stacks, code, stacks.parent[at]);
    const wire::Method* method = code.method(frame, Role::kCaller);
    if (method == nullptr) continue;
    if (is_foreign_library(code, caller, single_file)) entries_.insert(method);
    const bool dispatcher = is_exception_dispatcher(method);
    if (dispatcher) learn_throw_helper(stacks, code, stacks.parent[at]);
    auto& below = dispatcher || code.is_funclet(frame, Role::kCaller) ? dispatching : ordinary;
    for (uint32_t n = stacks.parent[at]; n != 0 && !stacks.frame[n].managed(); n = stacks.parent[n])
      below.insert({stacks.frame[n].bits, function_of(code, stacks.frame[n])});
  }
  // By address and by function: another sample need not show where in it the thread is once the dispatcher
  // has returned, and a function may call it at one place and other managed code at another.
  const auto only_dispatching = [&](uint64_t key) {
    return dispatching.count(key) != 0 && ordinary.count(key) == 0;
  };
  for (const wire::Frame frame : stacks.frame) {
    if (frame.kind() == wire::FrameKind::kNative &&
        (only_dispatching(frame.bits) || only_dispatching(function_of(code, frame))))
      dispatching_.insert(frame.bits);
  }
}

// Down from there to the managed frame the exception is for.
void OracleMarks::learn_throw_helper(const RawStacks& stacks, const CodeTable& code, uint32_t native) {
  wire::Frame last;
  uint32_t at = native;
  for (; at != 0 && !stacks.frame[at].managed(); at = stacks.parent[at]) last = stacks.frame[at];
  if (at == 0 || is_exception_dispatcher(code.method(stacks.frame[at], Role::kCaller))) return;
  if (last.kind() == wire::FrameKind::kNative) throw_helpers_.insert(last.bits);
}

}  // namespace walkabout::profile
