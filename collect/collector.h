// The collector: agents connect to its socket, each gets a recording. One thread: the caller polls it.
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "collect/rotated_files.h"
#include "collect/stream_state.h"
#include "recording/decode.h"
#include "recording/stream_reader.h"
#include "recording/writer.h"
#include "symbols/elf/file_root.h"
#include "symbols/hit_collector.h"
#include "symbols/lines/method_hits.h"

namespace walkabout::cli {

// One process's recording while it comes in.
class StreamReceiver : public recording::RecordVisitor {
 public:
  // Into one file at `path`. redact: what recording/redact.h says is not written, not even for a moment.
  StreamReceiver(base::Fd socket, base::Fd rings, pid_t pid, std::string path, bool redact)
      : socket_(std::move(socket)),
        rings_(std::move(rings)),
        pid_(pid),
        path_(std::move(path)),
        redact_(redact) {}
  // Each recording of the stream into a file of its own.
  StreamReceiver(base::Fd socket, base::Fd rings, pid_t pid, const Rotation& rotation, bool redact)
      : socket_(std::move(socket)),
        rings_(std::move(rings)),
        pid_(pid),
        redact_(redact),
        files_(std::make_unique<RotatedFiles>(rotation, pid)) {}

  // Takes what the socket has. False when nothing more will come.
  bool take();
  // Nothing more comes: what an agent that did not say goodbye left in its memory is taken. It may go on, and
  // nothing of it is held here. Of recordings in files of their own the last is whole before the socket
  // closes.
  void hang_up();
  // The agent is to leave its process; it says goodbye and hangs up then.
  void request_detach() const;
  // Names native code, writes the last block. The file at path() is complete then, whatever the agent's end
  // was like.
  base::Status finish();

  int fd() const { return socket_.get(); }
  pid_t pid() const { return pid_; }
  const std::string& path() const { return path_; }
  // Of its process; empty until the agent has sent it.
  const std::string& command_line() const { return command_line_; }
  // Null where there is one file.
  const RotatedFiles* files() const { return files_.get(); }
  uint64_t samples() const { return samples_; }
  uint64_t dropped() const { return dropped_; }
  const recording::CallTotals& calls() const { return state_.calls; }
  uint64_t snapshots() const { return snapshots_; }  // of async methods that wait
  // Of recordings in files of their own: those that could not be written to their end, and at least how many
  // samples are in none.
  uint64_t unwritten() const { return unwritten_; }
  uint64_t lost() const { return lost_; }
  // The agent took up its work.
  bool began() const { return began_; }
  // The agent's last message; empty if there was none.
  const std::string& last_message() const { return last_message_; }
  // The first thing that went wrong; the recording up to there is kept.
  const base::Status& trouble() const { return trouble_; }

  void on_session(const wire::Session& r) override {
    state_.on_session(r);
    command_line_ = r.command_line;
    began_ = true;
  }
  void on_source(const wire::Source& r) override { state_.on_source(r); }
  void on_thread(const wire::Thread& r) override { state_.on_thread(r); }
  void on_module(const wire::Module& r) override { hits_.on_module(r), state_.on_module(r); }
  void on_method(const wire::Method& r) override { methods_.on_method(r), state_.on_method(r); }
  void on_assembly(const wire::Assembly& r) override { methods_.on_assembly(r); }
  void on_jit_code(const wire::JitCode& r) override { state_.on_jit_code(r); }
  void on_method_range(const wire::MethodRange& r) override { state_.on_method_range(r); }
  void on_nodes(const wire::Nodes& r, uint32_t first) override { hits_.on_nodes(r, first); }
  void on_counted_method(const wire::CountedMethod& r) override { state_.on_counted_method(r); }
  void on_call_counts(const wire::CallCounts& r) override { state_.on_call_counts(r); }
  void on_call_pattern(const wire::CallPattern& r) override { state_.on_call_pattern(r); }
  void on_call_state(const wire::CallState& r) override { state_.on_call_state(r); }
  void on_caller_counts(const wire::CallerCounts& r) override { hits_.on_caller_counts(r); }
  void on_samples(const wire::Samples& r) override {
    hits_.on_samples(r), state_.on_samples(r);
    samples_ += r.time_us.size();
  }
  void on_snapshot(const wire::Snapshot&) override { ++snapshots_; }
  void on_counters(const wire::Counters& r) override;
  void on_message(const wire::Message& r) override { last_message_ = r.text; }
  void on_end(const wire::End& r) override { state_.on_end(r); }

