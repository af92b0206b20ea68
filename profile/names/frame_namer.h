// From a raw frame to what a person sees, once per distinct frame. Frames that look the same share one
// display frame: all offsets and tiers of a method, all hits of a native function. One thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "profile/model/code_table.h"
#include "profile/model/profile.h"
#include "profile/names/distinct_names.h"
#include "profile/names/origin.h"
#include "wire/frame.h"

namespace walkabout::profile {

// What a frame says about everything above it on the stack.
enum Trait : uint8_t { kTraitJit = 1 };

struct NamedFrame {
  uint32_t frame = 0;  // index into frames()
  // An unnamed frame, or a catch or finally body: shown as one with the caller if that has the same display
  // frame.
  bool foldable = false;
  uint8_t traits = 0;
};

class FrameNamer {
 public:
  struct Options {
    bool unfold = false;   // unnamed native frames keep their offset and are not folded
    bool lines = false;    // a frame for each source place of a function
    bool inlined = false;  // the frames of inlined functions
  };
  // code: sorted, outlives this. command_line: its program may have the CLR inside, and its assembly is the
  // program's own.
  FrameNamer(const CodeTable& code, Options options, const std::string& command_line);

  // The code has more in it than before.
  void look_again();
  // The frames that a raw frame stands for, outermost first: those of functions that the compiler has
  // inlined are behind that of the one whose code it is. At least one. Valid until the next call.
  std::span<const NamedFrame> frames_of(wire::Frame frame, Role role);
  // A marker such as "[no frames]".
  uint32_t marker(const std::string& text);
  Kind kind(uint32_t frame) const { return frames_[frame].kind; }
  const std::vector<DisplayFrame>& frames() const { return frames_; }
  std::vector<DisplayFrame> take_frames() { return std::move(frames_); }

 private:
  NamedFrame name(wire::Frame frame, Role role);
  NamedFrame name_managed(wire::Frame frame, Role role);
  void add_inlined(wire::Frame frame, Role role);
  void add_inlined_functions(wire::Frame frame, Role role);
  uint32_t with_tier(uint32_t named, wire::Frame frame);
  SourcePlace place_of_site(const InlinedCall& call, const wire::Method& in) const;
  SourcePlace place_of(wire::Frame frame, Role role, const wire::Method& method) const;
  uint32_t method_frame(const wire::Method& method, bool inlined);
  DisplayFrame managed_frame(const wire::Method& method) const;
  NamedFrame name_native(wire::Frame frame, Role role);
  NamedFrame name_address(wire::Frame frame);
  uint32_t intern(DisplayFrame frame);
  Kind native_kind(const wire::Module* module) const;

  const CodeTable& code_;
  const std::string command_line_;
  DistinctNames names_;
  Origins origins_;
  std::vector<NamedFrame> named_;  // as frames_of() has returned them
  const bool unfold_, lines_, inlined_;
  std::string runtime_inside_;  // path of the executable that has the CLR linked in; empty if there is none
  std::vector<DisplayFrame> frames_;
  std::unordered_map<std::string, uint32_t> by_text_;
  // Methods and symbols named before, and methods and functions as inlined ones.
  std::unordered_map<const void*, uint32_t> by_record_, inlined_by_record_;
};

}  // namespace walkabout::profile
