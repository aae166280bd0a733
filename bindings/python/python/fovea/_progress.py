"""Progress of a long call: a bar on a terminal or in a notebook, nothing elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Union

#: `None` shows a bar on a terminal or in a notebook, where tqdm is installed; `True` and `False` decide; a function of
#: `(done, total)` is called now and then.
ProgressLike = Union[None, bool, Callable[[int, int], object]]


def someone_looks() -> bool:
    """Whether standard error is a terminal, or this is a notebook."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if hasattr(shell, "kernel"):
        return True
    return sys.stderr is not None and sys.stderr.isatty()


def bar_class() -> Any:
    """The tqdm for a terminal or a notebook, if it is installed."""
    try:
        from tqdm.auto import tqdm  # type: ignore[import-untyped, unused-ignore]
    except ImportError:
        return None
    return tqdm


class Meter:
    """Shows the progress of one call."""

    def __init__(self, progress: ProgressLike, name: str, unit: str) -> None:
        self._bar: Any = None
        self._name, self._unit = name, unit
        self.call: Callable[[int, int], object] | None = None
        if callable(progress):
            self.call = progress
        elif progress or (progress is None and someone_looks()):
            self._class = bar_class()
            self.call = self._show if self._class is not None else None

    def _show(self, done: int, total: int) -> None:
        if not total:
            return
        if self._bar is None:
            self._bar = self._class(total=total, desc=self._name, unit=f" {self._unit}", leave=False)
        self._bar.total = total
        self._bar.update(done - self._bar.n)

    def __enter__(self) -> Meter:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()
