#include "collect/collector.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/error_line.h"
#include "base/file_name.h"
#include "base/system_error.h"
#include "collect/recovery.h"
#include "console/print.h"
#include "launch/held_folder.h"
#include "recording/constants.h"
#include "recording/redact.h"
#include "symbols/lines/source_lines.h"
#include "symbols/native_lines.h"
#include "symbols/symbolize.h"
#include "wire/counters.h"
#include "wire/encode.h"
#include "wire/hello.h"

namespace walkabout::cli {
namespace {

constexpr size_t kReadSize = 256 << 10;
constexpr size_t kMostReads = 16;   // from one agent before the next has its turn
constexpr pid_t kFirstProcess = 1;  // of our PID namespace

// The agent's greeting, with the descriptor of its ring memory where it comes with one. 0: it is none.
char receive_hello(int socket, base::Fd* rings) {
  char hello = 0;
  iovec part{&hello, 1};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  const ssize_t got = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  const cmsghdr* c = got < 0 ? nullptr : CMSG_FIRSTHDR(&message);
  if (c == nullptr) return got == 1 && hello == wire::kCannot ? hello : '\0';
  if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS) return '\0';
  // The padding holds a second descriptor. What was sent is open here, also if it is not wanted.
  int fds[] = {-1, -1};
  const size_t size = c->cmsg_len - CMSG_LEN(0);
  memcpy(fds, CMSG_DATA(c), std::min(size, sizeof fds));
  base::Fd sent(fds[0]);
  const base::Fd unwanted(fds[1]);
  if (got != 1 || hello != wire::kHello || unwanted.valid()) return '\0';
  *rings = std::move(sent);
  return hello;
}

// What follows wire::kCannot. For a terminal: without control characters.
std::string receive_refusal(int socket) {
  std::string text(wire::kMostRefusal, '\0');
  const ssize_t n = ::recv(socket, text.data(), text.size(), MSG_WAITALL);
  text.resize(n > 0 ? static_cast<size_t>(n) : 0);
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < ' ' || c == 0x7f; }, ' ');
  return text;
}

// True for an agent that has heard whether it is wanted.
bool answer(int socket, bool wanted, base::Fd* rings, std::string* refusal) {
  timeval timeout{wire::kHelloTimeoutSeconds, 0};
  ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
  const char hello = receive_hello(socket, rings);
  if (hello == wire::kCannot) *refusal = receive_refusal(socket);
  if (hello != wire::kHello) return false;
  const char byte = wanted ? wire::kWelcome : wire::kNotWanted;
  return ::send(socket, &byte, 1, MSG_NOSIGNAL) == 1;
}

}  // namespace

void StreamReceiver::on_counters(const wire::Counters& r) {
  state_.on_counters(r);
  dropped_ = wire::sum_of_drops(r.drops) + wire::sum_of_drops(state_.before.drops);
}

base::Status StreamReceiver::store(const recording::RawRecord& record) {
  if (files_ != nullptr && record.type == wire::RecordType::kSession) begin_next_file();
  if (files_ == nullptr && writer_ == nullptr) {
    base::Result<recording::Writer> writer = recording::Writer::create(path_);
    if (!writer.ok()) return writer.status();
    writer_ = std::make_unique<recording::Writer>(std::move(*writer));
  }
  const uint64_t samples_before = samples_;
  if (base::Status s = decoder_.decode(record, *this); !s.ok()) return s;
  // There could be no file this time.
  base::Status written = writer_ != nullptr ? write(record) : base::Status();
  if (writer_ != nullptr && (written.ok() || files_ == nullptr)) return written;
  lost_ += samples_ - samples_before;
  if (!written.ok()) give_up_file(written);
  return {};
}

void StreamReceiver::begin_next_file() {
  if (base::Status s = finish_file(); !s.ok()) give_up_file(s);
  decoder_ = recording::Decoder();
  hits_ = symbols::HitCollector();
  methods_ = symbols::MethodHits();
  base::Result<recording::Writer> writer = files_->begin(base::wall_ns());
  if (writer.ok()) {
    writer_ = std::make_unique<recording::Writer>(std::move(*writer));
  } else {
    give_up_file(writer.status());
  }
}

// The program goes on, and what is sampled until the next file is lost.
void StreamReceiver::give_up_file(const base::Status& why) {
  try_print_stderr(base::error_line(why.message() + "; the next file is tried when it is due"));
  ++unwritten_;
  const bool worth_it = writer_ != nullptr && writer_->file_bytes() > recording::kHeaderBytes;
  writer_.reset();
  if (!worth_it) files_->discard();
  if (base::Status s = files_->end(); !s.ok()) try_print_stderr(base::error_line(s.message()));
}

