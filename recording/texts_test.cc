#include <gtest/gtest.h>

#include "recording/decode.h"
#include "recording/test_records.h"

namespace walkabout::recording {
namespace {

// Whoever reads a recording gets its texts so; bytes that are none stay what they are.
TEST(Texts, ReadersGetThemPlain) {
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
