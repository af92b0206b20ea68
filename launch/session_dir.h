// A folder only this user can enter, for the collector's socket and unfinished recordings; removed with the
// object. What killed ones left is cleared when the next is made (held_folder.h).
#pragma once

#include <string>

#include "base/fd.h"
#include "base/result.h"

namespace walkabout::cli {

class SessionDir {
 public:
  // In $XDG_RUNTIME_DIR, else $TMPDIR, else /tmp; not where another user could replace it.
  static base::Result<SessionDir> create();
  SessionDir(SessionDir&& other) noexcept
      : path_(std::move(other.path_)), held_(std::move(other.held_)), kept_(other.kept_) {
    other.path_.clear();
  }
  SessionDir& operator=(SessionDir&&) = delete;
  ~SessionDir();
  const std::string& path() const { return path_; }
  // It stays when the object goes.
  void keep() { kept_ = true; }

 private:
  SessionDir(std::string path, base::Fd held) : path_(std::move(path)), held_(std::move(held)) {}
  std::string path_;
  base::Fd held_;
  bool kept_ = false;
};

}  // namespace walkabout::cli
