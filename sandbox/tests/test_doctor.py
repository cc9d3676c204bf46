"""What the doctor says: here, and, with facts made up, on systems that are not here."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from sandbox import doctor
from sandbox.layers import NAMESPACES, Layer, Layers

ELSEWHERE = """
import platform, runpy, sys
for name in ("fcntl", "resource", "pwd", "grp", "termios"):
    sys.modules[name] = None  # importing it fails
if sys.argv[1] == "Windows":
    import ctypes
    def refuse(*_, **__):
        raise TypeError("no name of a library")
    ctypes.PyDLL = ctypes.CDLL = refuse
platform.system = lambda system=sys.argv.pop(1): system
runpy.run_module("sandbox", run_name="__main__", alter_sys=True)
"""
ALL = frozenset(Layer)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, timeout=100)


def test_here_in_words_and_in_json() -> None:
    words, data = run("-m", "sandbox", "doctor"), run("-m", "sandbox", "doctor", "--json")

    assert (words.returncode, data.returncode) == (0, 0)
    assert words.stdout.endswith("Every protection is held: the sandbox starts here.\n")
    findings = json.loads(data.stdout)
    assert findings["ok"] is True
    assert set(findings["protections"]) == {"the host's files", "the network", "other processes", "resources"}


@pytest.mark.parametrize("system", ["Darwin", "Windows"])
def test_where_there_is_no_linux_it_leads_to_compose(system: str) -> None:
    words, data = run("-c", ELSEWHERE, system, "doctor"), run("-c", ELSEWHERE, system, "doctor", "--json")

    told = f"The sandbox needs Linux; this is {system}. Run Paperjudge with `docker compose up` instead"
    assert (words.returncode, words.stdout) == (2, "")
    assert words.stderr.startswith(told)
    assert words.stderr.count("\n") == 1
    findings = json.loads(data.stdout)
    assert (data.returncode, findings["ok"], findings["system"]) == (2, False, system)
    assert findings["complaint"].startswith(told)
    assert run("-c", ELSEWHERE, system, "serve").stderr == words.stderr


def test_ubuntu_gives_user_namespaces_without_capabilities() -> None:
    denied = [layer for layer in NAMESPACES if layer is not Layer.USER_NAMESPACE]
    layers = Layers(ALL - set(denied), dict.fromkeys(denied, "[Errno 1] unshare: Operation not permitted"), 4)

    report = doctor.report(layers)

    assert "  yes  user namespace\n" in report
    assert "  no   PID namespace: [Errno 1] unshare: Operation not permitted\n" in report
    assert report.count("sysctl kernel.apparmor_restrict_unprivileged_userns=0") == len(denied)
    assert report.endswith("Every protection is held: the sandbox starts here.")


def test_a_container_without_user_namespaces_says_so_once() -> None:
    missing = dict.fromkeys(NAMESPACES, "needs a user namespace") | {Layer.USER_NAMESPACE: "[Errno 1] unshare: denied"}
    layers = Layers(ALL - set(NAMESPACES), missing, 4)

    report = doctor.report(layers)

    assert report.count("to have it:") == 1
    assert "in a container a seccomp profile that allows `unshare`" in report
    assert "  held  the host's files: Landlock\n" in report


def test_where_a_protection_is_open_it_says_by_what_it_could_be_held() -> None:
    """Such as Fedora with a kernel of one's own, without Landlock, and with user namespaces switched off."""
    missing = dict.fromkeys(NAMESPACES, "needs a user namespace") | {Layer.USER_NAMESPACE: "[Errno 28] unshare"}
    missing[Layer.LANDLOCK] = "this kernel does not offer it"
    layers = Layers(ALL - set(missing), missing, 0)

    report = doctor.report(layers)

    assert "  OPEN  the host's files: needs Landlock with seccomp, or mount namespace" in report
    assert "lsm=landlock" in report
    assert "where the error is 28 `sysctl user.max_user_namespaces=15000`" in report
    assert report.endswith("The sandbox refuses to start here: nothing protects the host's files.")
    findings = json.loads(doctor.as_json(layers))
    assert (findings["ok"], set(findings["remedies"])) == (False, {"user namespace", "Landlock"})


def test_what_was_switched_off_needs_no_remedy() -> None:
    assert "to have it" not in doctor.report(Layers(ALL, {}, 4).without([Layer.USER_NAMESPACE, Layer.LANDLOCK]))
