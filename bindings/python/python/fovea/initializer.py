"""Initial weights: where training starts. The catalogue has their names: `dir(fv.initializer)`."""

from ._namespace import namespace as _namespace

__getattr__, __dir__ = _namespace("initializer", __name__)
