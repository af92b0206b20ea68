// Which sanitizer this code is built with, for tests of what it puts itself in front of: handlers of signals,
// functions of libc. gcc defines macros, clang has features.
#pragma once

#ifndef __has_feature
#define __has_feature(feature) 0
#endif

namespace walkabout::base {

#if defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
inline constexpr bool kThreadSanitizer = true;
#else
inline constexpr bool kThreadSanitizer = false;
#endif

#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
inline constexpr bool kAddressSanitizer = true;
#else
inline constexpr bool kAddressSanitizer = false;
#endif

}  // namespace walkabout::base
