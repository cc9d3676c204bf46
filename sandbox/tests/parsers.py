"""Every place where the sandbox parses what another process sent, as functions of bytes: what fuzzers call.

Each returns normally when the bytes were refused in one of the ways that its caller handles, or were fine. Anything
else that escapes is a finding.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import socket
import time
from collections.abc import Callable
from typing import Any

import torch

from sandbox.calls import Call
from sandbox.protocol import (
    CheckFinished,
    CheckInfo,
    CheckResult,
    Event,
    Job,
    Outcome,
    ProtocolError,
    Started,
    Status,
    Verdict,
    event_from_wire,
    job_from_wire,
    to_wire,
)
from sandbox.proxy import Run
from sandbox.solution import Inmate
from sandbox.tests.packages import PACKAGE
from sandbox.values import NO_ANSWER, Decoder, ValueRefused
from sandbox.wire import MAX_EVENT_JSON, Channel, FrameError, MessageReader, pack

SECONDS = 5.0
"""No input of a few kilobytes may keep a parser busy for so long."""


def _feed(data: bytes) -> socket.socket:
    """The reading end of a pair into which `data` was written, and which was then closed."""
    here, there = socket.socketpair()
    with here:
        here.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
        here.sendall(data[: 1 << 16])
    return there


def channel(data: bytes) -> None:
    """The checker's end of the channel, until the bytes are used up."""
    with _feed(data) as end, contextlib.suppress(FrameError):
        frames = Channel(end.fileno())
        while True:
            frames.receive(time.monotonic() + SECONDS)


def messages(data: bytes) -> None:
    """The server's reader of a checker, and the client's of a server."""
    with _feed(data) as end, contextlib.suppress(FrameError):
        reader = MessageReader(end, MAX_EVENT_JSON)
        while True:
            reader.receive()


def _json_and_rest(data: bytes) -> tuple[Any, bytes]:
    """Bytes as a JSON text, a null byte, and a block."""
    text, _, block = data.partition(b"\0")
    return json.loads(text), block


_ARGUMENT = torch.ones(2, 3, requires_grad=True)


def answer(data: bytes) -> None:
    """What a solution jail answers to a call that is observed, and all that a check then reads of it."""
    call = Call.make("f", (_ARGUMENT,), {}, observe=True, backward=True)
    try:
        reply, block = _json_and_rest(data)
    except (ValueError, RecursionError):
        return
    if isinstance(reply, dict):
        reply["id"] = call.request["id"]  # the fuzzer cannot know it, and an attacker can read it
    try:
        read = call.read(reply, block)
    except NO_ANSWER:
        return
    if read.raised is not None:
        read.raised.sentence("f")
        return
    run = Run("f", read, read.value)
    run.changes(_ARGUMENT)
    run.shares_storage(_ARGUMENT)
    if read.observed["backward_raised"] is None:
        run.gradient(_ARGUMENT)


def arguments(data: bytes) -> None:
    """What a solution jail decodes; only the checker writes there, but a parser is a parser."""
    try:
        request, block = _json_and_rest(data)
        decoder = Decoder(request["tensors"], block, kept=[])
        decoder.decode(request["args"])
    except (*NO_ANSWER, ValueRefused):
        return


def job(data: bytes) -> None:
    """What a client sends to the server."""
    with contextlib.suppress(ValueError, RecursionError):
        wire = json.loads(data)
        with contextlib.suppress(ProtocolError):
            job_from_wire(wire)


def event(data: bytes) -> None:
    """What a server sends to its client."""
    with contextlib.suppress(ValueError, RecursionError):
        wire = json.loads(data)
        with contextlib.suppress(ProtocolError):
            event_from_wire(wire)


PARSERS: dict[str, Callable[[bytes], None]] = {
    function.__name__: function for function in (channel, messages, answer, arguments, job, event)
}


@functools.cache
def seeds(name: str) -> list[bytes]:
    """Inputs from which a fuzzer of that parser starts: whole and right ones."""
    call = Call.make("f", (_ARGUMENT,), {}, observe=True, backward=True)
    inmate = Inmate({"functions": ["f"], "supplied": {}, "threads": 1})
    inmate.load("def f(x):\n    return (x * x).sum(), [1, 'a', None, {'k': (1.5, True)}]\n")
    reply, block = inmate.answer(call.request, call.block)
    inmate.load("def f(x):\n    raise ValueError('no')\n")
    raised, _ = inmate.answer(call.request, call.block)
    text = [json.dumps(part).encode() for part in (reply, raised)]
    check = CheckInfo("a", "A", "s", None, True)
    result = CheckResult("a", Status.FAILED, "m", "h", {"kind": "value"}, "p", 1.0)
    events: list[Event] = [Started((check,)), CheckFinished(result), Outcome(Verdict.ACCEPTED, "m", 3, "p", 1.0)]
    return {
        "channel": [pack(reply, block) + pack(raised)],
        "messages": [pack({"end": {"id": "a"}}) + pack({"lost": "late"})],
        "answer": [text[0] + b"\0" + block, text[1] + b"\0"],
        "arguments": [json.dumps(call.request).encode() + b"\0" + call.block],
        "job": [json.dumps(to_wire(Job("1", "x", PACKAGE))).encode()],
        "event": [json.dumps(to_wire(value)).encode() for value in events],
    }[name]


def run(name: str, data: bytes) -> None:
    """One case: the parser must come back by itself, and soon."""
    start = time.monotonic()
    PARSERS[name](data)
    if time.monotonic() - start > SECONDS:
        raise TimeoutError(f"{name} took {time.monotonic() - start:.1f} s for {len(data)} bytes (pid {os.getpid()})")