base::Status StreamReceiver::write(const recording::RawRecord& record) {
  return redact_ ? writer_->append_encoded(recording::redacted(record)) : writer_->append(record);
}

bool StreamReceiver::take() {
  std::string buffer(kReadSize, '\0');
  for (size_t i = 0; i < kMostReads; ++i) {
    const ssize_t n = ::recv(socket_.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return true;
    if (n <= 0) return false;
    stream_.push({buffer.data(), static_cast<size_t>(n)});
    if (base::Status status = store_all(stream_); !status.ok()) {
      if (trouble_.ok()) trouble_ = status;
      return false;
    }
  }
  return true;
}

void StreamReceiver::request_detach() const { ::shutdown(socket_.get(), SHUT_WR); }

base::Status StreamReceiver::store_all(recording::StreamReader& from) {
  for (;;) {
    const base::Result<std::optional<recording::RawRecord>> record = from.next();
    if (!record.ok() || !record->has_value()) return record.status();
    if (base::Status status = store(**record); !status.ok()) return status;
  }
}

// Through the same checks as the stream: what is wrong with it ends it, and stays outside of the file.
base::Status StreamReceiver::recover() {
  base::Result<RingFile> memory = RingFile::open(rings_.get());
  if (!memory.ok()) {
    return base::Status::error(
        "what the program had not handed over is lost, its shared memory cannot be used: " +
        memory.message());
  }
  Recovery recovery(state_, decoder_.nodes(), root_);
  return recovery.run(*memory, [this](std::string_view records) {
    recording::StreamReader reader;
    reader.push(records);
    return store_all(reader);
  });
}

void StreamReceiver::hang_up() {
  // Without a session there is no file, and after an error nobody knows what the stream had.
  if (rings_.valid() && writer_ != nullptr && trouble_.ok() && !state_.ended) trouble_ = recover();
  rings_.reset();
  if (files_ != nullptr) {
    // Of processes that come and go for days nothing is held.
    if (base::Status s = finish_file(); trouble_.ok()) trouble_ = s;
    hits_ = symbols::HitCollector();
    methods_ = symbols::MethodHits();
    state_ = StreamState();
  }
  if (files_ != nullptr || pid_ != kFirstProcess) {
    socket_.reset();
    return;
  }
  // The first process of our container waits for our end of the socket, for the kernel ends us with it. Its
  // files are not written yet: we hold it until we have ended by ourselves. What the agent writes fails from
  // now on.
  ::shutdown(socket_.get(), SHUT_RD);
  static_cast<void>(socket_.release());
}

base::Status StreamReceiver::finish() {
  hang_up();
  return finish_file();
}

template <typename Record>
bool StreamReceiver::append(const Record& found) {
  std::string bytes;
  wire::encode(found, bytes);
  recording::RawRecord record;
  if (recording::split_record(bytes, record) != recording::Split::kRecord) return false;
  static_cast<void>(write(record));
  return true;
}

void StreamReceiver::write_found() {
  std::string unnamed;
  size_t more = 0;
  const std::vector<symbols::ModuleHits> native_hits = hits_.hits();
  for (const wire::NativeSymbols& symbols : symbols::symbolize(native_hits, root_)) {
    if (append(symbols)) continue;
    if (unnamed.empty())
      unnamed = base::file_name(symbols.source);
    else
      ++more;
  }
  std::vector<std::string> left_out =
      symbols::source_lines(methods_.hits(), root_, {}, [this](const wire::SourceLines& lines) {
        append(lines);  // it was made to be one
      }).sentences();
  if (methods_.has_lines()) {
    const symbols::NativeLinesLeftOut native = symbols::native_lines(
        native_hits, root_, {}, [this](const wire::NativeLines& lines) { append(lines); });
    for (std::string& text : native.sentences()) left_out.push_back(std::move(text));
  }
  if (!unnamed.empty()) {
    left_out.push_back("the native functions of " + unnamed +
                       (more == 0 ? "" : " and " + std::to_string(more) + " more") +
                       " have no names, for those of a library may be at most 16 MiB; a shorter recording "
                       "needs fewer of them");
  }
  for (std::string& text : left_out)
    append(wire::Message{state_.latest_us, wire::Severity::kWarning, std::move(text)});
}

base::Status StreamReceiver::finish_file() {
  if (writer_ == nullptr) return trouble_;
  write_found();
  base::Status written = writer_->finish();
  if (files_ == nullptr || !written.ok()) return written;
  writer_.reset();
  return files_->end();
}

base::Result<Collector> Collector::listen(const std::string& folder, bool children) {
  const std::string path = folder + "/" + kCollectorSocket;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    return base::Status::error(
        "the path of the folder for temporary files is too long for a socket; "
        "set TMPDIR to a shorter one (and unset XDG_RUNTIME_DIR)");
  }
  memcpy(address.sun_path, path.c_str(), path.size() + 1);
  base::Fd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd.valid()) return base::system_error("cannot create a socket");
  // The mode the file gets (unix(7)): nobody can come in between.
  if (::fchmod(fd.get(), 0600) != 0 ||
      ::bind(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(fd.get(), 64) != 0) {
    return base::system_error("cannot listen in the session's folder");
  }
  return Collector(std::move(fd), path, folder, children);
}

