#include "symbols/find/symbol_server_source.h"

#include <gmock/gmock.h>

namespace walkabout::symbols {
namespace {

using ::testing::HasSubstr;

const Wanted kWanted{std::string("\x18\x0a\x37\x3d\x6a\xfb\xab\xf0", 8), "LibCoreCLR.so"};

TEST(SymbolServer, PathsAreLowerCaseByBuildId) {
  EXPECT_EQ(symbol_server_path(kWanted, FileKind::kImage),
            "/libcoreclr.so/elf-buildid-180a373d6afbabf0/libcoreclr.so");
  EXPECT_EQ(symbol_server_path(kWanted, FileKind::kDebug),
            "/_.debug/elf-buildid-sym-180a373d6afbabf0/_.debug");
}

// A GUID's first three numbers are little-endian in a file and big-endian in text.
TEST(SymbolServer, APdbsPathHasItsGuidAndNoStamp) {
  const std::string id("\x03\x02\x01\x00\x05\x04\x07\x06\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x99\x99\x99\x99",
                       20);
  EXPECT_EQ(symbol_server_path({id, "My.App.pdb"}, FileKind::kPdb),
            "/my.app.pdb/000102030405060708090a0b0c0d0e0fffffffff/my.app.pdb");
}

TEST(SymbolServer, NamesAreEscaped) {
  EXPECT_THAT(symbol_server_path({"ab", "a b/../?#\xc3\xa9"}, FileKind::kImage),
              HasSubstr("/a%20b%2f..%2f%3f%23%c3%a9/"));
}

TEST(SymbolServer, OtherUrlsAreRefused) {
  for (const char* url : {"", "host", "file:///etc", "ftp://127.0.0.1"}) {
    EXPECT_THAT(SymbolServerSource::create(url).message(), HasSubstr("http")) << url;
  }
}

TEST(Http, SecretsAreNotShown) {
  const std::string scheme = "http://";
  EXPECT_EQ(net::without_secrets(scheme + "127.0.0.1:80/a/b"), "http://127.0.0.1:80/a/b");
  EXPECT_EQ(net::without_secrets(scheme + "me:word@127.0.0.1/a?key=1#x"), "http://127.0.0.1/a");
  EXPECT_EQ(net::without_secrets(scheme + "127.0.0.1/a@b"), "http://127.0.0.1/a@b");
  EXPECT_EQ(net::without_secrets(scheme + "a@b@127.0.0.1"), "http://127.0.0.1");
}

TEST(Http, PortWhereNobodyListensIsTheServersProblem) {
  base::Result<net::Http> http = net::Http::create();
  ASSERT_TRUE(http.ok()) << http.message();
  const net::Http::Answer answer = http->get("http://127.0.0.1:1/x");
  EXPECT_EQ(answer.problem, net::Http::Problem::kServer);
  EXPECT_THAT(answer.cause, HasSubstr("connect"));
  EXPECT_EQ(http->get("file:///etc/passwd").problem, net::Http::Problem::kServer);
}

}  // namespace
}  // namespace walkabout::symbols
