"""What runs in a solution jail: it loads the submission, then answers calls until the channel closes.

The process holds the submission and what the package supplies, and sends nothing but values. Nothing here judges, so
there is nothing here to forge but values.
"""

from __future__ import annotations

import builtins
import errno
import io
import linecache
import os
import sys
import time
import types
from collections.abc import Callable
from typing import Any

import torch

from sandbox.calls import Call
from sandbox.observe import Witness, assign, backward, facts, gradient, named_buffers, parameters_of
from sandbox.sources import SourceFinder, load
from sandbox.values import MAX_MESSAGE, MAX_TRACE, Decoder, Encoder, Tensor, describe_type
from sandbox.wire import Channel, PeerGone, TooLarge

globals()["__builtins__"] = dict(vars(builtins))  # foreign code that replaces a built-in function changes nothing here

_set_threads, _line_of = torch.set_num_threads, linecache.getline
_clock, _exit, _getattr = time.perf_counter, os._exit, getattr
# Nothing but memory, for its stack, keeps a thread from starting.
_OUT_OF_MEMORY = (
    "can't allocate memory",
    "not enough memory",
    "cannot allocate memory",
    "bad_alloc",
    "can't start new thread",
)


def serve(channel: Channel, settled: Callable[[], None]) -> None:
    """The life of a solution jail. It ends by `os._exit`, without the learner's exit hooks.

    It makes itself ready before its first frame arrives, and calls `settled` before the submission is loaded.
    """
    try:
        _warm_up()
        _settle()
        setup, _ = channel.receive()
        _set_threads(setup["threads"])
        inmate = Inmate(setup)
        settled()
        channel.send(inmate.load(setup["source"]))
        while True:
            request, block = channel.receive()
            answer = inmate.answer(request, block)
            try:
                channel.send(*answer)
            except (MemoryError, TooLarge) as error:
                channel.send(inmate.raised(request, MemoryError(f"what was returned cannot be sent: {error}")))
    except PeerGone:
        pass
    finally:
        _exit(0)


def _warm_up() -> None:
    """One call of everything here: the pages of libraries that every call uses are there before they are counted."""
    _set_threads(1)
    rows = torch.ones(2, 3, requires_grad=True)
    call = Call.make("warm", (rows,), {}, observe=True, backward=True)
    inmate = Inmate({"functions": ["warm"], "supplied": {}, "threads": 1})
    inmate.load("import torch\n\ndef warm(rows):\n    return torch.logsumexp(rows @ rows.T, dim=1).mean()\n")
    call.read(*inmate.answer(call.request, call.block))
    del sys.modules["solution"]
    sys.meta_path.pop(0)
    linecache.cache.pop("solution.py", None)


class _Counting(io.FileIO):
    """A stream that counts, for all streams together, what was written."""

    written = 0

    def write(self, data: Any, /) -> int:
        count = _write(self, data) or 0
        _Counting.written += count
        return count


_write = io.FileIO.write


def _settle() -> None:
    """Standard output and error write at once, so that what is printed is there before the answer is."""
    for name, descriptor in (("stdout", 1), ("stderr", 2)):
        raw = _Counting(descriptor, "w", closefd=False)
        setattr(sys, name, io.TextIOWrapper(raw, encoding="utf-8", errors="backslashreplace", write_through=True))
    sys.argv = ["solution.py"]


