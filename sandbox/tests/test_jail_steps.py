"""Each step into the jail by itself, in a forked child; and what forks it."""

from __future__ import annotations

import ctypes
import errno
import json
import mmap
import os
import platform
import resource
import select
import signal
import socket
import subprocess
import sys
import threading
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sandbox import jail, linux, root
from sandbox.jail import Ending, JailBroken, Runtime, Sentence
from sandbox.layers import Layer, Layers, enter_user_namespace, probe
from sandbox.policy import Profile, program
from sandbox.tests.canary import PROJECT

HOST = probe()
FEW = Layers(frozenset({Layer.RLIMITS}), {})
SENTENCE = Sentence(Profile.SOLUTION, memory_mb=64, cpu_seconds=5)


def in_child(attempt: Callable[[], Any]) -> Any:
    """What `attempt` returns in a forked child, through JSON. Raises what the child said if it failed otherwise."""
    reader, writer = os.pipe()
    pid = fork()
    if pid == 0:
        # A step may close descriptors up to this one, and whatever else it likes.
        kept = os.dup2(writer, 900)
        try:
            answer = json.dumps({"value": attempt()})
        except BaseException:
            answer = json.dumps({"raised": traceback.format_exc()})
        finally:
            os.write(kept, answer.encode())
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        text = pipe.read()
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if not text:
        return signal.Signals(-status).name
    answered = json.loads(text)
    if "raised" in answered:
        raise AssertionError(answered["raised"])
    return answered["value"]


def fork() -> int:
    with warnings.catch_warnings():
        # Newer Pythons warn where there are other threads; the child uses nothing that they could have locked.
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def outcome(attempt: Callable[[], object]) -> str:
    """The name of the error of a call, or "done"."""
    try:
        attempt()
    except OSError as error:
        return errno.errorcode[error.errno or 0]
    except MemoryError:
        return "MemoryError"
    return "done"


def runtime(layers: Layers = FEW, **changes: Any) -> Runtime:
    programs = {profile: program(profile) for profile in Profile} if Layer.SECCOMP in layers else {}
    space = int(Path("/proc/self/statm").read_text().split()[0]) * mmap.PAGESIZE
    return Runtime(layers, programs, changes.get("paths", root.runtime_paths()), space)


def only(*layers: Layer) -> Layers:
    return HOST.without(set(Layer) - {Layer.RLIMITS, *layers})


class TestSession:
    def test_closes_descriptors_and_forgets_the_environment(self, tmp_path: Path) -> None:
        def attempt() -> Any:
            secret, kept = os.open(tmp_path, os.O_RDONLY), os.open("/dev/zero", os.O_RDONLY)
            os.environ["SECRET"] = "yes"
            output = os.open(tmp_path / "output", os.O_WRONLY | os.O_CREAT)
            jail.start_session((kept, 900), output)
            os.write(1, b"out ")
            os.write(2, b"error")
            present = [number for number in range(1024) if outcome(lambda: os.fstat(number)) == "done"]  # noqa: B023
            return {
                "closed": secret not in present and output not in present,
                "kept": sorted(set(present) - {0, 1, 2}) == sorted({kept, 900}),
                "input": os.read(0, 10) == b"",
                "environment": dict(os.environ),
                "session": os.getsid(0) == os.getpid(),
            }

        expected = {"closed": True, "kept": True, "input": True, "environment": {}, "session": True}
        assert in_child(attempt) == expected
        assert (tmp_path / "output").read_text() == "out error"

    def test_sets_signals_back_and_dies_with_its_keeper(self) -> None:
        def attempt() -> Any:
            signal.signal(signal.SIGTERM, lambda *_: None)
            jail.start_session((900,), 1)
            death = ctypes.c_int()
            ctypes.CDLL(None).prctl(2, ctypes.byref(death), 0, 0, 0)  # PR_GET_PDEATHSIG
            names = ("SIGTERM", "SIGINT", "SIGPIPE", "SIGXFSZ")
            return [death.value] + [str(signal.getsignal(getattr(signal, name))) for name in names]

        default, ignored = str(signal.SIG_DFL), str(signal.SIG_IGN)
        assert in_child(attempt) == [signal.SIGKILL, default, default, ignored, ignored]


