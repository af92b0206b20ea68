# One library per folder: every x.cc beside this list is in it, every x_test.cc is in its test program.
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
if(WALKABOUT_SANITIZE)
  add_compile_options(-g1 -fsanitize=${WALKABOUT_SANITIZE} -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${WALKABOUT_SANITIZE})
endif()
if(WALKABOUT_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# Each case is a test of ctest; under Wine, where a start takes its time, each program. Tests are compiled fast, what they
# test as it is delivered.
function(walkabout_tests program)
  target_compile_options(${program} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1>)
  if(WIN32)
    add_test(NAME windows.${program} COMMAND ${program})
  else()
    gtest_discover_tests(${program} DISCOVERY_TIMEOUT 60)
  endif()
endfunction()

# walkabout_folder(NAME [DEPS lib...] [TEST_DEPS lib...]): library walkabout_NAME and test NAME_test.
# Pass NO_EXCEPTIONS for code that is also linked into the agent. POSIX: patterns of the sources and tests that Windows
# has no use for; what takes their place there is in x_windows.cc.
function(walkabout_folder name)
  cmake_parse_arguments(ARG "NO_EXCEPTIONS" "" "DEPS;TEST_DEPS;EXCLUDE;POSIX" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc)
  file(GLOB tests CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*_test.cc)
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  foreach(pattern ${ARG_EXCLUDE})
    list(FILTER sources EXCLUDE REGEX "${pattern}")
  endforeach()
  if(NOT WIN32)
    list(FILTER sources EXCLUDE REGEX "_windows\\.cc$")
  else()
    foreach(pattern ${ARG_POSIX})
      list(FILTER sources EXCLUDE REGEX "${pattern}")
      list(FILTER tests EXCLUDE REGEX "${pattern}")
    endforeach()
  endif()
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
