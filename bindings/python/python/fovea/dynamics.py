"""Dynamics: how a network is trained. The catalogue has their names: `dir(fv.dynamics)`."""

from ._namespace import namespace as _namespace

__getattr__, __dir__ = _namespace("dynamics", __name__)
