"""Texts of reports: what comes from a jail, made inert (it is shown, and does nothing), and limits of time."""

from __future__ import annotations

from typing import Any

_CONTROL = {code: chr(0x2400 + code) for code in range(32) if chr(code) not in "\n\t"}
_CONTROL[0x7F] = "\u2421"
_CONTROL |= {code: "\ufffd" for code in (*range(0x80, 0xA0), *range(0xD800, 0xE000))}
# Marks that reorder what stands beside them could make a report say something else.
_CONTROL |= {code: "\ufffd" for code in (0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))}


def clean(text: str) -> str:
    """`text` with control characters, terminal escapes and null bytes made visible; line breaks and tabs stay."""
    return text.replace("\r\n", "\n").translate(_CONTROL)


def clean_all(value: Any) -> Any:
    """`value`, as JSON has it, with every text in it made inert."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [clean_all(item) for item in value]
    if isinstance(value, dict):
        return {clean(key): clean_all(item) for key, item in value.items()}
    return value


def seconds(value: float) -> str:
    """A limit of time as a learner reads it; limits that were stretched for a slow machine have many digits."""
    return f"{round(value, 1):g} s"
