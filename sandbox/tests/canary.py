"""Things outside the jail that no attack may touch: a file, a process, sockets, shared memory, folders that all share.

`Canary` sets them up, tells attacks where they are (`places`), and says what happened to them (`complaints`).
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import secrets
import socket
import subprocess
import sysconfig
import time
from pathlib import Path
from types import TracebackType

PROJECT = Path(__file__).resolve().parents[2]

_LISTENERS = ("TCP", "TCP over IPv6", "Unix", "abstract Unix")
OUTLIVE_SECONDS = 8.0
"""Less than the attacks would live on by themselves."""
_IPC_CREAT, _IPC_RMID = 0o1000, 0
_CONTENT = "a secret that stays here\n"
_libc = ctypes.CDLL(None, use_errno=True)
_libc.shmat.restype = ctypes.c_void_p


def survivor_name() -> str:
    """A name for a process that an attack leaves behind."""
    return "pj" + secrets.token_hex(4)  # the kernel keeps 15 letters


def survivors(name: str) -> list[str]:
    """Complaints about processes of that name that outlive their jail, which ends a moment after the answer."""
    end = time.monotonic() + OUTLIVE_SECONDS
    while (found := _named(name)) and time.monotonic() < end:
        time.sleep(0.05)
    return [f"process {pid} lives on" for pid in found]


def _named(name: str) -> list[str]:
    found = []
    for process in Path("/proc").glob("[0-9]*/comm"):
        with contextlib.suppress(OSError):
            if process.read_text().strip() == name:
                found.append(process.parent.name)
    return found


class Canary:
    """A context: everything that it made is gone afterwards."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._token = "canary" + secrets.token_hex(4)
        self._key, self._left_key = secrets.randbelow(2**30) + 2, secrets.randbelow(2**30) + 2
        self._closing = contextlib.ExitStack()

    def __enter__(self) -> Canary:
        with contextlib.ExitStack() as stack:
            self._make_file()
            self._make_process(stack)
            self._make_sockets(stack)
            self._make_memory(stack)
            self._before = self._facts()
            self._closing = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.close()

    def places(self, server: Path) -> dict[str, str]:
        """What replaces `{NAME}` in the text of an attack. `server` is the socket of the sandbox that judges it."""
        return {
            "CANARY_FILE": str(self._file),
            "CANARY_FOLDER": str(self._folder),
            "CANARY_PID": str(self._process.pid),
            "CANARY_KEY": str(self._key),
            "LEFT_KEY": str(self._left_key),
            "CANARY_MEMORY": self._memory_file.name,
            "CANARY_PORT": str(self._port),
            "CANARY_DATAGRAMS": str(self._datagrams["UDP"].getsockname()[1]),
            "CANARY_SOCKET": str(self._folder / "socket"),
            "CANARY_DATAGRAM_SOCKET": str(self._folder / "datagrams"),
            "CANARY_ABSTRACT": self._token,
            "SANDBOX_SOCKET": str(server),
            "PROJECT": str(PROJECT),
            "TOKEN": self._token,
            "SURVIVOR": survivor_name(),
        }

    def complaints(self) -> list[str]:
        """What attacks did outside since the last call; empty when nothing. Several attacks may share the blame."""
        now = self._facts()
        before, self._before = self._before, now
        found = []
        for name in sorted(before.keys() | now.keys()):
            if before.get(name) != now.get(name):
                found.append(f"{name}: {before.get(name)!r} became {now.get(name)!r}")
        return found + self._visits() + self._planted()

    def _facts(self) -> dict[str, object]:
        """Everything that stays as it is while nobody attacks."""
        facts: dict[str, object] = {"listing": sorted(os.listdir(self._folder)), "host name": socket.gethostname()}
        with contextlib.suppress(FileNotFoundError):
            status = self._file.stat()
            facts["content"] = self._file.read_text()
            facts["file"] = (oct(status.st_mode), status.st_uid, status.st_gid, status.st_nlink, status.st_mtime_ns)
            facts["attributes"] = os.listxattr(self._file)
        pid = self._process.pid
        facts["exit of the process"] = self._process.poll()
        if facts["exit of the process"] is None:
            words = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            facts["state of the process"] = "stopped" if words[0] in "Tt" else "going on"
            facts["priority of the process"] = (
                words[16],
                os.sched_getscheduler(pid),
                sorted(os.sched_getaffinity(pid)),
            )
            facts["limits of the process"] = (
                resource.prlimit(pid, resource.RLIMIT_NOFILE),
                resource.prlimit(pid, resource.RLIMIT_AS),
            )
        facts["System V shared memory"] = ctypes.string_at(self._segment, 32)
        facts["named shared memory"] = self._memory_file.read_bytes() if self._memory_file.exists() else None
        facts["segment left behind"] = _libc.shmget(self._left_key, 0, 0) >= 0
        return facts

    def _visits(self) -> list[str]:
        found = []
        for name, listener in self._listeners.items():
            with contextlib.suppress(BlockingIOError):
                while True:
                    listener.accept()[0].close()
                    found.append(f"somebody connected over {name}")
        for name, receiver in self._datagrams.items():
            with contextlib.suppress(BlockingIOError):
                while True:
                    found.append(f"somebody sent {receiver.recv(100)!r} over {name}")
        return found

    def _planted(self) -> list[str]:
        """Names with the token in folders that attacks would write to."""
        packages = Path(sysconfig.get_paths()["purelib"])
        shared = [Path(name) for name in ("/", "/tmp", "/var/tmp", "/dev/shm", "/run", "/run/lock")]
        found = []
        for folder in (*shared, Path.cwd(), PROJECT, packages, packages / "torch"):
            with contextlib.suppress(OSError):
                found += [f"{folder / name} was made" for name in os.listdir(folder) if self._token in name]
        return found

    def _make_file(self) -> None:
        self._file = self._folder / "file"
        self._file.write_text(_CONTENT)
        self._file.chmod(0o640)
        os.utime(self._file, (10**9, 10**9))

    def _make_process(self, stack: contextlib.ExitStack) -> None:
        self._process = subprocess.Popen(
            ["sleep", "3600"], env={"PATH": os.defpath, "SECRET": self._token}, start_new_session=True
        )
        stack.callback(self._process.wait)
        stack.callback(self._process.kill)

    def _make_sockets(self, stack: contextlib.ExitStack) -> None:
        plain = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        self._port: int = plain.getsockname()[1]
        self._listeners = {"TCP": plain}
        with contextlib.suppress(OSError):  # a host without IPv6 has nothing to attack there
            six = socket.create_server(("::1", self._port), family=socket.AF_INET6)
            self._listeners["TCP over IPv6"] = stack.enter_context(six)
        for name, address in (("Unix", str(self._folder / "socket")), ("abstract Unix", f"\0{self._token}")):
            listener = stack.enter_context(socket.socket(socket.AF_UNIX))
            listener.bind(address)
            listener.listen()
            self._listeners[name] = listener
        udp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        udp.bind(("127.0.0.1", 0))
        unix = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
        unix.bind(str(self._folder / "datagrams"))
        self._datagrams = {"UDP": udp, "Unix datagrams": unix}
        for end in (*self._listeners.values(), *self._datagrams.values()):
            end.setblocking(False)

    def _make_memory(self, stack: contextlib.ExitStack) -> None:
        identifier = _libc.shmget(self._key, 4096, _IPC_CREAT | 0o600)
        if identifier < 0:
            raise OSError(ctypes.get_errno(), "shmget")
        stack.callback(_libc.shmctl, identifier, _IPC_RMID, None)
        self._segment: int = _libc.shmat(identifier, None, 0)
        stack.callback(_libc.shmdt, ctypes.c_void_p(self._segment))
        ctypes.memmove(self._segment, b"shared" * 5, 30)
        self._memory_file = Path("/dev/shm") / f"memory-{secrets.token_hex(4)}"
        self._memory_file.write_bytes(b"shared" * 5)
        stack.callback(self._memory_file.unlink, missing_ok=True)
