// Threads the runtime did not make, which enter managed code and end.
#include <pthread.h>

#include <vector>

#include "hostile.h"

namespace {

using Callback = int (*)(int);
struct Work {
  Callback callback;
  int value;
  int answer;
};

void* run(void* data) {
  auto* work = static_cast<Work*>(data);
  hostile::burn(1, 10'000);
  work->answer = work->callback(work->value);
  hostile::burn(1, 10'000);
  return nullptr;
}

}  // namespace

HOSTILE int hostile_threads(int count, Callback callback) {
  std::vector<pthread_t> threads(static_cast<size_t>(count));
  std::vector<Work> work(threads.size());
  for (size_t i = 0; i < threads.size(); ++i) {
    work[i] = {callback, static_cast<int>(i), 0};
    if (::pthread_create(&threads[i], nullptr, run, &work[i]) != 0) return 1;
  }
  int wrong = 0;
  for (size_t i = 0; i < threads.size(); ++i) {
    ::pthread_join(threads[i], nullptr);
    if (work[i].answer != static_cast<int>(i) + 1) wrong = 2;
  }
  return wrong;
}
