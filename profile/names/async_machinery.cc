#include "profile/names/async_machinery.h"

#include <algorithm>
#include <iterator>

#include "profile/names/readable_type.h"

namespace walkabout::profile {
namespace {

// What the name goes on with behind its namespace. A thread that waits is in none of them.
constexpr std::string_view kOfCompilerServices[] = {
    "AsyncMethodBuilderCore.", "AsyncTaskMethodBuilder",      "AsyncValueTaskMethodBuilder",
    "AsyncVoidMethodBuilder.", "AsyncIteratorMethodBuilder.", "PoolingAsyncValueTaskMethodBuilder",
    "YieldAwaitable.",
};
// Of these only what arranges for an async method to go on: GetResult() of a task that is not done blocks
// its thread, which is no machinery but what people look for.
constexpr std::string_view kAwaiters[] = {
    "TaskAwaiter",
    "ValueTaskAwaiter",
    "ConfiguredTaskAwaitable",
    "ConfiguredValueTaskAwaitable",
};
constexpr std::string_view kOfThreading[] = {
    "ExecutionContext.Run",
    "ThreadPoolWorkQueue.Dispatch(",
    "ThreadPoolWorkQueue.DispatchWorkItem",
    "ThreadPool.",
    "PortableThreadPool.WorkerThread.WorkerThreadStart(",
    "PortableThreadPool.WorkerThread.WorkerDoWork(",
    "QueueUserWorkItemCallback",
    "_IOCompletionCallback.",
    "_ThreadPoolWaitOrTimerCallback.",
};
constexpr std::string_view kOfTasks[] = {
    "Task.ExecuteWithThreadLocal(",
    "Task.ExecuteEntry",
    "Task.ExecuteFromThreadPool(",
    "Task.InnerInvoke",
    "Task.RunContinuations(",
    "Task.FinishContinuations(",
    "Task.FinishStageTwo(",
    "Task.FinishStageThree(",
    "Task.Finish(",
    "Task.TrySetResult(",
    "Task.TrySetException(",
    "Task.SetContinuationForAwait(",
    "Task.UnsafeSetContinuationForAwait(",
    "Task.static ",
    "Task.Task.(lambda",
    "AwaitTaskContinuation.",
    "SynchronizationContextAwaitTaskContinuation.",
    "TaskSchedulerAwaitTaskContinuation.",
    "StandardTaskContinuation.",
    "ContinuationTaskFromTask.",
    "UnwrapPromise<",
    "ThreadPoolTaskScheduler.",
    "TaskScheduler.TryRunInline(",
    "Sources.ManualResetValueTaskSourceCore<",
};

template <size_t N>
bool begins_with_one(std::string_view name, const std::string_view (&all)[N]) {
  return std::any_of(std::begin(all), std::end(all),
                     [name](std::string_view one) { return name.starts_with(one); });
}

bool take(std::string_view prefix, std::string_view& name) {
  if (!name.starts_with(prefix)) return false;
  name.remove_prefix(prefix.size());
  return true;
}

// The member's name of "TaskAwaiter<(int, A)>.OnCompletedInternal(Task, Action, bool, bool)", with nested
// types before it.
std::string_view member_of(std::string_view name) {
  const size_t angle = name.find('<');
  if (angle < name.find('(')) {
    const size_t close = closing_bracket(name.substr(angle));
    name = close == std::string_view::npos ? std::string_view() : name.substr(angle + close);
  }
  return name.substr(0, name.find('('));
}

// "OnCompleted", "AwaitUnsafeOnCompleted", "UnsafeOnCompletedInternal".
bool continues_work(std::string_view name) {
  return begins_with_one(name, kAwaiters) && member_of(name).find("OnCompleted") != std::string_view::npos;
}

// Where asynchronous Main is waited for is no machinery.
bool is_of_helpers(std::string_view name) {
  return take("AsyncHelpers.", name) && !name.starts_with("HandleAsyncEntryPoint");
}

// "Task<int>.InnerInvoke()": the arguments do not matter.
bool is_of_generic_task(std::string_view name) {
  if (!name.starts_with("Task<")) return false;
  for (const std::string_view method :
       {">.InnerInvoke(", ">.TrySetResult(", ">.TrySetException(", ">.static Task("}) {
    if (name.find(method) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

bool is_async_machinery(std::string_view name) {
  if (take("System.Runtime.CompilerServices.", name))
    return begins_with_one(name, kOfCompilerServices) || continues_work(name) || is_of_helpers(name);
  if (take("System.Threading.Tasks.", name))
    return begins_with_one(name, kOfTasks) || is_of_generic_task(name);
  return take("System.Threading.", name) && begins_with_one(name, kOfThreading);
}

bool is_thread_start(std::string_view name) {
  constexpr std::string_view kStarts[] = {"System.Threading.Thread.StartCallback(",
                                          "System.Threading.Thread.StartHelper."};
  return begins_with_one(name, kStarts);
}

}  // namespace walkabout::profile
