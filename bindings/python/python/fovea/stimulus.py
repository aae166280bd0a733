"""Stimuli: where samples come from. The catalogue has their names: `dir(fv.stimulus)`."""

from ._namespace import namespace as _namespace

__getattr__, __dir__ = _namespace("stimulus", __name__)
