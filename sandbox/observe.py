"""What a call did besides returning: to its arguments, and to memory that it shares with them.

It runs in the solution jail, around foreign code, so every function that it uses is a reference taken before that code
was loaded, and every answer comes from memory that is read again, not from what objects say of themselves.
"""

from __future__ import annotations

import builtins
import dataclasses
from typing import Any

import torch

from sandbox.values import Parameter, Tensor, flat_bytes

globals()["__builtins__"] = dict(vars(builtins))  # foreign code that replaces a built-in function changes nothing here

_Base = torch._C.TensorBase
_empty, _equal, _uint8 = torch.empty, torch.equal, torch.uint8
_set, _detach, _fill, _clone, _copy = _Base.set_, _Base.detach, _Base.fill_, _Base.clone, _Base.copy_
_named_parameters, named_buffers = torch.nn.Module.named_parameters, torch.nn.Module.named_buffers
_data_ptr, _stride = _Base.data_ptr, _Base.stride
# The getters of C attributes, which a subclass or a patched `Tensor` does not change.
_attributes = vars(_Base)
_shape, _grad, _requires_grad = (_attributes[name].__get__ for name in ("shape", "grad", "requires_grad"))
_is_leaf, _grad_fn, _dtype = (_attributes[name].__get__ for name in ("is_leaf", "grad_fn", "dtype"))
_is_contiguous, _storage_of = _Base.is_contiguous, Tensor.untyped_storage
_ones_like, _numel = torch.ones_like, _Base.numel
_run_backward = torch.autograd.Variable._execution_engine.run_backward
_address, _size = torch.UntypedStorage.data_ptr, torch.UntypedStorage.nbytes


@dataclasses.dataclass(frozen=True)
class _Before:
    shape: tuple[int, ...]
    stride: tuple[int, ...]
    address: int
    requires_grad: bool
    has_grad: bool
    values: torch.Tensor


class Witness:
    """Looks at the arguments of one call before and after it."""

    def __init__(self, arguments: list[torch.Tensor], storages: list[torch.UntypedStorage]) -> None:
        self._arguments = arguments
        self._bases = [_set(_empty(0, dtype=_uint8), storage) for storage in storages]
        self._ranges = [(_address(storage), _address(storage) + _size(storage)) for storage in storages]
        self._before = [self._look(argument) for argument in arguments]

    @staticmethod
    def _look(argument: torch.Tensor) -> _Before:
        return _Before(
            shape=tuple(_shape(argument)),
            stride=tuple(_stride(argument)),
            address=_data_ptr(argument),
            requires_grad=_requires_grad(argument),
            has_grad=_grad(argument) is not None,
            values=_clone(flat_bytes(argument)),
        )

    def changes(self) -> list[list[str]]:
        """For each argument, what the call changed of it, in words."""
        return [
            self._compare(before, self._look(argument))
            for before, argument in zip(self._before, self._arguments, strict=True)
        ]

    @staticmethod
    def _compare(before: _Before, after: _Before) -> list[str]:
        found = []
        if before.shape != after.shape or before.stride != after.stride:
            found.append(f"its shape went from {list(before.shape)} to {list(after.shape)}")
        elif not _equal(before.values, after.values):
            found.append("its values are different")
        if before.address != after.address:
            found.append("it was given other storage")
        if before.requires_grad != after.requires_grad:
            found.append(f"its requires_grad went from {before.requires_grad} to {after.requires_grad}")
        if before.has_grad != after.has_grad:
            found.append("its .grad was set" if after.has_grad else "its .grad was removed")
        return found

    def shared(self, outputs: list[torch.Tensor]) -> tuple[list[bool], bool]:
        """For each argument whether some output shares memory with it, and whether outputs share among themselves.

        The arguments and the outputs are overwritten: take what is needed of them before.
        """
        owners = [self._owner(argument) for argument in self._arguments]
        touched = [any(self._meets(index, output) for output in outputs) for index in range(len(self._bases))]
        among = any(
            _overlap(_range_of(first), _range_of(second))
            for place, first in enumerate(outputs)
            for second in outputs[:place]
            if first is not second
        )
        return [owner is not None and touched[owner] for owner in owners], among

    def _owner(self, argument: torch.Tensor) -> int | None:
        address = _address(_storage_of(argument))
        for index, (start, end) in enumerate(self._ranges):
            if start <= address < end:
                return index
        return None

    def _meets(self, index: int, output: torch.Tensor) -> bool:
        base = self._bases[index]
        if _overlap(self._ranges[index], _range_of(output)):
            return True
        plain = _detach(output)
        try:
            return _follows(plain, base)
        except RuntimeError:  # an expanded or inference tensor refuses to be written: what is written before it shows
            return _follows(base, plain)


def _follows(written: torch.Tensor, read: torch.Tensor) -> bool:
    """Whether writing into one tensor shows in the other. Raises `RuntimeError` if it can't be written."""
    _fill(written, 0)
    before = _clone(flat_bytes(read))
    _fill(written, 1)
    return not _equal(before, flat_bytes(read))


def _range_of(tensor: torch.Tensor) -> tuple[int, int]:
    storage = _storage_of(tensor)
    start = _address(storage)
    return start, start + _size(storage)


def _overlap(first: tuple[int, int], second: tuple[int, int]) -> bool:
    return max(first[0], second[0]) < min(first[1], second[1])


def facts(output: torch.Tensor) -> dict[str, Any]:
    """What is known of a returned tensor besides its values."""
    return {
        "dtype": str(_dtype(output)).removeprefix("torch."),
        "shape": list(_shape(output)),
        "requires_grad": _requires_grad(output),
        "is_leaf": _is_leaf(output),
        "has_grad_fn": _grad_fn(output) is not None,
        "is_parameter": type(output) is Parameter,
        "contiguous": _is_contiguous(output),
    }


def backward(output: torch.Tensor, cotangent: torch.Tensor | None) -> None:
    """Accumulates gradients from one tensor, by the engine itself; `torch.autograd.backward` asks Python attributes."""
    if cotangent is None and _numel(output) != 1:
        raise RuntimeError(f"a scalar was expected, to compute gradients from; it has the shape {list(_shape(output))}")
    start = _ones_like(output) if cotangent is None else cotangent
    _run_backward((output,), (start,), False, False, (), allow_unreachable=True, accumulate_grad=True)


def gradient(argument: torch.Tensor) -> torch.Tensor | None:
    """The gradient that reached an argument."""
    found = _grad(argument)
    return found if type(found) is Tensor else None


def parameters_of(module: torch.nn.Module) -> dict[str, tuple[torch.Tensor, bool, torch.Tensor | None]]:
    """The parameters of a module by name: value, `requires_grad`, gradient."""
    return {
        name: (parameter, _requires_grad(parameter), gradient(parameter))
        for name, parameter in _named_parameters(module)
    }


def assign(module: torch.nn.Module, values: dict[str, torch.Tensor]) -> None:
    """Copies values into parameters and buffers of a module, in place."""
    present = dict(_named_parameters(module)) | dict(named_buffers(module))
    for name, value in values.items():
        if name not in present:
            raise AttributeError(f"the module has no parameter or buffer named {name!r}")
        _copy(_detach(present[name]), value)
