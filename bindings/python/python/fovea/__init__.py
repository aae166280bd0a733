"""Fovea: an executable laboratory for how neural networks learn features.

    import fovea as fv

    fv.run("localize", gain=3)                      # one experiment: figures, claims, readings, arrays
    fv.theory.nlgp.cov(rho=0.5, gain=3)             # any closed form, at numbers or arrays
    fv.stimulus.nlgp(n=40, xi=2, gain=3).sample(10_000, seed=0)
    fv.train({"pos": fv.stimulus.nlgp(xi=2), "neg": fv.stimulus.nlgp(xi=1)}, steps=2000)
    fv.measure.ipr(weights)                         # any probe, on weights of your own
    fv.verify("L000.3")                             # test claims
    fv.list(), fv.show("localize")                  # what there is, and what it takes
"""

from __future__ import annotations

import os as _os

from . import _fovea, dynamics, initializer, measure, network, schedule, stimulus
from ._bench import Benchmark, bench
from ._errors import FoveaError, RecordError, SettingError, UnknownNameError, UnknownParameterError
from ._experiments import run
from ._item import Item, Stimulus
from ._result import Arrays, Claims, Figure, Figures, Report, Result, load
from ._run import (
    Flow,
    Snapshot,
    Training,
    Verification,
    fleet,
    flow,
    resume,
    threads,
    train,
    training,
    verify,
)
from ._show import list_ as list
from ._show import show
from ._tables import Series, Table
from . import theory

__version__: str = _fovea.__version__

if hasattr(_os, "register_at_fork"):
    # A child has none of its parent's threads.
    _os.register_at_fork(after_in_child=_fovea.forked)

__all__ = [
    "Arrays", "Benchmark", "Claims", "Figure", "Figures", "Flow", "FoveaError", "Item", "RecordError", "Report", "Result",
    "Series", "SettingError", "Snapshot", "Stimulus", "Table", "Training", "UnknownNameError", "UnknownParameterError",
    "Verification", "bench", "dynamics", "fleet", "flow", "initializer", "list", "load", "measure", "network", "resume",
    "run", "schedule", "show", "stimulus", "theory", "threads", "train", "training", "verify",
]
