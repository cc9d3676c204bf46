"""Reading Python: never disturbed, never deep."""

from __future__ import annotations

import ast
import gc
import threading
import time
from collections.abc import Iterator

import pytest

from judge.catalog.python import Unreadable, parsed, tree_of


@pytest.fixture
def hasty_threads() -> Iterator[None]:
    """The garbage collector runs every few objects and lets other threads go on: in the middle of a tree, too."""

    def yield_to_others(phase: str, info: dict[str, int]) -> None:
        time.sleep(0)

    thresholds = gc.get_threshold()
    gc.callbacks.append(yield_to_others)
    gc.set_threshold(20)
    yield
    gc.set_threshold(*thresholds)
    gc.callbacks.remove(yield_to_others)


def test_threads_parse_at_the_same_time(hasty_threads: None) -> None:
    texts = [f"x = {'-' * depth}1\n" * 20 for depth in (5, 50, 100)]
    dumps: dict[str, str] = {}

    def parse(text: str) -> None:
        for _ in range(10):
            dumps[text] = ast.dump(parsed(text))

    threads = [threading.Thread(target=parse, args=(text,)) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert dumps == {text: ast.dump(ast.parse(text)) for text in texts}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("def f(:\n", r"^it is not valid Python: invalid syntax"),
        ("x = " + "-" * 250 + "1\n", r"^it is nested more than 200 levels deep$"),
    ],
)
def test_what_cannot_be_used_is_said(text: str, reason: str) -> None:
    with pytest.raises(Unreadable, match=reason):
        tree_of(text)
