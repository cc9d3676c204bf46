"""Labs: interactive figures of the front end, which a package's Markdown places by name.

    :::lab circle tau=0.05 seed=7
    What is read where the lab can't be drawn. **Markdown**, too.
    :::

Lists have commas, and quotes where there are spaces: `labels="cat, a dog"`. Names and settings, with bounds of their
values, are in one file that the front end reads as well: `frontend/src/lib/labs/registry.json`. A page never fails over
a directive that can't be used: it shows the text inside. `verify_problem` says what is wrong with it.
"""

import dataclasses
import functools
import json
import math
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

_REGISTRY = Path(__file__).resolve().parents[2] / "frontend" / "src" / "lib" / "labs" / "registry.json"

Value = float | list[float] | list[str]
Fault = tuple[str, str]
"""A reason and a remedy."""


@dataclasses.dataclass(frozen=True)
class Placement:
    """A lab at a place in a text."""

    name: str
    settings: Mapping[str, Value]
    """What differs from the lab's own settings."""


@functools.cache
def registry() -> dict[str, Any]:
    """Name of a lab -> its title and its settings."""
    labs: dict[str, Any] = json.loads(_REGISTRY.read_text(encoding="utf-8"))
    return labs


def placement_of(info: str) -> Placement | None:
    """What stands behind the colons of a directive, `lab circle tau=0.05`; None where it can't be used."""
    placement, faults = _read(info)
    return None if faults else placement


def faults_of(info: str) -> list[Fault]:
    """Everything that is wrong with what stands behind the colons of a directive."""
    return _read(info)[1]


def _read(info: str) -> tuple[Placement, list[Fault]]:
    try:
        words = shlex.split(info)[1:]
    except ValueError:
        return Placement("", {}), [(f":::{info} has a quote that is not closed", "close it")]
    name = words[0] if words else ""
    lab = registry().get(name)
    if lab is None:
        return Placement(name, {}), [(f"there is no lab {name!r}", f"write one of {', '.join(registry())}")]
    settings: dict[str, Value] = {}
    faults: list[Fault] = []
    for word in words[1:]:
        key, _, text = word.partition("=")
        rule = lab["settings"].get(key)
        if rule is None:
            faults.append((f"the lab {name} has no setting {key!r}", f"it has {', '.join(lab['settings'])}"))
        elif key in settings:
            faults.append((f"{key} is set twice", "remove one of the two"))
        elif (value := _value(rule, text)) is None:
            faults.append((f"{key} of the lab {name} is {text!r}", f"write {_wanted(rule)}"))
        else:
            settings[key] = value
    faults.extend(_unequal(lab, settings))
    return Placement(name, settings), faults


def _value(rule: Mapping[str, Any], text: str) -> Value | None:
    parts = [part.strip() for part in text.split(",")]
    if rule["kind"] in ("numbers", "texts") and not rule["fewest"] <= len(parts) <= rule["longest"]:
        return None
    if rule["kind"] == "texts":
        return parts if all(parts) else None
    numbers = [number for part in parts if (number := _number(rule, part)) is not None]
    if len(numbers) < len(parts):
        return None
    if rule["kind"] == "numbers":
        return numbers
    return numbers[0] if len(numbers) == 1 else None


def _number(rule: Mapping[str, Any], text: str) -> float | None:
    try:
        number = int(text) if rule["kind"] == "integer" else float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) and rule["least"] <= number <= rule["most"] else None


def _wanted(rule: Mapping[str, Any]) -> str:
    if rule["kind"] == "texts":
        return f"{rule['fewest']} to {rule['longest']} texts with commas between them"
    bounds = f"from {rule['least']} to {rule['most']}"
    if rule["kind"] == "numbers":
        return f"{rule['fewest']} to {rule['longest']} numbers {bounds} with commas between them"
    return f"a {'whole ' if rule['kind'] == 'integer' else ''}number {bounds}"


def _unequal(lab: Mapping[str, Any], settings: Mapping[str, Value]) -> Iterator[Fault]:
    """Lists that belong together must be of equal length."""
    for keys in lab.get("equally_long", []):
        values = [settings.get(key, lab["settings"][key]["default"]) for key in keys]
        lengths = [len(value) for value in values]
        if len(set(lengths)) > 1:
            found = ", ".join(f"{key} has {length}" for key, length in zip(keys, lengths, strict=True))
            yield f"{' and '.join(keys)} must be equally long: {found}", "give each entry its counterpart"
