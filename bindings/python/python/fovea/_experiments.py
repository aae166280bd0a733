"""Experiments."""

from __future__ import annotations

import os
from typing import Any

from . import _fovea
from ._errors import SettingError
from ._progress import Meter, ProgressLike
from ._result import Result


def finished(ran: tuple[Any, list[str], Any]) -> Result:
    """The result of a run; raises the exception that ended it early."""
    record, summary, interrupted = ran
    result = Result(record, summary)
    if interrupted is None:
        return result
    # What was done until then is not lost: the exception has it, and so has `out` where it was given.
    interrupted.result = result
    raise interrupted


def run(
    name: str,
    *,
    seed: int = 0,
    quick: bool = False,
    full: bool = False,
    out: str | os.PathLike[str] | None = None,
    progress: ProgressLike = None,
    **settings: Any,
) -> Result:
    """Runs an experiment: `fv.run("localize", gain=3)`.

    `quick` takes a few seconds, `full` is the published size where the defaults are smaller. The record stays in memory, or
    is written to the new directory `out`; `result.save(...)` writes it later. Ctrl-C ends the run; what was done so far is
    `exception.result`. `fv.show(name)` has the settings.
    """
    if quick and full:
        raise SettingError("`quick` and `full` are both set", "choose one")
    size = "quick" if quick else "full" if full else "default"
    target = None if out is None else os.fspath(out)
    with Meter(progress, name, "steps") as meter:
        return finished(_fovea.run(name, settings, seed, (size, target), meter.call))
