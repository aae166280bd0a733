"""Probes on weights of your own: `fv.measure.ipr(weights)`, with one row of `weights` per unit.

A probe of one number gives an array with one entry per unit, or a number if `weights` has one axis; a probe of several
named numbers gives a table of such arrays. A field on a torus has its axes after that of the units, or `shape=(30, 30)` gives them.
"""

from collections.abc import Callable as _Callable
from inspect import Parameter as _Parameter
from inspect import Signature as _Signature
from typing import Any as _Any

from . import _fovea
from ._catalogue import documentation as _documentation
from ._catalogue import find as _find
from ._catalogue import items as _items
from ._tables import Table as _Table


def _probe(name: str) -> _Callable[..., _Any]:
    item = _find("probe", name)

    def measure(weights: _Any, *, shape: tuple[int, ...] | None = None) -> _Any:
        reading = _fovea.measure(item["name"], weights, None if shape is None else list(shape))
        if isinstance(reading, dict):
            return _Table({column: _plain(values) for column, values in reading.items()})
        return _plain(reading)

    measure.__name__ = measure.__qualname__ = name
    measure.__module__ = __name__
    measure.__doc__ = _documentation(item)
    shape = _Parameter("shape", _Parameter.KEYWORD_ONLY, default=None)
    measure.__signature__ = _Signature(  # type: ignore[attr-defined]
        [_Parameter("weights", _Parameter.POSITIONAL_OR_KEYWORD), shape]
    )
    return measure


def _plain(array: _Any) -> _Any:
    return array.item() if array.ndim == 0 else array


_made: dict[str, _Callable[..., _Any]] = {}


def __getattr__(name: str) -> _Callable[..., _Any]:
    if name.startswith("__"):
        raise AttributeError(name)
    if name not in _made:
        _made[name] = _probe(name)
    return _made[name]


def __dir__() -> list[str]:
    return list(_items("probe"))
