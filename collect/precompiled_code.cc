#include "collect/precompiled_code.h"

#include <vector>

#include "base/file_name.h"
#include "clr/names/method_record.h"
#include "clr/names/runtime_info.h"
#include "symbols/elf/whole_file.h"
#include "wire/encode.h"

namespace walkabout::cli {
namespace {

constexpr uint64_t kMostBytes = 1 << 30;  // of all files

}  // namespace

struct PrecompiledCode::File {
  std::vector<uint8_t> bytes;
  std::optional<precompiled::Assembly> assembly;

  bool is(const wire::Module& module) const {
    if (!assembly || module.size != assembly->image.image_size()) return false;
    return module.build_id == assembly->image.identity();
  }
};

PrecompiledCode::PrecompiledCode(const StreamState& known, const NotedCode& notes,
                                 const symbols::FileRoot& root)
    : known_(known),
      notes_(notes),
      root_(root),
      runtime_major_(clr::runtime_major(known.session.runtime)),
      next_method_(known.highest_method.value + 1) {}
PrecompiledCode::~PrecompiledCode() = default;

bool PrecompiledCode::declare(wire::Frame frame, bool leaf, std::string* out) {
  const uint32_t rva = leaf || frame.offset() == 0 ? frame.offset() : frame.offset() - 1;
  const auto [answer, fresh] = answers_.try_emplace({frame.code(), rva}, false);
  if (!fresh) return answer->second;
  const wire::Module* const module = module_of(frame.code());
  precompiled::ImageNames* const image = module != nullptr ? names(*module) : nullptr;
  std::optional<precompiled::ImageNames::Method> method;
  if (image != nullptr) method = image->method_at(rva);
  if (!method) return false;
  const auto [known, first] = ranges_.try_emplace({frame.code(), method->function.begin});
  if (first) {
    known->second = method_of(clr::method_record({}, std::move(method->name)), out);
    if (known->second.valid())
      wire::encode(
          wire::MethodRange{frame.code(), method->function.begin, method->function.end, known->second}, *out);
  }
  answer->second = known->second.valid();
  return answer->second;
}

// Funclets are of the method they belong to. Not valid: there are no more ids.
base::MethodId PrecompiledCode::method_of(wire::Method method, std::string* out) {
  std::string record;
  wire::encode(method, record);
  const auto [known, fresh] = methods_.try_emplace(std::move(record));
  if (!fresh || next_method_ >= kFirstNotedMethod) return known->second;
  method.id = known->second = base::MethodId(next_method_++);
  wire::encode(method, *out);
  return method.id;
}

const wire::Module* PrecompiledCode::module_of(base::CodeId code) const {
  const auto known = known_.images.find(code);
  return known != known_.images.end() ? &known->second : notes_.module(code);
}

precompiled::ImageNames* PrecompiledCode::names(const wire::Module& module) {
  const auto [entry, fresh] = names_.try_emplace(module.code);
  const precompiled::Assembly* const found = fresh && runtime_major_ != 0 ? assembly(module) : nullptr;
  if (found != nullptr)
    entry->second = std::make_unique<precompiled::ImageNames>(
        *found, runtime_major_, [this](std::string_view name) { return loaded(name); });
  return entry->second.get();
}

const precompiled::Assembly* PrecompiledCode::assembly(const wire::Module& module) {
  const auto [entry, fresh] = files_.try_emplace(module.path);
  if (fresh) {
    entry->second = std::make_unique<File>();
    read(module, root_, entry->second.get());
    if (!entry->second->is(module) && !root_.is_own()) read(module, {}, entry->second.get());
  }
  return entry->second->is(module) ? &*entry->second->assembly : nullptr;
}

void PrecompiledCode::read(const wire::Module& module, const symbols::FileRoot& root, File* file) {
  if (module.kind != wire::ModuleKind::kReadyToRun || !module.path.starts_with('/')) return;
  file->assembly.reset();
  file->bytes = symbols::read_whole(module.path, root, kMostBytes - bytes_read_);
  bytes_read_ += file->bytes.size();
  file->assembly = precompiled::Assembly::read(file->bytes, module.path);
  if (!file->is(module)) *file = {};
}

// Of two of this name nobody knows which one is meant.
const precompiled::Assembly* PrecompiledCode::loaded(std::string_view name) {
  const std::string file = std::string(name) + ".dll";
  const wire::Module* found = nullptr;
  bool several = false;
  const auto look = [&](const wire::Module& module) {
    if (module.kind != wire::ModuleKind::kReadyToRun || base::file_name(module.path) != file) return;
    several = several || (found != nullptr && found->path != module.path);
    found = &module;
  };
  for (const auto& [code, module] : known_.images) look(module);
  for (const auto& [code, module] : notes_.modules()) look(module);
  return found != nullptr && !several ? assembly(*found) : nullptr;
}

}  // namespace walkabout::cli
