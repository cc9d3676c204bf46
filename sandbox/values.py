"""Values on the wire: numbers, texts, containers and dense CPU tensors, as JSON with a block of bytes. Never pickle.

A *tree* is JSON: numbers, texts, booleans and None stand for themselves, `{"l": [...]}` is a list, `{"t": [...]}` a
tuple, `{"d": [[key, value], ...]}` a dictionary, `{"x": i}` the tensor at place i of the frame's table, `{"h": i}` a
module that stays in the solution jail, and `{"u": "name"}` something that is not sent, by the name of its type.
Tensors refer to storages, which travel in one safetensors block, so that strides and shared storage arrive as they
were.

The functions that foreign code could replace are taken as references when this module is imported, before any runs.
"""

from __future__ import annotations

import builtins
import dataclasses
from collections.abc import Sequence
from typing import Any

import safetensors
import torch

globals()["__builtins__"] = dict(vars(builtins))  # foreign code that replaces a built-in function changes nothing here

MAX_DEPTH = 16
MAX_ITEMS = 100_000
MAX_TENSORS = 4096
MAX_TEXT = 65_536
MAX_INT_BITS = 512
MAX_MESSAGE = 2000
"""Characters of an exception's text that are passed on."""
MAX_TRACE = 8
"""Innermost lines of the learner's file that a raised exception names."""
MAX_CHOSEN_KEYS = 512
"""Keys of dictionaries whose hashes the sender can choose (numbers, tuples): more could take minutes to look up."""

NO_ANSWER = (ValueError, TypeError, LookupError, ArithmeticError, AttributeError, RuntimeError, MemoryError)
"""What reading a frame can raise that foreign code made up."""

DTYPES: dict[str, torch.dtype] = {
    str(dtype).removeprefix("torch."): dtype
    for dtype in (
        torch.float64,
        torch.float32,
        torch.float16,
        torch.bfloat16,
        torch.int64,
        torch.int32,
        torch.int16,
        torch.int8,
        torch.uint8,
        torch.bool,
        torch.complex64,
        torch.complex128,
    )
}
_NAMES = {dtype: name for name, dtype in DTYPES.items()}

Tensor = torch.Tensor
Parameter = torch.nn.Parameter
Module = torch.nn.Module
_Base = torch._C.TensorBase
_serialize, _deserialize, _TensorSpec = safetensors.serialize, safetensors.deserialize, safetensors.TensorSpec
_empty, _frombuffer, _uint8, _strided = torch.empty, torch.frombuffer, torch.uint8, torch.strided
_set, _detach, _contiguous, _reshape = _Base.set_, _Base.detach, _Base.contiguous, _Base.reshape
_view, _data_ptr, _storage, _numel = _Base.view, _Base.data_ptr, Tensor.untyped_storage, _Base.numel
_resolve_conj, _resolve_neg, _clone, _requires_grad = (
    _Base.resolve_conj,
    _Base.resolve_neg,
    _Base.clone,
    _Base.requires_grad_,
)


class ValueRefused(ValueError):
    """A value that cannot be sent, or a frame whose tree or tensors do not fit together."""


@dataclasses.dataclass(frozen=True)
class Opaque:
    """What arrives in the place of a value that is not sent."""

    description: str


@dataclasses.dataclass(frozen=True)
class Handle:
    """What stands in the checker for a module that stays in the solution jail."""

    place: int


@dataclasses.dataclass(frozen=True)
class Payload:
    """A tree with its tensors: `table` and `storages` go into the JSON of a frame, `block` behind it."""

    tree: Any
    table: list[dict[str, Any]]
    block: bytes
    tensors: list[torch.Tensor]
    """The tensors of the table, on the sending side."""


