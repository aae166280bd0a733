"""Runs and their records: the bits of the command line, what a result holds, and how it travels."""

from __future__ import annotations

import pickle
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import fovea as fv
from conftest import files

SMALL = {"gain": [0.01, 3.0, np.inf], "steps": 60, "record_every": 20, "batch": 300, "replicas": 2}


@pytest.fixture(scope="module")
def localize() -> fv.Result:
    return fv.run("localize", seed=7, **SMALL)


def test_the_command_line_and_python_write_the_same_bytes(fovea: Callable[..., str], tmp_path: Path):
    words = ["--gain=0.01,3,inf", "--steps=60", "--record-every=20", "--batch=300", "--replicas=2"]
    fovea("run", "localize", *words, "--seed=7", "--out=theirs")
    ours = fv.run("localize", seed=7, out=tmp_path / "ours", **SMALL)
    assert ours.path == tmp_path / "ours"
    assert files(tmp_path / "theirs") == files(ours.path)
    # A record that stood in memory is written to the same bytes; another seed is not.
    fv.run("localize", seed=7, **SMALL).save(tmp_path / "later")
    assert files(tmp_path / "later") == files(ours.path)
    other = fv.run("localize", seed=8, **SMALL).save(tmp_path / "other")
    assert files(other) != files(ours.path)


def test_verification_writes_the_same_bytes(fovea: Callable[..., str], tmp_path: Path):
    fovea("verify", "L000.3", "--quick", "--out=theirs")
    found = fv.verify("L000.3", quick=True, out=tmp_path / "ours")
    assert files(tmp_path / "theirs") == files(tmp_path / "ours")
    assert found.counts["pass"] >= 1 and found["L000.3"].status == "pass" and not found.failed
    assert found["L000.3"].evidence == "form" and sum(found.evidence.values()) == found.counts["pass"]
    clause = found.clauses["L000.3/gaussian"]
    assert clause.status == "pass" and "difference quotient" in clause.compared and clause.rejects
    assert "difference quotient" in found._repr_html_()
    with pytest.raises(KeyError):
        fv.verify("L999")


def test_a_result_holds_everything(localize: fv.Result):
    assert (localize.experiment, localize.seed, localize.status) == ("localize", 7, "completed")
    assert localize.settings.steps == 60 and localize.dtype == "f32" and localize.path is None
    series = localize.series
    assert list(series) == ["curve", "step", "time", "probe", "unit", "value"]
    ipr = series.where(probe="ipr", curve=series.curves[0])
    assert len(ipr) > 1 and np.all(ipr["probe"] == "ipr") and ipr["value"].dtype == np.float64
    weights = [name for name in localize.arrays if name.startswith("weights")]
    assert weights and localize.arrays[weights[0]].shape[-1] == 40
    assert {claim.status for claim in localize.claims} <= {"pass", "fail", "unchecked"}
    figure = localize.figures[0]
    assert localize.figures["localize"] is figure and figure._repr_svg_().startswith("<svg")
    html = localize._repr_html_()
    assert "<svg" in html and "localize" in html
    assert "<math" in localize.report.html and "<script" not in localize.report.html
    with pytest.raises(KeyError, match="localize"):
        localize.figures["lokalize"]
    with pytest.raises(KeyError):
        localize.arrays["nothing"]


