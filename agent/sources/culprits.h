// What each system has its own of, under one name and one contract: who holds others up, the thread that
// comes last in a suspension and the owner of a lock.
#pragma once

#if defined(_WIN32)
#include "agent/sources/windows/late_samples.h"
#include "agent/sources/windows/owner_samples.h"
#else
#include "agent/sources/linux/late_samples.h"
#include "agent/sources/linux/owner_samples.h"
#endif