class Encoder:
    """Turns values into a payload.

    With `layout`, tensors keep strides, storage sharing and `requires_grad`, and a value that cannot be sent raises
    `ValueRefused` (arguments of a call). Without it only the values of tensors travel, contiguous, and what cannot be
    sent arrives as `Opaque` (results).
    """

    def __init__(self, *, layout: bool, kept: list[Any] | None = None) -> None:
        """`kept` gathers the modules that are sent as handles; without it, none is."""
        self._layout = layout
        self._kept = kept
        self._items = 0
        self._chosen_keys = 0
        self.table: list[dict[str, Any]] = []
        self.tensors: list[torch.Tensor] = []
        self._places: dict[int, int] = {}
        self._storages: list[torch.Tensor] = []
        self._storage_places: dict[int, int] = {}

    def encode(self, value: Any, depth: int = 0) -> Any:
        self._items += 1
        kind = type(value)
        if value is None or kind is bool or kind is float:
            return value
        if kind is int:
            return value if value.bit_length() <= MAX_INT_BITS else self._refuse("an integer of more than 150 digits")
        if kind is str:
            return value[:MAX_TEXT]
        if depth >= MAX_DEPTH:
            return self._refuse(f"a value nested deeper than {MAX_DEPTH} levels")
        if kind in (list, tuple, dict) and self._items + len(value) > MAX_ITEMS:
            return self._refuse(f"a value of more than {MAX_ITEMS} parts")
        if kind is list or kind is tuple:
            return {"l" if kind is list else "t": [self.encode(item, depth + 1) for item in value]}
        if kind is dict:
            pairs = list(value.items())
            self._chosen_keys += _count_chosen([key for key, _ in pairs])
            if self._chosen_keys > MAX_CHOSEN_KEYS:
                return self._refuse(
                    f"dictionaries with more than {MAX_CHOSEN_KEYS} keys that are neither texts nor int"
                )
            return {"d": [[self.encode(key, depth + 1), self.encode(item, depth + 1)] for key, item in pairs]}
        if kind is Tensor or kind is Parameter:
            return self._encode_tensor(value)
        if kind is Handle:
            return {"h": value.place}
        if self._kept is not None and Module in kind.__mro__:
            self._kept.append(value)
            return {"h": len(self._kept) - 1}
        return self._refuse(describe_type(kind))

    def _refuse(self, description: str) -> dict[str, str]:
        if self._layout:
            raise ValueRefused(f"an argument cannot be sent: {description}")
        return {"u": description}

    def payload(self, tree: Any) -> Payload:
        # `_storages` keeps the memory alive to which the specifications point.
        named = {str(place): _specify(flat) for place, flat in enumerate(self._storages)}
        return Payload(tree, self.table, _serialize(named) if named else b"", self.tensors)

    def _encode_tensor(self, tensor: torch.Tensor) -> Any:
        if tensor.device.type != "cpu":
            return self._refuse(f"a tensor on the device {tensor.device.type!r}")
        if tensor.layout is not _strided or tensor.is_quantized or tensor.is_nested:
            return self._refuse("a tensor that is not dense (sparse, quantized or nested)")
        dtype = _NAMES.get(tensor.dtype)
        if dtype is None:
            return self._refuse(f"a tensor of the dtype {tensor.dtype}")
        if id(tensor) in self._places:
            return {"x": self._places[id(tensor)]}
        if len(self.tensors) >= MAX_TENSORS:
            return self._refuse(f"more than {MAX_TENSORS} tensors")
        row: dict[str, Any] = {"d": dtype, "n": list(tensor.shape), "p": type(tensor) is Parameter}
        if self._layout:
            row.update(
                s=self._keep_storage(tensor),
                o=tensor.storage_offset(),
                k=list(tensor.stride()),
                g=tensor.requires_grad,
            )
        else:
            self._storages.append(flat_bytes(tensor))
            row.update(s=len(self._storages) - 1)
        place = self._places[id(tensor)] = len(self.tensors)
        self.table.append(row)
        self.tensors.append(tensor)  # also keeps it alive, so that its id stays its own
        return {"x": place}

    def _keep_storage(self, tensor: torch.Tensor) -> int:
        storage = _storage(tensor)
        address = storage.data_ptr()
        if address not in self._storage_places or not address:
            self._storage_places[address] = len(self._storages)
            self._storages.append(_set(_empty(0, dtype=_uint8), storage))
        return self._storage_places[address]


def _specify(flat: torch.Tensor) -> safetensors.TensorSpec:
    size = _numel(flat)
    return _TensorSpec(dtype="uint8", shape=[size], data_ptr=_data_ptr(flat), data_len=size)


def flat_bytes(tensor: torch.Tensor) -> torch.Tensor:
    """The entries of a dense CPU tensor in row-major order, as a tensor of bytes (a view where that is possible)."""
    plain = _resolve_neg(_resolve_conj(_detach(tensor)))
    return _view(_reshape(_contiguous(plain), (-1,)), _uint8)


def describe_type(kind: type) -> str:
    """A type's name as a learner knows it, such as `numpy.ndarray`."""
    module, name = getattr(kind, "__module__", ""), getattr(kind, "__qualname__", "")
    if type(module) is not str or type(name) is not str:
        return "an object without a name"
    full = name if module in ("builtins", "solution", "__main__") else f"{module}.{name}"
    return full[:200]


def _count_chosen(keys: list[Any]) -> int:
    """How many of these keys could have been chosen for their hash."""
    return sum(not (type(key) is str or (type(key) is int and abs(key) < 2**60)) for key in keys)


