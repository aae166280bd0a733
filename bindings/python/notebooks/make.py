"""Makes the notebooks of their plain twins: `python make.py`. A cell begins with `# %%`, one of text with `# %% [markdown]`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def cells(text: str) -> list[dict[str, Any]]:
    """The cells of a program."""
    made: list[dict[str, Any]] = []
    for part in text.split("# %%")[1:]:
        head, _, body = part.partition("\n")
        if head.strip() == "[markdown]":
            lines = [line.removeprefix("#").removeprefix(" ") for line in body.strip().splitlines()]
            made.append({"cell_type": "markdown", "metadata": {}, "source": "\n".join(lines)})
        else:
            code = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
            made.append({**code, "source": body.strip()})
    return [{**cell, "id": f"cell-{i}"} for i, cell in enumerate(made)]


def notebook(text: str) -> str:
    """The notebook of a program."""
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    document = {"cells": cells(text), "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def twins() -> list[Path]:
    """The programs that have a notebook."""
    return sorted(path for path in Path(__file__).parent.glob("*.py") if path.name != "make.py")


if __name__ == "__main__":
    for path in twins():
        path.with_suffix(".ipynb").write_text(notebook(path.read_text(encoding="utf-8")), encoding="utf-8")
        print(path.with_suffix(".ipynb").name)
