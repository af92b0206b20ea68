// The agent runs in whatever process the CLR runs in, also on a glibc older than the one it was built on:
// from 2.31 on. Functions that moved between glibc's libraries since carry a newer version's name where the
// agent is built; here the whole library, libstdc++'s part of it included, is bound to the old names, which
// every later glibc keeps. Source: the version lists of glibc's ABI
// (sysdeps/unix/sysv/linux/x86_64/64/*.abilist). Held by tools/check_agent_exports.py.
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

// A hidden function of the new name, which calls the one of the old version.
#define WALKABOUT_BOUND_TO(version, result, name, parameters, arguments)                        \
  extern "C" {                                                                                  \
  result old_##name parameters;                                                                 \
  asm(".symver old_" #name ", " #name "@" version);                                             \
  __attribute__((visibility("hidden"))) result name parameters { return old_##name arguments; } \
  }

WALKABOUT_BOUND_TO("GLIBC_2.2.5", int, pthread_create,
                   (pthread_t * thread, const pthread_attr_t* attributes, void* (*start)(void*), void* data),
                   (thread, attributes, start, data))
WALKABOUT_BOUND_TO("GLIBC_2.2.5", int, pthread_join, (pthread_t thread, void** result), (thread, result))
WALKABOUT_BOUND_TO("GLIBC_2.2.5", int, pthread_detach, (pthread_t thread), (thread))
WALKABOUT_BOUND_TO("GLIBC_2.2.5", int, pthread_once, (pthread_once_t * once, void (*run)()), (once, run))
WALKABOUT_BOUND_TO("GLIBC_2.2.5", int, pthread_sigmask, (int how, const sigset_t* set, sigset_t* old),
                   (how, set, old))
WALKABOUT_BOUND_TO("GLIBC_2.2.5", int, pthread_getattr_np, (pthread_t thread, pthread_attr_t* attributes),
                   (thread, attributes))
WALKABOUT_BOUND_TO("GLIBC_2.2.5", int, pthread_attr_getstack,
                   (const pthread_attr_t* attributes, void** stack, size_t* size), (attributes, stack, size))
WALKABOUT_BOUND_TO("GLIBC_2.12", int, pthread_setname_np, (pthread_t thread, const char* name),
                   (thread, name))
WALKABOUT_BOUND_TO("GLIBC_2.30", int, pthread_cond_clockwait,
                   (pthread_cond_t * condition, pthread_mutex_t* mutex, clockid_t clock,
                    const timespec* until),
                   (condition, mutex, clock, until))
WALKABOUT_BOUND_TO("GLIBC_2.30", int, pthread_mutex_clocklock,
                   (pthread_mutex_t * mutex, clockid_t clock, const timespec* until), (mutex, clock, until))
WALKABOUT_BOUND_TO("GLIBC_2.2.5", int, pthread_mutex_trylock, (pthread_mutex_t * mutex), (mutex))
WALKABOUT_BOUND_TO("GLIBC_2.2.5", int, __pthread_key_create, (pthread_key_t * key, void (*destroy)(void*)),
                   (key, destroy))
WALKABOUT_BOUND_TO("GLIBC_2.2.5", int, pthread_key_create, (pthread_key_t * key, void (*destroy)(void*)),
                   (key, destroy))
WALKABOUT_BOUND_TO("GLIBC_2.2.5", int, pthread_key_delete, (pthread_key_t key), (key))
WALKABOUT_BOUND_TO("GLIBC_2.2.5", int, pthread_setspecific, (pthread_key_t key, const void* value),
                   (key, value))
WALKABOUT_BOUND_TO("GLIBC_2.2.5", void*, dlsym, (void* library, const char* name), (library, name))
WALKABOUT_BOUND_TO("GLIBC_2.2.5", int, dladdr, (const void* address, Dl_info* info), (address, info))
WALKABOUT_BOUND_TO("GLIBC_2.3.3", int, timer_create, (clockid_t clock, sigevent* event, timer_t* timer),
                   (clock, event, timer))
WALKABOUT_BOUND_TO("GLIBC_2.3.3", int, timer_delete, (timer_t timer), (timer))
WALKABOUT_BOUND_TO("GLIBC_2.3.3", int, timer_settime,
                   (timer_t timer, int flags, const itimerspec* value, itimerspec* old),
                   (timer, flags, value, old))
WALKABOUT_BOUND_TO("GLIBC_2.3.3", int, timer_gettime, (timer_t timer, itimerspec* left), (timer, left))

// Not in glibc 2.31 at all. libstdc++ asks whether it may count references without locks: never here. libgcc
// asks for a frame's unwind data when an exception is thrown: none is, in this library.
extern "C" {
struct dl_find_object;
__attribute__((visibility("hidden"))) extern const char __libc_single_threaded = 0;
__attribute__((visibility("hidden"))) int _dl_find_object(void*, dl_find_object*) { return -1; }
}
