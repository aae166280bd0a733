"""The results of a run: readings, arrays, claims, figures and a report."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _fovea
from ._catalogue import unknown
from ._errors import SettingError
from ._tables import Numbers, Series, Table, html_table


class Figure:
    """A figure, which a notebook displays; saved as SVG or PNG."""

    def __init__(self, drawn: Any, name: str) -> None:
        self._drawn = drawn
        self.name = name

    @property
    def title(self) -> str:
        """Its heading."""
        return str(self._drawn.title)

    @property
    def description(self) -> str:
        """Alternative text for a reader who cannot see it."""
        return str(self._drawn.description)

    def svg(self, *, width: float | None = None) -> str:
        """The figure as SVG, `width` pixels wide."""
        return str(self._drawn.svg(width))

    def png(self, *, scale: float = 2.0, width: float | None = None) -> bytes:
        """The figure as PNG, with `scale` image pixels per pixel of the figure."""
        return bytes(self._drawn.png(scale, width))

    def save(self, path: str | os.PathLike[str], *, scale: float = 2.0, width: float | None = None) -> Path:
        """Writes the figure to a file that ends in `.svg` or `.png`."""
        path = Path(path)
        ending = path.suffix.lower()
        if ending == ".svg":
            path.write_text(self.svg(width=width), encoding="utf-8")
        elif ending == ".png":
            path.write_bytes(self.png(scale=scale, width=width))
        else:
            hint = "end the name in .svg or .png; any vector program makes a .pdf of the .svg"
            raise SettingError(f"a figure cannot be saved as `{path.name}`", hint)
        return path

    def _repr_svg_(self) -> str:
        return self.svg()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return {"image/svg+xml": self.svg(), "text/plain": repr(self)}

    def __repr__(self) -> str:
        return f"Figure({self.name!r}: {self.title})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _figure, (self._drawn.text(), self.name)


def _figure(text: str, name: str) -> Figure:
    return Figure(_fovea.Figure.read(text), name)


class Named(Mapping[str, Any]):
    """Things by name, in order; also by index."""

    def __init__(self, things: Mapping[str, Any], kind: str) -> None:
        self._things, self._kind = things, kind

    def __getitem__(self, name: str | int) -> Any:
        if isinstance(name, int):
            return self._things[list(self._things)[name]]
        try:
            return self._things[name]
        except KeyError:
            raise unknown(self._kind, name, list(self._things)) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._things)

    def __len__(self) -> int:
        return len(self._things)

    def __repr__(self) -> str:
        return f"{len(self)} {self._kind}{'' if len(self) == 1 else 's'}: {', '.join(self)}"


class Figures(Named):
    """The figures of a run."""

    def _repr_html_(self) -> str:
        return "".join(figure.svg() for figure in self.values())


class Tables(Named):
    """The tables of a run."""

    def _repr_html_(self) -> str:
        return "".join(table._repr_html_() for table in self.values())


class Arrays(Named):
    """The arrays of a run, each read on demand."""

    def __init__(self, record: Any) -> None:
        super().__init__(dict.fromkeys(record.array_names()), "array")
        self._record = record

    def __getitem__(self, name: str | int) -> NDArray[np.float64]:
        if isinstance(name, int):
            name = list(self._things)[name]
        if name not in self._things:
            raise unknown("array", name, list(self._things))
        array: NDArray[np.float64] = self._record.array(name)
        return array


class Claims(Sequence[Table]):
    """Theory against simulation, claim by claim."""

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        self._rows = [Table(row) for row in rows]

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, str):
            found = [row for row in self._rows if row["id"] == place]
            if not found:
                raise unknown("claim", place, [row["id"] for row in self._rows])
            return found[0]
        return self._rows[place]

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def failed(self) -> list[Table]:
        """Those that failed."""
        return [row for row in self._rows if row["status"] == "fail"]

    def __repr__(self) -> str:
        lines = [f"{row['status']:<9} {row['id']}: {row.get('statement') or row['says']}" for row in self._rows]
        return "\n".join(lines) or "no claims"

    def _repr_html_(self) -> str:
        head = ["id", "status", "predicted", "measured", "std_err", "z", "limit", "digits", "statement"]
        return html_table(head, [[row.get(key) for key in head] for row in self._rows])


class Report:
    """The report of a run, a self-contained page."""

    def __init__(self, record: Any) -> None:
        self._record = record

    @cached_property
    def html(self) -> str:
        """The page."""
        return str(self._record.html())

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the page to a file."""
        path = Path(path)
        path.write_text(self.html, encoding="utf-8")
        return path

    def _repr_html_(self) -> str:
        # Its styles are for a page of its own, so it gets a frame.
        return f'<iframe srcdoc="{escape(self.html)}" style="width: 100%; height: 40em; border: 0"></iframe>'


