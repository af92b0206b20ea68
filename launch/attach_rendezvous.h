// The attach rendezvous: where the agent in another process finds what it needs, also if that process sees
// other files than we do (a container): a folder of its own with the collector's socket, and the agent's
// library.
//
// The folder is made as the process's user, so that no trick in a folder of that user's gains anything by our
// being root, and nobody else can enter it. It is not made where a third user could replace it. It goes with
// this object, also when the process has ended; one of a walkabout that was killed is cleared by the next.
// The library is ours if the process sees and may read it; else a copy is put into one of its folders for
// temporary files, under a name that says its content: an attach after this one finds it there, which spares
// the process a second mapping. It stays. All paths are followed inside the process's root folder.
#pragma once

#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "diagnostics/process.h"

namespace walkabout::cli {

class AttachRendezvous {
 public:
  // agent: the library, as we see it. An error says which folders were tried.
  static base::Result<AttachRendezvous> make(const diagnostics::Process& process, const std::string& agent);
  AttachRendezvous(AttachRendezvous&&) = default;
  AttachRendezvous& operator=(AttachRendezvous&&) = delete;
  ~AttachRendezvous();

  // As the process sees them.
  const std::string& agent() const { return agent_; }
  std::string socket() const;
  // The collector's end.
  base::Fd take_listener() { return std::move(listener_); }

 private:
  AttachRendezvous() = default;
  base::Status open_folder(const diagnostics::Process& process);
  base::Status listen(const diagnostics::Process& process);

  std::string parent_path_, name_, agent_;  // as the process sees them
  base::Fd parent_, folder_, listener_;     // the folder is held (held_folder.h)
};

}  // namespace walkabout::cli
