// Names of what a callback is about: "Ns.Outer+Inner", "Ns.Type.Method", "Demo.dll", without generic
// arguments and parameters, as UTF-16 in place. In the middle of the runtime, also while all threads stand:
// by calls of ICorProfilerInfo that start no collection and go in any mode of the thread. No allocation.
// Empty where the runtime says nothing. The ids must be alive.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "clr/abi/info.h"
#include "clr/abi/metadata.h"

namespace walkabout::clr {

class ShortName {
 public:
  static constexpr size_t kLongest = 255;  // what is longer is cut

  std::u16string_view text() const { return {text_.data(), size_}; }
  void append(std::string_view ascii);
  // Makes it empty. Cheaper than a new one, which is half a KiB of zeroes.
  void clear() { size_ = 0; }

  // Arrays as "Ns.Element[,]".
  void of_class(ICorProfilerInfo12& info, ClassID type);
  // False: its id may be another one's soon, for the method is collected by itself.
  bool of_function(ICorProfilerInfo12& info, FunctionID function);
  void of_method(ICorProfilerInfo12& info, ModuleID module, mdMethodDef method);
  void of_module(ICorProfilerInfo12& info, ModuleID module);
  void of_assembly(ICorProfilerInfo12& info, AssemblyID assembly);
  void of_provider(ICorProfilerInfo12& info, EVENTPIPE_PROVIDER provider);

 private:
  // For a call that writes a text with a zero behind it; written() afterwards.
  std::span<WCHAR> room() {
    text_[size_] = u'\0';
    return std::span(text_).subspan(size_, capacity());
  }
  uint32_t capacity() const { return static_cast<uint32_t>(limit_ + 1 - size_); }
  void written();
  void append_type(IMetaDataImport2& import, mdTypeDef type);

  std::array<WCHAR, kLongest + 1> text_{};
  size_t size_ = 0;
  size_t limit_ = kLongest;  // units that may be used; fewer while room is reserved for a method's name
};

}  // namespace walkabout::clr
