"""What the tests share."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

#: The repository.
ROOT = Path(__file__).resolve().parents[3]


def command_line() -> Path:
    """The binary `fovea`: the one named in FOVEA_CLI, or that of the development build."""
    named = os.environ.get("FOVEA_CLI")
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    return Path(named) if named else target / "debug" / "fovea"


@pytest.fixture
def fovea(tmp_path: Path) -> Callable[..., str]:
    """Runs the command line in a directory of its own."""

    def run(*words: str) -> str:
        done = subprocess.run([command_line(), *words], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def files(run: Path) -> dict[str, bytes]:
    """Every file of a record; of its manifest what stands before the stamp, which alone may differ."""
    found = {str(path.relative_to(run)): path.read_bytes() for path in sorted(run.rglob("*")) if path.is_file()}
    body, stamp = found["run.toml"].split(b"[stamp]\n")
    assert b"[" not in stamp
    return {**found, "run.toml": body}
