// What each system has its own of, under one name and one contract: the agent's threads, its table of
// threads, the calling thread's samples of itself, where the stream goes, reads of the own memory, names of
// threads.
#pragma once

#if defined(_WIN32)
#include "agent/windows/capture.h"
#include "agent/windows/own_thread.h"
#include "agent/windows/process_self.h"
#include "agent/windows/refused_captures.h"
#include "agent/windows/self_memory.h"
#include "agent/windows/stream_out.h"
#include "agent/windows/thread_table.h"
#else
#include "agent/linux/handler/capture.h"
#include "agent/linux/handler/self_memory.h"
#include "agent/linux/own_thread.h"
#include "agent/linux/proc_self.h"
#include "agent/linux/refused_captures.h"
#include "agent/linux/stream_out.h"
#include "agent/linux/thread_table.h"
#endif
