#include "collect/collector.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "launch/test_agent.h"
#include "recording/reader.h"
#include "recording/test_records.h"
#include "symbols/lines/test_files.h"
#include "wire/encode.h"
#include "wire/hello.h"

namespace walkabout::cli {
namespace {

using testing::TestAgent;

class CollectorTest : public ::testing::Test {
 protected:
  CollectorTest() : folder_(::testing::TempDir() + "collector-XXXXXX") { ::mkdtemp(folder_.data()); }
  ~CollectorTest() override { std::filesystem::remove_all(folder_); }

  Collector listen() {
    base::Result<Collector> collector = Collector::listen(folder_, false);
    EXPECT_TRUE(collector.ok()) << collector.message();
    return std::move(*collector);
  }
  void write(const std::string& name, const std::vector<uint8_t>& bytes) const {
    std::ofstream(folder_ + "/" + name, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }

  std::string folder_;
};

TEST_F(CollectorTest, AnAgentsStreamBecomesAFile) {
  Collector collector = listen();
  TestAgent agent(collector.socket_path());
  ASSERT_TRUE(agent.connected());
  ASSERT_TRUE(agent.send(std::string_view(&wire::kHello, 1), 1));
  collector.poll(0);
  EXPECT_EQ(agent.answer(), wire::kWelcome);
  ASSERT_TRUE(agent.send(recording::testing::every_record()));
  agent.hang_up();
  collector.poll(0);
  EXPECT_FALSE(collector.connected());
  ASSERT_EQ(collector.receivers().size(), 1u);
  StreamReceiver& receiver = *collector.receivers()[0];
  EXPECT_TRUE(receiver.finish().ok()) << receiver.trouble().message();
  recording::testing::Reencoder read;
  const auto summary = recording::read_recording(receiver.path(), read);
  ASSERT_TRUE(summary.ok()) << summary.message();
  EXPECT_GE(summary->records, 14u);
  EXPECT_EQ(summary->damage, "");
}

// A PDB names as many source files as it likes, with paths as long as it likes.
TEST_F(CollectorTest, TooManySourceLinesDoNotCostTheRecording) {
  write("Made.dll", symbols::testing::assembly_file());
  write("Made.pdb", symbols::testing::pdb_of_documents(5000, 4000));
  std::string stream;
  wire::encode(wire::Session{}, stream);
  wire::encode(wire::Assembly{base::AssemblyId(1), folder_ + "/Made.dll", symbols::testing::kAssemblyVersion},
               stream);
  wire::Method method;
  method.id = base::MethodId(1), method.token = 0x06000001, method.assembly = base::AssemblyId(1);
  wire::encode(method, stream);
  wire::encode(wire::End{1000}, stream);

  Collector collector = listen();
  TestAgent agent(collector.socket_path());
  ASSERT_TRUE(agent.send(std::string_view(&wire::kHello, 1), 1));
  collector.poll(0);
  ASSERT_TRUE(agent.send(stream));
  agent.hang_up();
  collector.poll(0);
  ASSERT_EQ(collector.receivers().size(), 1u);
  const base::Status finished = collector.receivers()[0]->finish();
  EXPECT_TRUE(finished.ok()) << finished.message();
  struct : recording::RecordVisitor {
    void on_method(const wire::Method&) override { ++methods; }
    void on_source_lines(const wire::SourceLines& r) override { lines.push_back(r); }
    void on_message(const wire::Message& r) override { messages.push_back(r); }
    int methods = 0;
    std::vector<wire::SourceLines> lines;
    std::vector<wire::Message> messages;
  } read;
  const auto summary = recording::read_recording(collector.receivers()[0]->path(), read);
  ASSERT_TRUE(summary.ok()) << summary.message();
  EXPECT_EQ(summary->damage, "");
  EXPECT_TRUE(summary->ended);
  EXPECT_EQ(read.methods, 1);
  ASSERT_EQ(read.lines.size(), 1u);
  EXPECT_GT(read.lines[0].documents.size(), 4000u);
  ASSERT_EQ(read.messages.size(), 1u) << "what is left out is said";
  EXPECT_EQ(read.messages[0].severity, wire::Severity::kWarning);
  EXPECT_EQ(read.messages[0].text.rfind("1 method of Made.dll has no source lines", 0), 0u);
}

TEST_F(CollectorTest, WaitsNoLongerThanItsCallerHasToDo) {
  Collector collector = listen();
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const base::Fd reader(ends[0]), writer(ends[1]);
  ASSERT_EQ(::write(writer.get(), "x", 1), 1);
  EXPECT_TRUE(collector.poll(60'000, reader.get())) << "it waited for its minute";
  EXPECT_FALSE(collector.poll(0));
}

TEST_F(CollectorTest, SocketAndRecordingAreItsUsersAlone) {
  const mode_t before = ::umask(0);
  Collector collector = listen();
  TestAgent agent(collector.socket_path());
  ASSERT_TRUE(agent.send(std::string_view(&wire::kHello, 1), 1));
  collector.poll(0);
  ASSERT_TRUE(agent.send(recording::testing::every_record()));
  collector.poll(0);
  ::umask(before);
  ASSERT_EQ(collector.receivers().size(), 1u);
  for (const std::string& path : {collector.socket_path(), collector.receivers()[0]->path()}) {
    struct stat s {};
    ASSERT_EQ(::stat(path.c_str(), &s), 0) << path;
    EXPECT_EQ(s.st_mode & 07777, 0600u) << path;
  }
}

// One that got at the socket in spite of the folder: by its user and process it is told apart.
TEST_F(CollectorTest, AnotherUserOrProcessIsNotLetIn) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can be somebody else";
  for (const auto& [pid, user] : {std::pair<pid_t, uid_t>{0, 12345}, {::getpid(), 54321}, {0, 0}}) {
    Collector collector = listen();
    Collector strict(collector.take_listener(), folder_, pid, user);
    ASSERT_EQ(::chmod(folder_.c_str(), 0755), 0);
    ASSERT_EQ(::chmod(collector.socket_path().c_str(), 0666), 0);
    const pid_t other = ::fork();
    if (other == 0) {
      if (::setresuid(54321, 54321, 54321) != 0) ::_exit(99);
      TestAgent agent(collector.socket_path());
      ::_exit(agent.connected() && agent.send(std::string_view(&wire::kHello, 1), 1) ? 0 : 98);
    }
    int status = 0;
    ::waitpid(other, &status, 0);
    EXPECT_EQ(WEXITSTATUS(status), 0);
    strict.poll(0);
    EXPECT_TRUE(strict.receivers().empty());
    std::filesystem::remove(collector.socket_path());
  }
}

TEST_F(CollectorTest, EachRecordingOfAStreamBecomesAFile) {
  Collector collector = listen();
  collector.rotate({*FilePattern::parse(folder_ + "/out/%n.walk"), std::nullopt});
  TestAgent agent(collector.socket_path());
  ASSERT_TRUE(agent.send(std::string_view(&wire::kHello, 1), 1));
  collector.poll(0);
  ASSERT_EQ(agent.answer(), wire::kWelcome);
  const std::string recording = recording::testing::every_record();
  ASSERT_TRUE(agent.send(recording + recording));
  collector.poll(0);
  EXPECT_TRUE(std::filesystem::exists(folder_ + "/out/1.walk"));
  EXPECT_TRUE(std::filesystem::exists(folder_ + "/out/2.walk.part")) << "the next may follow, or the end";
  agent.hang_up();
  collector.poll(0);
  EXPECT_TRUE(std::filesystem::exists(folder_ + "/out/2.walk")) << "whole as soon as its process is gone";
  ASSERT_EQ(collector.receivers().size(), 1u);
  const StreamReceiver& receiver = *collector.receivers()[0];
  EXPECT_EQ(receiver.trouble().message(), "");
  EXPECT_EQ(receiver.samples(), 12u);
  EXPECT_EQ(receiver.files()->count(), 2u);
  EXPECT_EQ(receiver.unwritten() + receiver.lost(), 0u);
  for (const char* name : {"/out/1.walk", "/out/2.walk"}) {
    recording::testing::Reencoder read;
    const auto summary = recording::read_recording(folder_ + name, read);
    ASSERT_TRUE(summary.ok()) << summary.message();
    EXPECT_TRUE(summary->ended);
    EXPECT_EQ(summary->damage, "") << "ids of nodes begin anew";
  }
}

// With the first process of a container, which waits for its end of the socket, the kernel ends us.
TEST_F(CollectorTest, TheLastFileIsWholeWhenTheAgentsEndCloses) {
  for (int i = 1; i <= 20; ++i) {
    Collector collector = listen();
    collector.rotate({*FilePattern::parse(folder_ + "/out/%t-%n.walk"), std::nullopt});
    TestAgent agent(collector.socket_path());
    ASSERT_TRUE(agent.send(std::string_view(&wire::kHello, 1), 1));
    collector.poll(0);
    ASSERT_TRUE(agent.send(recording::testing::every_record()));
    bool whole = false;
    std::thread program([&] {
      agent.wait_for_end();
      whole = true;
      for (const auto& file : std::filesystem::directory_iterator(folder_ + "/out"))
        whole = whole && file.path().extension() == ".walk";
    });
    while (collector.connected()) collector.poll(1000);
    program.join();
    EXPECT_TRUE(whole) << i;
    std::filesystem::remove(collector.socket_path());
  }
}

TEST_F(CollectorTest, WhenThereCanBeNoFileTheNextIsTried) {
  Collector collector = listen();
  collector.rotate({*FilePattern::parse(folder_ + "/out/%n.walk"), std::nullopt});
  TestAgent agent(collector.socket_path());
  ASSERT_TRUE(agent.send(std::string_view(&wire::kHello, 1), 1));
  collector.poll(0);
  std::ofstream(folder_ + "/out") << "in the way";
  ASSERT_TRUE(agent.send(recording::testing::every_record()));
  collector.poll(0);
  EXPECT_TRUE(collector.connected());
  std::filesystem::remove(folder_ + "/out");
  ASSERT_TRUE(agent.send(recording::testing::every_record()));
  agent.hang_up();
  collector.poll(0);
  EXPECT_EQ(collector.receivers()[0]->files()->count(), 1u);
  EXPECT_EQ(collector.receivers()[0]->unwritten(), 1u);
  EXPECT_EQ(collector.receivers()[0]->lost(), 6u);
  EXPECT_TRUE(std::filesystem::exists(folder_ + "/out/2.walk"));
}

TEST_F(CollectorTest, WhoSendsAnotherHelloIsRefusedAndLeavesNothingOpen) {
  const int before = testing::next_descriptor();
  {
    Collector collector = listen();
    for (const auto& [hello, descriptors] :
         {std::pair{wire::kHello, 0}, {wire::kHello, 2}, {wire::kHello, 3}, {'?', 1}, {'?', 2}}) {
      TestAgent agent(collector.socket_path());
      ASSERT_TRUE(agent.send(std::string_view(&hello, 1), static_cast<size_t>(descriptors)));
      collector.poll(0);
      EXPECT_EQ(agent.answer(), '\0') << hello << descriptors;
    }
    EXPECT_FALSE(collector.connected());
    EXPECT_TRUE(collector.receivers().empty());
  }
  EXPECT_EQ(testing::next_descriptor(), before);
}

TEST_F(CollectorTest, AnAgentThatCannotBeginReportsWhy) {
  Collector collector = listen();
  TestAgent agent(collector.socket_path());
  ASSERT_TRUE(agent.send(std::string(1, wire::kCannot) + "no ring\n\x1b[31mmemory"));
  agent.hang_up();
  collector.poll(0);
  EXPECT_EQ(collector.refusal(), "no ring  [31mmemory");
  EXPECT_FALSE(collector.connected());
  EXPECT_TRUE(collector.receivers().empty());
}

}  // namespace
}  // namespace walkabout::cli
