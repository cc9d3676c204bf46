"""Malformed, truncated, huge, deep and repeated input for every parser; `make fuzz` tries far more, led by coverage."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sandbox.tests.parsers import PARSERS, run, seeds

CASES = 150
few = settings(max_examples=CASES, deadline=None, suppress_health_check=list(HealthCheck))

leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.just(10**400) | st.just(-1)
trees = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3)
)


@pytest.mark.parametrize("name", PARSERS)
@given(data=st.binary(max_size=300))
@few
def test_any_bytes(name: str, data: bytes) -> None:
    run(name, data)


@pytest.mark.parametrize("name", PARSERS)
@given(st.data())
@few
def test_whole_input_with_some_bytes_changed(name: str, data: st.DataObject) -> None:
    text = bytearray(data.draw(st.sampled_from(seeds(name))))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(text) - 1))
        kind = data.draw(st.sampled_from(["flip", "cut", "repeat", "insert"]))
        if kind == "flip":
            text[place] = data.draw(st.integers(0, 255))
        elif kind == "cut":
            text = text[: max(1, place)]
        elif kind == "repeat":
            text = text + text[place:]
        else:
            text[place:place] = data.draw(st.binary(max_size=9))
    run(name, bytes(text))


def places(tree: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths to every part of a JSON value."""
    found = [path]
    items = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, part in items:
        found += places(part, (*path, key))
    return found


def replaced(tree: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    copy = dict(tree) if isinstance(tree, dict) else list(tree)
    copy[path[0]] = replaced(tree[path[0]], path[1:], value)
    return copy


@pytest.mark.parametrize("name", ["answer", "arguments", "job", "event"])
@given(st.data())
@few
def test_whole_input_with_one_part_replaced(name: str, data: st.DataObject) -> None:
    """Each field of a real message, of another type, size or shape."""
    text, _, block = data.draw(st.sampled_from(seeds(name))).partition(b"\0")
    tree = json.loads(text)
    path = data.draw(st.sampled_from(places(tree)))
    changed = replaced(tree, path, data.draw(trees))
    run(name, json.dumps(changed).encode() + (b"\0" + block if block else b""))


@pytest.mark.parametrize("name", ["answer", "arguments", "job", "event"])
def test_depth(name: str) -> None:
    for opening, closing in (("[", "]"), ('{"a":', "}"), ('{"l":[', "]}")):
        run(name, (opening * 100_000 + "1" + closing * 100_000).encode())
