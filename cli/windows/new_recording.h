// The file a recording is written to: beside the one it will replace, and in its place in the end. Unlike an
// output file (formats/output_file.h) it is kept with what could be written when a write failed. One thread.
#pragma once

#include <string>

#include "base/result.h"

namespace walkabout::cli {

class NewRecording {
 public:
  NewRecording() = default;
  // Without commit() nothing is left behind, and what was there stays.
  ~NewRecording();
  NewRecording(const NewRecording&) = delete;
  NewRecording& operator=(const NewRecording&) = delete;
  base::Status open(const std::wstring& path);
  base::Status write(const std::string& bytes);
  base::Status commit();

 private:
  void close();
  void* file_ = nullptr;
  std::wstring path_, written_path_;
};

}  // namespace walkabout::cli
