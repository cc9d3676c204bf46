"""Values on the wire: what goes in comes out, and what no encoder makes is refused."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox.values import DTYPES, MAX_DEPTH, Decoder, Encoder, Opaque, ValueRefused


def through(value: Any, *, layout: bool = True) -> Any:
    encoder = Encoder(layout=layout)
    payload = encoder.payload(encoder.encode(value))
    return Decoder(payload.table, payload.block).decode(payload.tree)


leaves = st.none() | st.booleans() | st.integers(-(2**500), 2**500) | st.floats(allow_nan=False) | st.text(max_size=20)
values = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=4) | st.tuples(inner, inner) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=20,
)


@given(values)
@settings(max_examples=200, deadline=None)
def test_plain_values_come_back_equal(value: Any) -> None:
    assert through(value) == value
    assert type(through(value)) is type(value)


@pytest.mark.parametrize("dtype", DTYPES.values(), ids=DTYPES)
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0, 4), (2, 3)])
@pytest.mark.parametrize("layout", [True, False])
def test_tensors_of_every_dtype_and_shape(dtype: torch.dtype, shape: tuple[int, ...], layout: bool) -> None:
    tensor = torch.randint(0, 2, shape).to(dtype)
    back = through(tensor, layout=layout)
    assert back.dtype == dtype
    assert back.shape == shape
    assert torch.equal(back, tensor)


def test_layout_keeps_strides_sharing_and_requires_grad() -> None:
    base = torch.arange(12.0).reshape(3, 4)
    view = base[:, ::2].t()
    leaf = torch.ones(2, requires_grad=True)
    base_back, view_back, leaf_back = through((base, view, leaf))
    assert view_back.stride() == view.stride()
    base_back[0, 2] = 100
    assert view_back[1, 0] == 100
    assert leaf_back.requires_grad
    assert leaf_back.is_leaf
    assert not base_back.requires_grad


def test_results_lose_layout_and_graph() -> None:
    x = torch.ones(2, 3, requires_grad=True)
    back = through((2 * x).t(), layout=False)
    assert back.is_contiguous()
    assert not back.requires_grad


def test_numbers_that_are_not_finite() -> None:
    back = through([math.nan, math.inf, -math.inf, -0.0])
    assert math.isnan(back[0])
    assert back[1:3] == [math.inf, -math.inf]
    assert math.copysign(1, back[3]) == -1


@pytest.mark.parametrize(
    ("value", "description"),
    [
        (object(), "object"),
        (10**200, "an integer of more than 150 digits"),
        (torch.ones(2).to_sparse(), "a tensor that is not dense (sparse, quantized or nested)"),
        (torch.ones(2, device="meta"), "a tensor on the device 'meta'"),
        (torch.ones(2).numpy(), "numpy.ndarray"),
        ({1}, "set"),
    ],
)
def test_what_is_not_sent_arrives_by_name(value: Any, description: str) -> None:
    assert through([value], layout=False) == [Opaque(description)]
    with pytest.raises(ValueRefused, match="an argument cannot be sent"):
        through([value], layout=True)


def test_depth_is_limited() -> None:
    deep: Any = 1
    for _ in range(100_000):
        deep = [deep]
    back = through(deep, layout=False)
    for _ in range(MAX_DEPTH):
        (back,) = back
    assert back == Opaque(f"a value nested deeper than {MAX_DEPTH} levels")
    del deep


@pytest.mark.parametrize(
    "table",
    [
        None,
        [1],
        [{}],
        [{"d": "float32", "n": [4], "s": 9}],
        [{"d": "float32", "n": [-1], "s": 0}],
        [{"d": "float32", "n": [100], "s": 0}],
        [{"d": "float32", "n": [2**39, 2**39], "s": 0}],
        [{"d": "float32", "n": [2], "s": 0, "k": [2**30], "o": 0}],
        [{"d": "float32", "n": [2], "s": 0, "k": [1], "o": -1}],
        [{"d": "float32", "n": [2], "s": 0, "k": [1, 1], "o": 0}],
        [{"d": "object", "n": [2], "s": 0}],
        [{"d": "int64", "n": [1], "s": 0, "g": True}],
    ],
)
def test_tables_that_no_encoder_makes(table: Any) -> None:
    encoder = Encoder(layout=False)
    block = encoder.payload(encoder.encode(torch.ones(3))).block
    with pytest.raises(ValueRefused):
        Decoder(table, block)


@pytest.mark.parametrize("block", [b"x", b"\xff" * 40, b"\x08\x00\x00\x00\x00\x00\x00\x00{}      "])
def test_blocks_that_are_no_safetensors(block: bytes) -> None:
    with pytest.raises(ValueRefused):
        Decoder([{"d": "float32", "n": [1], "s": 0}], block)


@pytest.mark.parametrize(
    "tree", [{"x": 0}, {"x": -1}, {"l": 1}, {"d": [[1]]}, {"d": [[{"l": []}, 1]]}, {"q": 1}, {}, [1]]
)
def test_trees_that_no_encoder_makes(tree: Any) -> None:
    with pytest.raises(ValueRefused):
        Decoder([], b"").decode(tree)