class Inmate:
    """The submission, loaded, and the calls of its functions."""

    def __init__(self, setup: dict[str, Any]) -> None:
        self._functions: list[str] = setup["functions"]
        self._threads: int = setup["threads"]
        self._module = types.ModuleType("solution")
        self._kept: list[Any] = []
        """Modules that the submission made, by the places that handles name."""
        sys.meta_path.insert(0, SourceFinder(setup["supplied"]))

    def load(self, source: str) -> dict[str, Any]:
        try:
            self._module = load("solution", source)
        except BaseException as error:
            return {"raised": describe(error), "printed": _Counting.written}
        defined = [name for name in self._functions if callable(_getattr(self._module, name, None))]
        return {"defined": defined, "printed": _Counting.written}

    def answer(self, request: dict[str, Any], block: bytes) -> tuple[dict[str, Any], bytes]:
        """One call: decode, run the learner's function, encode, and, if asked, observe.

        Memory can run out in each of these, and a metaclass or a hook brings the learner's code into some.
        """
        start = _clock()
        try:
            return self._answer(request, block)
        except BaseException as error:
            return self.raised(request, error, (_clock() - start) * 1e3), b""

    @staticmethod
    def raised(request: dict[str, Any], error: BaseException, elapsed: float = 0.0) -> dict[str, Any]:
        """The answer that a call raised."""
        return {"id": request["id"], "raised": describe(error), "ms": elapsed, "printed": _Counting.written}

    def _answer(self, request: dict[str, Any], block: bytes) -> tuple[dict[str, Any], bytes]:
        decoder = Decoder(request["tensors"], block, self._kept)
        arguments = decoder.decode(request["args"])
        keywords = decoder.decode(request["kwargs"])
        cotangent = decoder.decode(request["backward"])
        # The cotangent travels with the arguments and is none of them.
        observed = decoder.tensors[: request["observed"]]
        witness = Witness(observed, decoder.storages) if request["observe"] else None
        threads = request["threads"] or self._threads
        _set_threads(threads)
        start = _clock()
        result = self._find(request)(*arguments, **keywords)
        elapsed = (_clock() - start) * 1e3
        encoder = Encoder(layout=False, kept=self._kept)
        reply: dict[str, Any] = {"id": request["id"], "value": encoder.encode(result), "ms": elapsed}
        outputs = list(encoder.tensors)
        if witness is not None:
            reply["facts"] = [facts(output) for output in outputs]
            reply["changes"] = witness.changes()
            reply["gradients"] = self._gradients(request, reply, encoder, outputs, cotangent, observed)
        payload = encoder.payload(None)
        if witness is not None:
            reply["shared"], reply["outputs_share"] = witness.shared(outputs)
        reply["tensors"] = payload.table
        reply["printed"] = _Counting.written
        return reply, payload.block

    def _find(self, request: dict[str, Any]) -> Any:
        """What a request calls: a function of the submission, the experiment, a module or something of it."""
        name, place, operation = request["name"], request["on"], request["operation"]
        if place is None:
            return self._experiment if name is None else _getattr(self._module, name)
        module = self._kept[place]
        if operation == "call":
            return module if name is None else _getattr(module, name)
        return {
            "attribute": lambda: _getattr(module, name),
            "parameters": lambda: parameters_of(module),
            "buffers": lambda: dict(named_buffers(module)),
            "assign": lambda values: assign(module, values),
        }[operation]

    def _experiment(self, **keywords: Any) -> Any:
        return __import__("experiment").run(self._module, **keywords)

    @staticmethod
    def _gradients(
        request: dict[str, Any],
        reply: dict[str, Any],
        encoder: Encoder,
        outputs: list[torch.Tensor],
        cotangent: Any,
        observed: list[torch.Tensor],
    ) -> list[Any]:
        """Runs backward from the first returned tensor, if asked, and encodes the gradient of each argument."""
        if request["backward"] is not False:
            try:
                if not outputs:
                    raise RuntimeError("no tensor was returned")
                backward(outputs[0], cotangent if type(cotangent) is Tensor else None)
            except BaseException as error:
                reply["backward_raised"] = describe(error)
        return [encoder.encode(gradient(argument)) for argument in observed]


def describe(error: BaseException) -> dict[str, Any]:
    """An exception as plain values: its type, text, and the lines of the learner's file that it came through."""
    kind = type(error)
    try:
        text = str(error)[:MAX_MESSAGE]
    except BaseException:
        text = "(its text cannot be shown)"
    try:
        name, bases = describe_type(kind), [base.__name__ for base in kind.__mro__ if base.__module__ == "builtins"]
    except BaseException:
        name, bases = "an object without a name", []
    line = None
    trace = []
    try:
        step = error.__traceback__
        while step is not None:
            code, number = step.tb_frame.f_code, step.tb_lineno
            if code.co_filename in ("solution.py", "experiment.py"):
                source = _line_of(code.co_filename, number).strip()
                trace.append({"file": code.co_filename, "line": number, "in": code.co_name, "code": source})
                line = number if code.co_filename == "solution.py" else line
            step = step.tb_next
        if isinstance(error, SyntaxError) and error.filename == "solution.py":
            line = error.lineno
            text = str(error.msg)[:MAX_MESSAGE]
    except BaseException:
        trace = []
    if type(text) is not str:  # a subclass is the learner's code
        text = "(its text cannot be shown)"
    return {
        "type": name,
        "bases": bases,
        "message": text,
        "line": line if type(line) is int else None,
        "trace": trace[-MAX_TRACE:],
        "memory": _is_memory(error, text),
    }


def _is_memory(error: BaseException, text: str) -> bool:
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM):
        return True
    if isinstance(error, SystemError) and "without exception set" in text:
        return True  # what CPython makes of a deep recursion when there is no memory for a frame
    return isinstance(error, RuntimeError) and any(phrase in text for phrase in _OUT_OF_MEMORY)
