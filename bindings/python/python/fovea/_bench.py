"""The speed of this machine, and what Python adds to it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from statistics import median, quantiles
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _fovea, stimulus, theory
from ._catalogue import unknown
from ._progress import Meter, ProgressLike
from ._tables import Numbers, Table


class Benchmark(Sequence[Table]):
    """Rows of measured speed: `bench["rows-nlgp-f32"].median`."""

    def __init__(self, machine: dict[str, Any], rows: list[dict[str, Any]]) -> None:
        self.machine = Table(machine)
        self._rows = [Table(row) for row in rows]

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, str):
            found = [row for row in self._rows if row["name"] == place]
            if not found:
                raise unknown("row", place, [row["name"] for row in self._rows])
            return found[0]
        return self._rows[place]

    def __len__(self) -> int:
        return len(self._rows)

    def _machine(self) -> str:
        return f"{self.machine.cpu}, {self.machine.cores} cores, {self.machine.instructions}, {self.machine.build} build"

    @property
    def table(self) -> Numbers:
        """The rows as columns: `bench.table["median"]`, `bench.table.to_pandas()`."""

        def what(row: Table) -> str:
            relations = "".join(f"; {key} {value:.3g}" for key, value in row["relations"].items())
            return f"{row['about']}{relations}"

        def numbers(column: Callable[[Table], Any]) -> NDArray[np.float64]:
            return np.array([column(row) for row in self], dtype=np.float64)

        def share(value: float | None) -> float:
            return np.nan if value is None else 100 * value

        columns: dict[str, Any] = {
            "row": [row["name"] for row in self],
            "best": numbers(lambda row: row["best"]),
            "median": numbers(lambda row: row["median"]),
            "spread": numbers(lambda row: share(row["spread"] / row["median"])),
            "unit": [row["unit"] for row in self],
            "clock": [row["clock"] for row in self],
            "cores": np.array([row["cores"] for row in self], dtype=np.int64),
            "load": numbers(lambda row: share(row["foreign_load"])),
            "what": [what(row) for row in self],
        }
        units = {"spread": "%", "load": "%"}
        typed = [(name, units.get(name, ""), values) for name, values in columns.items()]
        lines = _fovea.table_lines(typed, ["what"], 100)
        return Numbers({"columns": columns, "units": units, "caption": self._machine(), "lines": lines})

    def __repr__(self) -> str:
        return "\n".join([self._machine(), "", repr(self.table)])

    def _repr_html_(self) -> str:
        return self.table._repr_html_()


def bench(*only: str, quick: bool = False, progress: ProgressLike = None) -> Benchmark:
    """Measures the speed of this machine: all rows, or those whose names begin so, `fv.bench("sample")`.

    Rows that begin with `python` are timed from Python and compared with the same work without it: one call of a closed
    form, a closed form at an array, and samples into an array, all on one thread.
    """
    ours = [name for name in PYTHON if not only or any(name.startswith(word) for word in only)]
    native = [PYTHON[name].native for name in ours if PYTHON[name].native]
    theirs = [word for word in only if not any(name.startswith(word) for name in PYTHON)]
    with Meter(progress, "bench", "rows") as meter:
        document = _fovea.bench([*theirs, *native] if only else [], quick, meter.call)
    rows: list[dict[str, Any]] = document["rows"]
    before = _fovea.threads(None)
    try:
        _fovea.threads(1)
        for name in ours:
            rows.append(_measured(name, PYTHON[name], quick, rows))
    finally:
        _fovea.threads(before)
    return Benchmark(document["machine"], rows)


class Work:
    """Something to be timed: what it is, its unit, how many of them one piece has, and the row of the same without Python."""

    def __init__(self, about: str, unit: str, piece: float, native: str, prepare: Callable[[], Callable[[], object]]):
        self.about, self.unit, self.piece, self.native, self.prepare = about, unit, piece, native, prepare


def _measured(name: str, work: Work, quick: bool, rows: list[dict[str, Any]]) -> dict[str, Any]:
    repeats, seconds = (3, 0.004) if quick else (15, 0.08)
    rates = sorted(_rates(work.prepare(), repeats, seconds))
    rates = [work.piece * rate for rate in rates]
    row = {
        "name": name, "about": work.about, "unit": work.unit, "best": rates[-1], "median": median(rates),
        "repeats": repeats, "cores": 1, "clock": "cpu", "path": None, "foreign_load": None, "relations": {},
    }  # fmt: skip
    row["spread"] = quantiles(rates, n=4)[2] - quantiles(rates, n=4)[0]
    for other in rows:
        if other["name"] == work.native:
            row["relations"] = {"of the speed without Python": rates[-1] / other["best"]}
    return row


def _rates(piece: Callable[[], object], repeats: int, seconds: float) -> Iterator[float]:
    """Pieces per second of processor time."""
    count = 1
    while _time(piece, count) < seconds / 4:
        count *= 2
    for _ in range(repeats):
        yield count / _time(piece, count)


def _time(piece: Callable[[], object], count: int) -> float:
    began = time.process_time()
    for _ in range(count):
        piece()
    return max(time.process_time() - began, 1e-9)


def _call() -> Callable[[], object]:
    form = theory.nlgp.cov
    return lambda: form(rho=0.5, gain=3.0)


def _form() -> Callable[[], object]:
    form, rho = theory.nlgp.cov, np.arange(1 << 18) / (1 << 18)
    gain = np.full(1 << 18, 3.0)
    return lambda: form(rho=rho, gain=gain)


def _rows(dtype: type) -> Callable[[], Callable[[], object]]:
    def prepare() -> Callable[[], object]:
        source = stimulus.nlgp(n=40, xi=2)
        out: NDArray[Any] = np.zeros((1 << 14, 40), dtype=dtype)
        return lambda: source.sample(len(out), out=out)

    return prepare


def _new() -> Callable[[], object]:
    source = stimulus.nlgp(n=40, xi=2)
    return lambda: source.sample(1 << 17, dtype=np.float32)


#: What is measured from here.
PYTHON = {
    "python-call": Work("one call of nlgp.cov at numbers", "M calls/s", 1e-6, "", _call),
    "python-form-nlgp-cov": Work(
        "values of nlgp.cov at an array", "M values/s", 1e-6 * (1 << 18), "form-nlgp-cov", _form
    ),
    "python-rows-nlgp-f32": Work(
        "samples of nlgp into an array, float32", "G entries/s", 4e-8 * (1 << 14), "rows-nlgp-f32", _rows(np.float32)
    ),
    "python-rows-nlgp-f64": Work(
        "samples of nlgp into an array, float64", "G entries/s", 4e-8 * (1 << 14), "rows-nlgp-f64", _rows(np.float64)
    ),
    "python-rows-nlgp-new": Work(
        "samples of nlgp in a new array, float32", "G entries/s", 4e-8 * (1 << 17), "rows-nlgp-new", _new
    ),
}
