// Answers the agents that are not recorded (those of processes that the program starts), so that they give up
// at once and say nothing. A thread of its own, from begin() on.
#pragma once

#include <string>
#include <thread>

namespace walkabout::cli {

class Refusals {
 public:
  Refusals() = default;
  ~Refusals();
  Refusals(const Refusals&) = delete;
  Refusals& operator=(const Refusals&) = delete;
  // Once; the pipe of that name exists. Where no thread or event is to be had nobody is answered.
  void begin(const std::wstring& pipe_name);

 private:
  void run(const std::wstring& pipe_name) const;
  void* stop_ = nullptr;  // an event
  std::thread thread_;
};

}  // namespace walkabout::cli
