"""Builds the wheel with maturin, then adds the types of everything in the catalogue.

The catalogue is known only to the program itself, so the types are written by the package that was just built.
"""

from __future__ import annotations

import base64
import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import maturin
from maturin import (  # noqa: F401
    build_editable,
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)


def build_wheel(
    wheel_directory: str, config_settings: dict[str, Any] | None = None, metadata_directory: str | None = None
) -> str:
    """Builds the wheel; its name."""
    name = str(maturin.build_wheel(wheel_directory, config_settings, metadata_directory))
    add_types(Path(wheel_directory) / name)
    return name


def add_types(wheel: Path) -> None:
    """Has the package in a wheel write its types, and puts them into the wheel."""
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)
        target = Path(folder) / "types"
        environment = {**os.environ, "PYTHONPATH": folder}
        command = [sys.executable, "-m", "fovea.stubs", str(target)]
        done = subprocess.run(command, env=environment, cwd=folder, stdout=subprocess.DEVNULL)
        if done.returncode != 0:
            print("the wheel is for another machine: it has no types; `python -m fovea.stubs` writes them there")
            return
        files = {f"fovea/{path.relative_to(target).as_posix()}": path.read_bytes() for path in target.rglob("*.pyi")}
    rewrite(wheel, files)


def rewrite(wheel: Path, files: dict[str, bytes]) -> None:
    """The same wheel with some files more, and its list of files."""
    draft = wheel.with_suffix(".draft")
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as new:
        (record,) = [name for name in old.namelist() if name.endswith(".dist-info/RECORD")]
        for entry in old.infolist():
            if entry.filename != record and entry.filename not in files:
                new.writestr(entry, old.read(entry))
        lines = [line for line in old.read(record).decode().splitlines() if line.split(",")[0] not in files]
        for name, content in sorted(files.items()):
            new.writestr(name, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            lines.append(f"{name},sha256={digest},{len(content)}")
        new.writestr(record, "\n".join(lines) + "\n")
    draft.replace(wheel)
