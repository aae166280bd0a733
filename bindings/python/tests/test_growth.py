"""The package grows with the registries: no item is named in it, and what the catalogue lists is there.

`tests/grow/run --python`, from the root of the project, shows the whole way, from a new file to Python; it compiles everything once more.
"""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

import pytest

import fovea as fv
from fovea import _catalogue, _fovea, _namespace, stubs

BINDINGS = Path(__file__).parents[1]
KINDS = ["stimulus", "network", "dynamics", "schedule", "initializer", "experiment", "form"]


def named_items() -> set[str]:
    # Words that also name a parameter, or a type of one, say nothing.
    parameters = [field for rows in _catalogue.catalogue().values() for row in rows.values() for field in row["parameters"]]
    words = {field[key] for field in parameters for key in ("name", "type")}
    names = {name for kind in KINDS for name in fv.list(kind)} - words
    return names | {name.replace("_", "-") for name in names}


def words_of_python(path: Path) -> set[str]:
    """Words that stand alone as a string, or as the name of an attribute."""
    tree = ast.parse(path.read_text())
    strings = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return strings | {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}


def test_no_item_is_named_in_the_bindings():
    items = named_items()
    for path in (BINDINGS / "python/fovea").rglob("*.py"):
        # The benchmark measures items, and so names them.
        if path.name != "_bench.py":
            assert not words_of_python(path) & items, path
    for path in (BINDINGS / "src").glob("*.rs"):
        assert not set(re.findall(r'"([\w.-]+)"', path.read_text())) & items, path
    assert words_of_python(BINDINGS / "python/fovea/_bench.py") & items, "a name would have been noticed"


@pytest.fixture
def grown(monkeypatch: pytest.MonkeyPatch):
    """A catalogue with one more stimulus."""
    rows = _fovea.catalogue()
    field = {
        "name": "period", "doc": "Sites of a square.", "kind": "a whole number", "type": "int", "words": [],
        "range": ">= 1", "unit": "sites", "default": 2, "default_text": "2",
    }  # fmt: skip
    rows.append({"kind": "stimulus", "name": "checker-board", "summary": "squares", "facts": {}, "parameters": [field]})
    monkeypatch.setattr(_fovea, "catalogue", lambda: rows)
    _catalogue.catalogue.cache_clear()
    yield
    _catalogue.catalogue.cache_clear()


def test_a_new_row_of_the_catalogue_appears_with_signature_docs_and_types(grown: None):
    assert "checker_board" in dir(fv.stimulus) and "checker_board" in fv.list("stimulus")
    make = _namespace.maker("stimulus", "checker_board", "fovea.stimulus")
    assert str(inspect.signature(make)).startswith("(*, period=2)")
    assert "Squares." in make.__doc__ and "period : a whole number, >= 1 (sites), default 2" in make.__doc__
    assert "def checker_board(*, period: int = ...) -> Stimulus" in stubs.stubs()["stimulus.pyi"]
    # There is no such sampler, and the program says so itself: nothing of it is made up here.
    with pytest.raises(KeyError, match="checker-board"):
        make()
