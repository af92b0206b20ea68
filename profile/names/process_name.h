// What people call a process: the program, of a command line that is mostly paths and options. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace walkabout::profile {

// Of "/usr/bin/dotnet exec --roll-forward Major /x/App.dll --port 5": "dotnet App.dll"; of "dotnet build -v
// q": "dotnet build"; of "/opt/MyService --x": "MyService"; of "\"C:\\My apps\\dotnet.exe\" App.dll":
// "dotnet.exe App.dll". Arguments are joined by spaces. Empty: "process".
std::string process_name(std::string_view command_line);

// As its outermost frame says it: "dotnet build (pid 123)".
std::string process_frame(std::string_view name, uint32_t pid);

}  // namespace walkabout::profile
