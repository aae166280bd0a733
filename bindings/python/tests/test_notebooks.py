"""The notebooks run, and are what their plain twins are."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
sys.path.insert(0, str(NOTEBOOKS))

from make import notebook, twins  # noqa: E402


@pytest.mark.parametrize("twin", twins(), ids=lambda path: path.stem)
def test_a_notebook_is_its_twin_and_runs(twin: Path, tmp_path: Path):
    pytest.importorskip("matplotlib")
    nbclient, nbformat = pytest.importorskip("nbclient"), pytest.importorskip("nbformat")
    stored = twin.with_suffix(".ipynb").read_text(encoding="utf-8")
    assert stored == notebook(twin.read_text(encoding="utf-8")), "run notebooks/make.py"
    document = nbformat.reads(stored, as_version=4)
    nbclient.NotebookClient(document, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [output for cell in document.cells for output in cell.get("outputs", [])]
    assert not [output for output in shown if output.output_type == "error"]
    if twin.stem != "closed_form":
        assert any("image/svg+xml" in output.get("data", {}) for output in shown), "a figure shows itself"


@pytest.mark.parametrize("twin", twins(), ids=lambda path: path.stem)
def test_a_twin_runs_as_a_program(twin: Path, tmp_path: Path):
    pytest.importorskip("matplotlib")
    command = [sys.executable, "-W", "error::DeprecationWarning:fovea", str(twin)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env={**os.environ, "MPLBACKEND": "agg"})
    assert done.returncode == 0, done.stderr
