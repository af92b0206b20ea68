// Keeps collections away from those who read the managed heap, and them from collections: a handler enters
// only where none runs, and one begins when the last of them has left.
//
// Readers: async-signal-safe, never wait; they stay for microseconds. close() waits for them, on the thread
// that has stopped all others, and returns before anything moves. A reader that is interrupted there is no
// reader: it finds the gate closed.
#pragma once

#include <atomic>
#include <cstdint>

namespace walkabout::agent {

class HeapGate {
 public:
  // Open from the start or closed until the first open(): where a collection may run already.
  explicit HeapGate(bool closed = false) : closed_(closed) {}

  class Reader {
   public:
    // seq_cst: of a reader that enters and a suspension that begins, one sees the other; partner: close().
    explicit Reader(HeapGate& gate) : gate_(gate) {
      gate_.readers_.fetch_add(1, std::memory_order_seq_cst);
      inside_ = !gate_.closed_.load(std::memory_order_seq_cst);
      if (!inside_) gate_.readers_.fetch_sub(1, std::memory_order_release);
    }
    ~Reader() {
      if (inside_) gate_.readers_.fetch_sub(1, std::memory_order_release);  // partner: close()
    }
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
    // Nothing in the heap moves as long as this exists.
    bool inside() const { return inside_; }

   private:
    HeapGate& gate_;
    bool inside_;
  };

  // wait: gives other threads the processor for a moment.
  template <typename Wait>
  void close(Wait wait) {
    turns_.fetch_add(1, std::memory_order_relaxed);
    closed_.store(true, std::memory_order_seq_cst);  // partner: Reader
    while (readers_.load(std::memory_order_acquire) != 0) wait();
  }
  void open() {
    turns_.fetch_add(1, std::memory_order_relaxed);
    closed_.store(false, std::memory_order_release);  // partner: Reader
  }
  // Where it is as it was before the reader entered, nothing has moved meanwhile.
  uint32_t turns() const { return turns_.load(std::memory_order_acquire); }
  // Nobody is inside: whoever was has left. seq_cst: who enters now sees what was stored before; partner:
  // Reader.
  bool empty() const { return readers_.load(std::memory_order_seq_cst) == 0; }

 private:
  std::atomic<bool> closed_;
  std::atomic<uint32_t> turns_{0};  // how often it was closed or opened
  std::atomic<uint32_t> readers_{0};
};

}  // namespace walkabout::agent
