#include "agent/shared/other_profiler.h"

namespace walkabout::agent {

clr::HRESULT serve_other_profiler(const clr::GUID&, const clr::GUID&, void**) {
  return clr::CLASS_E_CLASSNOTAVAILABLE;
}

}  // namespace walkabout::agent
