#include "recording/redact.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

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
TEST(Redact, NothingElseChanges) {
  std::string stream = testing::every_record(), kept = redact_all(stream);
  std::map<wire::RecordType, std::string> before, after;
  for (const auto& [bytes, records] : {std::pair{&stream, &before}, {&kept, &after}}) {
    std::string_view rest = *bytes;
    Decoder decoder;
    testing::Reencoder sink;
    for (RawRecord r; split_record(rest, r) == Split::kRecord; rest.remove_prefix(r.framed.size())) {
      EXPECT_TRUE(decoder.decode(r, sink).ok());
      (*records)[r.type] = r.body;
    }
    EXPECT_EQ(rest, "");
  }
  ASSERT_EQ(after.size(), before.size());
  for (const auto& [type, body] : before) {
    const bool changed = type == wire::RecordType::kSession || type == wire::RecordType::kModule ||
                         type == wire::RecordType::kNativeSymbols;
    EXPECT_EQ(after[type] == body, !changed) << static_cast<uint32_t>(type);
  }
}

TEST(Redact, TheProgramKeepsItsNameOnly) {
  wire::Session session = testing::full_session();
  session.command_line = "/srv/alice/secret/app --password hunter2";
  session.host = "alices-host";
  const std::string kept = one(session);
  EXPECT_THAT(kept, HasSubstr("app"));
  EXPECT_THAT(kept, HasSubstr(session.runtime));
  for (const char* gone : {"alice", "secret", "password", "hunter2", "host"})
    EXPECT_THAT(kept, Not(HasSubstr(gone)));
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
  wire::Message message;
  message.text = "cannot read /srv/alice/secret/x.so: (see ~alice/secret/y) and/or give up";
  EXPECT_THAT(one(message),
              AllOf(HasSubstr("cannot read x.so: (see y) or give up"), Not(HasSubstr("secret"))));
}

TEST(Redact, WhatALaterVersionSaysIsNotPassedOn) {
  RawRecord record;
  record.type = static_cast<wire::RecordType>(1000);
  record.framed = record.body = "/srv/alice";
  EXPECT_EQ(redacted(record), "");
}

}  // namespace
}  // namespace walkabout::recording
