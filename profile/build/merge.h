// Several processes as one profile: each with its process as the outermost frame, on one axis of time. One
// thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "profile/build/text_numbers.h"
#include "profile/model/profile.h"
#include "profile/query/tree.h"

namespace walkabout::profile {

class Merger {
 public:
  // The first one is the command's: the profile is described by its Session. name: "dotnet build".
  void add(Profile part, const std::string& name);
  // A process that is missing in the picture.
  void add_damage(const std::string& sentence);
  // in_time_order: samples of all processes by their time; else process by process.
  Profile take(bool in_time_order);

 private:
  static constexpr uint8_t kNoSource = 255;

  uint32_t frame(const DisplayFrame& frame);
  // Where each is here; kNoSource where there is no place for one more.
  std::vector<uint8_t> add_sources(const std::vector<wire::Source>& part);
  // texts: numbers here of the part's.
  uint32_t label_set(uint8_t source, std::vector<uint64_t> labels, const std::vector<uint64_t>& texts);
  void add_counters(const wire::Counters& part);
  // Where what is of a part is here.
  struct Moved {
    const std::vector<uint32_t>& nodes;
    const std::vector<uint32_t>& frames;
    uint32_t first_thread;
    uint64_t later_ns;
  };
  void add_traces(std::vector<Traces> part, const Moved& moved);
  void add_thinned(const Thinned& part, const std::vector<uint32_t>& frames);

  Profile all_;
  Tree tree_;
  std::unordered_map<std::string, uint32_t> frames_;  // by all that makes a frame
  std::map<std::pair<uint8_t, std::vector<uint64_t>>, uint32_t> label_sets_;
  TextNumbers text_numbers_;
  uint64_t base_ns_ = 0;       // CLOCK_MONOTONIC at time 0
  uint64_t most_samples_ = 0;  // of one process
  bool is_first_ = true;
};

}  // namespace walkabout::profile
