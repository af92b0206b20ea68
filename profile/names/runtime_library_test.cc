#include "profile/names/runtime_library.h"

#include <gtest/gtest.h>

namespace walkabout::profile {
namespace {

TEST(RuntimeLibrary, OfLinux) {
  EXPECT_EQ(runtime_part("/usr/share/dotnet/shared/Microsoft.NETCore.App/10.0.0/libclrjit.so"),
            RuntimePart::kJit);
  for (const char* name : {"libcoreclr.so", "libclrgcexp.so", "libhostfxr.so", "libSystem.Native.so",
                           "/opt/app/libSystem.Globalization.Native.so", "/usr/bin/dotnet"})
    EXPECT_EQ(runtime_part(name), RuntimePart::kOther) << name;
  for (const char* name : {"libc.so.6", "/usr/bin/dotnet-trace", "coreclr.so", "/opt/libcoreclr/app",
                           "LibCoreClr.so", "/opt/x\\libcoreclr.so", ""})
    EXPECT_EQ(runtime_part(name), RuntimePart::kNone) << name;
}

TEST(RuntimeLibrary, OfWindows) {
  EXPECT_EQ(runtime_part("C:\\app\\clrjit.dll"), RuntimePart::kJit);
  for (const char* name :
       {"C:\\Program Files\\dotnet\\shared\\Microsoft.NETCore.App\\10.0.0\\coreclr.dll", "CoreCLR.DLL",
        "hostpolicy.dll", "Z:\\app\\System.IO.Compression.Native.dll", "C:\\dotnet\\dotnet.exe"})
    EXPECT_EQ(runtime_part(name), RuntimePart::kOther) << name;
  for (const char* name : {"C:\\windows\\system32\\ntdll.dll", "C:\\app\\app.exe",
                           "System.Private.CoreLib.dll", "C:\\coreclr\\a.dll"})
    EXPECT_EQ(runtime_part(name), RuntimePart::kNone) << name;
}

}  // namespace
}  // namespace walkabout::profile
