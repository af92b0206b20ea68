# What is built for Windows: the agent, and of the CLI what records and reads.

# Debian's header-only libraries serve every system; what else is in their folder does not.
set(portable_headers ${CMAKE_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${portable_headers})
foreach(library protozero nlohmann CLI fmt)
  file(CREATE_LINK /usr/include/${library} ${portable_headers}/${library} SYMBOLIC)
endforeach()
include_directories(SYSTEM ${portable_headers})
list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR}/windows)

add_subdirectory(base)
add_subdirectory(wire)
add_subdirectory(il)
add_subdirectory(clr)
add_subdirectory(unwind)
add_subdirectory(agent)
add_subdirectory(recording)
add_subdirectory(profile)
add_subdirectory(web)
add_subdirectory(formats)
add_subdirectory(console)
add_subdirectory(cli)
add_subdirectory(tests/windows)
