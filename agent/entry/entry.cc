// How the CLR finds the profiler: the two functions of an in-process COM server.
#include "agent/entry/make_profiler.h"
#include "agent/shared/code_port_server.h"
#include "clr/abi/profiler_server.h"
#include "wire/agent_id.h"

namespace {

using namespace walkabout;

clr::IUnknown* make() { return agent::make_profiler(); }

}  // namespace

extern "C" __attribute__((visibility("default"))) clr::HRESULT DllGetClassObject(const clr::GUID& clsid,
                                                                                 const clr::GUID& riid,
                                                                                 void** object) {
  if (clsid == clr::guid(wire::kAgentClsid))
    return clr::serve_profiler<make>(clr::guid(wire::kAgentClsid), clsid, riid, object);
  return agent::serve_code_port(clsid, riid, object);
}

extern "C" __attribute__((visibility("default"))) clr::HRESULT DllCanUnloadNow() { return clr::S_FALSE; }
