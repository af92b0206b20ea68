// Calls, and the ways out of them: return, C++ exception, longjmp.
#include <csetjmp>
#include <stdexcept>

#include "hostile.h"

namespace {

using Callback = int (*)(int);

// noinline and a use of the result: every level is a frame.
__attribute__((noinline)) int call_through(Callback callback, int value, int levels) {
  if (levels <= 1) return callback(value);
  const int answer = call_through(callback, value, levels - 1);
  hostile::burn(static_cast<uint32_t>(answer), 20);
  return answer;
}

__attribute__((noinline)) int throw_at(int level) {
  if (level == 0) throw std::runtime_error("thrown at the bottom");
  const int answer = throw_at(level - 1);
  hostile::burn(static_cast<uint32_t>(answer), 10);
  return answer;
}

[[noreturn]] __attribute__((noinline)) void jump_at(std::jmp_buf& out, int level) {
  hostile::burn(static_cast<uint32_t>(level), 500);
  if (level > 0) jump_at(out, level - 1);
  hostile::burn(1, 500);
  std::longjmp(out, 7);
}

}  // namespace

// Answers what the callback answered, called `levels` frames further down.
HOSTILE int hostile_call(Callback callback, int value, int levels) {
  return call_through(callback, value, levels);
}

HOSTILE int hostile_throw(int levels) {
  try {
    return throw_at(levels) == 0 ? 1 : 2;
  } catch (const std::runtime_error&) {
    return 0;
  }
}

HOSTILE int hostile_jump(int levels) {
  std::jmp_buf out;
  if (const int value = setjmp(out); value != 0) return value == 7 ? 0 : 1;
  jump_at(out, levels);
}
