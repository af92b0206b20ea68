// Lets lock-free readers (signal handlers) and one writer share data that the writer replaces: a reader is
// inside the gate while it holds pointers, the writer frees what it replaced once every reader that could
// hold it has left.
//
// Readers: async-signal-safe, never wait. Writer: one at a time (its own lock). INVARIANT: something unlinked
// before Grace began is unreachable for readers once Grace::over() has returned true.
#pragma once

#include <atomic>
#include <cstdint>

namespace walkabout::unwind {

class ReaderGate {
 public:
  class Reader {
   public:
    // seq_cst: the entry must be ordered before the reader's loads of the shared pointers; partner:
    // Grace::over().
    explicit Reader(ReaderGate& gate)
        : inside_(gate.inside_[gate.side_.load(std::memory_order_relaxed) & 1]) {
      inside_.fetch_add(1, std::memory_order_seq_cst);
    }
    ~Reader() { inside_.fetch_sub(1, std::memory_order_release); }
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;

   private:
    std::atomic<uint32_t>& inside_;
  };

  // A grace period: over when both sides have been seen empty since it began. New readers enter on the other
  // side, so that a stream of them cannot hold it up.
  class Grace {
   public:
    explicit Grace(ReaderGate& gate) : gate_(&gate) {}
    bool over() {
      for (int i = 0; i < 2; ++i) {
        const uint32_t side = gate_->side_.load(std::memory_order_relaxed) & 1;
        const uint32_t old = side ^ 1;
        if (gate_->inside_[old].load(std::memory_order_seq_cst) == 0) seen_empty_[old] = true;
        if (seen_empty_[old]) gate_->side_.store(old, std::memory_order_seq_cst);
      }
      return seen_empty_[0] && seen_empty_[1];
    }

   private:
    ReaderGate* gate_;
    bool seen_empty_[2] = {false, false};
  };

 private:
  std::atomic<uint32_t> side_{0};
  std::atomic<uint32_t> inside_[2] = {};
};

}  // namespace walkabout::unwind
