"""Every closed form, by its subject: `fv.theory.nlgp.cov(rho=0.5, gain=3)`.

Arguments are keywords and may be arrays, which broadcast. The documentation of a form has its equation, its source and the
wrong form that its checks reject: `help(fv.theory.nlgp.cov)`.
"""

import sys
from typing import Any

from fovea._catalogue import unknown as _unknown
from fovea._theory import folders as _folders

_subjects = _folders(__name__)
for _name, _folder in _subjects.items():
    # So that `import fovea.theory.nlgp` finds it, and a pickled form is found again.
    sys.modules[_folder.__name__] = _folder
    globals()[_name] = _folder

__all__ = list(_subjects)


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    raise _unknown("subject", name, __all__)


def __dir__() -> list[str]:
    return list(__all__)
