#include "recording/redact.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "recording/decode.h"
#include "recording/test_records.h"

namespace walkabout::recording {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string redact_all(std::string_view stream) {
  std::string kept;
  for (RawRecord record; split_record(stream, record) == Split::kRecord;
       stream.remove_prefix(record.framed.size()))
    kept += redacted(record);
  return kept;
}

template <typename Record>
std::string one(const Record& record) {
  std::string bytes;
  wire::encode(record, bytes);
  return redact_all(bytes);
}

// Still a recording, with as many records, of which only what names a place is another.
TEST(Redact, OnlyTextsThatNameAPlaceOrAreDataChange) {
  const std::string stream = testing::every_record(), kept = redact_all(stream);
  EXPECT_THAT(stream, HasSubstr(wire::testing::kFolder));
  EXPECT_THAT(kept, Not(HasSubstr("alice")));
  std::string_view before = stream, after = kept;
  Decoder decoder;
  testing::Reencoder sink;
  for (RawRecord was, is; split_record(before, was) == Split::kRecord;
       before.remove_prefix(was.framed.size()), after.remove_prefix(is.framed.size())) {
    ASSERT_EQ(split_record(after, is), Split::kRecord);
    EXPECT_EQ(is.type, was.type);
    EXPECT_TRUE(decoder.decode(is, sink).ok());
    const bool placed = was.body.find(wire::testing::kFolder) != std::string_view::npos;
    EXPECT_EQ(is.body == was.body, !placed) << static_cast<uint32_t>(was.type);
    const bool may_have_path =
        was.type == wire::RecordType::kSession || was.type == wire::RecordType::kModule ||
        was.type == wire::RecordType::kMethod || was.type == wire::RecordType::kMessage ||
        was.type == wire::RecordType::kNativeSymbols || was.type == wire::RecordType::kText ||
        was.type == wire::RecordType::kAssembly || was.type == wire::RecordType::kSourceLines ||
        was.type == wire::RecordType::kNativeLines || was.type == wire::RecordType::kCountedMethod ||
        was.type == wire::RecordType::kTracedCall;
    EXPECT_EQ(placed, may_have_path) << static_cast<uint32_t>(was.type);
  }
  EXPECT_EQ(after, "");
}

TEST(Redact, ValuesOfCallsAreLeftOutAndTheirNamesAndTypesStay) {
  wire::TracedCall call;
  call.arguments = {{"account", "System.String", "\"no 4711\"", false}};
  call.result = {{"", "System.TimeoutException", "of anna", false}};
  const std::string kept = one(call);
  EXPECT_THAT(kept, HasSubstr("account"));
  EXPECT_THAT(kept, HasSubstr("System.TimeoutException"));
  EXPECT_THAT(kept, Not(HasSubstr("4711")));
  EXPECT_THAT(kept, Not(HasSubstr("anna")));
}

TEST(Redact, WhatIsDataOfTheProgramIsLeftOut) {
  EXPECT_THAT(one(wire::Text{base::TextId(7), "System.FormatException", ""}),
              HasSubstr("System.FormatException"));
  const std::string kept = one(wire::Text{base::TextId(7), "", "no account 4711"});
  EXPECT_THAT(kept, Not(HasSubstr("4711")));
  EXPECT_THAT(kept, HasSubstr("(left out)"));
}

TEST(Redact, TheProgramKeepsItsNameOnly) {
  auto session = wire::testing::sample_value<wire::Session>();
  session.command_line = "/srv/alice/secret/app --password hunter2";
  session.host = "alices-host";
  const std::string kept = one(session);
  EXPECT_THAT(kept, HasSubstr("app"));
  EXPECT_THAT(kept, HasSubstr(session.runtime));
  for (const char* gone : {"alice", "secret", "password", "hunter2", "host"})
    EXPECT_THAT(kept, Not(HasSubstr(gone)));
}

TEST(Redact, OfWhatDotnetHostsTheNameIsKept) {
  const auto kept = [](const char* command_line) {
    auto session = wire::testing::sample_value<wire::Session>();
    session.command_line = command_line;
    return one(session);
  };
  EXPECT_THAT(kept("/usr/bin/dotnet exec --x /srv/alice/App.dll --key hunter2"),
              AllOf(HasSubstr("dotnet App.dll"), Not(HasSubstr("alice")), Not(HasSubstr("hunter2"))));
  EXPECT_THAT(kept("dotnet build secret.dll"), Not(HasSubstr("secret")));
  EXPECT_THAT(kept("/srv/app secret.dll"), Not(HasSubstr("secret")));
}

TEST(Redact, PathsLoseTheirFolders) {
  wire::Module module;
  module.path = "/srv/alice/secret/libx.so";
  module.build_id = "0123456789";
  EXPECT_THAT(one(module), AllOf(HasSubstr("libx.so"), HasSubstr("0123456789"), Not(HasSubstr("secret"))));
  wire::Method method;
  method.module = "/srv/alice/secret/X.dll";
  EXPECT_THAT(one(method), AllOf(HasSubstr("X.dll"), Not(HasSubstr("secret"))));
  wire::NativeSymbols symbols;
  symbols.source = "/srv/alice/secret/x.debug";
  EXPECT_THAT(one(symbols), AllOf(HasSubstr("x.debug"), Not(HasSubstr("secret"))));
  wire::Document document;
  for (const char* path : {R"(C:\Users\alice\secret\X.cs)", R"(/x/C:\Users\alice\secret\X.cs)"}) {
    document.path = path;
    wire::SourceLines lines;
    lines.documents = {document};
    EXPECT_THAT(one(lines), AllOf(HasSubstr("X.cs"), Not(HasSubstr("secret")))) << path;
  }
  wire::Message message;
  message.text = "cannot read /srv/alice/secret/x.so: (see ~alice/secret/y) and/or give up";
  EXPECT_THAT(one(message),
              AllOf(HasSubstr("cannot read x.so: (see y) or give up"), Not(HasSubstr("secret"))));
}

TEST(Redact, WhatALaterVersionHasIsNotPassedOn) {
  RawRecord record;
  record.type = static_cast<wire::RecordType>(1000);
  record.framed = record.body = "/srv/alice";
  EXPECT_EQ(redacted(record), "");
}

}  // namespace
}  // namespace walkabout::recording
