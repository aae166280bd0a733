"""The catalogue: everything that the registries of the program list. Nothing here names an item."""

from __future__ import annotations

from functools import cache
from inspect import Parameter, Signature
from textwrap import indent, wrap
from typing import Any

from . import _fovea
from ._errors import UnknownNameError


class Shown(str):
    """A default that is shown as it is written, such as `nlgp(xi=2)`."""

    def __repr__(self) -> str:
        return str(self)


@cache
def catalogue() -> dict[str, dict[str, dict[str, Any]]]:
    """Every item by its kind and its name in Python."""
    kinds: dict[str, dict[str, dict[str, Any]]] = {}
    for item in _fovea.catalogue():
        kinds.setdefault(item["kind"], {})[item["name"].replace("-", "_")] = item
    return kinds


def items(kind: str) -> dict[str, dict[str, Any]]:
    """The items of one kind by their names in Python."""
    return catalogue().get(kind, {})


def find(kind: str, name: str) -> dict[str, Any]:
    """One item; hyphens and underscores are the same."""
    known = items(kind)
    found = known.get(name.replace("-", "_"))
    if found is None:
        raise unknown(kind, name, list(known))
    return found


def unknown(kind: str, name: str, known: list[str]) -> UnknownNameError:
    """The error of an unknown name."""
    from difflib import get_close_matches

    near = get_close_matches(name, known, 1)
    hint = f"did you mean `{near[0]}`?" if near else f"every {kind}: {', '.join(known)}"
    return UnknownNameError(f"there is no {kind} called `{name}`", hint)


def signature(item: dict[str, Any]) -> Signature:
    """The parameters of an item, all by keyword."""
    return Signature([parameter(field) for field in item["parameters"]])


def parameter(field: dict[str, Any]) -> Parameter:
    """One parameter with its default."""
    return Parameter(field["name"], Parameter.KEYWORD_ONLY, default=default(field))


def default(field: dict[str, Any]) -> Any:
    """A default as a signature shows it."""
    value = field["default"]
    if isinstance(value, (bool, int, float, str)):
        return value
    text = field["default_text"].replace("\n", ", ")
    return Shown(text if len(text) <= 40 else text[:37] + "...")


def parameters_text(item: dict[str, Any]) -> str:
    """The parameters of an item in words, as NumPy's documentation sets them."""
    if not item["parameters"]:
        return ""
    lines = ["Parameters", "----------"]
    for field in item["parameters"]:
        allowed = field["kind"] + ("" if field["range"] == "any" else f", {field['range']}")
        unit = f" ({field['unit']})" if field["unit"] else ""
        lines.append(f"{field['name']} : {allowed}{unit}, default {default(field)!r}")
        lines += wrap(field["doc"], 96, initial_indent="    ", subsequent_indent="    ")
    return "\n".join(lines)


def documentation(item: dict[str, Any], notes: str = "") -> str:
    """The documentation of an item: what it is, its facts, its parameters, and notes."""
    summary = item["summary"][:1].upper() + item["summary"][1:]
    parts = [summary if summary.endswith(".") else summary + "."]
    for heading, text in item["facts"].items():
        if heading == "equation":
            parts.append(indent(text, "    "))
        elif text:
            title = heading[:1].upper() + heading[1:]
            parts.append(f"{title}\n" + indent("\n".join(wrap(text, 96)), "    "))
    parts += [parameters_text(item), notes]
    return "\n\n".join(part for part in parts if part) + "\n"