def in_namespaces(attempt: Callable[[], Any], *, folder: Path | None = None) -> Any:
    """In the namespaces and the root of a jail, if this host has them; `folder` becomes part of the runtime."""

    def inside() -> Any:
        enter_user_namespace(linux.CLONE_NEWNS | linux.CLONE_NEWUTS | linux.CLONE_NEWNET)
        if folder is not None:
            linux.mount("tmpfs", str(folder / "below"), "tmpfs", 0)
        root.enter_runtime_root((*root.runtime_paths(), *([str(folder)] if folder else [])))
        jail.settle_in_namespaces(only(Layer.MOUNT_NAMESPACE, Layer.UTS_NAMESPACE, Layer.USER_NAMESPACE))
        return attempt()

    return in_child(inside)


class TestNamespaces:
    """On a host without them there is nothing to settle in, which the last test says."""

    HAS = Layer.MOUNT_NAMESPACE in HOST

    if HAS:

        def test_a_private_folder_and_host_name(self) -> None:
            def attempt() -> Any:
                Path("mine").write_text("x")
                return [os.getcwd(), os.listdir("."), socket.gethostname(), oct(os.stat(".").st_mode & 0o777)]

            assert in_namespaces(attempt) == ["/scratch", ["mine"], "jail", "0o700"]
            assert in_namespaces(attempt) == ["/scratch", ["mine"], "jail", "0o700"], "it was not fresh"

        def test_a_runtime_behind_a_link_is_there_by_its_name(
            self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
        ) -> None:
            (tmp_path / "folder").mkdir()
            (tmp_path / "folder" / "module.py").write_text("text")
            (tmp_path / "link").symlink_to("folder")
            monkeypatch.syspath_prepend(str(tmp_path / "link"))
            assert in_namespaces(lambda: (tmp_path / "link" / "module.py").read_text()) == "text"

        def test_the_root_holds_nothing_but_the_runtime(self) -> None:
            def attempt() -> Any:
                paths = ("/etc/passwd", "/proc", "/sys", "/tmp", "/home", str(PROJECT / "pyproject.toml"))
                # The folders above the runtime are there, and hold nothing else.
                above = [path for path in paths if any(part.startswith(path + "/") for part in root.runtime_paths())]
                return {
                    "there": [path for path in paths if os.path.exists(path) and path not in above],
                    "runtime": os.path.exists(os.__file__),
                    "write": outcome(lambda: Path("/new").write_text("x")),
                    "write to the runtime": outcome(lambda: open(os.__file__, "r+").close()),
                    "device": outcome(lambda: Path("/dev/null").write_text("x")),
                }

            assert in_namespaces(attempt) == {
                "there": [],
                "runtime": True,
                "write": "EROFS",
                "write to the runtime": "EROFS",
                "device": "done",
            }

        def test_what_is_mounted_below_the_runtime_is_read_only_too(self, tmp_path: Path) -> None:
            (tmp_path / "below").mkdir()
            written = in_namespaces(
                lambda: outcome(lambda: (tmp_path / "below" / "file").write_text("x")), folder=tmp_path
            )
            assert written == "EROFS"

        def test_the_scratch_folder_has_an_end(self) -> None:
            def fill() -> int:
                size = 0
                with open("large", "wb") as file:
                    while size < 64 << 20:
                        size += file.write(bytes(1 << 20))
                        file.flush()
                return size

            assert in_namespaces(lambda: outcome(fill)) == "ENOSPC"

    def test_nothing_happens_without_namespaces(self) -> None:
        def attempt() -> Any:
            before = socket.gethostname()
            jail.settle_in_namespaces(FEW)
            return [os.getcwd(), socket.gethostname() == before]

        assert in_child(attempt) == ["/", True]


