"""Items with settings: stimuli, networks, dynamics, schedules, initial weights."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from . import _fovea
from ._errors import SettingError
from ._progress import Meter, ProgressLike
from ._tables import Table


class Item:
    """A registered item with its settings, for `fv.train` or another item."""

    kind: str
    name: str

    def __init__(self, kind: str, name: str, given: dict[str, Any]) -> None:
        self.kind = kind
        self.name = name
        self._given = dict(given)
        self._settings: dict[str, Any] = _fovea.complete(kind, name, self._given)

    @property
    def settings(self) -> Table:
        """Every setting; those that were not given have their defaults."""
        return Table(self._settings)

    def replace(self, **changes: Any) -> Any:
        """The same item with some settings changed."""
        return type(self)(self.kind, self.name, {**self._given, **changes})

    def _fovea_value_(self) -> dict[str, Any]:
        return {"name": self.name, **self._given}

    def __repr__(self) -> str:
        def short(value: Any) -> str:
            if isinstance(value, np.ndarray):
                return f"<{' x '.join(map(str, value.shape))} array>"
            return repr(value)

        given = ", ".join(f"{key}={short(value)}" for key, value in self._given.items())
        return f"fv.{self.kind}.{self.name.replace('-', '_')}({given})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Item):
            return NotImplemented
        return (self.kind, self.name) == (other.kind, other.name) and _same(self._settings, other._settings)

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.kind, self.name, self._given)


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_same(a[key], b[key]) for key in a)
    return bool(np.array_equal(a, b))


class Stimulus(Item):
    """A source of samples."""

    def __init__(self, kind: str, name: str, given: dict[str, Any]) -> None:
        super().__init__(kind, name, given)
        self._source = _fovea.Stimulus(name, self._given)

    @property
    def sites(self) -> int:
        """Entries of a sample."""
        return int(self._source.dim)

    @property
    def shape(self) -> tuple[int, ...]:
        """Sides of the ring or torus of the entries."""
        return tuple(self._source.shape)

    @property
    def law(self) -> Table:
        """Declared properties of the distribution: standardized, sign_symmetric, translation_invariant, is_gaussian."""
        return Table(self._source.law)

    @property
    def notes(self) -> list[str]:
        """Notes from the construction, such as clipped eigenvalues."""
        return list(self._source.notes)

    @property
    def mean(self) -> NDArray[np.float64]:
        """The exact mean of every entry, computed without sampling."""
        mean: NDArray[np.float64] = self._source.exact_moments()[0]
        return mean

    @property
    def covariance(self) -> NDArray[np.float64]:
        """The exact covariance of every pair of entries, computed without sampling."""
        covariance: NDArray[np.float64] = self._source.exact_moments()[1]
        return covariance

    def sample(
        self,
        count: int,
        *,
        seed: int = 0,
        dtype: DTypeLike = np.float64,
        first: int = 0,
        out: NDArray[Any] | None = None,
        progress: ProgressLike = False,
    ) -> NDArray[Any]:
        """Samples `first` to `first + count - 1` of a seed, one row each, on all threads.

        `dtype` is float64 or float32; the two give different samples. A sample depends only on the seed and its index,
        so `sample(10, first=5)` continues `sample(5)`. `out` is an array to write into; without it one is made, and
        nothing else of that size.
        """
        count, first = _whole("count", count), _whole("first", first)
        kind = np.dtype(dtype if out is None else out.dtype)
        if kind not in (np.dtype(np.float32), np.dtype(np.float64)):
            raise SettingError(f"`dtype` is {kind}; it must be float64 or float32", "write dtype='float32'")
        if out is None:
            self._source.fits(count, kind.itemsize)
            out = np.empty((count, self.sites), dtype=kind)
        elif out.shape != (count, self.sites) or not (out.flags.c_contiguous and out.flags.writeable):
            what = f"`out` has shape {out.shape}" + ("" if out.flags.writeable else " and is read-only")
            hint = f"give a writeable array of shape {(count, self.sites)} with contiguous rows"
            raise SettingError(what + ("" if out.flags.c_contiguous else ", not contiguous"), hint)
        if count:
            with Meter(progress, "sample", "samples") as meter:
                self._source.fill(out, seed, first, meter.call)
        return out


def _whole(name: str, given: Any) -> int:
    """A count that may be 0."""
    try:
        number = given.__index__()
    except AttributeError:
        number = -1
    if number < 0 or isinstance(given, bool):
        raise SettingError(f"`{name}` is {given!r}; it must be a whole number >= 0", f"choose `{name}` such as 1000")
    if number >= 2**63:
        raise SettingError(f"`{name}` is {given!r}, more than fits into memory", f"choose a smaller `{name}`")
    return int(number)
