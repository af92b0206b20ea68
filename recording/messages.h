// The messages that are plain values, from bytes to records. Throw as recording/fields.h does; Decoder
// catches.
#pragma once

#include <string_view>

#include "wire/records.h"

namespace walkabout::recording {

wire::Session decode_session(std::string_view body);
wire::Thread decode_thread(std::string_view body);
wire::Module decode_module(std::string_view body);
wire::Method decode_method(std::string_view body);
wire::JitCode decode_jit_code(std::string_view body);
wire::MethodRange decode_method_range(std::string_view body);
wire::Oracle decode_oracle(std::string_view body);
wire::ThreadEnd decode_thread_end(std::string_view body);
wire::Counters decode_counters(std::string_view body);
wire::Message decode_message(std::string_view body);
wire::Rate decode_rate(std::string_view body);
wire::End decode_end(std::string_view body);
wire::NativeSymbols decode_native_symbols(std::string_view body);

}  // namespace walkabout::recording
