#include "agent/shared/code_port_server.h"

namespace walkabout::agent {

clr::HRESULT serve_code_port(const clr::GUID&, const clr::GUID&, void**) {
  return clr::CLASS_E_CLASSNOTAVAILABLE;
}

}  // namespace walkabout::agent
