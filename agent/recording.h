// Everything that exists while samples are taken, in the order it is built; taken down in the order that
// keeps a handler that is still running from touching what is gone. Made by Profiler::Initialize, ended by
// Shutdown.
#pragma once

#include "agent/code_registry.h"
#include "agent/linux/handler.h"
#include "agent/linux/images.h"
#include "agent/linux/ring_memory.h"
#include "agent/linux/sampler.h"
#include "agent/linux/stream_out.h"
#include "agent/linux/thread_table.h"
#include "agent/options.h"
#include "agent/spooler.h"
#include "walker/reader_gate.h"

namespace walkabout::agent {

struct Recording {
  Recording() : registry(gate), images(registry) {}

  Options options;
  walker::ReaderGate& gate = tick_gate();
  CodeRegistry registry;
  Images images;
  RingMemory rings;
  StreamOut out;
  std::unique_ptr<ThreadTable> threads;
  std::unique_ptr<Spooler> spooler;
  std::unique_ptr<Sampler> sampler;
  bool wanted = true;  // the collector wants this process
};

// From here on the calling thread and all others are sampled. On an error nothing is left behind.
base::Status begin(Recording& recording, clr::ICorProfilerInfo2* info, const std::string& runtime);
// Clocks off, last samples written.
void end(Recording& recording);

}  // namespace walkabout::agent
