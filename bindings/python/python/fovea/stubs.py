"""Types of everything in the catalogue, for editors and type checkers: `python -m fovea.stubs` writes them.

Items are made from the catalogue on demand, so a type checker cannot see them in the code. This writes what it
can see: one `.pyi` file for every module of items, each item with its parameters, types and documentation.
"""

from __future__ import annotations

import sys
from pathlib import Path
from textwrap import indent
from typing import Any

import numpy as np

from . import theory
from ._catalogue import documentation, items
from ._tables import Table

HEAD = '''"""Generated from the catalogue by `python -m fovea.stubs`."""

from collections.abc import Sequence
from os import PathLike
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fovea._item import Item, Stimulus
from fovea._progress import ProgressLike
from fovea._result import Result
from fovea._tables import Table

'''

#: Types of a parameter, by the type of its values.
TYPES = {
    "bool": "bool", "int": "int", "real": "float", "reals": "float | ArrayLike", "ints": "int | ArrayLike",
    "matrix": "ArrayLike", "array": "ArrayLike | str", "part": "float | ArrayLike | str", "tables": "Any", "function": "str", "stimulus": "Stimulus | str | dict[str, Any]",
}  # fmt: skip


def type_of(field: dict[str, Any], *, arrays: bool = False) -> str:
    """The type of a parameter; with `arrays`, numbers may be arrays of them."""
    words = ", ".join(repr(word) for word in field["words"])
    if field["type"] == "choice":
        return f"Literal[{words}]"
    if field["type"] == "words":
        return f"Literal[{words}] | Sequence[Literal[{words}]]"
    if arrays and field["type"] in ("int", "real"):
        return "ArrayLike"
    return TYPES.get(field["type"], "Item | str | dict[str, Any]")


def parameters(item: dict[str, Any], *, arrays: bool = False) -> str:
    """The parameters of an item as in a signature."""
    fields = item["parameters"]
    if not fields:
        return ""
    return "*, " + ", ".join(f"{f['name']}: {type_of(f, arrays=arrays)} = ..." for f in fields)


def docstring(text: str) -> str:
    """A docstring, whatever it holds."""
    plain = text.strip().replace("\\", "\\\\").replace('"""', "'''")
    return indent(f'"""{plain}\n"""', "    ")


def item_stub(item: dict[str, Any], returned: str) -> str:
    """The function that makes an item."""
    name = item["name"].replace("-", "_")
    return f"def {name}({parameters(item)}) -> {returned}:\n{docstring(documentation(item))}\n    ...\n"


def form_stub(name: str, item: dict[str, Any]) -> str:
    """A closed form: a value at numbers, arrays at arrays."""
    value = getattr(getattr(theory, item["name"].split(".")[0]), name)()
    text = docstring(documentation(item))
    if isinstance(value, Table):
        return f"def {name}({parameters(item, arrays=True)}) -> Table:\n{text}\n    ...\n"
    if isinstance(value, np.ndarray):
        return f"def {name}({parameters(item, arrays=True)}) -> NDArray[np.float64]:\n{text}\n    ...\n"
    kind = type(value).__name__
    if not any(f["type"] in ("int", "real") for f in item["parameters"]):
        return f"def {name}({parameters(item, arrays=True)}) -> Any:\n{text}\n    ...\n"
    one = f"@overload\ndef {name}({parameters(item)}) -> {kind}:\n{text}\n    ...\n"
    return one + f"@overload\ndef {name}({parameters(item, arrays=True)}) -> NDArray[Any]: ...\n"


def probe_stub(item: dict[str, Any]) -> str:
    """A probe on weights."""
    name = item["name"].replace("-", "_")
    returned = "Any" if item["facts"]["numbers"].startswith("one") else "Table"
    signature = "weights: ArrayLike, *, shape: tuple[int, ...] | None = ..."
    return f"def {name}({signature}) -> {returned}:\n{docstring(documentation(item))}\n    ...\n"


def run_stub() -> str:
    """`fv.run`, with the settings of every experiment."""
    common = (
        "seed: int = ..., quick: bool = ..., full: bool = ..., out: str | PathLike[str] | None = ..., "
        "progress: ProgressLike = ..."
    )
    stubs = [
        f"@overload\ndef run(name: Literal[{item['name']!r}], *, {common}, {parameters(item)[3:]}) -> Result:\n"
        f"{docstring(documentation(item))}\n    ...\n"
        for item in items("experiment").values()
    ]
    stubs.append(f"@overload\ndef run(name: str, *, {common}, **settings: Any) -> Result: ...\n")
    return "def finished(ran: tuple[Any, list[str], Any]) -> Result: ...\n\n" + "\n".join(stubs)


def stubs() -> dict[str, str]:
    """Every file by its name in the package."""
    found = {"_experiments.pyi": run_stub()}
    for kind, returned in [("stimulus", "Stimulus")] + [
        (kind, "Item") for kind in ("network", "dynamics", "schedule", "initializer")
    ]:
        found[f"{kind}.pyi"] = "\n".join(item_stub(item, returned) for item in items(kind).values())
    found["measure.pyi"] = "\n".join(probe_stub(item) for item in items("probe").values())
    subjects: dict[str, list[str]] = {}
    for name, item in items("form").items():
        subject, form = name.split(".")
        subjects.setdefault(subject, []).append(form_stub(form, item))
    for subject, forms in subjects.items():
        found[f"theory/{subject}.pyi"] = "\n".join(forms)
    found["theory/__init__.pyi"] = "\n".join(f"from . import {subject} as {subject}" for subject in subjects) + "\n"
    return {name: HEAD + text for name, text in found.items()}


def write(folder: Path) -> int:
    """Writes every file below `folder`; says how many."""
    files = stubs()
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return len(files)


def main(words: list[str]) -> None:
    """Writes the types into the package, or into a folder."""
    folder = Path(words[0]) if words else Path(__file__).parent
    print(f"{write(folder)} files of types in {folder}")


if __name__ == "__main__":
    main(sys.argv[1:])
