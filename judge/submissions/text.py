"""Text that a submission could have made, kept inert wherever it is shown or stored."""

from typing import TypeVar

T = TypeVar("T")

_PICTURES = {code: 0x2400 + code for code in range(0x20) if chr(code) not in "\n\t"}
_PICTURES[0x7F] = 0x2421
_PICTURES |= dict.fromkeys(range(0x80, 0xA0), 0xFFFD)
_PICTURES |= dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A)], 0xFFFD)


def inert(value: T) -> T:
    """`value` with every control character in its texts replaced by a picture of it, such as `␀` or `␛`.

    Terminal escapes, null bytes, halves of surrogate pairs and changes of direction end here; lists and dictionaries
    are cleaned all the way down. Markup is left to the templates, which escape it.
    """
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8").translate(_PICTURES)  # type: ignore[return-value]
    if isinstance(value, dict):
        return {inert(key): inert(item) for key, item in value.items()}  # type: ignore[return-value]
    if isinstance(value, list | tuple):
        return [inert(item) for item in value]  # type: ignore[return-value]
    return value
