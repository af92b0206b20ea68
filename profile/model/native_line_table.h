// From an offset in native code to its source line, and to the functions that were inlined there, by what a
// recording has of DWARF. Add everything, then ask. One thread while filling; any number afterwards.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "profile/model/profile.h"
#include "wire/records.h"

namespace walkabout::profile {

// A function whose code the compiler has put into another's, and where in its own text the code is.
struct InlinedFunction {
  const wire::NativeFunction* function = nullptr;
  SourcePlace place;
};

struct NativePlaces {
  SourcePlace own;                       // in the function whose code it is
  std::vector<InlinedFunction> inlined;  // into that, outermost first
};

class NativeLineTable {
 public:
  void add(const wire::NativeLines& lines);
  // Once everything was added: which lines the functions have, as far as they were hit. function_at: a number
  // of the function at an offset of a module, which no other has.
  void find_spans(const std::function<uint64_t(base::CodeId module, uint32_t offset)>& function_at);

  // Nothing of it is known where nothing was recorded.
  NativePlaces at(base::CodeId module, uint32_t offset) const;
  std::vector<SourceDocument> documents(const std::set<std::string>& paths) const;
  // Records whose columns are broken.
  uint64_t left_out() const { return left_out_; }

 private:
  struct Span {
    uint32_t first = UINT32_MAX, last = 0;
  };
  // (function, document); inlined functions count from 1, the others from their numbers.
  using Spans = std::unordered_map<uint64_t, std::unordered_map<uint64_t, Span>>;
  struct Module {
    wire::NativeLines lines;
    Spans inlined, own;
    std::vector<uint64_t> function;  // by place: of the function whose code it is
  };
  static SourcePlace place_of(const Module& module, const Spans& spans, uint64_t function, uint64_t document,
                              uint64_t line);
  template <typename Each>
  static void for_each_frame(const wire::NativeLines& lines, size_t place, Each each);

  std::unordered_map<base::CodeId, Module> modules_;
  uint64_t left_out_ = 0;
};

}  // namespace walkabout::profile