class TestLimits:
    def test_are_what_the_sentence_says(self) -> None:
        inside = runtime()

        def attempt() -> Any:
            jail.limit_resources(inside, SENTENCE)
            names = "AS CPU FSIZE NOFILE CORE MEMLOCK MSGQUEUE".split()
            return {name: resource.getrlimit(getattr(resource, f"RLIMIT_{name}", 12)) for name in names}

        space = inside.address_space + 64 * 2**20
        assert in_child(attempt) == {
            "AS": [space, space],
            "CPU": [5, 6],
            "FSIZE": [16 * 2**20, 16 * 2**20],
            "NOFILE": [64, 64],
            "CORE": [0, 0],
            "MEMLOCK": [0, 0],
            "MSGQUEUE": [0, 0],
        }

    def test_hold_memory_files_and_descriptors(self, tmp_path: Path) -> None:
        inside = runtime()

        def attempt() -> Any:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            jail.limit_resources(inside, SENTENCE)
            kept: list[int] = []
            with open(tmp_path / "file", "wb") as file:
                return {
                    "memory": outcome(lambda: bytearray(200 * 2**20)),
                    "less": outcome(lambda: bytearray(2**20)),
                    "file": outcome(lambda: os.ftruncate(file.fileno(), 17 * 2**20)),
                    "descriptors": outcome(lambda: kept.extend(os.dup(1) for _ in range(100))),
                }

        expected = {"memory": "MemoryError", "less": "done", "file": "EFBIG", "descriptors": "EMFILE"}
        assert in_child(attempt) == expected

    def test_cpu_time_ends_the_process(self) -> None:
        inside = runtime()

        def attempt() -> None:
            signal.signal(signal.SIGXCPU, signal.SIG_DFL)
            jail.limit_resources(inside, Sentence(Profile.SOLUTION, memory_mb=64, cpu_seconds=1))
            while True:
                pass

        assert in_child(attempt) == "SIGXCPU"


