# One library per folder: every x.cc in it and below is in the library, every x_test.cc in its test program.
include(GoogleTest)
if(WIN32)  # Debian has its sources only
  add_subdirectory(/usr/src/googletest ${CMAKE_BINARY_DIR}/googletest EXCLUDE_FROM_ALL)
  foreach(part gmock gtest gtest_main)
    if(NOT TARGET GTest::${part})
      add_library(GTest::${part} ALIAS ${part})
    endif()
  endforeach()
else()
  find_package(GTest REQUIRED)
endif()
find_package(Threads REQUIRED)

# Sections by function: the agent drops what it does not call, and tools/check_handler_symbols.py sees what the handler
# can reach function by function.
add_compile_options(-Wall -Wextra -Wshadow -Wno-missing-field-initializers -fno-omit-frame-pointer
                    -ffunction-sections -fdata-sections)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  add_compile_options(-Wthread-safety)  # base/mutex.h
endif()
if(WALKABOUT_SANITIZE)
  add_compile_options(-g1 -fsanitize=${WALKABOUT_SANITIZE} -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${WALKABOUT_SANITIZE})
endif()
if(WALKABOUT_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

include(${CMAKE_CURRENT_LIST_DIR}/test_headers.cmake)

# Each case is a test of ctest; under Wine, where a start takes its time, each program. Tests are compiled fast, what they
# test as it is delivered.
function(walkabout_tests program)
  walkabout_test_options(${program})
  if(WIN32)
    add_test(NAME windows.${program} COMMAND ${program})
  else()
    gtest_discover_tests(${program} DISCOVERY_TIMEOUT 60)
  endif()
endfunction()

# Where a file is compiled is said by its place and name: below linux/ and windows/, or as x_linux.cc and x_windows.cc
# (x_linux_test.cc), for that system; below x64/ and arm64/ for that processor; everything else everywhere.
if(WIN32)
  set(other_system linux)
else()
  set(other_system windows)
endif()
if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  set(other_processor x64)
else()
  set(other_processor arm64)
endif()
set(WALKABOUT_ELSEWHERE "/(${other_system}|${other_processor})/|_${other_system}(_test)?[.]cc$")

# walkabout_sources(SOURCES TESTS folder...): what is compiled here of these folders and all below them.
function(walkabout_sources sources_variable tests_variable)
  set(here ${CMAKE_CURRENT_SOURCE_DIR})
  set(sources)
  set(tests)
  foreach(folder ${ARGN})
    file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${here} ${here}/${folder}/*.cc)
    foreach(file ${files})
      if("/${file}" MATCHES "${WALKABOUT_ELSEWHERE}|/testdata/")
        continue()
      elseif(file MATCHES "_test[.]cc$")
        list(APPEND tests ${here}/${file})
      else()
        list(APPEND sources ${here}/${file})
      endif()
    endforeach()
  endforeach()
  set(${sources_variable} ${sources} PARENT_SCOPE)
  set(${tests_variable} ${tests} PARENT_SCOPE)
endfunction()

# walkabout_folder(NAME [DEPS lib...] [TEST_DEPS lib...]): library walkabout_NAME and test NAME_test.
# Pass NO_EXCEPTIONS for code that is also linked into the agent. LINUX: folders in it that Windows has no use for.
# EXCLUDE: patterns of sources that are no part of the library.
function(walkabout_folder name)
  cmake_parse_arguments(ARG "NO_EXCEPTIONS" "" "DEPS;TEST_DEPS;EXCLUDE;LINUX" ${ARGN})
  walkabout_sources(sources tests .)
  if(WIN32)
    list(TRANSFORM ARG_LINUX REPLACE "(.+)" "/${name}/\\1/")
    list(APPEND ARG_EXCLUDE ${ARG_LINUX})
  endif()
  foreach(pattern ${ARG_EXCLUDE})
    list(FILTER sources EXCLUDE REGEX "${pattern}")
    list(FILTER tests EXCLUDE REGEX "${pattern}")
  endforeach()
  set(lib walkabout_${name})
  if(sources)
    add_library(${lib} STATIC ${sources})
    set(scope PUBLIC)
  else()
    add_library(${lib} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_include_directories(${lib} ${scope} ${PROJECT_SOURCE_DIR})
  target_link_libraries(${lib} ${scope} ${ARG_DEPS})
  if(ARG_NO_EXCEPTIONS AND sources)
    target_compile_options(${lib} PRIVATE -fno-exceptions -fno-rtti -fvisibility=hidden
                                          -ftls-model=initial-exec)
  endif()
  if(tests)
    add_executable(${name}_test ${tests})
    target_link_libraries(${name}_test PRIVATE ${lib} ${ARG_TEST_DEPS} GTest::gtest GTest::gmock GTest::gtest_main)
    # Only for the sources that name them: a path in every command keeps a compiler cache from serving two checkouts.
    foreach(source ${tests})
      file(STRINGS ${source} named REGEX "WALKABOUT_(SOURCE|BIN)_DIR")
      if(named)
        set_property(SOURCE ${source} APPEND PROPERTY COMPILE_DEFINITIONS
                     WALKABOUT_SOURCE_DIR="${PROJECT_SOURCE_DIR}" WALKABOUT_BIN_DIR="${CMAKE_BINARY_DIR}/bin")
      endif()
    endforeach()
    walkabout_tests(${name}_test)
  endif()
endfunction()
