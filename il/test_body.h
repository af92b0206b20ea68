// For tests: from bytes to bodies and back.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "il/body_reader.h"
#include "il/body_writer.h"
#include "il/made_body.h"

namespace walkabout::il::testing {

inline Body body_of(const Data& bytes) {
  Body body;
  EXPECT_EQ(read_body(bytes, &body), Cause::kNone);
  return body;
}
inline WrittenBody written(const Body& body) {
  WrittenBody out;
  EXPECT_EQ(write_body(body, &out), Cause::kNone);
  return out;
}
inline Data code_bytes(const Body& body) {
  const Data bytes = written(body).bytes;
  const base::Bytes code = code_of(bytes);
  return {code.begin(), code.end()};
}
inline std::vector<Op> ops_of(const Body& body) {
  std::vector<Op> ops;
  for (const Instruction& instruction : body.code) ops.push_back(instruction.op);
  return ops;
}

}  // namespace walkabout::il::testing
