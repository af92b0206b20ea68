#include "base/windows/win32.h"
// after win32.h
#include "agent/windows/thread_word.h"

namespace walkabout::agent {

// Where none is left it reads as 0: that index is nobody's.
ThreadWord::ThreadWord() : index_(::TlsAlloc()) {}
ThreadWord::~ThreadWord() { ::TlsFree(index_); }

uintptr_t ThreadWord::get() const { return reinterpret_cast<uintptr_t>(::TlsGetValue(index_)); }
void ThreadWord::set(uintptr_t word) const { ::TlsSetValue(index_, reinterpret_cast<void*>(word)); }

}  // namespace walkabout::agent
