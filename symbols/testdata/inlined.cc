// What DWARF says of inlined functions, for the tests of lines; never run.
#include "symbols/testdata/parts/steps.h"

// Of the C library, without its headers: of those a compiler has no checksums.
extern "C" int rand();
extern "C" void exit(int) __attribute__((noreturn));
extern "C" void abort() __attribute__((noreturn));

namespace inlined {
namespace {

INLINED unsigned innermost(unsigned n) {
  if (n % 5 == 0) n += static_cast<unsigned>(::rand());
  return n * 7;
}

INLINED unsigned middle(unsigned n) {
  unsigned sum = innermost(n);
  for (unsigned i = 0; i < n; ++i) sum += innermost(i ^ sum);
  return sum;
}

}  // namespace

// Three in each other, and twice the same.
__attribute__((noinline)) unsigned outer(unsigned n) {
  Shape shape(n);
  unsigned sum = middle(n) + shape.grow(n);
  sum += middle(sum);
  const auto twice = [&](unsigned m) __attribute__((always_inline)) { return mix(m, sum) + innermost(m); };
  return twice(sum) + twice(n);
}

// Its cold part lies elsewhere.
__attribute__((noinline)) unsigned split_up(unsigned n) {
  if (__builtin_expect(n == 12345, 0)) {
    Shape shape(n);
    if (shape.grow(n) == 7) ::abort();
    ::exit(static_cast<int>(middle(n)));
  }
  return innermost(n);
}

__attribute__((noinline)) unsigned plain(unsigned n) { return n * 3 + static_cast<unsigned>(::rand()); }

}  // namespace inlined

// The linker removes it, and it is long: without a place it is said to lie at address 0.
#define TEN_TIMES(what) what what what what what what what what what what
__attribute__((noinline, visibility("hidden"))) unsigned removed(unsigned n) {
  TEN_TIMES(TEN_TIMES(n = inlined::mix(n, n / 3) + static_cast<unsigned>(::rand());))
  return n;
}

extern "C" __attribute__((noinline)) unsigned inlined_run(unsigned n) {
  return inlined::outer(n) + inlined::split_up(n) + inlined::plain(n);
}
