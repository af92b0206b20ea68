"""A child whose kernel refuses some system calls, as container profiles do. Linux x86-64."""
import ctypes
import errno
import struct

PERF_EVENT_OPEN = 298
TIMER_CREATE = 222
MEMFD_CREATE = 319

PR_SET_NO_NEW_PRIVS = 38
PR_SET_SECCOMP = 22
SECCOMP_MODE_FILTER = 2
ALLOW = 0x7FFF0000
ERRNO = 0x00050000
KILL_PROCESS = 0x80000000

# Every call that sends a signal to a thread or a process of one's choice: (number, which argument is the signal).
SENDING = {"kill": (62, 1), "tkill": (200, 1), "tgkill": (234, 2), "rt_sigqueueinfo": (129, 1),
           "rt_tgsigqueueinfo": (297, 2), "pidfd_send_signal": (424, 1)}
LOAD_WORD, JUMP_EQUAL, RETURN = 0x20, 0x15, 0x06


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_void_p)]


def refuse(*numbers: int):
    """For preexec_fn: these system calls answer EPERM in the child and what it starts."""
    steps = [_NUMBER]
    for number in numbers:
        steps.append(struct.pack("HBBI", JUMP_EQUAL, 0, 1, number))
        steps.append(struct.pack("HBBI", RETURN, 0, 0, ERRNO | errno.EPERM))
    return _filter(steps)


def die_of_sending(*signals: int):
    """For preexec_fn: a child that sends one of these signals, to whomever, is killed by SIGSYS."""
    steps = []
    for number, argument in SENDING.values():
        steps.append(_NUMBER)
        steps.append(struct.pack("HBBI", JUMP_EQUAL, 0, 1 + 2 * len(signals), number))
        steps.append(struct.pack("HBBI", LOAD_WORD, 0, 0, 16 + 8 * argument))  # seccomp_data's args
        for number in signals:
            steps.append(struct.pack("HBBI", JUMP_EQUAL, 0, 1, number))
            steps.append(struct.pack("HBBI", RETURN, 0, 0, KILL_PROCESS))
    return _filter(steps)


_NUMBER = struct.pack("HBBI", LOAD_WORD, 0, 0, 0)  # the first word of seccomp_data


def _filter(steps: list[bytes]):
    steps = [*steps, struct.pack("HBBI", RETURN, 0, 0, ALLOW)]
    code = ctypes.create_string_buffer(b"".join(steps))
    program = _Program(len(steps), ctypes.cast(code, ctypes.c_void_p))
    libc = ctypes.CDLL(None, use_errno=True)

    def install() -> None:
        if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "no_new_privs")
        if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "seccomp")

    install.keep = (code, program)
    return install
