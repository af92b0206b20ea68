// A block's zstd frame made bytes again: by the zstd library, or, where there is none (Windows), as far as
// its bytes were stored as they are. One thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace walkabout::recording {

class Decompressor {
 public:
  Decompressor();
  Decompressor(Decompressor&&) noexcept;
  Decompressor& operator=(Decompressor&&) noexcept;
  ~Decompressor();
  // Fills all of *raw, whose size the block's header says. False: it cannot be; what() says why. The frame is
  // anybody's bytes.
  bool decompress(std::string_view frame, std::string* raw);
  const char* what() const { return what_; }

 private:
  struct Context;
  std::unique_ptr<Context> context_;
  const char* what_ = "";
};

}  // namespace walkabout::recording
