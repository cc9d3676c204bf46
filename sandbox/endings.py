"""What became of a solution jail that no longer answers, as a status and a sentence for the learner."""

from __future__ import annotations

import signal

from sandbox.jail import Ending
from sandbox.protocol import WALL_FACTOR, Limits, Status
from sandbox.text import seconds

_CRASHES = {
    signal.SIGSEGV: "a segmentation fault: memory that is not there was read or written, or the C stack overflowed",
    signal.SIGBUS: "a bus error",
    signal.SIGFPE: "an arithmetic error in C code",
    signal.SIGILL: "an illegal instruction",
    signal.SIGABRT: "an abort in C code",
}


NEAR_LIMIT = 0.75
"""The part of its memory from which on a crash is put down to memory."""


def print_too_much(limits: Limits) -> tuple[Status, str]:
    text = f"Your code printed more than {limits.output_kb} KiB and was stopped. Remove what it prints."
    return Status.OUTPUT_LIMIT, text


def too_many_threads(most: int) -> tuple[Status, str]:
    return Status.MEMORY_LIMIT, f"Your code had more than {most} threads at once and was stopped. Start fewer."


def all_time_used(limits: Limits) -> tuple[Status, str]:
    return (
        Status.TIME_LIMIT,
        f"Your code used up the {seconds(limits.total_seconds)} that all checks together may take.",
    )


def late(limits: Limits, *, waited: bool) -> tuple[Status, str]:
    """A jail that did not answer in time; `waited` says that it hardly used the processor meanwhile."""
    if waited:
        wall = limits.check_seconds * WALL_FACTOR
        text = f"No answer after {seconds(wall)}, in which your code hardly computed: it waits for something. "
        return Status.TIME_LIMIT, text + "Remove what waits, such as sleep, input or a lock."
    text = (
        f"No result after {seconds(limits.check_seconds)}, so your code was stopped. Look for a loop that does not end."
    )
    return Status.TIME_LIMIT, text


def explain(reason: str, ending: Ending | None, limits: Limits) -> tuple[Status, str]:
    """A jail that ended, or spoke out of turn: `reason` is the checker's word for it, `gone` or `noise`."""
    if reason == "noise":
        return Status.SANDBOX_VIOLATION, "Your code wrote to the judge's own channel and was stopped."
    if ending is None:
        return Status.SANDBOX_VIOLATION, "Your code closed the judge's own channel and was stopped."
    if ending.signal is None:
        code = ending.exit_code
        text = f"Your code ended the Python process in the middle of the check (exit code {code}). Remove the exit."
        return Status.RUNTIME_ERROR, text
    return _explain_signal(ending.signal, ending, limits)


def _explain_signal(number: int, ending: Ending, limits: Limits) -> tuple[Status, str]:
    if number == signal.SIGSYS:
        text = "Your code made a system call that the sandbox forbids, and was stopped."
        return Status.SANDBOX_VIOLATION, text
    if number == signal.SIGXCPU:
        return Status.TIME_LIMIT, "Your code used up all the CPU time that it may have, and was stopped."
    # The limit is one of address space, of which less can be touched: a crash so near to it is one of memory.
    if number == signal.SIGKILL or ending.grown_mb > NEAR_LIMIT * limits.memory_mb:
        text = f"Your code used more memory than the {limits.memory_mb} MiB that it may have, and was stopped."
        return Status.MEMORY_LIMIT, text
    name = _CRASHES.get(signal.Signals(number), signal.Signals(number).name)
    return Status.RUNTIME_ERROR, f"Your code crashed the Python process: {name}."
