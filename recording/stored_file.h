// A stream of records as a .walk file without compression (format.md): each block's zstd frame holds its
// bytes as they are. For where there is no zstd library: walkabout.exe. Pure: gives bytes to append to a
// file. One thread.
#pragma once

#include <string>
#include <string_view>

namespace walkabout::recording {

class StoredFile {
 public:
  // What the file begins with.
  static std::string header();
  // Takes bytes of the stream, in chunks of any length; appends to *out the blocks that are full. False when
  // the stream is broken: then what was given out is all there is.
  bool append(std::string_view bytes, std::string* out);
  // The last block. What belongs to no whole record is left out.
  void finish(std::string* out);

 private:
  void write_block(std::string* out);

  std::string pending_;  // of the stream: no whole record yet
  std::string raw_;      // whole records of the block to come
};

}  // namespace walkabout::recording
