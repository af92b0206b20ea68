#include "recording/plain_text.h"

#include <gtest/gtest.h>

#include "recording/decode.h"
#include "recording/test_records.h"

namespace walkabout::recording {
namespace {

TEST(PlainText, OrdinaryTextStays) {
  for (const std::string text : {"", "Demo.Worker", "na\u00efve \u00a9 \u65e5\u672c", "\xff\xfe", "\xc2"})
    EXPECT_EQ(plain_text(text), text);
}

TEST(PlainText, NothingMovesTheCursor) {
  EXPECT_EQ(plain_text("\x1b[2Jgone"), "\ufffd[2Jgone");
  EXPECT_EQ(plain_text("\x1b]0;title\x07"), "\ufffd]0;title\ufffd");
  EXPECT_EQ(plain_text("\u009b31m\x7f"), "\ufffd31m\ufffd");
  EXPECT_EQ(plain_text("one\ntwo\tthree\r"), "one two three ");
  EXPECT_EQ(plain_text(std::string("a\0b", 3)), "a\ufffdb");
}

// Whoever reads a recording gets its texts so; bytes that are none stay what they are.
TEST(PlainText, ReadersGetNoOther) {
  wire::Thread thread{base::ThreadId(1), 99, "\x1b[2J", "\x1b[31m"};
  wire::Module module;
  module.code = base::CodeId(1);
  module.path = "/tmp/\x1b[2J.so";
  module.build_id = "\x1b\n";
  std::string stream, framed;
  struct Look : RecordVisitor {
    void on_thread(const wire::Thread& r) override { thread = r; }
    void on_module(const wire::Module& r) override { module = r; }
    wire::Thread thread;
    wire::Module module;
  } look;
  wire::encode(thread, stream);
  wire::encode(module, stream);
  Decoder decoder;
  std::string_view rest = stream;
  for (RawRecord r; split_record(rest, r) == Split::kRecord; rest.remove_prefix(r.framed.size()))
    EXPECT_TRUE(decoder.decode(r, look).ok());
  EXPECT_EQ(look.thread.os_name, "\ufffd[2J");
  EXPECT_EQ(look.thread.managed_name, "\ufffd[31m");
  EXPECT_EQ(look.module.path, "/tmp/\ufffd[2J.so");
  EXPECT_EQ(look.module.build_id, module.build_id);
}

}  // namespace
}  // namespace walkabout::recording
