// Whose code a frame is of: the program's, or that of .NET and of native libraries. Decided by what a
// recording has: the module's file name and folder, the kind of code, the command line.
//
// Not the program's are: modules called System.*, Microsoft.*, mscorlib, netstandard, WindowsBase,
// FSharp.Core; modules in the folder of a shared framework (".../shared/Microsoft.NETCore.App/10.0.0/", of
// the "shared" that the core library is from where that is known); native code, the runtime, its stubs;
// methods that have no module, because they were made at run time. The assembly that the command line runs is
// the program's whatever it is called.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "profile/model/code_table.h"
#include "profile/model/profile.h"

namespace walkabout::profile {

class Origins {
 public:
  // As often as the table has more than before.
  void learn(const CodeTable& code, std::string_view command_line);
  // frame: with name, module and kind. A managed frame without module is a method made at run time.
  Origin of(const DisplayFrame& frame) const;

 private:
  std::string program_;                     // the assembly that is run: "App.dll"
  std::unordered_set<std::string> shared_;  // file names in a shared framework's folder
};

// What somebody says about it: each a module's name, with its suffix or without ("Contoso.Core"), or with a
// '*' at its end the begin of one or of a function's name.
struct OriginRules {
  std::vector<std::string> mine;  // where both fit, this counts
  std::vector<std::string> not_mine;
  bool empty() const { return mine.empty() && not_mine.empty(); }
};
void apply(const OriginRules& rules, std::vector<DisplayFrame>& frames);
// Whether a name of the rules is that of any frame.
bool fits_any(const std::string& name, const std::vector<DisplayFrame>& frames);

// "System.Linq" of "System.Linq.dll"; a native library's name as it is.
std::string_view without_suffix(std::string_view module);

}  // namespace walkabout::profile
