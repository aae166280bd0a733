"""Modules that hold the items of one kind, made from the catalogue on demand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._catalogue import documentation, find, items, signature
from ._item import Item, Stimulus


def maker(kind: str, name: str, module: str) -> Callable[..., Any]:
    """The function that makes an item."""
    item = find(kind, name)
    made = Stimulus if kind == "stimulus" else Item

    def make(**settings: Any) -> Item:
        return made(kind, item["name"], settings)

    make.__name__ = make.__qualname__ = name.replace("-", "_")
    make.__module__ = module
    make.__doc__ = documentation(item)
    make.__signature__ = signature(item).replace(return_annotation=made)  # type: ignore[attr-defined]
    return make


def namespace(kind: str, module: str) -> tuple[Callable[[str], Callable[..., Any]], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` of a module of items."""
    made: dict[str, Callable[..., Any]] = {}

    def get(name: str) -> Callable[..., Any]:
        if name.startswith("__"):
            raise AttributeError(name)
        if name not in made:
            made[name] = maker(kind, name, module)
        return made[name]

    return get, lambda: list(items(kind))
