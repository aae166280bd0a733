"""Stimuli: samples, exact moments, settings."""

from __future__ import annotations

import inspect
import pickle

import numpy as np
import pytest

import fovea as fv


def test_samples_have_the_exact_covariance():
    stimulus = fv.stimulus.nlgp(n=12, xi=2, gain=3)
    x = stimulus.sample(200_000, seed=3)
    assert x.shape == (200_000, 12) and x.dtype == np.float64
    # Products of two entries, each with its own standard error; the latent covariance is the negative control.
    products = np.stack([x[:, 0] * x[:, j] for j in range(12)], axis=1)
    error = products.std(axis=0) / np.sqrt(len(x)) + 1e-12
    z = (products.mean(axis=0) - stimulus.covariance[0]) / error
    assert np.abs(z[1:]).max() < 5.5
    lag = np.minimum(np.arange(12), 12 - np.arange(12))
    wrong = (products.mean(axis=0) - np.exp(-(lag**2) / 4.0)) / error
    assert np.abs(wrong[1:]).max() > 20
    assert np.allclose(stimulus.covariance[0, 1], fv.theory.nlgp.cov(rho=np.exp(-0.25), gain=3.0), rtol=1e-12)


def test_a_sample_depends_on_its_seed_and_place_alone():
    stimulus = fv.stimulus.nlgp(n=10)
    for dtype in [np.float32, np.float64]:
        whole = stimulus.sample(3000, seed=7, dtype=dtype)
        assert whole.dtype == dtype
        before = fv.threads()
        try:
            for count in [1, 3]:
                fv.threads(count)
                assert np.array_equal(whole, stimulus.sample(3000, seed=7, dtype=dtype))
        finally:
            fv.threads(before)
        assert np.array_equal(whole[37:1100], stimulus.sample(1063, seed=7, dtype=dtype, first=37))
        assert not np.array_equal(whole, stimulus.sample(3000, seed=8, dtype=dtype))
        out = np.full((3000, 10), np.nan, dtype=dtype)
        assert stimulus.sample(3000, seed=7, out=out) is out and np.array_equal(out, whole)
    assert stimulus.sample(0).shape == (0, 10)


def test_every_stimulus_has_a_signature_docs_and_samples():
    assert len(dir(fv.stimulus)) == len(fv.list("stimulus"))
    for name in dir(fv.stimulus):
        make = getattr(fv.stimulus, name)
        assert all(f"{p} : " in make.__doc__ for p in inspect.signature(make).parameters), name
        stimulus = make()
        x = stimulus.sample(40, seed=1)
        assert x.shape == (40, stimulus.sites) and np.isfinite(x).all()
        assert np.prod(stimulus.shape) == stimulus.sites
        assert set(stimulus.law) == {"standardized", "sign_symmetric", "translation_invariant", "is_gaussian"}
        again = pickle.loads(pickle.dumps(stimulus))
        assert again == stimulus and np.array_equal(again.sample(40, seed=1), x)


def test_items_hold_each_other_and_can_be_changed():
    base = fv.stimulus.nlgp(n=6, xi=1, gain=2)
    scaled = fv.stimulus.scaled(base=base)
    assert scaled.sites == 6
    assert "base=fv.stimulus.nlgp(n=6, xi=1, gain=2)" in repr(scaled)
    assert base.replace(gain=np.inf).settings.gain == np.inf and base.settings.gain == 2
    assert base != base.replace(n=8) and base == fv.stimulus.nlgp(gain=2.0, n=6, xi=1)
    mine = fv.stimulus.array(samples=np.eye(5, dtype=np.int32))
    assert {tuple(row) for row in mine.sample(200)} == {tuple(row) for row in np.eye(5)}


def test_bad_settings_and_sizes_are_refused():
    for make, error in [
        (lambda: fv.stimulus.nlgp(gian=3), KeyError),
        (lambda: fv.stimulus.nlgp(n=-3), ValueError),
        (lambda: fv.stimulus.nlgp(n=10**30), ValueError),
        (lambda: fv.stimulus.nlgp(gain="much"), ValueError),
        (lambda: fv.stimulus.nlgp(xi=30), ValueError),
        (lambda: fv.stimulus.array(samples=np.array([[1.0, np.nan]])), ValueError),
        (lambda: fv.stimulus.array(samples=np.zeros((2, 2, 2))), ValueError),
        (lambda: fv.stimulus.array(samples=np.zeros((2, 2), dtype=complex)), ValueError),
        (lambda: fv.stimulus.scaled(base=fv.network.committee()), KeyError),
        (lambda: fv.stimulus.nlpg(), AttributeError),
    ]:
        with pytest.raises(error) as caught:
            make()
        assert isinstance(caught.value, fv.FoveaError) and caught.value.hint
    stimulus = fv.stimulus.nlgp()
    readonly = np.zeros((5, 40))
    readonly.flags.writeable = False
    for count, more in [
        (-1, {}), (2.5, {}), (10**13, {}), (2**70, {}), (True, {}), (5, {"dtype": int}), (5, {"first": -1}),
        (5, {"seed": -1}), (5, {"seed": 2**64}), (5, {"seed": "x"}), (5, {"out": np.zeros((5, 39))}),
        (5, {"out": readonly}), (5, {"out": np.zeros((40, 5)).T}), (5, {"out": np.zeros((5, 40), dtype=int)}),
        (5, {"first": 2**40}),
    ]:
        with pytest.raises(ValueError) as caught:
            stimulus.sample(count, **more)
        assert isinstance(caught.value, fv.FoveaError), (count, more)
    with pytest.raises(ValueError, match="would take .* are free"):
        stimulus.sample(10**12)


def test_a_large_sample_is_held_once():
    resource = pytest.importorskip("resource")
    stimulus = fv.stimulus.nlgp()
    stimulus.sample(1000, dtype=np.float32)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    x = stimulus.sample(1_000_000, dtype=np.float32)
    grown = 1024 * (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
    assert x.nbytes == 160_000_000 and grown < 1.1 * x.nbytes
