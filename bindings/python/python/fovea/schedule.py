"""Schedules: how the learning rate changes. The catalogue has their names: `dir(fv.schedule)`."""

from ._namespace import namespace as _namespace

__getattr__, __dir__ = _namespace("schedule", __name__)
