// Names of ready-to-run code that a dead process's agent had not named, from the files of its images. A file
// is believed only when its headers are those of the image that was mapped (Module.build_id). One thread; it
// holds each file it has needed.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "collect/noted_code.h"
#include "collect/stream_state.h"
#include "precompiled/image_names.h"
#include "symbols/elf/file_root.h"
#include "wire/frame.h"

namespace walkabout::cli {

class PrecompiledCode {
 public:
  // All of them must outlive this. root: whose paths the modules' are.
  PrecompiledCode(const StreamState& known, const NotedCode& notes, const symbols::FileRoot& root);
  ~PrecompiledCode();

  // Whether the frame's code has a name here, as its caller or as the leaf. Its Method and MethodRange, if
  // they are new, go to `out`.
  bool declare(wire::Frame frame, bool leaf, std::string* out);

 private:
  struct File;

  const wire::Module* module_of(base::CodeId code) const;
  // Null: there is none, or another one than what was mapped.
  const precompiled::Assembly* assembly(const wire::Module& module);
  const precompiled::Assembly* loaded(std::string_view name);
  precompiled::ImageNames* names(const wire::Module& module);
  void read(const wire::Module& module, const symbols::FileRoot& root, File* file);
  base::MethodId method_of(wire::Method method, std::string* out);

  const StreamState& known_;
  const NotedCode& notes_;
  const symbols::FileRoot& root_;
  int runtime_major_;
  uint32_t next_method_;
  uint64_t bytes_read_ = 0;
  std::map<std::string, std::unique_ptr<File>> files_;  // by path
  std::map<base::CodeId, std::unique_ptr<precompiled::ImageNames>> names_;
  std::map<std::pair<base::CodeId, uint32_t>, bool> answers_;           // by the RVA that was looked for
  std::map<std::pair<base::CodeId, uint32_t>, base::MethodId> ranges_;  // by (module, begin)
  std::map<std::string, base::MethodId> methods_;                       // by their records, but for the id
};

}  // namespace walkabout::cli