class TestFiles:
    def test_landlock_leaves_the_runtime_to_read_and_nothing_to_write(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("x")
        inside = runtime(only(Layer.LANDLOCK))

        def attempt() -> Any:
            jail.confine_files(inside)
            return {
                "passwd": outcome(lambda: open("/etc/passwd").close()),
                "list": outcome(lambda: os.listdir("/")),
                "project": outcome(lambda: open(PROJECT / "pyproject.toml").close()),
                "write": outcome(lambda: (tmp_path / "file").write_text("y")),
                "truncate": outcome(lambda: os.truncate(tmp_path / "file", 0)),
                "make": outcome(lambda: (tmp_path / "new").mkdir()),
                "runtime": outcome(lambda: open(os.__file__).close()),
                "write to the runtime": outcome(lambda: open(os.__file__, "r+").close()),
                "device": outcome(lambda: Path("/dev/null").write_text("x")),
            }

        names = "passwd list project write truncate make runtime device".split()
        denied = {name: "EACCES" for name in (*names, "write to the runtime")} | {"runtime": "done", "device": "done"}
        assert in_child(attempt) == denied
        assert (tmp_path / "file").read_text() == "x"

    def test_nothing_is_confined_where_landlock_is_left_out(self) -> None:
        def attempt() -> str:
            jail.confine_files(runtime(FEW))
            return outcome(lambda: open("/etc/passwd").close())

        assert in_child(attempt) == "done"


def test_giving_up_privileges_leaves_no_capability() -> None:
    def attempt() -> Any:
        if Layer.USER_NAMESPACE in HOST:
            enter_user_namespace(0)  # in which it holds every capability, also where this test is not run by root
        jail.give_up_privileges()
        lines = [line.split(":") for line in Path("/proc/self/status").read_text().splitlines()]
        return {name: int(value, 16) for name, value in lines if name.startswith("Cap") or name == "NoNewPrivs"}

    expected = {"CapInh": 0, "CapPrm": 0, "CapEff": 0, "CapBnd": 0, "CapAmb": 0, "NoNewPrivs": 1}
    assert in_child(attempt) == expected


def filtered(profile: Profile, attempt: Callable[[], Any]) -> Any:
    """What `attempt` returns behind the filter of a profile."""
    inside = runtime(only(Layer.SECCOMP))

    def behind() -> Any:
        linux.forbid_new_privileges()
        jail.filter_system_calls(inside, profile)
        return attempt()

    return in_child(behind)


class TestFilter:
    def test_a_solution_may_start_threads_and_nothing_else(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("x")

        def attempt() -> Any:
            thread = threading.Thread(target=int)
            thread.start()
            thread.join()
            return {
                "fork": outcome(os.fork),
                "exec": outcome(lambda: os.execv("/bin/true", ["true"])),
                "socket": outcome(socket.socket),
                "pair": outcome(socket.socketpair),
                "signal": outcome(lambda: os.kill(os.getppid(), 0)),
                "priority": outcome(lambda: os.setpriority(os.PRIO_PROCESS, 0, 5)),
                "mode": outcome(lambda: os.chmod(tmp_path / "file", 0o777)),
                "times": outcome(lambda: os.utime(tmp_path / "file", (1, 1))),
                "truncate": outcome(lambda: os.truncate(tmp_path / "file", 0)),
                "open to truncate": outcome(lambda: os.open(tmp_path / "file", os.O_RDONLY | os.O_TRUNC)),
                "open to write": outcome(lambda: os.open(tmp_path / "file", os.O_WRONLY | os.O_TRUNC)),
                "open to read": outcome(lambda: os.open(tmp_path / "file", os.O_RDONLY)),
            }

        found = filtered(Profile.SOLUTION, attempt)
        assert found.pop("open to write") == found.pop("open to read") == "done"
        assert found == {name: "EPERM" for name in found}

    def test_a_checker_may_speak_to_the_server(self) -> None:
        ours, theirs = socket.socketpair()
        with ours, theirs:

            def attempt() -> Any:
                socket.send_fds(ours, [b"hello"], [0])
                return {"fork": outcome(os.fork), "socket": outcome(socket.socket)}

            assert filtered(Profile.CHECKER, attempt) == {"fork": "EPERM", "socket": "EPERM"}
            received, descriptors, _, _ = socket.recv_fds(theirs, 10, 1)
            assert (received, len(descriptors)) == (b"hello", 1)
            os.close(descriptors[0])

    def test_a_checker_template_may_fork_and_run_no_program(self) -> None:
        def attempt() -> Any:
            if (pid := os.fork()) == 0:
                os._exit(7)
            status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
            return [status, outcome(lambda: os.execv("/bin/true", ["true"])), outcome(socket.socket)]

        assert filtered(Profile.CHECKER_TEMPLATE, attempt) == [7, "EPERM", "EPERM"]

    def test_forbidden_calls_end_the_process(self) -> None:
        assert filtered(Profile.SOLUTION, lambda: ctypes.CDLL(None).ptrace(0, 0, 0, 0)) == "SIGSYS"
        assert filtered(Profile.SOLUTION, lambda: ctypes.CDLL(None).unshare(linux.CLONE_NEWUSER)) == "SIGSYS"

    @pytest.mark.parametrize("in_a_thread", [False, True])
    def test_calls_of_another_architecture_end_the_process(self, in_a_thread: bool) -> None:
        """By `int 0x80`; a machine without such calls makes one of a number that is forbidden."""

        def attempt() -> None:
            if platform.machine() != "x86_64":
                ctypes.CDLL(None).ptrace(0, 0, 0, 0)
            memory = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
            memory.write(bytes.fromhex("b814000000cd80c3"))  # mov eax, 20; int 0x80; ret
            call = ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(memory)))
            if not in_a_thread:
                call()
            thread = threading.Thread(target=call)
            thread.start()
            thread.join()

        assert filtered(Profile.SOLUTION, attempt) == "SIGSYS"

    def test_x32_calls_end_the_process(self) -> None:
        number = 0x40000000 + 39 if platform.machine() == "x86_64" else 117
        call = ctypes.CDLL(None).syscall
        assert filtered(Profile.SOLUTION, lambda: call(ctypes.c_long(number), 0, 0, 0, 0)) == "SIGSYS"

    def test_the_project_is_no_longer_imported_from(self) -> None:
        def attempt() -> bool:
            sys.path.insert(0, str(PROJECT))
            jail.filter_system_calls(runtime(FEW), Profile.SOLUTION)
            return str(PROJECT) in sys.path or "" in sys.path

        assert in_child(attempt) is False


def spawned(layers: Layers, inmate: Callable[[], None], *, then: Callable[[int], None], **changes: Any) -> Any:
    """Spawns as a template does. `then` is given the keeper's pidfd. Returns how the inmate ended and what it wrote."""
    inside = runtime(layers, **changes)

    def template() -> Any:
        if Layer.USER_NAMESPACE in layers:
            enter_user_namespace(linux.CLONE_NEWNS)
        printed, output = os.pipe()
        lifeline, _ours = os.pipe()
        pidfd, ending = jail.spawn(
            inside, SENTENCE, lambda settled: inmate(), descriptors=[], output=output, lifeline=lifeline
        )
        os.close(output)
        then(pidfd)
        select.select([pidfd], [], [], 20)
        try:
            ended: Any = jail.read_ending(ending)
        except JailBroken as broken:
            ended = f"broken: {broken}"
        with os.fdopen(printed) as pipe:
            return [vars(ended) if isinstance(ended, Ending) else ended, pipe.read()]

    return in_child(template)


