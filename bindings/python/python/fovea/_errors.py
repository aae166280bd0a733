"""Errors: each says what went wrong and what to do about it."""

from __future__ import annotations

import re


#: Hints of the command line, and the same in Python.
WORDS = [
    (r"`fovea list (\w+)`", r'`fv.list("\1")`'),
    (r"`fovea list`", "`fv.list()`"),
    (r"fovea train --resume (\S+)", r'fv.resume("\1")'),
    (r"fovea train with these weights and steps = 0", "fv.train with these weights and steps=0"),
    (r"fovea run (\S+) --config (\S+) --out DIR", r'fv.run("\1") with its settings'),
    (r"run fovea verify again", "run fv.verify() again"),
    (r"write `(\w+)=([a-z][\w-]*)`", r'write \1="\2"'),
]


def in_python(hint: str) -> str:
    """A hint of the command line, in Python."""
    for pattern, here in WORDS:
        hint = re.sub(pattern, here, hint)
    return hint


class FoveaError(Exception):
    """An error of Fovea. `hint` is the next step."""

    def __init__(self, what: str, hint: str = "") -> None:
        super().__init__(what, hint)
        self.what = what
        self.hint = in_python(hint)
        #: Index of the first arguments without a value, where a closed form was given arrays.
        self.index: int | tuple[int, ...] | None = None

    def __str__(self) -> str:
        where = "" if self.index is None else f" (at index {self.index})"
        hint = f"\nhint: {self.hint}" if self.hint else ""
        return f"{self.what}{where}{hint}"


class SettingError(FoveaError, ValueError):
    """A value that cannot be used."""


class UnknownNameError(FoveaError, KeyError, AttributeError):
    """A name that does not exist."""


class UnknownParameterError(FoveaError, KeyError, TypeError):
    """A parameter that the item does not have."""


class RecordError(FoveaError, OSError):
    """A record that cannot be read or written."""