def test_figures_are_saved_by_their_ending(localize: fv.Result, tmp_path: Path):
    svg = localize.figures[0].save(tmp_path / "x.svg", width=900)
    assert svg.read_text().startswith("<svg") and 'width="900' in svg.read_text()
    assert localize.figures[0].save(tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(ValueError, match="x.tiff"):
        localize.figures[0].save(tmp_path / "x.tiff")


def test_a_record_is_loaded_and_pickled_as_it_was(localize: fv.Result, tmp_path: Path):
    path = localize.save(tmp_path / "run")
    for other in [fv.load(path), pickle.loads(pickle.dumps(localize)), pickle.loads(pickle.dumps(fv.load(path)))]:
        assert other.hash == localize.hash and other.experiment == "localize"
        assert np.array_equal(other.series["value"], localize.series["value"])
        assert list(other.arrays) == list(localize.arrays)
        for name, array in localize.arrays.items():
            assert np.array_equal(other.arrays[name], array)
        assert list(other.claims) == list(localize.claims)
        assert other.figures[0].svg() == localize.figures[0].svg()
    figure = pickle.loads(pickle.dumps(localize.figures[0]))
    assert figure.svg() == localize.figures[0].svg() and figure.name == "localize"
    series = pickle.loads(pickle.dumps(localize.series))
    assert np.array_equal(series["curve"], localize.series["curve"])
    assert files(pickle.loads(pickle.dumps(localize)).save(tmp_path / "again")) == files(path)


def test_nothing_is_overwritten_and_what_is_no_record_is_refused(localize: fv.Result, tmp_path: Path):
    localize.save(tmp_path / "run")
    for write in [lambda: localize.save(tmp_path / "run"), lambda: fv.run("localize", out=tmp_path / "run", **SMALL)]:
        with pytest.raises(OSError, match="never overwrites"):
            write()
    with pytest.raises(OSError, match="does not exist"):
        fv.load(tmp_path / "nothing")
    (tmp_path / "empty").mkdir()
    with pytest.raises(OSError, match="no run.toml"):
        fv.load(tmp_path / "empty")


def test_mistakes_in_a_run_say_what_would_be_right():
    with pytest.raises(KeyError, match="did you mean `localize`"):
        fv.run("locallize")
    with pytest.raises(KeyError, match="did you mean `gain`"):
        fv.run("localize", gian=3)
    for ask in [fv.run, fv.show]:
        with pytest.raises(fv.UnknownNameError, match=r'fv.bench\("scaling"\)'):
            ask("scaling")
    for more in [{"steps": -1}, {"gain": np.nan}, {"seed": -1}, {"quick": True, "full": True}, {"n": 10**9}]:
        with pytest.raises(ValueError) as caught:
            fv.run("localize", **more)
        assert caught.value.hint


def test_progress_is_told_and_other_threads_run_meanwhile():
    told: list[tuple[int, int]] = []
    counted, done = [0], threading.Event()

    def count() -> None:
        while not done.is_set():
            counted[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    fv.run("localize", quick=True, progress=lambda at, of: told.append((at, of)))
    done.set()
    thread.join()
    assert told and told[-1][0] <= told[-1][1] and counted[0] > 50
    with pytest.raises(ZeroDivisionError):
        fv.run("localize", quick=True, progress=lambda at, of: 1 // 0)


def test_a_bar_is_shown_where_it_is_asked_for_and_nothing_elsewhere(capfd: pytest.CaptureFixture[str]):
    pytest.importorskip("tqdm")
    fv.run("localize", quick=True)
    assert capfd.readouterr() == ("", "")
    fv.run("localize", quick=True, progress=True)
    out, err = capfd.readouterr()
    assert out == "" and "localize" in err and "steps/s" in err


def test_results_do_not_depend_on_who_runs_beside(localize: fv.Result):
    values: list[np.ndarray] = []
    run = lambda: values.append(fv.run("localize", seed=7, **SMALL).series["value"])
    threads = [threading.Thread(target=run) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(values) == 3 and all(np.array_equal(v, localize.series["value"]) for v in values)


INTERRUPTED = """
import sys, fovea as fv
print("ready", flush=True)
try:
    fv.train(steps=10**9, record_every=10**6, out=sys.argv[1])
except KeyboardInterrupt as error:
    print(error.result.status, error.result.path, flush=True)
"""


def test_ctrl_c_ends_a_run_with_its_record(tmp_path: Path):
    command = [sys.executable, "-c", INTERRUPTED, str(tmp_path / "run")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        time.sleep(1.0)
        process.send_signal(signal.SIGINT)
        began = time.monotonic()
        told, _ = process.communicate(timeout=60)
    assert told == f"interrupted {tmp_path / 'run.partial'}\n" and time.monotonic() - began < 20
    assert fv.load(tmp_path / "run.partial").status == "interrupted"


def test_a_stopped_experiment_keeps_the_jobs_that_ended(fovea: Callable[..., str], tmp_path: Path):
    long = {**SMALL, "steps": 3000, "record_every": 3000, "replicas": 8}

    def halt(done: int, total: int) -> None:
        if done > 0.6 * total > 0:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fv.run("localize", seed=7, out=tmp_path / "ours", progress=halt, **long)
    shelves = [path for path in (tmp_path / "ours.partial").rglob("*") if "jobs" in str(path)]
    assert shelves, "no job was kept"
    fovea("run", "--resume", str(tmp_path / "ours.partial"))
    fv.run("localize", seed=7, out=tmp_path / "whole", **long)
    assert files(tmp_path / "ours") == files(tmp_path / "whole")


FORKED = """
import os, sys, numpy as np, fovea as fv
stimulus = fv.stimulus.nlgp()
x = stimulus.sample(5000, seed=1)
child = os.fork()
if child == 0:
    same = np.array_equal(x, fv.stimulus.nlgp().sample(5000, seed=1))
    os._exit(0 if same and fv.theory.nlgp.cov(rho=np.linspace(0, 1, 1000)).shape == (1000,) else 1)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


def test_a_forked_child_works():
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", FORKED], timeout=60)
    assert done.returncode == 0
