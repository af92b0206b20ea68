// Status and Result: errors as values, for code that may not throw (agent, walker, wire) and code that need
// not.
//
// A Status is ok or carries one sentence that names the cause (and, where there is one, the next step).
// Errors allocate, success does not; so neither type is for signal handlers. No thread rule: plain values.
#pragma once

#include <optional>
#include <string>
#include <utility>

namespace walkabout::base {

class [[nodiscard]] Status {
 public:
  Status() = default;
  static Status error(std::string message) { return Status(std::move(message)); }
  bool ok() const { return !message_.has_value(); }
  // The cause; empty when ok().
  std::string message() const { return message_.value_or(std::string()); }

 private:
  explicit Status(std::string message) : message_(std::move(message)) {}
  std::optional<std::string> message_;
};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}          // NOLINT(google-explicit-constructor)
  Result(Status status) : status_(std::move(status)) {}  // NOLINT(google-explicit-constructor)
  bool ok() const { return value_.has_value(); }
  const Status& status() const { return status_; }
  std::string message() const { return status_.message(); }
  // REQUIRES: ok().
  T& value() { return *value_; }
  const T& value() const { return *value_; }
  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }
  T* operator->() { return &*value_; }
  const T* operator->() const { return &*value_; }

 private:
  std::optional<T> value_;
  Status status_;
};

}  // namespace walkabout::base