 private:
  base::Status store(const recording::RawRecord& record);
  base::Status write(const recording::RawRecord& record);
  base::Status store_all(recording::StreamReader& from);
  base::Status recover();
  base::Status finish_file();
  // Names of native code and source lines, behind everything else; what is left out is said there. An error
  // stays with the writer.
  void write_found();
  // False: it is more than a record holds, and is left out.
  template <typename Record>
  bool append(const Record& found);
  void begin_next_file();
  void give_up_file(const base::Status& why);

  base::Fd socket_;
  base::Fd rings_;
  pid_t pid_;
  symbols::FileRoot root_ = symbols::FileRoot::of_process(pid_);  // taken while the process lives
  std::string path_;
  bool redact_;
  std::unique_ptr<RotatedFiles> files_;
  recording::StreamReader stream_;
  recording::Decoder decoder_;
  std::unique_ptr<recording::Writer> writer_;
  symbols::HitCollector hits_;
  symbols::MethodHits methods_;
  StreamState state_;
  base::Status trouble_;
  uint64_t samples_ = 0;
  uint64_t dropped_ = 0;
  uint64_t snapshots_ = 0;
  uint64_t unwritten_ = 0;
  uint64_t lost_ = 0;
  bool began_ = false;
  std::string last_message_;
  std::string command_line_;
};

class Collector {
 public:
  // children: more than the first process may connect.
  static base::Result<Collector> listen(const std::string& folder, bool children);
  // On a socket that listens already, for the agent of one process; recordings go into `folder`.
  Collector(base::Fd listener, std::string folder, pid_t only, uid_t user)
      : listener_(std::move(listener)),
        folder_(std::move(folder)),
        children_(false),
        only_(only),
        user_(user) {}
  // For the one agent at the other end of a connection, its process's own.
  static base::Result<Collector> of(base::Fd connection, const Rotation& rotation, bool redact);
  // The agent there is not recorded, and its program goes on.
  static void turn_away(base::Fd connection);
  // Every agent's recordings go into files of this pattern from now on.
  void rotate(Rotation rotation) { rotation_ = std::move(rotation); }
  const std::string& socket_path() const { return path_; }
  // What comes from now on is recorded without names of places (recording/redact.h).
  void redact() { redact_ = true; }
  // For another collector on the same socket.
  base::Fd take_listener() { return std::move(listener_); }

  // Waits up to timeout_ms for agents and records and takes them; no longer than until `wake` is readable
  // (-1: none). Whether that is.
  bool poll(int timeout_ms, int wake = -1);
  // Why an agent could not even greet; empty if there was none.
  const std::string& refusal() const { return refusal_; }
  // Some agent is still connected.
  bool connected() const;
  // When records came last (CLOCK_MONOTONIC); 0: never.
  uint64_t last_came_ns() const { return last_came_ns_; }
  // Agents that are still connected end their recordings and hang up; their processes go on. Returned are
  // those that were not asked before: some come late.
  std::vector<pid_t> request_detach_of_all();
  // Agents that were not wanted.
  size_t turned_away() const { return turned_away_; }
  std::vector<std::unique_ptr<StreamReceiver>>& receivers() { return receivers_; }

 private:
  Collector(base::Fd socket, std::string path, std::string folder, bool children)
      : listener_(std::move(socket)),
        path_(std::move(path)),
        folder_(std::move(folder)),
        children_(children) {}
  bool is_allowed(int socket, pid_t* pid) const;
  void accept_agent();
  void answer_hello(base::Fd socket, pid_t pid, bool wanted);

  base::Fd listener_;
  std::string path_;
  std::string folder_;
  bool children_;
  bool redact_ = false;
  pid_t only_ = 0;            // 0: whichever comes
  uid_t user_ = ::geteuid();  // agents run as this user or as root
  std::optional<Rotation> rotation_;
  std::vector<std::unique_ptr<StreamReceiver>> receivers_;
  std::vector<bool> open_;
  std::vector<bool> detach_requested_;
  std::string refusal_;
  size_t turned_away_ = 0;
  uint64_t last_came_ns_ = 0;
};

}  // namespace walkabout::cli
