# Debian's header-only library without the rest of /usr/include, which is the wrong system's (see cmake/windows.cmake).
add_library(nlohmann_json::nlohmann_json INTERFACE IMPORTED)
set(nlohmann_json_FOUND TRUE)
