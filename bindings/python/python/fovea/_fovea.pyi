"""The program itself. The functions that a user calls are typed in the other modules."""

from typing import Any

__version__: str

def __getattr__(name: str) -> Any: ...
