#include "profile/names/async_machinery.h"

#include <algorithm>
#include <iterator>

namespace walkabout::profile {
namespace {

// What the name goes on with behind its namespace. A thread that waits is in none of them.
constexpr std::string_view kOfCompilerServices[] = {
    "AsyncMethodBuilderCore.",
    "AsyncTaskMethodBuilder",
    "AsyncValueTaskMethodBuilder",
    "AsyncVoidMethodBuilder.",
    "AsyncIteratorMethodBuilder.",
    "AsyncHelpers.",
    "PoolingAsyncValueTaskMethodBuilder",
    "TaskAwaiter",
    "ValueTaskAwaiter",
    "ConfiguredTaskAwaitable",
    "ConfiguredValueTaskAwaitable",
    "YieldAwaitable.",
};
constexpr std::string_view kOfThreading[] = {
    "ExecutionContext.Run",
    "ThreadPoolWorkQueue.Dispatch(",
    "ThreadPoolWorkQueue.DispatchWorkItem",
    "ThreadPool.",
    "PortableThreadPool.WorkerThread.WorkerThreadStart(",
    "PortableThreadPool.WorkerThread.WorkerDoWork(",
    "QueueUserWorkItemCallback",
    "Thread.StartCallback(",
    "Thread.StartHelper.",
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
  if (take("System.Runtime.CompilerServices.", name)) return begins_with_one(name, kOfCompilerServices);
  if (take("System.Threading.Tasks.", name))
    return begins_with_one(name, kOfTasks) || is_of_generic_task(name);
  return take("System.Threading.", name) && begins_with_one(name, kOfThreading);
}

}  // namespace walkabout::profile
