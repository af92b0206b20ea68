#include "profile/names/origin.h"

#include <gtest/gtest.h>

namespace walkabout::profile {
namespace {

Origin origin(const std::string& module, const std::string& name = "A.B()", Kind kind = Kind::kManaged,
              const std::string& command = "dotnet Demo.dll", const std::string& image = "") {
  CodeTable code;
  wire::Module loaded;
  loaded.code = base::CodeId(1);
  loaded.kind = wire::ModuleKind::kReadyToRun;
  loaded.path = image;
  code.add(loaded);
  Origins origins;
  origins.learn(code, command);
  return origins.of({name, name, module, kind});
}

TEST(Origin, ByTheModulesName) {
  EXPECT_EQ(origin("Demo.dll"), Origin::kMine);
  EXPECT_EQ(origin("Newtonsoft.Json.dll"), Origin::kMine);
  EXPECT_EQ(origin("SystemOfMine.dll"), Origin::kMine);
  for (const char* module : {"System.Linq.dll", "System.Private.CoreLib.dll", "Microsoft.AspNetCore.Http.dll",
                             "mscorlib.dll", "FSharp.Core.dll"})
    EXPECT_EQ(origin(module), Origin::kFramework) << module;
}

TEST(Origin, ByItsFolder) {
  const auto in = [](const char* path) {
    return origin("Presentation.dll", "A.B()", Kind::kManaged, "x", path);
  };
  EXPECT_EQ(in("/usr/share/dotnet/shared/Contoso.Desktop/10.0.0/Presentation.dll"), Origin::kFramework);
  EXPECT_EQ(in("C:\\Program Files\\dotnet\\shared\\Contoso.Desktop\\10.0.0\\Presentation.dll"),
            Origin::kFramework);
  EXPECT_EQ(in("/app/shared/Presentation.dll"), Origin::kMine);
  EXPECT_EQ(in("/shared/a/b/c/Presentation.dll"), Origin::kMine);
}

TEST(Origin, OnlyAVersionsFolderIsAFrameworks) {
  const auto in = [](const char* path) { return origin("Shop.dll", "A.B()", Kind::kManaged, "x", path); };
  EXPECT_EQ(in("/srv/shared/shop/3/Shop.dll"), Origin::kMine);
  EXPECT_EQ(in("/srv/shared/shop/3.1/Shop.dll"), Origin::kMine);
  EXPECT_EQ(in("/srv/shared/shop/x.y.z/Shop.dll"), Origin::kMine);
  EXPECT_EQ(in("/usr/share/dotnet/shared/Contoso/11.0.0-preview.3/Shop.dll"), Origin::kFramework);
}

TEST(Origin, WhereTheCoreLibraryIsFrameworksAre) {
  CodeTable code;
  uint64_t id = 0;
  for (const char* path :
       {"/srv/shared/shop/3.1.0/Shop.dll", "/dotnet/shared/Contoso/10.0.0/Presentation.dll",
        "/dotnet/shared/Microsoft.NETCore.App/10.0.0/System.Private.CoreLib.dll"}) {
    wire::Module loaded;
    loaded.code = base::CodeId(++id);
    loaded.kind = wire::ModuleKind::kReadyToRun;
    loaded.path = path;
    code.add(loaded);
  }
  Origins origins;
  origins.learn(code, "dotnet Demo.dll");
  EXPECT_EQ(origins.of({"A.B()", "", "Shop.dll", Kind::kManaged}), Origin::kMine);
  EXPECT_EQ(origins.of({"A.B()", "", "Presentation.dll", Kind::kManaged}), Origin::kFramework);
}

TEST(Origin, WhatTheCommandRunsIsTheProgram) {
  const auto of = [](const char* command) {
    return origin("Microsoft.Contoso.dll", "A.B()", Kind::kManaged, command);
  };
  EXPECT_EQ(of("dotnet /app/Microsoft.Contoso.dll --port 5"), Origin::kMine);
  EXPECT_EQ(of("/app/Microsoft.Contoso --port 5"), Origin::kMine);
  EXPECT_EQ(of("dotnet Other.dll"), Origin::kFramework);
  EXPECT_EQ(of("\"C:\\Program Files\\dotnet\\dotnet.exe\" \"C:\\my app\\Microsoft.Contoso.dll\" -x"),
            Origin::kMine);
  EXPECT_EQ(of("\"C:\\my app\\Microsoft.Contoso.exe\" --port 5"), Origin::kMine);
}

TEST(Origin, OfOtherKinds) {
  EXPECT_EQ(origin("libc.so.6", "qsort", Kind::kNative), Origin::kFramework);
  EXPECT_EQ(origin("libcoreclr.so", "x", Kind::kRuntime), Origin::kFramework);
  EXPECT_EQ(origin("", "[stub]", Kind::kStub), Origin::kFramework);
  EXPECT_EQ(origin("", "[unknown frames]", Kind::kOther), Origin::kMarker);
  EXPECT_EQ(origin("", "lambda_method1() [dynamic]"), Origin::kFramework);
  Origins origins;
  EXPECT_EQ(origins.of({"[managed code]", "", "", Kind::kManaged, false}), Origin::kMarker)
      << "nobody knows whose";
}

TEST(Origin, AsyncMachineryIsOfTheCoreLibrary) {
  const char* core = "System.Private.CoreLib.dll";
  for (const char* name :
       {"System.Runtime.CompilerServices.AsyncTaskMethodBuilder<int>.AsyncStateMachineBox<A>.MoveNext("
        "Thread)",
        "System.Runtime.CompilerServices.AsyncMethodBuilderCore.Start<A>(ref A)",
        "System.Threading.ExecutionContext.RunInternal(ExecutionContext, ContextCallback, object)",
        "System.Threading.ThreadPoolWorkQueue.Dispatch()",
        "System.Runtime.CompilerServices.TaskAwaiter.UnsafeOnCompletedInternal(Task, IAsyncStateMachineBox, "
        "bool)",
        "System.Runtime.CompilerServices.TaskAwaiter<(int, A)>.OnCompleted(Action)",
        "System.Runtime.CompilerServices.ConfiguredTaskAwaitable<A<int>>.ConfiguredTaskAwaiter."
        "UnsafeOnCompleted("
        "Action)",
        "System.Runtime.CompilerServices.ValueTaskAwaiter.IStateMachineBoxAwareAwaiter."
        "AwaitUnsafeOnCompleted(I)",
        "System.Runtime.CompilerServices.AsyncHelpers.Await(Task)",
        "System.Threading.PortableThreadPool.WorkerThread.WorkerThreadStart()",
        "System.Threading.Tasks.Task<int>.InnerInvoke()",
        "System.Threading.Tasks.Task.RunContinuations(object)",
        "System.Threading.Tasks.AwaitTaskContinuation.RunOrScheduleAction(IAsyncStateMachineBox, bool)"})
    EXPECT_EQ(origin(core, name), Origin::kAsync) << name;
  for (const char* name :
       {"System.Threading.Thread.StartCallback()", "System.Threading.Thread.StartHelper.Run()",
        "System.Runtime.CompilerServices.TaskAwaiter.GetResult()",
        "System.Runtime.CompilerServices.TaskAwaiter<OnCompleted>.GetResult()",
        "System.Runtime.CompilerServices.TaskAwaiter.HandleNonSuccessAndDebuggerNotification(Task, int)",
        "System.Runtime.CompilerServices.ValueTaskAwaiter<int>.GetResult()",
        "System.Runtime.CompilerServices.ConfiguredTaskAwaitable.ConfiguredTaskAwaiter.GetResult()",
        "System.Runtime.CompilerServices.ConfiguredValueTaskAwaitable.ConfiguredValueTaskAwaiter.GetResult()",
        "System.Runtime.CompilerServices.AsyncHelpers.HandleAsyncEntryPoint(Task)",
        "System.Threading.Tasks.Task.Wait()", "System.Threading.Monitor.Wait(object)",
        "System.Threading.Tasks.Task.Delay(int)", "System.Threading.Tasks.Task<int>.get_Result()",
        "System.Threading.Tasks.Task<A>.Result.get()", "System.String.Concat(string, string)",
        "System.Threading.Tasks.Task.InternalWait(int, CancellationToken)"})
    EXPECT_EQ(origin(core, name), Origin::kFramework) << name;
  EXPECT_EQ(origin("Demo.dll", "System.Threading.ThreadPoolWorkQueue.Dispatch()"), Origin::kMine);
}

TEST(OriginRules, ANameOfNoFrameIsKnown) {
  const std::vector<DisplayFrame> frames{
      {"[runtime]", "", "", Kind::kOther},
      {"Contoso.A.Run()", "", "Contoso.dll", Kind::kManaged, true, 0, Origin::kMine}};
  EXPECT_TRUE(fits_any("Contoso", frames));
  EXPECT_TRUE(fits_any("Cont*", frames));
  EXPECT_FALSE(fits_any("Typo", frames));
  EXPECT_FALSE(fits_any("[runtime*", frames)) << "a marker is nobody's";
}

TEST(OriginRules, SayOtherwise) {
  std::vector<DisplayFrame> frames(5);
  frames[0] = {"Contoso.A.Run()", "", "Microsoft.Contoso.dll", Kind::kManaged};
  frames[1] = {"Json.Parse()", "", "Newtonsoft.Json.dll", Kind::kManaged};
  frames[2] = {"lambda_method1() [dynamic]", "", "", Kind::kManaged};
  frames[3] = {"render", "", "libdraw.so", Kind::kNative};
  frames[4] = {"[unknown frames]", "", "", Kind::kOther};
  frames[1].origin = Origin::kMine;
  frames[0].origin = frames[2].origin = frames[3].origin = Origin::kFramework;
  frames[4].origin = Origin::kMarker;
  apply({{"Microsoft.Contoso", "lambda_*", "libdraw.so"}, {"Newtonsoft.*", "*"}}, frames);
  EXPECT_EQ(frames[0].origin, Origin::kMine);
  EXPECT_EQ(frames[1].origin, Origin::kFramework);
  EXPECT_EQ(frames[2].origin, Origin::kMine);
  EXPECT_EQ(frames[3].origin, Origin::kMine);
  EXPECT_EQ(frames[4].origin, Origin::kMarker);
  apply({{}, {"libdraw"}}, frames);
  EXPECT_EQ(frames[3].origin, Origin::kMine) << "libdraw.so is another name";
  apply({{""}, {""}}, frames);
  EXPECT_EQ(frames[1].origin, Origin::kFramework);
}

}  // namespace
}  // namespace walkabout::profile
