#include "base/windows/win32.h"
// after win32.h
#include <mmsystem.h>

#include "agent/windows/fine_timer.h"

namespace walkabout::agent {
namespace {
constexpr UINT kMs = 1;
}

FineTimer::FineTimer() { ::timeBeginPeriod(kMs); }
FineTimer::~FineTimer() { ::timeEndPeriod(kMs); }

}  // namespace walkabout::agent
