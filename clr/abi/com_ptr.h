// A counted reference to a COM object: AddRef on copy, Release on destruction. Not shared between threads
// while it is written (the object's counter is atomic, the pointer is not). Never throws, never allocates.
#pragma once

#include <utility>

#include "clr/abi/class_factory.h"

namespace walkabout::clr {

template <typename T>
class ComPtr {
 public:
  ComPtr() = default;
  // Shares the object: the caller keeps its own reference.
  explicit ComPtr(T* object) : object_(object) {
    if (object_ != nullptr) object_->AddRef();
  }
  ComPtr(const ComPtr& other) : ComPtr(other.object_) {}
  ComPtr(ComPtr&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  ComPtr& operator=(ComPtr other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~ComPtr() { reset(); }

  // Takes over the caller's reference, as out parameters hand it over.
  static ComPtr adopt(T* object) {
    ComPtr result;
    result.object_ = object;
    return result;
  }

  void reset() {
    if (T* object = std::exchange(object_, nullptr); object != nullptr) object->Release();
  }
  // For an out parameter: drops what was held and gives the place for the new reference.
  T** put() {
    reset();
    return &object_;
  }
  // The same for out parameters of type IUnknown** that are asked for T by its IID.
  IUnknown** put_unknown() { return reinterpret_cast<IUnknown**>(put()); }

  // Another interface of the same object; empty if it has none.
  template <typename U>
  ComPtr<U> query() const {
    void* other = nullptr;
    if (object_ == nullptr || failed(object_->QueryInterface(U::kIid, &other))) return {};
    return ComPtr<U>::adopt(static_cast<U*>(other));
  }

  T* get() const { return object_; }
  T* operator->() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  T* object_ = nullptr;
};

}  // namespace walkabout::clr
