#include "tests/stacks/stack_fields.h"
#include "tests/stacks/stack_file.h"
#include "wire/put.h"

namespace walkabout::stacks {
namespace {

using wire::Builder;
using wire::put;

template <typename Field>
void put(Builder<Field>& to, Field field, const std::vector<Run>& runs) {
  for (const Run& run : runs) {
    std::string bytes;
    Builder<RunField> message(bytes);
    put(message, RunField::kAddress, run.address);
    put(message, RunField::kBytes, run.bytes);
    to.add_message(field, bytes);
  }
}
template <typename Field>
void put(Builder<Field>& to, Field field, const std::vector<wire::Frame>& frames) {
  protozero::packed_field_fixed64 column(to, static_cast<uint32_t>(field));
  for (const wire::Frame frame : frames) column.add_element(frame.bits);
}

std::string encode(const RecordedImage& image) {
  std::string bytes;
  Builder<ImageField> to(bytes);
  put(to, ImageField::kCode, image.code);
  put(to, ImageField::kName, image.name);
  put(to, ImageField::kBuildId, image.build_id);
  put(to, ImageField::kBegin, image.begin);
  put(to, ImageField::kEnd, image.end);
  put(to, ImageField::kBase, image.base);
  put(to, ImageField::kFlags,
      (image.managed ? kManagedFlag : 0u) | (image.jit_compiler ? kJitCompilerFlag : 0u));
  put(to, ImageField::kHeader, image.header);
  put(to, ImageField::kCfi, image.cfi);
  put(to, ImageField::kPlt, image.plt);
  {
    protozero::packed_field_uint32 column(to, static_cast<uint32_t>(ImageField::kFunctions));
    for (const unwind::RuntimeFunction& f : image.functions) {
      for (const uint32_t part : {f.begin, f.end, f.unwind}) column.add_element(part);
    }
  }
  put(to, ImageField::kUnwind, image.unwind);
  return bytes;
}

std::string encode(const RecordedRegion& region) {
  std::string bytes;
  Builder<RegionField> to(bytes);
  put(to, RegionField::kCode, region.code);
  put(to, RegionField::kBegin, region.begin);
  put(to, RegionField::kMethodStart, region.method_start);
  put(to, RegionField::kSize, region.size);
  put(to, RegionField::kUnwind, region.unwind);
  put(to, RegionField::kName, region.name);
  return bytes;
}

std::string encode(const RecordedStack& stack) {
  std::string bytes;
  Builder<StackField> to(bytes);
  put(to, StackField::kSituation, stack.situation);
  put(to, StackField::kJudge, stack.judge);
  {
    protozero::packed_field_fixed64 column(to, static_cast<uint32_t>(StackField::kLeaf));
    for (const uint64_t value : stack.leaf.r) column.add_element(value);
  }
  put(to, StackField::kMemory, stack.memory);
  put(to, StackField::kFrames, stack.frames);
  put(to, StackField::kClr, stack.clr);
  put(to, StackField::kEnd, static_cast<uint64_t>(stack.end));
  put(to, StackField::kTid, stack.tid);
  put(to, StackField::kSample, stack.sample);
  put(to, StackField::kHresult, stack.hresult);
  put(to, StackField::kClrRequested, stack.clr_requested ? 1u : 0u);
  return bytes;
}

}  // namespace

std::string encode(const StackFile& file) {
  std::string bytes;
  Builder<FileField> to(bytes);
  put(to, FileField::kProgram, file.program);
  for (const RecordedImage& image : file.images) to.add_message(FileField::kImage, encode(image));
  for (const RecordedRegion& region : file.regions) to.add_message(FileField::kRegion, encode(region));
  for (const RecordedStack& stack : file.stacks) to.add_message(FileField::kStack, encode(stack));
  return bytes;
}

}  // namespace walkabout::stacks