class Decoder:
    """The inverse of `Encoder`. Raises `ValueRefused` for a frame that no encoder makes."""

    def __init__(self, table: Any, block: bytes, kept: list[Any] | None = None, *, layout: bool = True) -> None:
        """`kept` are the modules that handles stand for; without it, a handle is decoded as a `Handle`.

        Without `layout`, tensors must come with values alone: with no strides, which could make an endless tensor of
        one byte, and without `requires_grad`.
        """
        self._layout = layout
        self._kept = kept
        if not isinstance(table, list) or len(table) > MAX_TENSORS:
            raise ValueRefused("the table of tensors is malformed")
        try:
            blocks: dict[str, Any] = {name: parts["data"] for name, parts in _deserialize(block)} if block else {}  # type: ignore[no-untyped-call]
        except (safetensors.SafetensorError, KeyError, TypeError) as error:
            raise ValueRefused(f"not safetensors: {error}") from None
        self._bases: dict[Any, torch.UntypedStorage] = {}
        self._blocks = blocks
        self.tensors = [self._tensor(row) for row in table]
        self._items = 0
        self._chosen_keys = 0

    @property
    def storages(self) -> list[torch.UntypedStorage]:
        return list(self._bases.values())

    def decode(self, tree: Any, depth: int = 0) -> Any:
        self._items += 1
        if depth > MAX_DEPTH + 1 or self._items > 2 * MAX_ITEMS:
            raise ValueRefused("the value is too deep or too large")
        if type(tree) is int and tree.bit_length() > MAX_INT_BITS:
            raise ValueRefused("an integer is too long")
        if type(tree) is str and len(tree) > MAX_TEXT:
            raise ValueRefused("a text is too long")
        if tree is None or isinstance(tree, (bool, int, float, str)):
            return tree
        if not isinstance(tree, dict) or len(tree) != 1:
            raise ValueRefused("the tree is malformed")
        ((code, part),) = tree.items()
        if code == "x" and type(part) is int and 0 <= part < len(self.tensors):
            return self.tensors[part]
        if code == "h" and type(part) is int and part >= 0:
            return Handle(part) if self._kept is None else self._kept[part]
        if code == "u" and isinstance(part, str):
            return Opaque(part)
        if code in ("l", "t", "d") and isinstance(part, list):
            if code != "d":
                items = [self.decode(item, depth + 1) for item in part]
                return items if code == "l" else tuple(items)
            if all(isinstance(pair, list) and len(pair) == 2 for pair in part):
                return self._dictionary(part, depth + 1)
        raise ValueRefused("the tree is malformed")

    def _dictionary(self, pairs: list[Any], depth: int) -> dict[Any, Any]:
        keys = [self.decode(key, depth) for key, _ in pairs]
        self._chosen_keys += _count_chosen(keys)
        if self._chosen_keys > MAX_CHOSEN_KEYS:
            raise ValueRefused("dictionaries with too many keys that are neither texts nor int")
        try:
            return dict(zip(keys, [self.decode(item, depth) for _, item in pairs], strict=True))
        except TypeError:
            raise ValueRefused("a key of a dictionary is not hashable") from None

    def _tensor(self, row: Any) -> torch.Tensor:
        try:
            dtype, shape, place = DTYPES[row["d"]], row["n"], str(row["s"])
            if not _is_sizes(shape):
                raise ValueRefused("a shape is malformed")
            if not self._layout and not {"k", "o", "g"}.isdisjoint(row):
                raise ValueRefused("a result came with a layout")
            storage = self._base(place)
            strides, offset = row.get("k"), row.get("o", 0)
            if strides is None:
                strides = _row_major(shape)
            if not _is_sizes(strides) or len(strides) != len(shape) or type(offset) is not int or offset < 0:
                raise ValueRefused("a layout is malformed")
            last = offset + sum((size - 1) * stride for size, stride in zip(shape, strides, strict=True))
            if all(shape) and (last + 1) * dtype.itemsize > storage.nbytes():
                raise ValueRefused("a tensor reaches beyond its storage")
            tensor = _set(_empty(0, dtype=dtype), storage, offset, shape, strides)
            if row.get("p"):
                return Parameter(tensor, requires_grad=bool(row.get("g")))
            return _requires_grad(tensor, True) if row.get("g") else tensor
        except (KeyError, TypeError, AttributeError, RuntimeError, OverflowError) as error:
            raise ValueRefused(f"a tensor is malformed: {error}") from None

    def _base(self, place: str) -> torch.UntypedStorage:
        if place not in self._bases:
            data = self._blocks[place]
            # The clone has memory of torch's own: aligned as every tensor's is, and one that can be resized.
            flat = _clone(_frombuffer(data, dtype=_uint8)) if len(data) else _empty(0, dtype=_uint8)
            self._bases[place] = _storage(flat)
        return self._bases[place]


def _is_sizes(value: Any) -> bool:
    return (
        isinstance(value, list) and len(value) <= 64 and all(type(item) is int and 0 <= item < 2**40 for item in value)
    )


def _row_major(shape: Sequence[int]) -> list[int]:
    strides, step = [], 1
    for size in reversed(shape):
        strides.append(step)
        step *= max(size, 1)
    return strides[::-1]
