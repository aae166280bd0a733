"""Networks: what is trained. The catalogue has their names: `dir(fv.network)`."""

from ._namespace import namespace as _namespace

__getattr__, __dir__ = _namespace("network", __name__)
