# What most sources include, compiled once. No source relies on it: the build for Windows, the libraries of a release and
# clang-tidy (tools/lint.sh) go without, so each still names what it uses.
#
# In every build but the one for Windows for tests, two fifths of whose compilation it saves; with sanitizers, where clang
# compiles, for the libraries as well.
set(walkabout_test_options $<$<CONFIG:RelWithDebInfo>:-O1>)
if(WALKABOUT_FUZZ)
  set(walkabout_test_options -O0 -fno-sanitize=fuzzer-no-link)  # nobody fuzzes a test
endif()
set(walkabout_headers <algorithm> <array> <atomic> <cstdint> <cstring> <filesystem> <fstream> <functional> <map> <memory>
                      <optional> <set> <span> <sstream> <string> <string_view> <thread> <unordered_map> <utility> <vector>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT WIN32)
  # gcc 12 warns of libstdc++'s own code where that is precompiled, and is wrong.
  list(APPEND walkabout_test_options -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow -Wno-stringop-overread)
endif()
set(walkabout_no_exceptions -fno-exceptions -fno-rtti -fvisibility=hidden -ftls-model=initial-exec)

# walkabout_precompile(NAME TYPE HEADERS OPTIONS): a target whose precompiled headers others take with REUSE_FROM. They have
# to be compiled as it is: TYPE is EXECUTABLE (-fPIE) or OBJECT (-fPIC).
function(walkabout_precompile name type headers options)
  set(source ${CMAKE_BINARY_DIR}/${name}.cc)
  file(CONFIGURE OUTPUT ${source} CONTENT "int main() {}\n")
  if(type STREQUAL "EXECUTABLE")
    add_executable(${name} EXCLUDE_FROM_ALL ${source})
  else()
    add_library(${name} OBJECT EXCLUDE_FROM_ALL ${source})
  endif()
  target_compile_options(${name} PRIVATE ${options})
  target_precompile_headers(${name} PRIVATE ${headers})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # clang's are of one build folder, whose path is in them: no compiler cache may give them to another. Without times in
    # them, the same headers are the same file, and a cache knows what was compiled with it.
    target_compile_options(${name} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
    set_target_properties(${name} PROPERTIES CXX_COMPILER_LAUNCHER "")
  endif()
endfunction()

if(NOT WIN32)
  walkabout_precompile(test_headers EXECUTABLE "${walkabout_headers};<gmock/gmock.h>;<gtest/gtest.h>"
                       "${walkabout_test_options}")
  target_link_libraries(test_headers PRIVATE GTest::gmock GTest::gtest)
endif()
if(WALKABOUT_SANITIZE)
  walkabout_precompile(library_headers OBJECT "${walkabout_headers};<fmt/format.h>;<nlohmann/json.hpp>" "")
  walkabout_precompile(library_headers_no_exceptions OBJECT "${walkabout_headers}" "${walkabout_no_exceptions}")
endif()

function(walkabout_test_options program)
  target_compile_options(${program} PRIVATE ${walkabout_test_options})
  if(NOT WIN32)
    target_precompile_headers(${program} REUSE_FROM test_headers)
  endif()
endfunction()

function(walkabout_library_headers library headers)
  if(WALKABOUT_SANITIZE)
    target_precompile_headers(${library} REUSE_FROM ${headers})
  endif()
endfunction()
