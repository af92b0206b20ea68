#include <algorithm>
#include <protozero/pbf_message.hpp>

#include "tests/stacks/stack_fields.h"
#include "tests/stacks/stack_file.h"

namespace walkabout::stacks {
namespace {

using protozero::pbf_message;
using protozero::pbf_reader;

constexpr bool is_number(RunField f) { return f == RunField::kAddress; }
constexpr bool is_number(ImageField f) {
  return f == ImageField::kCode || f == ImageField::kBegin || f == ImageField::kEnd ||
         f == ImageField::kBase || f == ImageField::kFlags || f == ImageField::kHeader;
}
constexpr bool is_number(RegionField f) {
  return f == RegionField::kCode || f == RegionField::kBegin || f == RegionField::kMethodStart ||
         f == RegionField::kSize;
}
constexpr bool is_number(StackField f) {
  return f == StackField::kEnd || f == StackField::kTid || f == StackField::kSample ||
         f == StackField::kHresult || f == StackField::kClrRequested;
}
constexpr bool is_number(FileField) { return false; }

// To the next field that has the type it should have; protozero does not look.
template <typename Message>
bool next(Message& m) {
  using Type = protozero::pbf_wire_type;
  while (m.next()) {
    if (m.wire_type() == (is_number(m.tag()) ? Type::varint : Type::length_delimited)) return true;
    m.skip();
  }
  return false;
}

Run decode_run(const pbf_reader& bytes) {
  Run run;
  for (pbf_message<RunField> m(bytes); next(m);) {
    switch (m.tag()) {
      case RunField::kAddress:
        run.address = m.get_uint64();
        break;
      case RunField::kBytes:
        run.bytes = m.get_bytes();
        break;
      default:
        m.skip();
    }
  }
  return run;
}

template <typename Message>
std::vector<uint64_t> words(Message& m) {
  const auto range = m.get_packed_fixed64();
  return {range.begin(), range.end()};
}

template <typename Message>
std::vector<wire::Frame> frames(Message& m) {
  std::vector<wire::Frame> result;
  for (const uint64_t bits : words(m)) result.push_back({bits});
  return result;
}

template <typename Message>
void read_functions(Message& m, RecordedImage& image, std::string& problem) {
  const auto range = m.get_packed_uint32();
  const std::vector<uint32_t> parts(range.begin(), range.end());
  if (parts.size() % 3 != 0) problem = "a function in parts";
  for (size_t i = 0; i + 2 < parts.size(); i += 3) {
    image.functions.push_back({parts[i], parts[i + 1], parts[i + 2]});
  }
}

void set_flags(uint32_t flags, RecordedImage& image) {
  image.managed = (flags & kManagedFlag) != 0;
  image.jit_compiler = (flags & kJitCompilerFlag) != 0;
}

RecordedImage decode_image(const pbf_reader& bytes, std::string& problem) {
  RecordedImage image;
  for (pbf_message<ImageField> m(bytes); next(m);) {
    switch (m.tag()) {
      case ImageField::kCode:
        image.code = m.get_uint32();
        break;
      case ImageField::kName:
        image.name = m.get_bytes();
        break;
      case ImageField::kBuildId:
        image.build_id = m.get_bytes();
        break;
      case ImageField::kBegin:
        image.begin = m.get_uint64();
        break;
      case ImageField::kEnd:
        image.end = m.get_uint64();
        break;
      case ImageField::kBase:
        image.base = m.get_uint64();
        break;
      case ImageField::kFlags:
        set_flags(m.get_uint32(), image);
        break;
      case ImageField::kHeader:
        image.header = m.get_uint64();
        break;
      case ImageField::kCfi:
        image.cfi.push_back(decode_run(m.get_message()));
        break;
      case ImageField::kPlt:
        image.plt.push_back(decode_run(m.get_message()));
        break;
      case ImageField::kFunctions:
        read_functions(m, image, problem);
        break;
      case ImageField::kUnwind:
        image.unwind.push_back(decode_run(m.get_message()));
        break;
      default:
        m.skip();
    }
  }
  return image;
}

RecordedRegion decode_region(const pbf_reader& bytes) {
  RecordedRegion region;
  for (pbf_message<RegionField> m(bytes); next(m);) {
    switch (m.tag()) {
      case RegionField::kCode:
        region.code = m.get_uint32();
        break;
      case RegionField::kBegin:
        region.begin = m.get_uint64();
        break;
      case RegionField::kMethodStart:
        region.method_start = m.get_uint64();
        break;
      case RegionField::kSize:
        region.size = m.get_uint32();
        break;
      case RegionField::kUnwind:
        region.unwind = m.get_bytes();
        break;
      case RegionField::kName:
        region.name = m.get_bytes();
        break;
      default:
        m.skip();
    }
  }
  return region;
}

template <typename Message>
void read_leaf(Message& m, RecordedStack& stack, std::string& problem) {
  const std::vector<uint64_t> values = words(m);
  if (values.size() != unwind::kRegCount)
    problem = "a stack without all registers";
  else
    std::copy(values.begin(), values.end(), stack.leaf.r);
}

RecordedStack decode_stack(const pbf_reader& bytes, std::string& problem) {
  RecordedStack stack;
  for (pbf_message<StackField> m(bytes); next(m);) {
    switch (m.tag()) {
      case StackField::kSituation:
        stack.situation = m.get_bytes();
        break;
      case StackField::kJudge:
        stack.judge = m.get_bytes();
        break;
      case StackField::kLeaf:
        read_leaf(m, stack, problem);
        break;
      case StackField::kMemory:
        stack.memory.push_back(decode_run(m.get_message()));
        break;
      case StackField::kFrames:
        stack.frames = frames(m);
        break;
      case StackField::kClr:
        stack.clr = frames(m);
        break;
      case StackField::kEnd:
        stack.end = static_cast<wire::WalkEnd>(m.get_uint32());
        break;
      case StackField::kTid:
        stack.tid = m.get_uint32();
        break;
      case StackField::kSample:
        stack.sample = m.get_uint64();
        break;
      case StackField::kHresult:
        stack.hresult = m.get_uint32();
        break;
      case StackField::kClrRequested:
        stack.clr_requested = m.get_uint32() != 0;
        break;
      default:
        m.skip();
    }
  }
  if (stack.end >= wire::WalkEnd::kCount) problem = "a stack that ends in an unknown way";
  return stack;
}

// Runs are searched by address and laid out in memory by it. `limit`: how far one may lie from another.
bool ascending(const std::vector<Run>& runs, uint64_t limit) {
  uint64_t behind = 0;
  for (const Run& run : runs) {
    if (run.address < behind || run.end() < run.address) return false;
    behind = run.end();
  }
  return runs.empty() || behind - runs.front().address <= limit;
}

const char* check(const RecordedImage& image) {
  if (image.begin >= image.end) return "an image without code";
  if (!ascending(image.cfi, kMaxBytes) || !ascending(image.plt, kMaxBytes) ||
      !ascending(image.unwind, kMaxBytes))
    return "an image whose parts are out of order";
  if (!image.unwind.empty() && image.unwind.back().end() > kMaxBytes)
    return "unwind data far outside its image";
  if (!image.plt.empty() && (image.plt.front().address < image.begin || image.plt.back().end() > image.end ||
                             image.end - image.begin > kMaxBytes))
    return "a PLT slot outside its image";
  return nullptr;
}

const char* check(const StackFile& file) {
  for (const RecordedImage& image : file.images) {
    if (const char* problem = check(image); problem != nullptr) return problem;
  }
  for (const RecordedStack& stack : file.stacks) {
    if (!ascending(stack.memory, UINT64_MAX)) return "a stack whose memory is out of order";
  }
  return nullptr;
}

}  // namespace

base::Result<StackFile> decode(const std::string& message) {
  StackFile file;
  std::string problem;
  try {
    for (pbf_message<FileField> m(message); next(m);) {
      switch (m.tag()) {
        case FileField::kProgram:
          file.program = m.get_bytes();
          break;
        case FileField::kImage:
          file.images.push_back(decode_image(m.get_message(), problem));
          break;
        case FileField::kRegion:
          file.regions.push_back(decode_region(m.get_message()));
          break;
        case FileField::kStack:
          file.stacks.push_back(decode_stack(m.get_message(), problem));
          break;
        default:
          m.skip();
      }
    }
  } catch (const protozero::exception& e) {
    problem = e.what();
  }
  if (const char* found = check(file); problem.empty() && found != nullptr) problem = found;
  if (!problem.empty()) return base::Status::error("recorded stacks are damaged: " + problem);
  return file;
}

}  // namespace walkabout::stacks
