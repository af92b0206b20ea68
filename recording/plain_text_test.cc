#include "recording/plain_text.h"

#include <gtest/gtest.h>

#include "recording/decode.h"
#include "recording/test_records.h"

namespace walkabout::recording {
namespace {

TEST(PlainText, OrdinaryTextStays) {
  for (const std::string text : {"", "Demo.Worker", "na\u00efve \u00a9 \u65e5\u672c", "\U0001f469\ufe0f",
                                 "\xff\xfe", "\xc2", "\xe2\x80", "\u05d0\u05d1 \u0627"})
    EXPECT_EQ(plain_text(text), text);
}

TEST(PlainText, NothingMovesTheCursor) {
  EXPECT_EQ(plain_text("\x1b[2Jgone"), "\\u{1B}[2Jgone");
  EXPECT_EQ(plain_text("\x1b]0;title\x07"), "\\u{1B}]0;title\\u{7}");
  EXPECT_EQ(plain_text("\u009b31m\x7f"), "\\u{9B}31m\\u{7F}");
  EXPECT_EQ(plain_text("one\ntwo\tthree\r"), "one two three ");
  EXPECT_EQ(plain_text(std::string("a\0b", 3)), "a\\u{0}b");
}

TEST(PlainText, NothingTurnsTheOrderAroundOrHides) {
  EXPECT_EQ(plain_text("Get\u202eteS"), "Get\\u{202E}teS");
  EXPECT_EQ(plain_text("\u2066a\u2069\u200f"), "\\u{2066}a\\u{2069}\\u{200F}");
  EXPECT_EQ(plain_text("one\u2028two\u2029\u0085"), "one\\u{2028}two\\u{2029}\\u{85}");
  EXPECT_EQ(plain_text("a\u200bb\ufeff\u00ad"), "a\\u{200B}b\\u{FEFF}\\u{AD}");
  EXPECT_EQ(plain_text("\U000e0041\u3164"), "\\u{E0041}\\u{3164}");
  EXPECT_EQ(plain_text(plain_text("\u202e")), plain_text("\u202e"));
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
  EXPECT_EQ(look.thread.os_name, "\\u{1B}[2J");
  EXPECT_EQ(look.thread.managed_name, "\\u{1B}[31m");
  EXPECT_EQ(look.module.path, "/tmp/\\u{1B}[2J.so");
  EXPECT_EQ(look.module.build_id, module.build_id);
}

}  // namespace
}  // namespace walkabout::recording
