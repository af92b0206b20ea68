// What a whole recording says about code, threads and the ends of objects. Feed it every record. Stacks can
// be named and samples chosen while they are read, when this was read before. One thread.
#pragma once

#include <string>
#include <unordered_map>

#include "profile/model/code_table.h"
#include "profile/model/lives.h"
#include "recording/visitor.h"

namespace walkabout::profile {

// The .NET name, else the system's, else "thread TID".
std::string display_name(const wire::Thread& thread);

class Names : public recording::RecordVisitor {
 public:
  void on_session(const wire::Session& r) override { command_line = r.command_line; }
  void on_thread(const wire::Thread& r) override { threads[r.id] = r; }
  void on_module(const wire::Module& r) override { code.add(r); }
  void on_method(const wire::Method& r) override { code.add(r); }
  void on_jit_code(const wire::JitCode& r) override { code.add(r); }
  void on_method_range(const wire::MethodRange& r) override { code.add(r); }
  void on_native_symbols(const wire::NativeSymbols& r) override { code.add(r); }
  void on_il_map(const wire::IlMap& r) override { code.add(r); }
  void on_source_lines(const wire::SourceLines& r) override { code.add(r); }
  void on_inline_tree(const wire::InlineTree& r) override { code.add(r); }
  void on_native_lines(const wire::NativeLines& r) override { code.add(r); }

  void on_sweep(const wire::Sweep& r) override { lives.add(r); }

  std::string command_line;
  CodeTable code;
  Lives lives;
  std::unordered_map<base::ThreadId, wire::Thread> threads;  // as declared last
};

}  // namespace walkabout::profile
