// compare_names FILE.walk: what the agent said of ready-to-run code (by ICorProfilerInfo::GetFunctionFromIP),
// against what the images' files say of the same addresses (precompiled/image_names.h). Prints JSON: how many
// ranges the agent named, how many of them the files name, and each that they name differently; how many of
// all functions of these images the files name; how many of the stacks' distinct frames have no name in the
// recording, and how many of those are of no method.
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "base/file_name.h"
#include "clr/names/method_record.h"
#include "clr/names/runtime_info.h"
#include "precompiled/image_names.h"
#include "recording/reader.h"

namespace {

using namespace walkabout;
using precompiled::Assembly;
using precompiled::ImageNames;

class Recorded : public recording::RecordVisitor {
 public:
  void on_session(const wire::Session& r) override { session = r; }
  void on_module(const wire::Module& r) override {
    if (r.kind == wire::ModuleKind::kReadyToRun) modules[r.code] = r;
  }
  void on_method(const wire::Method& r) override { methods[r.id] = r; }
  void on_method_range(const wire::MethodRange& r) override {
    ranges.push_back(r);
    ends[{r.module, r.begin}] = r.end;
  }
  void on_nodes(const wire::Nodes& r, uint32_t) override {
    for (const wire::Frame frame : r.frame) {
      if (frame.kind() == wire::FrameKind::kReadyToRun) frames.insert(frame);
    }
  }
  // As a reader looks it up: the call before the address, else the address.
  bool has_name(wire::Frame frame) const {
    return covered(frame.code(), frame.offset()) ||
           (frame.offset() != 0 && covered(frame.code(), frame.offset() - 1));
  }

  wire::Session session;
  std::map<base::CodeId, wire::Module> modules;
  std::map<base::MethodId, wire::Method> methods;
  std::vector<wire::MethodRange> ranges;
  std::set<wire::Frame> frames;

 private:
  bool covered(base::CodeId code, uint32_t rva) const {
    const auto after = ends.upper_bound({code, rva});
    if (after == ends.begin()) return false;
    const auto& [begin, end] = *std::prev(after);
    return begin.first == code && rva < end;
  }
  std::map<std::pair<base::CodeId, uint32_t>, uint32_t> ends;
};

class Files {
 public:
  explicit Files(const Recorded& recorded) : recorded_(recorded) {}

  const Assembly* assembly(const std::string& path) {
    const auto [entry, fresh] = files_.try_emplace(path);
    if (fresh) {
      std::ifstream in(path, std::ios::binary);
      entry->second.bytes.assign(std::istreambuf_iterator<char>(in), {});
      entry->second.assembly = Assembly::read(entry->second.bytes, path);
    }
    return entry->second.assembly ? &*entry->second.assembly : nullptr;
  }
  const Assembly* named(std::string_view name) {
    for (const auto& [code, module] : recorded_.modules) {
      if (base::file_name(module.path) == std::string(name) + ".dll") return assembly(module.path);
    }
    return nullptr;
  }

 private:
  struct File {
    std::vector<uint8_t> bytes;
    std::optional<Assembly> assembly;
  };
  const Recorded& recorded_;
  std::map<std::string, File> files_;
};

nlohmann::json json_of(const wire::Method& m, uint32_t begin, uint32_t end) {
  return {{"type", m.type},     {"method", m.method}, {"parameters", m.parameters},
          {"module", m.module}, {"flags", m.flags},   {"begin", begin},
          {"end", end}};
}

}  // namespace

// NOLINTNEXTLINE(bugprone-exception-escape): a tool of the tests
int main(int argc, char** argv) {
  Recorded recorded;
  if (argc != 2 || !recording::read_recording(argv[1], recorded).ok()) return 2;
  Files files(recorded);
  std::map<base::CodeId, std::unique_ptr<ImageNames>> images;
  int named = 0, without_file = 0;
  nlohmann::json different = nlohmann::json::array(), unnamed = nlohmann::json::array();
  const int major = clr::runtime_major(recorded.session.runtime);
  for (const auto& [code, module] : recorded.modules) {
    const Assembly* assembly = files.assembly(module.path);
    if (assembly != nullptr && assembly->image.identity() == module.build_id)
      images[code] = std::make_unique<ImageNames>(
          *assembly, major, [&files](std::string_view name) { return files.named(name); });
  }
  uint64_t functions = 0, nameable = 0;  // of all those images
  for (const auto& [code, image] : images) {
    for (uint32_t i = 0; image->code() != nullptr && i < image->code()->functions(); ++i, ++functions)
      nameable += image->method_at(image->code()->function(i).begin) ? 1 : 0;
  }
  for (const wire::MethodRange& range : recorded.ranges) {
    const wire::Method& said = recorded.methods[range.method];
    const auto image = images.find(range.module);
    if (image == images.end()) {
      ++without_file;
      continue;
    }
    const auto found = image->second->method_at(range.end - 1);
    if (!found) {
      unnamed.push_back(json_of(said, range.begin, range.end));
      continue;
    }
    ++named;
    const wire::Method read = clr::method_record(range.method, found->name);
    const auto a = json_of(said, range.begin, range.end),
               b = json_of(read, found->function.begin, found->function.end);
    if (a != b) different.push_back({{"agent", a}, {"file", b}});
  }
  uint64_t frames_without_name = 0, without_method = 0;  // the latter of the former: thunks between methods
  for (const wire::Frame frame : recorded.frames) {
    if (recorded.has_name(frame)) continue;
    ++frames_without_name;
    const auto image = images.find(frame.code());
    if (image != images.end() && !image->second->method_at(frame.offset()) &&
        !image->second->method_at(frame.offset() - 1))
      ++without_method;
  }
  std::cout << nlohmann::json({{"ranges", recorded.ranges.size()},
                               {"without_file", without_file},
                               {"frames", recorded.frames.size()},
                               {"frames_without_name", frames_without_name},
                               {"without_method", without_method},
                               {"functions", functions},
                               {"nameable", nameable},
                               {"named", named},
                               {"different", different},
                               {"unnamed", unnamed}})
                   .dump(1, ' ', false, nlohmann::json::error_handler_t::replace)
            << "\n";
  return 0;
}
