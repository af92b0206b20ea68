// Functions of every visibility for the symbol tests; never run.
#include <cstdlib>

namespace sample {

class Shape {
 public:
  __attribute__((noinline)) int exported_method(int n);
};

// Not exported: a stripped file knows it only by its unwind entry.
__attribute__((noinline, visibility("hidden"))) int hidden_function(int n) { return n * 3 + std::rand(); }

static __attribute__((noinline)) int static_function(int n) { return hidden_function(n) ^ std::rand(); }

int Shape::exported_method(int n) { return static_function(n) + hidden_function(n + 1); }

}  // namespace sample

extern "C" __attribute__((noinline)) int sample_plain_c(int n) {
  return sample::Shape().exported_method(n) + 1;
}

// Two names for the same code.
extern "C" __attribute__((alias("sample_plain_c"))) int __sample_plain_c_internal(int n);
