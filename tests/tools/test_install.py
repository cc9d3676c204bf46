"""What tools/install.py decides; that it installs is shown by `make test` itself."""

import importlib.metadata
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools import install


def report(*names: str) -> dict[str, Any]:
    return {"version": "1", "install": [{"metadata": {"name": name, "version": "1.0"}} for name in names]}


def test_a_plain_build_of_torch_has_no_cuda_packages() -> None:
    assert install.cuda_packages(report("torch", "numpy", "sympy", "filelock")) == []


def test_a_cuda_build_of_torch_is_told_by_the_packages_it_needs() -> None:
    planned = report("torch", "nvidia-cublas", "cuda-bindings", "triton", "tritonclient-lookalike", "sympy")
    assert install.cuda_packages(planned) == ["cuda-bindings", "nvidia-cublas", "triton"]


@pytest.mark.parametrize(
    ("version", "recent"),
    [
        ("v20.19.0\n", True),
        ("v22.12.0\n", True),
        ("v24.1.0\n", True),
        ("v20.18.3\n", False),
        ("v21.7.0\n", False),
        ("v22.11.0\n", False),
        ("v18.19.1\n", False),
        ("", False),
    ],
)
def test_node_is_recent_when_vite_runs_on_it(version: str, recent: bool) -> None:
    assert install.is_recent_node(version) is recent


def test_the_pinned_version_is_read_from_the_requirements(tmp_path: Path) -> None:
    requirements = tmp_path / "requirements.txt"
    requirements.write_text("# torch==1.0\ntorchvision==3.0\ntorch==2.13.0\n")
    assert install.pinned("torch", requirements) == "torch==2.13.0"


def test_a_missing_pin_is_said(tmp_path: Path) -> None:
    requirements = tmp_path / "requirements.txt"
    requirements.write_text("numpy==2.4.6\n")
    with pytest.raises(install.InstallError, match=r"requirements\.txt pins no version of torch\."):
        install.pinned("torch", requirements)


def test_an_installed_version_counts_whatever_its_local_part() -> None:
    assert install.is_installed("torch==2.13.0")
    assert not install.is_installed("torch==2.13")
    assert not install.is_installed("torch==2.13.1")


def install_torch_with(monkeypatch: pytest.MonkeyPatch, planned: dict[str, Any]) -> list[str]:
    """The commands that `install_torch` would run, given what pip says it would install."""
    commands: list[str] = []

    def record(command: list[str], failure: str) -> str:
        commands.append(" ".join(command[1:]))
        return ""

    monkeypatch.setattr(install, "_run", record)
    monkeypatch.setattr(install, "_planned", lambda requirement: planned)
    install.install_torch("torch==2.13.0")
    return commands


PIP = "-m pip --disable-pip-version-check install"
LOADS = "-c import torch; torch.ones(2).sum()"


def test_a_cpu_build_is_installed_as_pip_finds_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PAPERJUDGE_TORCH_INDEX", raising=False)
    commands = install_torch_with(monkeypatch, report("torch", "sympy"))
    assert commands == [f"{PIP} torch==2.13.0 --quiet", LOADS]


def test_a_cuda_build_is_replaced_by_a_cpu_build(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("PAPERJUDGE_TORCH_INDEX", raising=False)
    commands = install_torch_with(monkeypatch, report("torch", "nvidia-cublas", "triton"))
    assert commands[0] == f"{PIP} {install.UV} --quiet"
    assert commands[1].startswith("-m uv pip install")
    assert commands[1].endswith("--no-deps --torch-backend cpu torch==2.13.0")
    assert commands[2:] == [LOADS]
    assert "Here torch==2.13.0 would bring CUDA (nvidia-cublas, triton, ...)" in capsys.readouterr().out


def test_an_index_that_is_named_is_used_for_torch_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAPERJUDGE_TORCH_INDEX", "file:///wheels")
    commands = install_torch_with(monkeypatch, report("torch", "nvidia-cublas"))
    assert commands == [f"{PIP} --no-deps --index-url file:///wheels torch==2.13.0 --quiet", LOADS]


def test_a_part_of_the_requirements_is_what_stands_under_its_heading(tmp_path: Path) -> None:
    requirements = tmp_path / "requirements.txt"
    requirements.write_text(
        "# About all of them.\n\n# sandbox\ntorch==2.13.0\n\n# site\nDjango==5.2.19\n\nnh3==0.3.7\n"
    )

    assert install.part("sandbox", requirements) == ["torch==2.13.0"]
    assert install.part("site", requirements) == ["Django==5.2.19", "nh3==0.3.7"]
    with pytest.raises(install.InstallError, match="has nothing under the heading `# web`"):
        install.part("web", requirements)


def test_the_images_take_every_package_and_each_is_pinned_with_all_that_it_needs() -> None:
    root = Path(install.__file__).parents[1]
    requirements = root / "requirements.txt"
    all_of_them = [line for line in requirements.read_text().splitlines() if line and not line.startswith("#")]
    lines = (root / "tools" / "compose" / "constraints.txt").read_text().splitlines()
    pinned = dict(line.split("==") for line in lines if not line.startswith("#"))

    assert install.part("sandbox", requirements) + install.part("site", requirements) == all_of_them
    direct = {canonicalize_name(wanted.name): wanted for wanted in map(Requirement, all_of_them)}
    del direct[canonicalize_name("torch")]
    assert {name: f"=={pinned[name]}" for name in direct} == {name: str(direct[name].specifier) for name in direct}
    assert closure(all_of_them) - {"torch", *pinned} == set()


def closure(lines: Iterable[str]) -> set[str]:
    """The names of packages of a requirements file and of all that those need which are installed here."""
    seen: set[tuple[str, frozenset[str]]] = set()
    waiting = [Requirement(line) for line in lines]
    while waiting:
        requirement = waiting.pop()
        name, extras = canonicalize_name(requirement.name), frozenset(requirement.extras)
        if (name, extras) in seen:
            continue
        seen.add((name, extras))
        for needed in map(Requirement, importlib.metadata.requires(name) or ()):
            marker = needed.marker
            if marker is None or any(marker.evaluate({"extra": extra}) for extra in {"", *extras}):
                waiting.append(needed)
    return {name for name, _ in seen}
