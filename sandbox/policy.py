"""The seccomp filters: which system calls each kind of jail may make.

A filter is a list of what is allowed; everything else fails with EPERM, so that a library that asks for something
unusual degrades instead of dying. What changes a file by its name without opening it (mode, owner, times, length) is
not allowed: Landlock does not see all of it. Calls that no honest submission makes by accident end the process
(SIGSYS), which the server reports as `sandbox_violation`. libseccomp turns the lists into a program once, in the
template; a jail only loads it. Calls of a foreign architecture (32-bit, x32) end the process too.
"""

from __future__ import annotations

import enum
import errno
import os
import tempfile

import pyseccomp as seccomp

_CLONE_THREAD = 0x00010000
_CLONE_NEW = 0x7E020080  # every CLONE_NEW* flag
_PR_SET_PDEATHSIG, _PR_SET_NAME, _PR_GET_NAME, _PR_SET_NO_NEW_PRIVS = 1, 15, 16, 38
_IOCTLS = (0x5401, 0x541B, 0x5421, 0x5450, 0x5451)  # TCGETS (isatty), FIONREAD, FIONBIO, FIONCLEX, FIOCLEX
_ACCESS_MODE, _TRUNCATE = 0o3, 0o1000
_FCNTLS = (0, 1, 2, 3, 4, 5, 6, 7, 1030)  # duplicate, flags and locks; not the ones that make the kernel send signals


class Profile(enum.StrEnum):
    """What runs behind a filter."""

    SOLUTION = "solution"
    """A submission: threads, but no process, no socket, no signal."""
    CHECKER_TEMPLATE = "checker_template"
    """An author's collected checks, which fork one checker a job."""
    CHECKER = "checker"
    """One run of the checks: as a solution, and it may receive descriptors from the server."""


_EVERYWHERE = """
    read write readv writev pread64 pwrite64 preadv pwritev lseek close dup dup2 dup3 pipe pipe2
    stat lstat fstat newfstatat statx access faccessat faccessat2 readlink readlinkat
    getdents getdents64 getcwd chdir fchdir mkdir mkdirat unlink unlinkat rmdir rename renameat renameat2
    ftruncate fallocate fsync fdatasync statfs fstatfs umask flock fadvise64
    mmap munmap mremap mprotect brk madvise mincore msync
    futex futex_waitv set_robust_list get_robust_list rseq membarrier set_tid_address arch_prctl
    rt_sigaction rt_sigprocmask rt_sigreturn rt_sigtimedwait rt_sigpending rt_sigsuspend sigaltstack restart_syscall
    poll ppoll select pselect6 epoll_create1 epoll_ctl epoll_wait epoll_pwait eventfd2
    clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time times getitimer
    getpid getppid gettid getuid geteuid getgid getegid getgroups getpgrp getpgid getsid getresuid getresgid
    getrusage getrlimit sysinfo uname getrandom getcpu getpriority
    sched_yield sched_getaffinity sched_getscheduler sched_getparam sched_get_priority_max sched_get_priority_min
    exit exit_group
""".split()

_FATAL = """
    ptrace process_vm_readv process_vm_writev process_madvise process_mrelease kcmp pidfd_getfd pidfd_send_signal
    bpf perf_event_open userfaultfd io_uring_setup io_uring_enter io_uring_register
    add_key request_key keyctl
    mount umount umount2 pivot_root chroot move_mount open_tree fsopen fsconfig fsmount fspick mount_setattr
    unshare setns
    init_module finit_module delete_module kexec_load kexec_file_load reboot swapon swapoff
    iopl ioperm modify_ldt acct quotactl syslog settimeofday clock_settime adjtimex clock_adjtime
    open_by_handle_at name_to_handle_at lookup_dcookie fanotify_init
""".split()


def program(profile: Profile) -> bytes:
    """The BPF program of a profile, from libseccomp."""
    rules = seccomp.SyscallFilter(seccomp.ERRNO(errno.EPERM))
    # Otherwise only the thread would end that made a call of another architecture.
    rules.set_attr(seccomp.Attr.ACT_BADARCH, seccomp.KILL_PROCESS)
    for name in _EVERYWHERE:
        _add(rules, seccomp.ALLOW, name)
    for name in _FATAL:
        _add(rules, seccomp.KILL_PROCESS, name)
    for name, place in (("open", 1), ("openat", 2)):
        _add_open(rules, name, place)
    # glibc falls back from clone3, whose flags a filter cannot see, to clone, whose flags it can.
    _add(rules, seccomp.ERRNO(errno.ENOSYS), "clone3")
    thread = seccomp.Arg(0, seccomp.MASKED_EQ, _CLONE_THREAD | _CLONE_NEW, _CLONE_THREAD)
    _add(rules, seccomp.ALLOW, "clone", thread)
    for option in (_PR_SET_NAME, _PR_GET_NAME):
        _add(rules, seccomp.ALLOW, "prctl", seccomp.Arg(0, seccomp.EQ, option))
    own, only_read = seccomp.Arg(0, seccomp.EQ, 0), seccomp.Arg(2, seccomp.EQ, 0)
    _add(rules, seccomp.ALLOW, "prlimit64", own, only_read)
    for command in _IOCTLS:
        _add(rules, seccomp.ALLOW, "ioctl", seccomp.Arg(1, seccomp.EQ, command))
    for command in _FCNTLS:
        _add(rules, seccomp.ALLOW, "fcntl", seccomp.Arg(1, seccomp.EQ, command))
    if profile is not Profile.SOLUTION:
        _add(rules, seccomp.ALLOW, "sched_setaffinity", seccomp.Arg(0, seccomp.EQ, 0))  # a checker stays on one core
        for name in ("recvmsg", "sendmsg", "recvfrom", "sendto", "getsockname", "getsockopt"):
            _add(rules, seccomp.ALLOW, name)
    if profile is Profile.CHECKER_TEMPLATE:
        process = seccomp.Arg(0, seccomp.MASKED_EQ, _CLONE_THREAD | _CLONE_NEW, 0)
        _add(rules, seccomp.ALLOW, "clone", process)
        for option in (_PR_SET_PDEATHSIG, _PR_SET_NO_NEW_PRIVS):
            _add(rules, seccomp.ALLOW, "prctl", seccomp.Arg(0, seccomp.EQ, option))
        _add(rules, seccomp.ALLOW, "prlimit64", own)  # a checker lowers its CPU time; nothing can raise it again
        for name in ("wait4", "waitid", "seccomp", "close_range", "setrlimit"):
            _add(rules, seccomp.ALLOW, name)
    with tempfile.TemporaryFile() as file:
        rules.export_bpf(file)
        file.seek(0)
        return file.read()


def _add_open(rules: seccomp.SyscallFilter, name: str, place: int) -> None:
    """Opening a file, but not to cut one that is open for reading only: older versions of Landlock let that pass."""
    _add(rules, seccomp.ALLOW, name, seccomp.Arg(place, seccomp.MASKED_EQ, _TRUNCATE, 0))
    for mode in (os.O_WRONLY, os.O_RDWR):
        _add(rules, seccomp.ALLOW, name, seccomp.Arg(place, seccomp.MASKED_EQ, _ACCESS_MODE, mode))


def _add(rules: seccomp.SyscallFilter, action: int, name: str, *arguments: seccomp.Arg) -> None:
    if seccomp.resolve_syscall(seccomp.system_arch(), name) >= 0:
        rules.add_rule(action, name, *arguments)
    # else: a call that this architecture, or this libseccomp, does not have
