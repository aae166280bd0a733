"""The program itself. What a user calls is typed in the modules beside it."""

from typing import Any

__version__: str

def __getattr__(name: str) -> Any: ...
