# What most tests include, compiled once: two fifths of the time that a test takes to compile. No test relies on it: the
# build for Windows and clang-tidy (tools/lint.sh) go without, so each still names what it uses.
set(walkabout_test_options $<$<CONFIG:RelWithDebInfo>:-O1>)
set(walkabout_test_headers <algorithm> <array> <atomic> <cstdint> <cstring> <filesystem> <fstream> <functional> <map> <memory>
                           <optional> <set> <span> <sstream> <string> <string_view> <thread> <unordered_map> <utility> <vector>
                           <gmock/gmock.h> <gtest/gtest.h>)
if(NOT WIN32)
  # gcc 12 warns of libstdc++'s own code where that is precompiled, and is wrong.
  list(APPEND walkabout_test_options -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread)
  set(source ${CMAKE_BINARY_DIR}/test_headers.cc)
  file(CONFIGURE OUTPUT ${source} CONTENT "int main() {}\n")
  add_executable(test_headers EXCLUDE_FROM_ALL ${source})  # a program, as the tests: -fPIE
  target_compile_options(test_headers PRIVATE ${walkabout_test_options})
  target_link_libraries(test_headers PRIVATE GTest::gmock GTest::gtest)
  target_precompile_headers(test_headers PRIVATE ${walkabout_test_headers})
endif()

function(walkabout_test_options program)
  target_compile_options(${program} PRIVATE ${walkabout_test_options})
  if(NOT WIN32)
    target_precompile_headers(${program} REUSE_FROM test_headers)
  endif()
endfunction()
