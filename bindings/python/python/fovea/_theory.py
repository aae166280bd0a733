"""Closed forms as functions: one value for numbers, arrays for arrays."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from . import _fovea
from ._arrays import asarray
from ._catalogue import documentation, items, signature, unknown
from ._errors import FoveaError, SettingError
from ._tables import Table

#: Axes of one value of a parameter, by its type; arrays with more are many values.
CORE = {"real": 0, "int": 0, "bool": 0, "reals": 1, "ints": 1, "matrix": 2, "array": 2}

BROADCAST = """Notes
-----
Every argument may be an array. Arrays are broadcast against each other as NumPy does; for a parameter that is itself a list
or a matrix, the last one or two axes are one value. Values are float64."""


def function(item: dict[str, Any], module: str) -> Callable[..., Any]:
    """The function of a closed form."""
    form = _fovea.Form(item["name"])
    one = form.one
    core = {field["name"]: CORE.get(field["type"], -1) for field in item["parameters"]}

    def call(**arguments: Any) -> Any:
        value = one(arguments)
        if type(value) is float:
            return value
        return dressed(value) if value is not None else many(form, core, arguments)

    call.__name__ = item["name"].split(".")[1]
    call.__qualname__ = call.__name__
    call.__module__ = module
    call.__doc__ = documentation(item, BROADCAST)
    call.__signature__ = signature(item)  # type: ignore[attr-defined]
    call.form = item["name"]  # type: ignore[attr-defined]
    return call


def dressed(value: Any) -> Any:
    """A value as a user sees it."""
    return Table({name: dressed(row) for name, row in value.items()}) if isinstance(value, dict) else value


def many(form: Any, core: dict[str, int], arguments: dict[str, Any]) -> Any:
    """The value where an argument is an array, or all values where it is several."""
    fixed: dict[str, Any] = {}
    varying: dict[str, tuple[Any, int]] = {}
    for key, given in arguments.items():
        axes = core.get(key.replace("-", "_"), -1)
        if axes < 0 or isinstance(given, (str, dict)):
            fixed[key] = given
            continue
        try:
            array = asarray(given)
        except ValueError:
            raise SettingError(f"`{key}` has rows of different lengths", "give rows of equally many numbers") from None
        if array.ndim <= axes or array.dtype.kind not in "fiub":
            fixed[key] = array.item() if array.ndim == 0 else given
        else:
            varying[key] = (array, array.ndim - axes)
    if not varying:
        return dressed(form.at(fixed))
    try:
        shape = np.broadcast_shapes(*(array.shape[:lead] for array, lead in varying.values()))
    except ValueError:
        shapes = ", ".join(f"`{key}` {array.shape[:lead]}" for key, (array, lead) in varying.items())
        raise SettingError(f"the arguments do not broadcast: {shapes}", "give shapes that fit, or scalars") from None
    count = int(np.prod(shape, dtype=np.int64))
    if count == 0:
        return nothing(dressed(form.at(fixed)), shape)
    columns = []
    for key, (array, lead) in varying.items():
        one = array.shape[lead:]
        whole = np.broadcast_to(array, shape + one).reshape(count, -1)
        columns.append((key, np.ascontiguousarray(whole, dtype=np.float64), list(one)))
    try:
        found = form.many(fixed, columns, count)
    except FoveaError as error:
        if isinstance(error.index, int):
            error.index = tuple(int(i) for i in np.unravel_index(error.index, shape))
        raise
    if found is None:
        return one_by_one(form, fixed, columns, shape)
    leaves, numbers = found
    return shaped(leaves, numbers, shape)


def shaped(leaves: list[dict[str, Any]], numbers: Any, shape: tuple[int, ...]) -> Any:
    """Rows of numbers, as arrays of their shapes."""
    at, arrays = 0, {}
    for leaf in leaves:
        width = int(np.prod(leaf["shape"], dtype=np.int64))
        array = numbers[:, at : at + width].reshape(*shape, *leaf["shape"])
        at += width
        dtype = {"int": np.int64, "bool": np.bool_}.get(leaf["kind"], np.float64)
        arrays[leaf["name"]] = array.astype(dtype, copy=False)
    return arrays[None] if None in arrays else Table(arrays)


def nothing(value: Any, shape: tuple[int, ...]) -> Any:
    """An empty result, with the form of one value."""
    if isinstance(value, Table):
        return Table({name: nothing(row, shape) for name, row in value.items()})
    return np.empty(shape + np.shape(value), dtype=np.asarray(value).dtype)


def one_by_one(form: Any, fixed: dict[str, Any], columns: list[Any], shape: tuple[int, ...]) -> Any:
    """Values that differ in shape, or are not numbers, as an array of objects."""
    values = np.empty(shape, dtype=object)
    for i, place in enumerate(np.ndindex(*shape)):
        row = {key: array[i].reshape(one) if one else float(array[i, 0]) for key, array, one in columns}
        values[place] = dressed(form.at({**fixed, **row}))
    return values


class Folder(ModuleType):
    """The closed forms of one subject."""

    def __init__(self, name: str, forms: dict[str, dict[str, Any]]) -> None:
        lines = [f"    {form:<20} {item['summary']}" for form, item in forms.items()]
        super().__init__(name, "Closed forms:\n\n" + "\n".join(lines))
        self.__all__ = list(forms)
        self.__dict__["_forms"] = forms

    def __getattr__(self, name: str) -> Any:
        forms = self.__dict__["_forms"]
        if name.startswith("__"):
            raise AttributeError(name)
        if name not in forms:
            raise unknown("form", name, list(forms))
        found = function(forms[name], self.__name__)
        setattr(self, name, found)
        return found

    def __dir__(self) -> list[str]:
        return list(self.__dict__["_forms"])


def folders(package: str) -> dict[str, Folder]:
    """Every subject with its forms."""
    subjects: dict[str, dict[str, dict[str, Any]]] = {}
    for name, item in items("form").items():
        subject, form = name.split(".")
        subjects.setdefault(subject, {})[form] = item
    return {subject: Folder(f"{package}.{subject}", forms) for subject, forms in subjects.items()}
