// What a source measured at one sample, and how a sample lies in a ring: what every system's capture writes
// the same way. Pure over the ring's memory; async-signal-safe.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>
#include <optional>
#include <span>

#include "wire/frame.h"
#include "wire/ring.h"

namespace walkabout::agent {

// A value for each that the source declares, and a label for each.
struct Event {
  base::SourceId source;
  std::span<const uint64_t> values;
  std::span<const uint64_t> labels;
  // The caller sees to it that walks take a small share of the time, and sums what is not captured: that is
  // neither an attempt nor a drop.
  bool tallied = false;
};

// Why there is no sample; none: there is one. Then the values are still the caller's: those that add up go
// with the source's next sample.
using Dropped = std::optional<wire::DropCause>;

// A value more than a source may have would be taken for damage.
inline bool is_sound(const Event& event) {
  return event.source.valid() && event.source.value <= wire::kMostSources && !event.values.empty() &&
         event.values.size() <= wire::kMostSampleValues && event.labels.size() <= wire::kMostSampleLabels;
}

// The header, and the words between it and the frames. Returns where these go.
inline wire::Frame* put_event(const Event& event, uint8_t* room) {
  auto* sample = new (room) wire::RawSample;
  auto* words = reinterpret_cast<uint64_t*>(sample + 1);
  sample->type = static_cast<uint8_t>(wire::RawType::kSample);
  sample->source = static_cast<uint8_t>(event.source.value);
  sample->value = event.values[0];
  sample->more_values = static_cast<uint8_t>(event.values.size() - 1);
  sample->labels = static_cast<uint8_t>(event.labels.size());
  words = std::copy(event.values.begin() + 1, event.values.end(), words);
  words = std::copy(event.labels.begin(), event.labels.end(), words);
  return reinterpret_cast<wire::Frame*>(words);
}

// The stack of a sample for another event, of the same moment. Returns the new sample, which has no index
// yet.
inline wire::RawSample* put_event_at(const wire::RawSample& walked, const Event& event, uint8_t* room) {
  wire::Frame* frames = put_event(event, room);
  auto* sample = reinterpret_cast<wire::RawSample*>(room);
  sample->end = walked.end;
  sample->flags = walked.flags;
  sample->time_ns = walked.time_ns;
  sample->frames = walked.frames;
  std::memcpy(frames, wire::Consumer::frames(&walked), walked.frames * sizeof *frames);
  sample->async_joint = walked.async_joint;
  sample->async_unseen = walked.async_unseen;
  sample->awaiters = walked.awaiters;
  std::memcpy(frames + walked.frames, wire::Consumer::awaiters(&walked), walked.awaiters * sizeof *frames);
  return sample;
}

inline uint32_t size_of(const wire::RawSample& sample) {
  return static_cast<uint32_t>(sizeof sample) +
         (sample.words_before_frames() + sample.frames + sample.clr_frames + sample.awaiters) *
             static_cast<uint32_t>(sizeof(wire::Frame));
}

// Of an event with so many frames.
inline uint32_t largest_record(const Event& event, uint32_t frames) {
  return static_cast<uint32_t>(sizeof(wire::RawSample) +
                               (event.values.size() - 1 + event.labels.size() + frames) *
                                   sizeof(wire::Frame));
}

// The leaf-most frames are the agent's: the walk began in it.
inline void leave_out_own_frames(wire::RawSample* sample, wire::Frame* frames) {
  uint32_t own = 0;
  while (own < sample->frames && frames[own].has_code() && frames[own].code() == frames[0].code()) ++own;
  if (own == sample->frames) return;
  std::memmove(frames, frames + own, (sample->frames - own) * sizeof *frames);
  sample->frames -= own;
}

inline void drop(wire::SourceAccount& account, wire::DropCause cause) {
  wire::add_alone(account.drops[static_cast<size_t>(cause)], 1);
}

// An event that its caller sums was no attempt. The others are counted.
inline Dropped dropped(wire::SourceAccount& account, const Event& event, wire::DropCause cause) {
  if (event.tallied)
    account.attempts.store(account.attempts.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
  else
    drop(account, cause);
  return cause;
}

inline uint32_t next_index(const wire::SourceAccount& account) {
  return static_cast<uint32_t>(account.samples.load(std::memory_order_relaxed));
}

// The sample counts and is in the ring.
inline void publish(wire::Producer& producer, wire::SourceAccount& account, wire::RawSample& sample) {
  sample.size = size_of(sample);
  wire::add_alone(account.samples, 1);
  producer.commit(sample.size);
}

}  // namespace walkabout::agent
