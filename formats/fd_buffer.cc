#include <unistd.h>

#include <cerrno>
#include <utility>

#include "formats/output_file.h"

namespace walkabout::formats {
namespace {
constexpr size_t kBufferBytes = 256 * 1024;
}

FdBuffer::FdBuffer(int fd, std::function<bool()> again)
    : fd_(fd), again_(std::move(again)), buffer_(kBufferBytes) {
  setp(buffer_.data(), buffer_.data() + buffer_.size());
}

bool FdBuffer::drain() {
  const char* at = pbase();
  while (error_ == 0 && at < pptr()) {
    const ssize_t n = ::write(fd_, at, static_cast<unsigned>(pptr() - at));
    if (n > 0) at += n;
    if (n >= 0) continue;
    const int error = errno;
    const bool passing = error == EINTR || (error == EAGAIN && again_);
    if (!passing || (again_ && !again_())) error_ = error;
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
