// A folder only this user can enter, for the collector's socket and unfinished recordings; removed with the
// object.
#pragma once

#include <string>

#include "base/result.h"

namespace walkabout::cli {

class SessionDir {
 public:
  // In $XDG_RUNTIME_DIR, else $TMPDIR, else /tmp; not where another user could replace it.
  static base::Result<SessionDir> create();
  SessionDir(SessionDir&& other) noexcept : path_(std::move(other.path_)), kept_(other.kept_) {
    other.path_.clear();
  }
  SessionDir& operator=(SessionDir&&) = delete;
  ~SessionDir();
  const std::string& path() const { return path_; }
  // It stays when the object goes.
  void keep() { kept_ = true; }

 private:
  explicit SessionDir(std::string path) : path_(std::move(path)) {}
  std::string path_;
  bool kept_ = false;
};

}  // namespace walkabout::cli