// The folder lets in nobody else anyway.
bool Collector::is_allowed(int socket, pid_t* pid) const {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return false;
  *pid = peer.pid;
  return (only_ == 0 || peer.pid == only_) && (peer.uid == user_ || peer.uid == 0);
}

void Collector::accept_agent() {
  base::Fd socket(::accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC));
  pid_t pid = 0;
  if (!socket.valid() || !is_allowed(socket.get(), &pid)) return;
  answer_hello(std::move(socket), pid, receivers_.empty() || children_);
}

void Collector::answer_hello(base::Fd socket, pid_t pid, bool wanted) {
  base::Fd rings;
  const bool answered = answer(socket.get(), wanted, &rings, &refusal_);
  if (answered && !wanted) ++turned_away_;
  if (!answered || !wanted) return;
  if (rotation_) {
    receivers_.push_back(
        std::make_unique<StreamReceiver>(std::move(socket), std::move(rings), pid, *rotation_, redact_));
  } else {
    const std::string file = folder_ + "/" + std::to_string(receivers_.size()) + ".walk";
    receivers_.push_back(
        std::make_unique<StreamReceiver>(std::move(socket), std::move(rings), pid, file, redact_));
  }
  open_.push_back(true);
}

base::Result<Collector> Collector::of(base::Fd connection, const Rotation& rotation, bool redact) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (::getsockopt(connection.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0)
    return base::system_error("no agent is connected");
  Collector collector(base::Fd(), std::string(), peer.pid, peer.uid);
  collector.rotate(rotation);
  if (redact) collector.redact();
  collector.answer_hello(std::move(connection), peer.pid, true);
  if (!collector.connected()) return base::Status::error("what is connected is no agent");
  return collector;
}

// It goes on without us, and says nothing of it.
void Collector::turn_away(base::Fd connection) {
  base::Fd rings;
  std::string refusal;
  answer(connection.get(), false, &rings, &refusal);
}

bool Collector::poll(int timeout_ms, int wake) {
  std::vector<pollfd> fds{{listener_.get(), POLLIN, 0}, {wake, POLLIN, 0}};
  const size_t before_agents = fds.size();
  std::vector<size_t> which;
  for (size_t i = 0; i < receivers_.size(); ++i) {
    if (!open_[i]) continue;
    fds.push_back({receivers_[i]->fd(), POLLIN, 0});
    which.push_back(i);
  }
  if (::poll(fds.data(), fds.size(), timeout_ms) <= 0) return false;
  for (size_t k = 0; k < which.size(); ++k) {
    if (fds[before_agents + k].revents == 0) continue;
    last_came_ns_ = base::monotonic_ns();
    if (receivers_[which[k]]->take()) continue;
    open_[which[k]] = false;
    receivers_[which[k]]->hang_up();
  }
  if (fds[0].revents != 0) accept_agent();
  return fds[1].revents != 0;
}

std::vector<pid_t> Collector::request_detach_of_all() {
  std::vector<pid_t> requested;
  detach_requested_.resize(receivers_.size());
  for (size_t i = 0; i < receivers_.size(); ++i) {
    if (!open_[i] || detach_requested_[i]) continue;
    detach_requested_[i] = true;
    receivers_[i]->request_detach();
    requested.push_back(receivers_[i]->pid());
  }
  return requested;
}

bool Collector::connected() const {
  for (bool o : open_) {
    if (o) return true;
  }
  return false;
}

}  // namespace walkabout::cli
