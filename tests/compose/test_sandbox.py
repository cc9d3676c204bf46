"""The container around the sandbox: what it is denied, and that attacks come to nothing in it."""

from __future__ import annotations

import json
import re

from tests.compose.stack import Stack, docker
from tests.stack import ROOT

PYTHON = "/opt/venv/bin/python"
PYTEST = (
    *(PYTHON, "-m", "pytest", "--config-file", "/dev/null", "--rootdir", "/app", "-p", "no:cacheprovider"),
    *("--import-mode", "importlib", "-q"),
)
FILE = "sandbox/tests/test_hostile.py"
ATTACK = f"{FILE}::test_attack"
BEYOND_LANDLOCK = "denied/files_exist"
"""The one attack that only a mount namespace holds, which a plain container does not have."""


def test_the_engine_holds_every_restriction(stack: Stack) -> None:
    container = stack.inspect("sandbox")
    host, volumes = container["HostConfig"], container["Mounts"]

    assert host["NetworkMode"] == "none"
    assert host["ReadonlyRootfs"] is True
    assert host["CapDrop"] == ["ALL"]
    assert not host["CapAdd"]
    assert host["Privileged"] is False
    assert any(option.startswith("no-new-privileges") and "false" not in option for option in host["SecurityOpt"])
    assert not any("unconfined" in option for option in host["SecurityOpt"])
    assert container["Config"]["User"] == "10002:10000"
    assert host["Memory"] == host["MemorySwap"] == 4 * 1024**3
    assert host["PidsLimit"] == 8192
    assert not host["Devices"]
    assert (host["PidMode"], host["UTSMode"], host["UsernsMode"]) == ("", "", "")
    assert host["IpcMode"] == "private"
    writable = [mount["Destination"] for mount in volumes if mount["RW"]]
    assert writable == ["/run/paperjudge"]
    assert not any("docker.sock" in mount["Source"] for mount in volumes)
    assert not any(name.startswith("PAPERJUDGE") for name in container["Config"]["Env"])


def test_the_kernel_holds_them_too(stack: Stack) -> None:
    status = stack.execute("sandbox", "cat", "/proc/self/status")
    facts = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    assert facts["NoNewPrivs"] == "1"
    assert {facts[name] for name in ("CapPrm", "CapEff", "CapBnd", "CapAmb")} == {"0" * 16}
    assert facts["Uid"].split() == ["10002"] * 4
    assert stack.execute("sandbox", "ls", "/sys/class/net").split() == ["lo"]
    tries = (
        "import pathlib\ntry:\n    pathlib.Path('/app/x').touch()\nexcept OSError as error:\n    print(error.strerror)"
    )
    assert stack.execute("sandbox", PYTHON, "-c", tries) == "Read-only file system\n"
    assert docker("inspect", "--format", "{{.HostConfig.Privileged}}", *stack.containers("worker")) == "false\n"


def test_landlock_and_seccomp_hold_every_protection_without_user_namespaces(stack: Stack) -> None:
    found = json.loads(stack.execute("sandbox", PYTHON, "-m", "sandbox", "doctor", "--json"))

    assert found["ok"] is True
    assert {"Landlock", "seccomp", "resource limits"} <= {name for name, held in found["layers"].items() if held}
    assert found["layers"]["user namespace"] is False


def test_the_hostile_corpus_passes_in_the_container(stack: Stack) -> None:
    """Attacks go through the server's own socket; what they are after lives beside it, as the same user."""
    listing = (
        "from sandbox.layers import probe; from sandbox.tests.corpus import ATTACKS; layers = probe();"
        "print(*(attack.name for attack in ATTACKS if not attack.held(layers)))"
    )
    assert stack.execute("sandbox", PYTHON, "-c", listing).split() == [BEYOND_LANDLOCK]

    printed = stack.execute(
        "sandbox", *PYTEST, "--basetemp", "/tmp/here", "--deselect", f"{ATTACK}[{BEYOND_LANDLOCK}]", FILE, check=False
    )

    last = printed.splitlines()[-1] if printed else ""
    assert re.fullmatch(r"\d{3,} passed, 1 deselected in .*", last), printed[-6000:]


def test_that_a_file_exists_is_not_seen_of_files_outside_the_container(stack: Stack) -> None:
    """Landlock lets a name be looked up. In the container there is nothing but the runtime to look up."""
    volumes = [
        *("--volume", f"{stack.project}_socket:/run/paperjudge"),
        *("--volume", f"{ROOT}/sandbox/tests:/app/sandbox/tests:ro"),
        *("--volume", f"{ROOT}/tests/compose/corpus_conftest.py:/app/conftest.py:ro"),
    ]
    words = (*PYTEST, "--basetemp", "/tmp/elsewhere", f"{ATTACK}[{BEYOND_LANDLOCK}]")
    printed = docker("run", "--rm", "--network", "none", *volumes, "paperjudge-sandbox", *words, check=False)

    assert re.fullmatch(r"1 passed in .*", printed.splitlines()[-1]), printed[-6000:]
