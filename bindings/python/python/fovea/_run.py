"""Experiments, training, flows, verification and the benchmark."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _fovea
from ._catalogue import find
from ._errors import SettingError
from ._experiments import finished
from ._progress import Meter, ProgressLike
from ._result import Claims, Result
from ._tables import Table, html_table



def _classes(task: Mapping[str, Any]) -> dict[str, Any]:
    """The classes of a task: a stimulus each, or a table with `stimulus`, `share` and `label`."""
    if not isinstance(task, Mapping):
        raise SettingError(f"`task` is {task!r}", "name the classes: task={'pos': fv.stimulus.nlgp(xi=2), 'neg': ...}")
    return {
        name: dict(given) if isinstance(given, Mapping) and "stimulus" in given else {"stimulus": given}
        for name, given in task.items()
    }


def _settings(
    task: Mapping[str, Any] | None, checkpoint: int | None, out: object, settings: dict[str, Any]
) -> dict[str, Any]:
    """The settings of a training file."""
    all_ = dict(settings)
    if task is not None:
        all_["class"] = _classes(task)
    if checkpoint is not None:
        if out is None:
            raise SettingError("checkpoints need a directory", "give `out` the name of a new one")
        all_["checkpoint_every"] = checkpoint
    return {key: value for key, value in all_.items() if value is not None}


class Snapshot:
    """A network at one record: `snapshot.step`, `snapshot.readings.ipr`, `snapshot.parameters.weights`."""

    def __init__(self, step: int, readings: Table, parameters: Table) -> None:
        self.step = step
        #: Named readings: a number where there is one, else an array with one entry per unit.
        self.readings = readings
        #: Every block of the network's parameters.
        self.parameters = parameters

    @property
    def weights(self) -> NDArray[np.float64]:
        """The fields, one row per unit."""
        weights: NDArray[np.float64] = self.parameters["weights"]
        return weights

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value:.5g}" for name, value in self.readings.items() if isinstance(value, float))
        return f"Snapshot(step {self.step}: {shown})"


class Training:
    """A training run taken record by record: `for snapshot in fv.training(...)`. `result()` trains to the end."""

    def __init__(self, settings: dict[str, Any], seed: Any, out: str | None, resume: str | None) -> None:
        self._session = _fovea.Session(settings, seed, out, resume)
        self._result: Result | None = None

    def __iter__(self) -> Training:
        return self

    def __next__(self) -> Snapshot:
        if self._result is not None or not self._session.advance():
            raise StopIteration
        readings = {name: values.item() if values.size == 1 else values for name, values in self._session.readings().items()}
        return Snapshot(self._session.step, Table(readings), Table(self._session.parameters()))

    def stop(self) -> Result:
        """Ends the run at the present record; a record in a directory keeps its `.partial` name."""
        if self._result is None:
            record, summary = self._session.finish()
            self._result = Result(record, summary)
        return self._result

    def result(self) -> Result:
        """Trains to the end."""
        while self._result is None and self._session.advance():
            pass
        return self.stop()


def training(
    task: Mapping[str, Any] | None = None,
    *,
    network: Any = None,
    steps: int | None = None,
    probes: Sequence[str] | None = None,
    seed: int = 0,
    out: str | os.PathLike[str] | None = None,
    checkpoint: int | None = None,
    **settings: Any,
) -> Training:
    """A training run taken record by record; arguments and numbers are those of `fv.train`."""
    all_ = _settings(task, checkpoint, out, {"network": network, "steps": steps, "probes": probes, **settings})
    return Training(all_, seed, None if out is None else os.fspath(out), None)


def train(
    task: Mapping[str, Any] | None = None,
    *,
    network: Any = None,
    steps: int | None = None,
    probes: Sequence[str] | None = None,
    seed: int = 0,
    out: str | os.PathLike[str] | None = None,
    checkpoint: int | None = None,
    callback: Callable[[Snapshot], object] | None = None,
    progress: ProgressLike = None,
    **settings: Any,
) -> Result:
    """Trains a network: any stimuli, network, loss and dynamics.

    `task` names the classes: `{"pos": fv.stimulus.nlgp(xi=2), "neg": fv.stimulus.nlgp(xi=1)}`, each a stimulus or a table with
    `stimulus`, `share` and `label`. The other settings are those of a training file, which `fv.show("training")` lists.
    `callback(snapshot)` is called at every record and ends the run by returning `False`. With `out`, a record is written
    there, with a checkpoint every `checkpoint` steps: see `fv.resume`.
    """
    all_ = _settings(task, checkpoint, out, {"network": network, "steps": steps, "probes": probes, **settings})
    target = None if out is None else os.fspath(out)
    if callback is not None:
        return _with_callback(Training(all_, seed, target, None), callback)
    with Meter(progress, "train", "steps") as meter:
        return finished(_fovea.train(all_, seed, target, None, meter.call))


def _with_callback(run: Training, callback: Callable[[Snapshot], object]) -> Result:
    for snapshot in run:
        if callback(snapshot) is False:
            break
    return run.stop()


def resume(
    path: str | os.PathLike[str],
    *,
    callback: Callable[[Snapshot], object] | None = None,
    progress: ProgressLike = None,
) -> Result:
    """Resumes a training run that was stopped, from the latest checkpoint in its `.partial` directory."""
    source = os.fspath(path)
    if callback is not None:
        return _with_callback(Training({}, 0, None, source), callback)
    with Meter(progress, "train", "steps") as meter:
        return finished(_fovea.train({}, 0, None, source, meter.call))


def fleet(
    runs: Iterable[Mapping[str, Any]], *, seeds: Iterable[int] | None = None, progress: ProgressLike = None
) -> list[Result]:
    """Trains many networks at once over all threads; each run has the arguments of `fv.train`.

    With `seeds`, every run is trained at every seed, and the seeds of one run follow each other. The numbers of a run are
    those it has when it is trained alone.
    """
    jobs = []
    for given in runs:
        for seed in [given.get("seed", 0)] if seeds is None else list(seeds):
            rest = {key: value for key, value in given.items() if key not in ("task", "seed")}
            jobs.append((_settings(given.get("task"), None, None, rest), seed))
    with Meter(progress, "fleet", "steps") as meter:
        return [Result(record, summary) for record, summary in _fovea.fleet(jobs, meter.call)]


class Flow:
    """A path in time: `flow.times`, and `flow.states` with one state per time."""

    def __init__(self, times: NDArray[np.float64], states: NDArray[np.float64], evaluations: int) -> None:
        self.times = times
        self.states = states
        #: How often the velocity was evaluated.
        self.evaluations = evaluations

    @property
    def last(self) -> NDArray[np.float64]:
        """The state at the end."""
        last: NDArray[np.float64] = self.states[-1]
        return last

    def __repr__(self) -> str:
        span = f"t = {self.times[0]:g} to {self.times[-1]:g}"
        return f"Flow({len(self.times)} times, {span}, states of shape {self.states.shape[1:]})"


def flow(
    velocity: str | Callable[..., Any],
    start: ArrayLike,
    times: ArrayLike,
    *,
    rtol: float = 1e-8,
    atol: float = 1e-10,
    **parameters: Any,
) -> Flow:
    """Integrates a flow: the states at `times`, from `start` at the first of them.

    `velocity` is a closed form of a velocity, `fv.theory.relu.flow_single` or its name, with its `parameters`; or a function
    of time and state of your own. The number of sites follows from `start`.
    """
    moments = np.atleast_1d(np.asarray(times, dtype=np.float64))
    name = getattr(velocity, "form", velocity)
    if isinstance(name, str):
        fields = [field["name"] for field in find("form", name)["parameters"]]
        if "n" in fields and "n" not in parameters:
            parameters["n"] = int(np.shape(start)[-1])
    elif parameters:
        raise SettingError("a function of your own takes no parameters here", "close over them instead")
    states, evaluations = _fovea.flow(name, start, moments, parameters, (rtol, atol))
    return Flow(moments, states, evaluations)


class Verification(Claims):
    """Claims that were tested."""

    def __init__(self, rows: list[dict[str, Any]], result: Result) -> None:
        super().__init__(rows)
        #: The record.
        self.result = result
        #: Every clause of the claims: what was compared, the evidence, and the wrong form that was rejected.
        self.clauses = Claims([{"id": clause["clause"], **clause} for row in rows for clause in row["clauses"]])

    @property
    def counts(self) -> dict[str, int]:
        """How many passed, passed in part, failed, are unchecked, are listed."""
        counts = dict.fromkeys(["pass", "partial", "fail", "unchecked", "listed"], 0)
        for row in self:
            counts[row["status"]] += 1
        return counts

    @property
    def evidence(self) -> dict[str, int]:
        """What the claims that passed rest on: closed forms, simulations, phenomena shown."""
        counts = dict.fromkeys(["form", "simulated", "shown"], 0)
        for row in self:
            if row["status"] == "pass":
                counts[row["evidence"]] += 1
        return counts

    def _repr_html_(self) -> str:
        head = ["clause", "status", "evidence", "predicted", "measured", "compared", "rejects"]
        return html_table(head, [[clause.get(key) for key in head] for clause in self.clauses])


def verify(
    *claims: str,
    quick: bool = False,
    seed: int = 0,
    out: str | os.PathLike[str] | None = None,
    progress: ProgressLike = None,
) -> Verification:
    """Tests claims: all of them, or those whose ids begin so, `fv.verify("L000.3", "L001")`."""
    target = None if out is None else os.fspath(out)
    with Meter(progress, "verify", "checks") as meter:
        rows, record, summary = _fovea.verify(list(claims), quick, seed, target, meter.call)
    return Verification(rows, Result(record, summary))


def threads(count: int | None = None) -> int:
    """The number of threads; `threads(4)` sets it to four from now on. No result depends on it."""
    return int(_fovea.threads(count))