def say(text: str) -> None:
    os.write(1, text.encode())  # standard output by its number: pytest has replaced the stream


PIDS = HOST.without([Layer.MOUNT_NAMESPACE, Layer.LANDLOCK])


class TestKeeper:
    def test_the_inmate_is_not_the_first_process(self) -> None:
        ended, printed = spawned(PIDS, lambda: say(f"{os.getpid()} {os.getppid()}"), then=lambda pidfd: None)
        assert ended["exit_code"] == 0
        assert ended["signal"] is None
        pid, parent = map(int, printed.split())
        assert pid != 1
        assert (pid, parent) == (2, 1) or Layer.PID_NAMESPACE not in HOST

    @pytest.mark.parametrize("layers", [PIDS, only(Layer.SECCOMP)], ids=["namespaces", "no namespaces"])
    def test_the_inmate_dies_with_its_keeper(self, layers: Layers) -> None:
        """The pipe that it holds is closed: nobody is left to write to it."""
        ended, printed = spawned(
            layers, lambda: signal.pause(), then=lambda pidfd: signal.pidfd_send_signal(pidfd, signal.SIGKILL)
        )
        assert (ended, printed) == (None, "")

    def test_how_the_inmate_ended_is_told(self) -> None:
        crashed, _ = spawned(only(Layer.SECCOMP), lambda: say(str(ctypes.string_at(0))), then=lambda pidfd: None)
        assert (crashed["exit_code"], crashed["signal"]) == (None, signal.SIGSEGV)
        left, _ = spawned(only(Layer.SECCOMP), lambda: os._exit(3), then=lambda pidfd: None)
        assert (left["exit_code"], left["signal"]) == (3, None)

    def test_a_step_that_fails_lets_no_foreign_code_run(self) -> None:
        """Here Landlock is told of a folder that is not there; without Landlock, the filter is missing."""
        layers = only(Layer.LANDLOCK) if Layer.LANDLOCK in HOST else only(Layer.SECCOMP)
        ended, printed = spawned(layers, lambda: say("foreign code"), then=lambda pidfd: None, paths=("/nonexistent",))
        assert ended.startswith("broken: Traceback")
        assert "/nonexistent" in ended
        assert printed == ""


def test_a_template_with_two_threads_does_not_fork() -> None:
    """A lock that the other thread holds would stay locked in the fork for ever."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    text = (
        "import socket, sys, threading, time\nfrom sandbox import template\nfrom sandbox.layers import Layers\n"
        "threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n"
        f"template.main(socket.socket(fileno={theirs.fileno()}), Layers.from_json({FEW.to_json()!r}))\n"
    )
    with ours, theirs:
        process = subprocess.Popen(
            [sys.executable, "-c", text],
            pass_fds=[theirs.fileno()],
            cwd=PROJECT,
            env=os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
            stderr=subprocess.PIPE,
            text=True,
        )
        theirs.close()
        ours.settimeout(120)
        assert "work_ms" in json.loads(ours.recv(100))
        request = {"profile": "solution", "memory_mb": 64, "cpu_seconds": 5}
        socket.send_fds(ours, [json.dumps(request).encode()], [0, 1])
        assert ours.recv(100) == b""
        said = process.communicate(timeout=120)[1]
    assert process.returncode == 1
    assert said.endswith("RuntimeError: the template has 2 threads; a fork of it could deadlock\n")


def test_the_template_shares_no_writable_memory() -> None:
    """What a jail wrote into such memory would be read by every jail that follows."""
    text = (
        "import importlib\nfrom sandbox import rehearsal, template\n"
        "for name in template._WARM: importlib.import_module(name)\nrehearsal.rehearse()\n"
        "print([line for line in open('/proc/self/maps') if line.split()[1][1::2] == 'ws'])"
    )
    command = [sys.executable, "-c", text]
    assert subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=240).stdout == "[]\n"
