// protozero's writer for code built without exceptions (the agent). The writer throws nothing but what
// std::string throws; yet its headers spell out try, catch and (in the varint decoder they bring along)
// throw, which g++ and clang refuse under -fno-exceptions. Here throw reads as abort() and a catch block as
// dead code. The decoder is never called from such code, so none of it is emitted.
#pragma once

// Everything protozero's headers include, so that the macro below is seen by protozero's own text only.
#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#ifndef __cpp_exceptions
// clang-format off
#define try if (true)
#define catch(anything) if (false)
#define throw ::abort(), (void)
// clang-format on
#endif
#include <protozero/pbf_builder.hpp>
#ifndef __cpp_exceptions
#undef try
#undef catch
#undef throw
#endif
