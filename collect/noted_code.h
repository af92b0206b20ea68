// The notes about code in a dead process's ring memory (wire/notes.h), by the code they explain. They are
// hostile: an entry that makes no sense ends the reading. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "recording/visitor.h"
#include "wire/records.h"

namespace walkabout::cli {

// Methods of the stream are numbered from 1; those of notes by the code they belong to, from here on.
inline constexpr uint32_t kFirstNotedMethod = 1u << 31;

class NotedCode : private recording::RecordVisitor {
 public:
  NotedCode() = default;
  // bytes: entries one behind the other.
  explicit NotedCode(std::string_view bytes);

  // Encodes what is known of the code, in the order a stream says it. False: nothing.
  bool declare(base::CodeId code, std::string* out) const;
  bool has_name(base::CodeId code) const;
  // Images among it; null: the code is none.
  const wire::Module* module(base::CodeId code) const {
    const auto known = modules_.find(code);
    return known != modules_.end() ? &known->second : nullptr;
  }
  const std::unordered_map<base::CodeId, wire::Module>& modules() const { return modules_; }

 private:
  void take_entry(std::string_view records);
  void on_module(const wire::Module& r) override { modules_[r.code] = r; }
  void on_method(const wire::Method& r) override { method_ = r; }
  void on_jit_code(const wire::JitCode& r) override { compiled_methods_[r.code] = {r, method_}; }

  struct Noted {
    wire::JitCode code;
    wire::Method method;
  };
  std::unordered_map<base::CodeId, wire::Module> modules_;
  std::unordered_map<base::CodeId, Noted> compiled_methods_;
  wire::Method method_;  // of the entry at hand
};

}  // namespace walkabout::cli
