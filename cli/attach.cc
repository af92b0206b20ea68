#include "cli/attach.h"

#include <unistd.h>

#include <memory>
#include <optional>

#include "base/clock.h"
#include "base/duration.h"
#include "cli/agent_path.h"
#include "cli/collector.h"
#include "cli/exit_codes.h"
#include "cli/find_process.h"
#include "cli/interrupts.h"
#include "cli/live_line.h"
#include "cli/meeting_place.h"
#include "cli/outputs.h"
#include "cli/session_dir.h"
#include "diagnostics/attach.h"
#include "wire/agent_id.h"
#include "wire/client_data.h"

namespace walkabout::cli {
namespace {

using diagnostics::Process;

constexpr uint64_t kSecond = 1'000'000'000;
constexpr int kPollMs = 100;
constexpr int kReplyPollMs = 5;
constexpr uint64_t kReplyPatienceNs =
    30 * kSecond;                               // the runtime may be stopping its threads, the machine busy
constexpr uint64_t kLettingGoNs = kSecond / 2;  // the runtime takes a moment to forget a profiler that left
constexpr uint64_t kLeavePatienceNs = 15 * kSecond;  // it looks for threads in the agent every five seconds

// Asks until the runtime has an answer; agents are let in meanwhile, for the one it loads wants to greet us.
base::Result<diagnostics::Reply> ask(const diagnostics::Port& port, const diagnostics::Attach& attach,
                                     Collector& collector) {
  base::Result<diagnostics::Request> request = diagnostics::send_attach(port, attach);
  if (!request.ok()) return request.status();
  const uint64_t end_ns = base::monotonic_ns() + kReplyPatienceNs;
  while (base::monotonic_ns() < end_ns && interrupts() == 0) {
    if (auto reply = request->take(); reply) return *reply;
    collector.poll(kReplyPollMs);
  }
  return base::Status::error(interrupts() != 0 ? "interrupted before the agent was in the process"
                                               : "the runtime does not answer; is the process stopped?");
}

base::Status load_agent(const Process& process, const diagnostics::Port& port, const MeetingPlace& place,
                        const AttachOptions& o, Collector& collector) {
  diagnostics::Attach attach{wire::kAgentClsid, place.agent(), {}};
  for (const auto& [name, value] : agent_settings(o, place.socket()))
    wire::add_client_value(name, value, &attach.client_data);
  const uint64_t begin_ns = base::monotonic_ns();
  for (;;) {
    const base::Result<diagnostics::Reply> reply = ask(port, attach, collector);
    if (!reply.ok()) return reply.status();
    if (reply->hresult == 0) break;
    if (diagnostics::is_passing(reply->hresult) && base::monotonic_ns() - begin_ns < kLettingGoNs) {
      collector.poll(kReplyPollMs);
      continue;
    }
    const std::string said = collector.intakes().empty() ? "" : collector.intakes().back()->last_message();
    const base::Status why = diagnostics::why_refused(reply->hresult, process);
    return said.empty() ? why : base::Status::error(why.message() + ": " + said);
  }
  if (!collector.intakes().empty()) return {};
  return base::Status::error(
      "the runtime took the agent, but it did not reach us; is it an older walkabout's that is still "
      "in the process?");
}

// Until the time is over, the user or the process ends it; then until the agent has left.
void collect(Collector& collector, std::optional<uint64_t> duration_ns) {
  LiveLine line;
  const uint64_t begin_ns = base::monotonic_ns();
  uint64_t asked_ns = 0;
  const int interrupts_before = interrupts();
  const Intake& intake = *collector.intakes().back();
  while (collector.connected()) {
    collector.poll(kPollMs);
    const uint64_t now_ns = base::monotonic_ns();
    line.show(intake.samples(), intake.dropped());
    if (asked_ns == 0 &&
        (interrupts() != interrupts_before || (duration_ns && now_ns - begin_ns >= *duration_ns))) {
      intake.ask_to_leave();
      asked_ns = now_ns;
    }
    if (asked_ns == 0) continue;
    if (now_ns - asked_ns > kLeavePatienceNs || interrupts() > interrupts_before + 1) break;
  }
  line.clear();
  if (collector.connected()) fail(kSuccess, "the agent is still leaving the process; it does so by itself");
}

}  // namespace

int attach(const AttachOptions& asked) {
  AttachOptions o = asked;
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
  const base::Result<Process> process = diagnostics::look_at(*pid);
  if (!process.ok()) return fail(kFailure, process.message());
  const base::Result<diagnostics::Port> port = diagnostics::Port::of(*process);
  if (!port.ok()) return fail(kFailure, port.message());
  if (base::Status s = diagnostics::check_runtime(*port); !s.ok()) return fail(kFailure, s.message());
  base::Result<SessionDir> session = SessionDir::create();
  if (!session.ok()) return fail(kFailure, session.message());
  base::Result<MeetingPlace> place = MeetingPlace::make(*process, *agent);
  if (!place.ok()) return fail(kFailure, place.message());
  Collector collector(place->take_listener(), session->path(), *pid, process->uid);
  if (o.redact) collector.redact();
  if (o.rotation) collector.rotate(*o.rotation);
  if (base::Status s = load_agent(*process, *port, *place, o, collector); !s.ok())
    return fail(kFailure, s.message());
  collect(collector, duration_ns);
  const Written written =
      o.rotation ? end_files(o, collector.intakes()) : write_outputs(o, collector.intakes(), {}, *session);
  say(written.text);
  return written.all ? kSuccess : kFailure;
}

void add_attach(CLI::App& app, int* exit_code) {
  auto options = std::make_shared<AttachOptions>();
  CLI::App* verb = app.add_subcommand("attach", "profile a process that runs already");
  verb->add_option("process", options->process,
                   "the process, by its id here (also of one in a container) or its name")
      ->required()
      ->type_name("PID|NAME");
  verb->add_option("-d,--duration", options->duration, "for so long: 30s, 5m (default: until Ctrl-C)");
  add_profiling_options(verb, options.get());
  verb->footer(
      "The agent leaves the process when the time is over, at Ctrl-C, or when walkabout is gone; the process "
      "goes on "
      "as before,\n"
      "and can be attached to again. A process in a container is reached from outside of it.\n"
      "Examples:\n"
      "  walkabout attach 1234 -d 30s\n"
      "  walkabout attach MyService -d 1m -i 1ms -o service.html -o service.walk\n"
      "  sudo walkabout attach $(docker inspect -f '{{.State.Pid}}' web) -d 30s\n"
      "Exit code: 0 done, 1 it could not be done (the cause is on stderr), 2 wrong options, or an agent that "
      "others could replace.");
  verb->callback([options, exit_code] { *exit_code = attach(*options); });
}

}  // namespace walkabout::cli
