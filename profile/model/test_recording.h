// A small recording for tests, emitted record by record to a visitor as the agent would.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "recording/visitor.h"
#include "wire/records.h"

namespace walkabout::profile::testing {

// A second source beside CPU time: what threads do, and in which system call they are blocked.
inline wire::Source wall_source() {
  wire::Source source;
  source.id = base::SourceId(2);
  source.name = "wall";
  source.values = {{"wall time", "nanoseconds", wire::Adding::kSum}};
  source.labels = {{"state", static_cast<uint32_t>(wire::LabelType::kThreadState)},
                   {"system call", static_cast<uint32_t>(wire::LabelType::kSystemCall)}};
  source.clock = static_cast<uint32_t>(wire::Clock::kWall);
  source.period = 50'000'000;
  return source;
}
inline constexpr uint64_t kRead = 0;  // system calls of x86-64
inline constexpr uint64_t kFutex = 202;

class TestRecording {
 public:
  explicit TestRecording(recording::RecordVisitor& to) : to_(to) {}

  base::ThreadId thread(const std::string& os_name, uint32_t tid, const std::string& managed_name = "",
                        wire::ThreadKind kind = wire::ThreadKind::kManaged) {
    const base::ThreadId id(++threads_);
    to_.on_thread({id, tid, os_name, managed_name, kind, 0});
    return id;
  }
  base::CodeId module(const std::string& path, wire::ModuleKind kind = wire::ModuleKind::kElf) {
    const base::CodeId id(++codes_);
    to_.on_module({id, kind, path, "", 0, 0, 0});
    return id;
  }
  base::MethodId method(const std::string& type, const std::string& name, const std::string& parameters = "",
                        uint32_t flags = 0) {
    const base::MethodId id(++methods_);
    to_.on_method({id, type, name, parameters, "Demo.dll", flags});
    return id;
  }
  base::CodeId jit(base::MethodId method) {
    const base::CodeId id(++codes_);
    to_.on_jit_code({id, method, wire::Tier::kTier0, 0x1000, 0x100});
    return id;
  }
  // A jitted frame of a method made on the spot.
  wire::Frame jitted(const std::string& type, const std::string& name, uint32_t offset = 4) {
    return wire::Frame::in_code(wire::FrameKind::kJitted, jit(method(type, name)), offset);
  }
  static wire::Frame native(base::CodeId module, uint32_t offset) {
    return wire::Frame::in_code(wire::FrameKind::kNative, module, offset);
  }
  void symbols(base::CodeId module, bool stripped, std::vector<wire::NativeSymbol> names) {
    to_.on_native_symbols({module, stripped, true, "", std::move(names)});
  }
  // Root first.
  base::StackId stack(std::initializer_list<wire::Frame> frames) {
    base::StackId id;
    for (const wire::Frame frame : frames) id = push(id, frame);
    return id;
  }
  // Stacks emitted from now on are of a new tree.
  void new_tree() { new_tree_ = true; }
  base::StackId push(base::StackId parent, wire::Frame frame) {
    wire::Nodes nodes;
    nodes.new_tree = std::exchange(new_tree_, false);
    if (nodes.new_tree) nodes_ = 0;
    nodes.parent = {parent.value};
    nodes.frame = {frame};
    to_.on_nodes(nodes, ++nodes_);
    return base::StackId(nodes_);
  }
  void sample(base::ThreadId thread, uint64_t time_us, uint64_t weight, base::StackId stack,
              wire::WalkEnd end = wire::WalkEnd::kRooted, uint8_t flags = 0) {
    to_.on_samples({thread, {time_us}, {weight}, {stack}, {end}, {flags}, wire::kCpuSource, {}});
  }
  // Of wall_source(). call: the number of the system call it is blocked in.
  void wall(base::ThreadId thread, uint64_t time_us, uint64_t weight, base::StackId stack,
            wire::ThreadState state, std::optional<uint64_t> call = std::nullopt) {
    const std::vector<uint64_t> labels{static_cast<uint64_t>(state), call ? *call + 1 : 0};
    to_.on_samples(
        {thread, {time_us}, {weight}, {stack}, {wire::WalkEnd::kRooted}, {0}, wall_source().id, labels});
  }

 private:
  recording::RecordVisitor& to_;
  uint32_t threads_ = 0;
  uint32_t codes_ = 0;
  uint32_t methods_ = 0;
  uint32_t nodes_ = 0;
  bool new_tree_ = false;
};

}  // namespace walkabout::profile::testing
