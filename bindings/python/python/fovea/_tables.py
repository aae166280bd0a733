"""Named values, and rows of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _fovea
from ._errors import UnknownNameError


class Table(dict[str, Any]):
    """Named values: `table["moment"]`, or `table.moment`."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise UnknownNameError(f"there is no value called `{name}`", f"there is {', '.join(self)}") from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(name for name in self if name.isidentifier())]

    def __repr__(self) -> str:
        return "Table(" + ", ".join(f"{name}={value!r}" for name, value in self.items()) + ")"


def in_words(value: Any) -> str:
    """A value as a cell shows it."""
    if isinstance(value, float):
        return f"{value:.6g}"
    return "" if value is None else str(value)


def html_table(head: Sequence[str], rows: Sequence[Sequence[Any]], note: str = "") -> str:
    """Rows as HTML."""
    top = "".join(f"<th>{escape(name)}</th>" for name in head)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(in_words(cell))}</td>" for cell in row) + "</tr>" for row in rows
    )
    below = f"<p>{escape(note)}</p>" if note else ""
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>{below}"


class Columns(Mapping[str, NDArray[Any]]):
    """Columns of equal length, each a NumPy array: `table["value"]`.

    pandas, polars, pyarrow and DuckDB read it as an Arrow stream: `polars.DataFrame(table)`, `pyarrow.table(table)`.
    """

    def __init__(self, columns: Mapping[str, Any]) -> None:
        self._columns: dict[str, NDArray[Any]] = {
            name: np.array(values, dtype=np.str_) if isinstance(values, list) else np.asarray(values)
            for name, values in columns.items()
        }

    def __getitem__(self, name: str) -> NDArray[Any]:
        try:
            return self._columns[name]
        except KeyError:
            hint = f"the columns are {', '.join(self._columns)}"
            raise UnknownNameError(f"there is no column called `{name}`", hint) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()), ()))

    def _rows(self, **equal: Any) -> dict[str, NDArray[Any]]:
        keep = np.ones(len(self), dtype=bool)
        for name, value in equal.items():
            keep &= self[name] == value
        return {name: column[keep] for name, column in self._columns.items()}

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The columns as an Arrow stream."""
        columns = [(name, c.tolist() if c.dtype.kind == "U" else c) for name, c in self._columns.items()]
        return _fovea.arrow_stream(columns)

    def to_pandas(self) -> Any:
        """As a pandas data frame."""
        import pandas  # type: ignore[import-untyped, import-not-found, unused-ignore]

        return pandas.DataFrame({n: c.tolist() if c.dtype.kind == "U" else c for n, c in self._columns.items()})

    def to_polars(self) -> Any:
        """As a polars data frame."""
        import polars  # type: ignore[import-untyped, import-not-found, unused-ignore]

        return polars.DataFrame(self)

    def to_arrow(self) -> Any:
        """As a pyarrow table."""
        import pyarrow  # type: ignore[import-untyped, import-not-found, unused-ignore]

        return pyarrow.table(self)

    def _head(self, count: int) -> list[list[Any]]:
        return [[column[i].item() for column in self._columns.values()] for i in range(min(count, len(self)))]


class Series(Columns):
    """Readings over time in long format: columns curve, step, time, probe, unit and value, one row per reading.

    `series.where(probe="ipr")` keeps some rows. pandas, polars, pyarrow and DuckDB read it: `polars.DataFrame(series)`.
    """

    def where(self, **equal: Any) -> Series:
        """The rows whose columns have these values: `series.where(probe="ipr", unit=0)`."""
        return Series(self._rows(**equal))

    @property
    def curves(self) -> list[str]:
        """The names of the curves, in order."""
        return list(dict.fromkeys(self["curve"].tolist()))

    @property
    def probes(self) -> list[str]:
        """The names of the readings, in order."""
        return list(dict.fromkeys(self["probe"].tolist()))

    def __repr__(self) -> str:
        return f"Series of {len(self)} readings: {', '.join(self.probes)} of {', '.join(self.curves[:6])}" + (
            ", ..." if len(self.curves) > 6 else ""
        )

    def _repr_html_(self) -> str:
        return html_table(list(self), self._head(8), f"{len(self)} readings")


class Numbers(Columns):
    """A table of a run: what it printed, with all digits. Standard errors of a column of means are in the one ending in `_se`."""

    def __init__(self, told: Mapping[str, Any]) -> None:
        super().__init__(told["columns"])
        #: What it shows.
        self.caption: str = told["caption"]
        #: Units by column, where there are any.
        self.units: dict[str, str] = told["units"]
        self._lines: list[str] = told["lines"]

    def where(self, **equal: Any) -> dict[str, NDArray[Any]]:
        """The rows whose columns have these values, by column: `table.where(gain=3)["ipr"]`."""
        return self._rows(**equal)

    def __repr__(self) -> str:
        return "\n".join(self._lines)

    def _repr_html_(self) -> str:
        return html_table(list(self), self._head(200), self.caption)
