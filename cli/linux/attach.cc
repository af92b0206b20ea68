#include "cli/linux/attach.h"

#include <fmt/format.h>
#include <unistd.h>

#include <memory>
#include <optional>
#include <utility>

#include "base/clock.h"
#include "base/duration.h"
#include "cli/linux/outputs.h"
#include "cli/linux/progress.h"
#include "cli/linux/stop_timeout.h"
#include "collect/collector.h"
#include "console/exit_codes.h"
#include "console/linux/interrupts.h"
#include "console/numbers.h"
#include "console/print.h"
#include "diagnostics/attach_profiler.h"
#include "launch/agent_path.h"
#include "launch/attach_rendezvous.h"
#include "launch/await_runtime.h"
#include "launch/find_process.h"
#include "launch/session_dir.h"
#include "wire/agent_id.h"
#include "wire/client_data.h"

namespace walkabout::cli {
namespace {

using diagnostics::Process;

constexpr uint64_t kSecond = 1'000'000'000;
constexpr int kAttachPollMs = 100;
constexpr int kReplyPollMs = 5;
constexpr uint64_t kReplyTimeoutNs =
    30 * kSecond;  // the runtime may be stopping its threads, the machine busy
constexpr uint64_t kReportLookAfterNs = 5 * kSecond;
constexpr int kRetryMs = 20;
constexpr int kMessagePollMs = 5;
constexpr uint64_t kMessageTimeoutNs = kSecond;
// How long a refusal may last that passes.
constexpr uint64_t kStartTimeoutNs = 15 * kSecond;
constexpr uint64_t kLettingGoNs = 15 * kSecond;
constexpr uint64_t kTakenNs = kSecond / 2;  // the runtime takes a moment to forget a profiler that left
constexpr uint64_t kSlotLeftNs = 2 * kSecond;
constexpr uint64_t kTakenByUsNs = 10 * kSecond;  // an agent without a collector takes somewhat longer
// The runtime looks every five seconds for threads in the agent.
constexpr StopTimeout kLeaveTimeout{15 * kSecond};

// A count has no summary; what it waits for it says all the same.
bool is_silent(const AttachOptions& o) { return o.quiet && !o.changes_methods(); }

// Requests the attach until the runtime has an answer; agents are let in meanwhile, for the one it loads
// wants to greet us. When that is there, it looks at what the process has compiled before the answer comes,
// and asks the runtime about each method, which waits for every collection: that may take its time.
base::Result<diagnostics::Reply> request_attach(const diagnostics::Port& port,
                                                const diagnostics::Attach& attach, Collector& collector,
                                                bool quiet) {
  base::Result<diagnostics::Request> request = diagnostics::send_attach(port, attach);
  if (!request.ok()) return request.status();
  const uint64_t end_ns = base::monotonic_ns() + kReplyTimeoutNs;
  ReportedWait look(quiet, kReportLookAfterNs);
  while ((base::monotonic_ns() < end_ns || collector.connected()) && interrupts() == 0) {
    if (auto reply = request->take(); reply) return *reply;
    collector.poll(kReplyPollMs);
    if (collector.connected()) look.lasts_ns("until the agent knows what the process compiled before");
  }
  return base::Status::error(interrupts() != 0 ? "interrupted before the agent was in the process"
                                               : "the runtime does not answer; is the process stopped?");
}

// How long we go on requesting, and what we wait for meanwhile; 0: not at all.
uint64_t timeout_ns(diagnostics::Passing why, const Process& process, std::string* what) {
  switch (why) {
    case diagnostics::Passing::kNo:
      return 0;
    case diagnostics::Passing::kStarting:
      *what = fmt::format("for the runtime of process {} to start", process.pid);
      return kStartTimeoutNs;
    case diagnostics::Passing::kLeaving:
      *what = fmt::format("for an earlier profiler to leave process {}", process.pid);
      return kLettingGoNs;
    case diagnostics::Passing::kTaken:
      *what = fmt::format("for the walkabout that is in process {} to leave it", process.pid);
      return diagnostics::has_agent(process) ? kTakenByUsNs : kTakenNs;
  }
  return 0;
}

// The agent's last message before it gave up; empty if there was none.
std::string last_message(Collector& collector) {
  collector.poll(0);
  const uint64_t end_ns = base::monotonic_ns() + kMessageTimeoutNs;
  while (collector.connected() && base::monotonic_ns() < end_ns) collector.poll(kMessagePollMs);
  return collector.receivers().empty() ? collector.refusal() : collector.receivers().back()->last_message();
}

base::Status could_not_begin(const Process& process, const std::string& why) {
  if (why.empty()) {
    if (const base::Result<Process> now = diagnostics::look_at(process.pid); !now.ok()) return now.status();
    return base::Status::error(
        fmt::format("the agent could not begin in process {}, and could not say why: can "
                    "it open a socket in its folder for temporary files?",
                    process.pid));
  }
  return base::Status::error(fmt::format("the agent could not begin in process {}: {}", process.pid, why));
}

// The agent is at work though the runtime has not answered: the process may have died before. What came
// stays.
bool has_samples(Collector& collector) {
  return !collector.receivers().empty() && collector.receivers().back()->samples() > 0;
}

enum class Loaded {
  kYes,
  kGaveUp,   // the profiler itself
  kUnheard,  // likewise, for the runtime would not call it
  kTaken,    // the slot is another's
};

// Until the runtime has taken the profiler, or says for good that it does not. may_be_taken: that the slot is
// another's is an answer, and not waited for.
base::Result<Loaded> load_profiler(const Process& process, const diagnostics::Port& port,
                                   const diagnostics::Attach& attach, const AttachOptions& o,
                                   Collector& collector, bool may_be_taken) {
  ReportedWait wait(is_silent(o));
  for (;;) {
    const base::Result<diagnostics::Reply> reply = request_attach(port, attach, collector, is_silent(o));
    if (!reply.ok() && interrupts() == 0 && has_samples(collector)) return Loaded::kYes;
    if (!reply.ok()) return reply.status();
    if (reply->hresult == 0) return Loaded::kYes;
    if (diagnostics::is_given_up(reply->hresult)) return Loaded::kGaveUp;
    if (reply->hresult == wire::kUnheard) return Loaded::kUnheard;
    const diagnostics::Passing passing = diagnostics::passing(reply->hresult);
    if (may_be_taken && passing == diagnostics::Passing::kTaken) return Loaded::kTaken;
    std::string what;
    const uint64_t timeout = timeout_ns(passing, process, &what);
    if (timeout == 0 || wait.lasts_ns(what) > timeout)
      return diagnostics::why_refused(reply->hresult, process);
    collector.poll(kRetryMs);
  }
}

// As many as it takes until the runtime calls profilers beside that of its slot
// (agent/linux/calls/ballast.h): the one that is too many gives up.
base::Status load_ballast(const Process& process, const diagnostics::Port& port,
                          const AttachRendezvous& rendezvous, const AttachOptions& o, Collector& collector) {
  for (;;) {
    const base::Result<Loaded> ballast =
        load_profiler(process, port, {wire::kBallastClsid, rendezvous.agent(), {}}, o, collector, true);
    if (!ballast.ok()) return ballast.status();
    if (*ballast == Loaded::kGaveUp) return {};
    if (*ballast == Loaded::kTaken)
      return base::Status::error(
          "the process was attached to too often before: its runtime takes no more profilers; it has to be "
          "started anew");
  }
}

base::Status load_agent(const Process& process, const diagnostics::Port& port,
                        const AttachRendezvous& rendezvous, const AttachOptions& o, Collector& collector) {
  diagnostics::Attach attach{wire::kAgentClsid, rendezvous.agent(), {}};
  for (const auto& [name, value] : agent_settings(o, rendezvous.socket()))
    wire::add_client_value(name, value, &attach.client_data);
  base::Result<Loaded> loaded = load_profiler(process, port, attach, o, collector, false);
  if (loaded.ok() && *loaded == Loaded::kUnheard) {  // a count was cut off before it had loaded all it needs
    if (base::Status s = load_ballast(process, port, rendezvous, o, collector); !s.ok()) return s;
    loaded = load_profiler(process, port, attach, o, collector, false);
  }
  if (!loaded.ok()) return loaded.status();
  if (*loaded != Loaded::kYes) return could_not_begin(process, last_message(collector));
  if (!collector.receivers().empty()) return {};
  return base::Status::error(
      "the runtime took the agent, but it did not reach us; is it an older walkabout's that is still "
      "in the process?");
}

// What the agent needs beside it where methods are changed: the profiler that changes methods, which may be
// there from before, and ballast. True: the slot was taken.
base::Result<bool> prepare_to_count(const Process& process, const diagnostics::Port& port,
                                    const AttachRendezvous& rendezvous, const AttachOptions& o,
                                    Collector& collector) {
  const base::Result<Loaded> code_port =
      load_profiler(process, port, {wire::kCodePortClsid, rendezvous.agent(), {}}, o, collector, true);
  if (!code_port.ok()) return code_port.status();
  if (*code_port == Loaded::kGaveUp)
    return base::Status::error("the runtime of the process does not let methods be changed");
  if (base::Status s = load_ballast(process, port, rendezvous, o, collector); !s.ok()) return s;
  return *code_port == Loaded::kTaken;
}

// Where the slot is another's, the agent says so; that may be an earlier agent of ours, which leaves just
// now.
base::Status load_profilers(const Process& process, const diagnostics::Port& port,
                            const AttachRendezvous& rendezvous, const AttachOptions& o,
                            Collector& collector) {
  if (!o.changes_methods()) return load_agent(process, port, rendezvous, o, collector);
  const uint64_t end_ns = base::monotonic_ns() + kSlotLeftNs;
  for (;;) {
    const base::Result<bool> taken = prepare_to_count(process, port, rendezvous, o, collector);
    if (!taken.ok()) return taken.status();
    base::Status loaded = load_agent(process, port, rendezvous, o, collector);
    if (loaded.ok() || !*taken || interrupts() != 0 || base::monotonic_ns() > end_ns) return loaded;
    collector.poll(kAttachPollMs);
  }
}

// Who makes calls that are to be counted or traced waits for this line.
void say_what_counts(const recording::CallTotals& calls, pid_t pid, bool traced) {
  if (calls.state().chosen == 0) return;
  print_stderr(fmt::format("{} the calls of {} of process {}{}\n", traced ? "tracing" : "counting",
                           counted(calls.state().chosen, "method"), pid,
                           calls.state().refused == 0 ? "" : ", but for some that are left alone"));
}

// Until the time is over, the user or the process ends it; then until the agent has left. Where methods are
// changed the time begins when all are. False if that went by itself.
bool collect(Collector& collector, std::optional<uint64_t> duration_ns, const AttachOptions& o) {
  Progress progress(!o.count.empty() ? Live::kCalls : o.trace.empty() ? Live::kSamples : Live::kNothing);
  uint64_t begin_ns = o.changes_methods() ? 0 : base::monotonic_ns();  // 0: it does not count yet
  uint64_t requested_ns = 0;
  const StreamReceiver& receiver = *collector.receivers().back();
  while (collector.connected()) {
    collector.poll(kAttachPollMs);
    const uint64_t now_ns = base::monotonic_ns();
    progress.show(collector.receivers());
    const wire::CallState& counting = receiver.calls().state();
    if (counting.looked && begin_ns == 0) {
      begin_ns = now_ns;
      say_what_counts(receiver.calls(), receiver.pid(), !o.trace.empty());
    }
    const bool is_over = duration_ns && begin_ns != 0 && now_ns - begin_ns >= *duration_ns;
    if (requested_ns == 0 &&
        (interrupts() != 0 || is_over || (o.snapshots != 0 && receiver.snapshots() >= o.snapshots) ||
         (counting.looked && counting.chosen == 0))) {  // there is nothing to count
      receiver.request_detach();
      requested_ns = now_ns;
    }
    if (requested_ns == 0) continue;
    if (kLeaveTimeout.is_over(now_ns, requested_ns, collector.last_came_ns())) break;
    if (interrupts() > 1) break;
  }
  progress.clear();
  if (collector.connected()) fail(kSuccess, "the agent is still leaving the process; it does so by itself");
  return requested_ns != 0;
}

}  // namespace

int attach(const AttachOptions& requested) {
  AttachOptions o = requested;
  if (base::Status s = complete(&o); !s.ok()) return fail(kUsage, s.message());
  const std::optional<uint64_t> duration_ns = base::parse_duration(o.duration);
  if (!o.duration.empty() && (!duration_ns || *duration_ns == 0))
    return fail(kUsage, "--duration " + o.duration + " is not a time like 30s or 500ms");
  const base::Result<std::string> agent = agent_path();
  if (!agent.ok()) return fail(kFailure, agent.message());
  if (base::Status s = check_agent_is_ours(*agent); !s.ok()) return fail(kUsage, s.message());
  watch_interrupts();
  const base::Result<pid_t> pid = find_process(o.process);
  if (!pid.ok()) return fail(kUsage, pid.message());
  const base::Result<Reached> reached = await_port(*pid, is_silent(o));
  if (!reached.ok()) return fail(kFailure, reached.message());
  const auto& [process, port] = *reached;
  if (base::Status s = diagnostics::check_runtime(port, [] { return interrupts() == 0; }); !s.ok())
    return fail(kFailure, s.message());
  base::Result<SessionDir> session = SessionDir::create();
  if (!session.ok()) return fail(kFailure, session.message());
  base::Result<AttachRendezvous> rendezvous = AttachRendezvous::make(process, *agent);
  if (!rendezvous.ok()) return fail(kFailure, rendezvous.message());
  Collector collector(rendezvous->take_listener(), session->path(), *pid, process.uid);
  if (o.redact) collector.redact();
  if (o.rotation) collector.rotate(*o.rotation);
  if (base::Status s = load_profilers(process, port, *rendezvous, o, collector); !s.ok())
    return fail(kFailure, s.message());
  const bool detach_requested = collect(collector, duration_ns, o);
  const StreamReceiver& receiver = *collector.receivers().back();
  if (!receiver.began() || (!detach_requested && receiver.samples() == 0 && !receiver.calls().asked() &&
                            !receiver.last_message().empty()))
    return fail(kFailure, could_not_begin(process, receiver.last_message()).message());
  const Written written = o.rotation ? end_files(o, collector.receivers())
                                     : write_outputs(o, collector.receivers(), {}, *session);
  print_stderr(written.text);
  return written.all ? kSuccess : kFailure;
}

void add_process_option(Verb verb, std::string* process) {
  verb.option("process", *process, "the process, by its id here (also of one in a container) or its name")
      .required()
      .shown_as("PID|NAME");
}

void add_attach(CommandLine& line) {
  auto options = std::make_shared<AttachOptions>();
  Verb verb = line.verb("attach", "profile a process that runs already");
  add_process_option(verb, &options->process);
  verb.option("-d,--duration", options->duration, "for so long: 30s, 5m (default: until Ctrl-C)");
  add_profiling_options(verb, options.get());
  verb.footer(
      std::string("The agent leaves the process when the time is over, at Ctrl-C, or when walkabout is gone; "
                  "the process "
                  "goes on "
                  "as before,\n"
                  "and can be attached to again. A process in a container is reached from outside of it.\n"
                  "Examples:\n"
                  "  walkabout attach 1234 -d 30s\n"
                  "  walkabout attach MyService -d 1m -i 1ms -o service.html -o service.walk\n"
                  "  sudo walkabout attach $(docker inspect -f '{{.State.Pid}}' web) -d 30s\n") +
      kAttachExitCodes);
  verb.action([options] { return attach(*options); });
}

}  // namespace walkabout::cli
