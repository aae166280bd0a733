"""Training from Python: the bits of the command line, arrays of one's own, records in between, fleets, flows, probes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import fovea as fv
from conftest import ROOT, files

TASK = {"pos": fv.stimulus.ising(coupling=0.7), "neg": fv.stimulus.ising(coupling=0.3)}
SHORT = {
    "task": TASK,
    "network": fv.network.committee(width=2, init=fv.initializer.glorot(init_scale=0.001)),
    "dynamics": fv.dynamics.sgd(lr=0.1, batch=100),
    "steps": 50,
    "record_every": 10,
}


def test_a_training_file_and_python_write_the_same_bytes(fovea: Callable[..., str], tmp_path: Path):
    (tmp_path / "run.toml").write_text(
        """
        steps = 50
        record_every = 10
        class.pos.stimulus = { name = "ising", coupling = 0.7 }
        class.neg.stimulus = { name = "ising", coupling = 0.3 }
        network = { name = "committee", width = 2, init = { name = "glorot", init_scale = 0.001 } }
        dynamics = { name = "sgd", lr = 0.1, batch = 100 }
        """
    )
    fovea("train", "run.toml", "--seed=3", "--out=theirs")
    ours = fv.train(**SHORT, seed=3, out=tmp_path / "ours")
    assert files(tmp_path / "theirs") == files(ours.path)
    stepwise = fv.training(**SHORT, seed=3, out=tmp_path / "steps").result()
    assert files(stepwise.path) == files(ours.path)
    (many,) = fv.fleet([SHORT], seeds=[3])
    assert files(many.save(tmp_path / "fleet")) == files(ours.path)


def test_every_example_is_the_same_from_python(fovea: Callable[..., str], tmp_path: Path):
    tomllib = pytest.importorskip("tomllib")
    for name in ["gaussian", "array"]:
        path = ROOT / "examples" / f"{name}.toml"
        settings = tomllib.loads(path.read_text())
        task = settings.pop("class")
        if name == "array":
            for row in task.values():
                row["stimulus"]["samples"] = str(path.parent / row["stimulus"]["samples"])
        fovea("train", str(path), "--set", "steps=40", f"--out={name}")
        ours = fv.train(task, **{**settings, "steps": 40}, out=tmp_path / f"{name}-ours")
        assert files(ours.path) == files(tmp_path / name)


def test_snapshots_are_the_records_of_the_run():
    run = fv.training(**SHORT, seed=1)
    snapshots = list(run)
    assert [s.step for s in snapshots] == [0, 10, 20, 30, 40, 50]
    result = run.result()
    assert result.status == "completed"
    loss = result.series.where(probe="loss")["value"]
    assert [s.readings.loss for s in snapshots] == loss.tolist()
    assert snapshots[-1].readings.ipr.shape == (2,)
    assert np.array_equal(snapshots[-1].weights, result.arrays["weights"])
    assert np.array_equal(result.arrays["weights"], fv.train(**SHORT, seed=1).arrays["weights"])


def test_a_callback_sees_every_record_and_may_end_the_run():
    seen: list[int] = []
    result = fv.train(**SHORT, callback=lambda snapshot: seen.append(snapshot.step))
    assert seen == [0, 10, 20, 30, 40, 50] and result.status == "completed"
    stopped = fv.train(**SHORT, callback=lambda snapshot: snapshot.step < 20)
    assert stopped.status == "interrupted" and stopped.series["step"].max() == 20
    with pytest.raises(ZeroDivisionError):
        fv.train(**SHORT, callback=lambda snapshot: 1 // 0)


def test_a_stopped_run_resumes_to_the_same_bytes(tmp_path: Path):
    whole = fv.train(**SHORT, seed=5, checkpoint=20, out=tmp_path / "whole")
    run = fv.training(**SHORT, seed=5, checkpoint=20, out=tmp_path / "part")
    for snapshot in run:
        if snapshot.step == 30:
            break
    assert run.stop().path == tmp_path / "part.partial"
    resumed = fv.resume(tmp_path / "part.partial")
    assert resumed.path == tmp_path / "part" and files(resumed.path) == files(whole.path)
    with pytest.raises(ValueError, match="checkpoints need a directory"):
        fv.train(**SHORT, checkpoint=10)


def test_your_own_samples_and_initial_weights(tmp_path: Path):
    rng = np.random.default_rng(0)
    mine = rng.normal(size=(500, 12)).cumsum(axis=1)
    start = rng.normal(size=(3, 12)) / 10
    settings = {
        "task": {"pos": fv.stimulus.array(samples=mine), "neg": fv.stimulus.gaussian(n=12, xi=1)},
        "network": fv.network.committee(width=3, init=fv.initializer.explicit(weights=start)),
        "steps": 30,
        "record_every": 10,
    }
    run = fv.training(**settings)
    assert np.array_equal(next(run).weights, start)
    result = fv.train(**settings, out=tmp_path / "run")
    assert not np.array_equal(result.arrays["weights"], start)
    # The record holds what it was given: it can be run again by anyone.
    kept = np.load(tmp_path / "run/inputs/class.pos.stimulus.samples.npy")
    assert np.array_equal(kept, mine)
    assert fv.train(**settings).hash == result.hash
    other = {**settings, "task": {**settings["task"], "pos": fv.stimulus.array(samples=mine + 1e-9)}}
    assert fv.train(**other).hash != result.hash


def test_rows_are_held_out_of_training(tmp_path: Path):
    rng = np.random.default_rng(2)
    mine, test = rng.normal(size=(100, 8)), rng.normal(size=(30, 8))

    def train(out: Path | None = None, **held_out: object) -> fv.Result:
        task = {"pos": fv.stimulus.array(samples=mine, **held_out), "neg": fv.stimulus.gaussian(n=8, xi=1)}
        return fv.train(task, probes=["loss", "training-loss"], steps=20, out=out)

    by_share, by_rows, none = train(), train(tmp_path / "rows", held_out=test), train(held_out=0)
    assert len({by_share.hash, by_rows.hash, none.hash}) == 3
    assert by_share.hash == train(held_out="auto").hash
    assert np.array_equal(np.load(tmp_path / "rows/inputs/class.pos.stimulus.held_out.npy"), test)
    # On the same rows the loss and that of training are one number up to the draw; on others they are not.
    loss = {probe: by_rows.series.where(probe=probe)["value"] for probe in ["loss", "training-loss"]}
    assert not np.array_equal(loss["loss"], loss["training-loss"])
    with pytest.raises(ValueError, match="none to train on"):
        train(held_out=0.999)
    with pytest.raises(ValueError, match="fresh samples"):
        fv.train(TASK, probes=["training-loss"])


def test_a_run_with_arrays_of_its_own_runs_again_from_its_record(fovea: Callable[..., str], tmp_path: Path):
    mine = np.random.default_rng(1).normal(size=(100, 8))
    task = {"pos": fv.stimulus.array(samples=mine), "neg": fv.stimulus.gaussian(n=8, xi=1)}
    ours = fv.train(task, steps=20, out=tmp_path / "ours")
    fovea("train", "ours/run.toml", "--out=theirs")
    assert files(tmp_path / "theirs") == files(ours.path)


def test_a_fleet_has_the_numbers_of_its_runs_alone():
    runs = [{**SHORT, "steps": steps} for steps in (20, 40)]
    fleet = fv.fleet(runs, seeds=range(2))
    assert [(r.settings.steps, r.seed) for r in fleet] == [(20, 0), (20, 1), (40, 0), (40, 1)]
    alone = fv.train(**runs[1], seed=1)
    assert np.array_equal(fleet[3].arrays["weights"], alone.arrays["weights"])


def test_mistakes_in_training_name_the_setting():
    for more, error, text in [
        ({"netwrok": "committee"}, KeyError, "did you mean `network`"),
        ({"network": {"name": "committee", "widht": 3}}, KeyError, "network.widht"),
        ({"network": fv.network.committee(width=3, init=fv.initializer.explicit(weights=np.ones((2, 40))))},
         ValueError, "3 units"),
        ({"task": {"pos": fv.stimulus.nlgp()}}, ValueError, "nothing to tell apart|label"),
        ({"task": [fv.stimulus.nlgp()]}, ValueError, "name the classes"),
        ({"task": {"pos": fv.stimulus.gaussian(n=256, dim=2), "neg": fv.stimulus.gaussian(n=256, dim=2, xi=1)},
          "network": fv.network.committee(width=65536)}, ValueError, "65536 units on 65536 inputs would take"),
        ({"steps": 10**15}, ValueError, "steps"),
        ({"steps": 10**9, "record_every": 1}, ValueError, "record_every"),
        ({"probes": ["ipr", "iprr"]}, KeyError, "did you mean `ipr`"),
        ({"network": {"name": "commitee"}}, KeyError, "did you mean `committee`"),
    ]:
        with pytest.raises(error, match=text) as caught:
            fv.train(**{"steps": 10, **more})
        assert isinstance(caught.value, fv.FoveaError) and caught.value.hint


def test_divergence_is_a_status():
    wild = fv.train({"pos": fv.stimulus.gaussian(xi=2), "neg": fv.stimulus.gaussian(xi=1)},
                    network=fv.network.committee(activation="identity"), dynamics=fv.dynamics.sgd(lr=1e9), steps=100)
    assert wild.status == "diverged"


def test_an_activation_may_be_typed():
    task = {"pos": fv.stimulus.nlgp(n=12, xi=2), "neg": fv.stimulus.nlgp(n=12, xi=1)}
    run = lambda activation: fv.train(task, network=fv.network.committee(activation=activation), steps=20)
    typed, spelled, registered = run("x*tanh(x)"), run("(x + abs(x))/2"), run("relu")
    assert typed.status == "completed"
    last = lambda run: run.arrays["weights"]
    assert np.allclose(last(spelled), last(registered), rtol=1e-4, atol=1e-6) and not np.allclose(last(typed), last(registered), rtol=1e-2)
    for bad in ["x*tanh(x", "1/x"]:
        with pytest.raises(ValueError) as caught:
            run(bad)
        assert isinstance(caught.value, fv.FoveaError) and caught.value.hint


def test_probes_measure_weights():
    one_site = np.eye(5)[2]
    assert fv.measure.ipr(one_site) == 1.0
    assert np.array_equal(fv.measure.ipr(np.stack([one_site, np.ones(5)])), [1.0, 0.2])
    assert fv.measure.spectrum(np.ones((3, 8))).shape[0] == 3
    shape = fv.measure.uncertainty(np.ones((2, 8)))
    assert isinstance(shape, fv.Table) and all(column.shape == (2,) for column in shape.values())
    torus = np.random.default_rng(0).normal(size=(4, 6, 6))
    assert np.array_equal(fv.measure.ipr(torus), fv.measure.ipr(torus.reshape(4, 36), shape=(6, 6)))
    strided = np.random.default_rng(0).normal(size=(8, 10)).T[::2]
    assert np.array_equal(fv.measure.ipr(strided), fv.measure.ipr(strided.copy()))
    for bad in [np.full((2, 4), np.nan), np.zeros((0, 4)), 3.0, "weights", np.ones((2, 3)) * 1j, [[1, 2], [3]]]:
        with pytest.raises(ValueError) as caught:
            fv.measure.ipr(bad)
        assert isinstance(caught.value, fv.FoveaError) and caught.value.hint
    with pytest.raises(ValueError, match="needs samples"):
        fv.measure.loss(np.ones(4))
    with pytest.raises(AttributeError):
        fv.measure.iprr


def test_a_flow_ends_where_the_closed_form_says():
    start = np.random.default_rng(2).normal(size=12)
    times = np.linspace(0, 4, 5)
    path = fv.flow(fv.theory.relu.flow_single, start, times, xi_pos=2.0, xi_neg=1.0)
    assert path.states.shape == (5, 12) and np.array_equal(path.states[0], start)
    exact = fv.theory.relu.flow_exact(n=12, w0=start, t=4.0, xi_pos=2.0, xi_neg=1.0)
    exact = exact["w"] if isinstance(exact, fv.Table) else exact
    assert np.allclose(path.last, exact, atol=1e-7)
    mine = fv.flow(lambda t, w: fv.theory.relu.flow_single(n=12, w=w, xi_pos=2.0, xi_neg=1.0), start, times)
    assert np.allclose(mine.last, path.last, atol=1e-9)
    assert np.allclose(fv.flow(lambda t, x: -x, np.ones(3), [0, 1]).last, np.exp(-1), rtol=1e-7)
    with pytest.raises(ValueError, match="not a velocity"):
        fv.flow("nlgp.cov", start, times)
    with pytest.raises(ValueError, match="must be finite and increasing"):
        fv.flow("relu.flow_single", start, [1.0, 0.0])
    with pytest.raises(ZeroDivisionError):
        fv.flow(lambda t, w: 1 // 0, start, times)
