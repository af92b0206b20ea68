#include <unistd.h>

#include <cerrno>

#include "formats/output_file.h"

namespace walkabout::formats {
namespace {
constexpr size_t kBufferBytes = 256 * 1024;
}

FdBuffer::FdBuffer(int fd) : fd_(fd), buffer_(kBufferBytes) {
  setp(buffer_.data(), buffer_.data() + buffer_.size());
}

bool FdBuffer::drain() {
  const char* at = pbase();
  while (error_ == 0 && at < pptr()) {
    const ssize_t n = ::write(fd_, at, static_cast<unsigned>(pptr() - at));
    if (n > 0) at += n;
    if (n < 0 && errno != EINTR) error_ = errno;
  }
  setp(buffer_.data(), buffer_.data() + buffer_.size());
  return error_ == 0;
}

FdBuffer::int_type FdBuffer::overflow(int_type c) {
  if (!drain()) return traits_type::eof();
  if (!traits_type::eq_int_type(c, traits_type::eof())) sputc(traits_type::to_char_type(c));
  return traits_type::not_eof(c);
}

int FdBuffer::sync() { return drain() ? 0 : -1; }

}  // namespace walkabout::formats
