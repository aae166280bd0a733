"""The types that are generated from the catalogue."""

from __future__ import annotations

import importlib.metadata
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import fovea as fv
from fovea.stubs import stubs

PROGRAM = """
import numpy as np
import fovea as fv

a: float = fv.theory.nlgp.cov(rho=0.5, gain=3.0)
b = fv.theory.nlgp.cov(rho=np.linspace(0, 1, 5))
b.sum()
stimulus: fv.Stimulus = fv.stimulus.nlgp(n=40, xi=2, gain=3)
x = stimulus.sample(10, seed=0)
result = fv.run("localize", gain=3, quick=True)
result.series.where(probe="ipr")["value"].mean()
result = fv.train({"pos": stimulus, "neg": fv.stimulus.nlgp(xi=1)}, network=fv.network.committee(width=3), steps=10)
for snapshot in fv.training(steps=10):
    print(snapshot.step, snapshot.readings.loss, snapshot.weights.shape)
fv.measure.ipr(result.arrays["weights"])
fv.flow(fv.theory.relu.flow_single, np.ones(12), [0.0, 1.0])
"""

WRONG = """
import fovea as fv

fv.theory.nlgp.cov(gian=3.0)
fv.theory.nlgp.covv()
fv.stimulus.nlgp(kernel="squiggly")
fv.measure.ipr(shape=(2, 3))
fv.network.comittee()
"""


def test_every_item_has_its_types():
    files = stubs()
    for kind in ["stimulus", "network", "dynamics", "schedule", "initializer"]:
        for name in fv.list(kind):
            assert f"def {name}(" in files[f"{kind}.pyi"]
    for name in fv.list("form"):
        subject, form = name.split(".")
        assert f"def {form}(" in files[f"theory/{subject}.pyi"]
    for name in fv.list("experiment"):
        assert f"Literal[{name.replace('_', '-')!r}]" in files["_experiments.pyi"]


def test_the_package_came_with_the_types_of_what_it_holds():
    package = Path(fv.__file__).parent
    for name, text in stubs().items():
        assert (package / name).read_text() == text, name


@pytest.fixture(scope="module")
def mypy(tmp_path_factory: pytest.TempPathFactory):
    """Runs mypy; what it learns of NumPy it learns once."""
    pytest.importorskip("mypy")
    cache = str(tmp_path_factory.mktemp("mypy"))

    def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", cache, *words]
        return subprocess.run(command, cwd=folder, capture_output=True, text=True)

    return run


def test_mypy_accepts_what_is_right_and_names_what_is_wrong(mypy, tmp_path: Path):
    (tmp_path / "right.py").write_text(PROGRAM)
    right = mypy(tmp_path, "right.py")
    assert right.returncode == 0, right.stdout + right.stderr
    (tmp_path / "wrong.py").write_text(WRONG)
    wrong = mypy(tmp_path, "wrong.py")
    lines = {int(line.split(":")[1]) for line in wrong.stdout.splitlines() if ": error:" in line}
    assert lines == {4, 5, 6, 7, 8}, wrong.stdout


def test_the_package_itself_is_typed(mypy, tmp_path: Path):
    package = Path(fv.__file__).parent
    # A copy of its own: beside it, mypy would take the other packages for programs to be checked.
    shutil.copytree(package, tmp_path / "fovea", ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    done = mypy(tmp_path, "-p", "fovea")
    assert done.returncode == 0, done.stdout
    assert (package / "py.typed").exists()


def test_nothing_but_numpy_is_needed():
    needed = importlib.metadata.requires("fovea") or []
    assert [row.split(">")[0] for row in needed if "extra ==" not in row] == ["numpy"]
    program = "import sys, fovea; print(sorted({'tqdm', 'pandas', 'pyarrow', 'matplotlib', 'jax'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout == "[]\n"