class Result:
    """The record of a run, in memory or in a directory."""

    def __init__(self, record: Any, summary: Sequence[str] = ()) -> None:
        self._record = record
        self._about: dict[str, Any] = record.about()
        #: The sentences printed after the tables; a loaded record has them only in its report.
        self.summary = list(summary)

    @property
    def experiment(self) -> str:
        """What was run."""
        return str(self._about["experiment"])

    @property
    def status(self) -> str:
        """`completed`, `diverged` or `interrupted`."""
        return str(self._about["status"])

    @property
    def seed(self) -> int:
        """The seed."""
        return int(self._about["seed"])

    @property
    def settings(self) -> Table:
        """Every setting."""
        return Table(self._about["settings"])

    @property
    def hash(self) -> str:
        """The hash of everything that determines the numbers."""
        return str(self._about["hash"])

    @property
    def dtype(self) -> str:
        """Number type of sampling and training: `f32` or `f64`."""
        return str(self._about["dtype"])

    @property
    def stamp(self) -> Table:
        """When and where it ran, and for how long."""
        return Table(self._about["stamp"])

    @property
    def path(self) -> Path | None:
        """Its directory, if it was written."""
        path = self._about["path"]
        return None if path is None else Path(path)

    @cached_property
    def series(self) -> Series:
        """Readings over time."""
        return Series(self._record.series())

    @cached_property
    def tables(self) -> Tables:
        """The resulting numbers, by table and column."""
        return Tables({told["name"]: Numbers(told) for told in self._record.tables()}, "table")

    @cached_property
    def arrays(self) -> Arrays:
        """Weights, spectra and their predictions, by name."""
        return Arrays(self._record)

    @cached_property
    def claims(self) -> Claims:
        """Theory against simulation."""
        return Claims(self._record.claims())

    @cached_property
    def figures(self) -> Figures:
        """The figures, by name and by index."""
        return Figures({name: Figure(drawn, name) for name, drawn in self._record.figures()}, "figure")

    @cached_property
    def report(self) -> Report:
        """The page."""
        return Report(self._record)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes the record to a new directory, byte for byte as `fovea run` does."""
        return Path(self._record.save(os.fspath(path)))

    def __repr__(self) -> str:
        failed = len(self.claims.failed)
        claims = f", {len(self.claims)} claims" + (f", {failed} FAILED" if failed else "") if self.claims else ""
        where = "" if self.path is None else f", {self.path}"
        figures = f", figures: {', '.join(self.figures)}" if self.figures else ""
        return f"Result({self.experiment}, seed {self.seed}: {self.status}{claims}{figures}{where})"

    def _repr_html_(self) -> str:
        parts = [f"<p>{escape(repr(self))}</p>", self.figures._repr_html_(), self.tables._repr_html_()]
        if self.summary:
            parts.append("<pre>" + escape("\n".join(self.summary)) + "</pre>")
        if self.claims:
            parts.append(self.claims._repr_html_())
        return "".join(parts)

    def __reduce__(self) -> tuple[Any, ...]:
        return _result, (self._record.files(), self.summary)


def _result(files: dict[str, bytes], summary: list[str]) -> Result:
    return Result(_fovea.Record.from_files(files), summary)


def load(path: str | os.PathLike[str]) -> Result:
    """Reads the record of a run: a directory written by `fovea run`, `fovea train` or `out=`."""
    return Result(_fovea.Record.open(os.fspath(path)))
