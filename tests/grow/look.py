"""The items of this folder as Python sees them; `tests/grow/run --python` runs it with the package of the copy."""

import inspect
from math import inf

import fovea as fv

assert {"square_wave"} <= set(dir(fv.stimulus)) and "square_wave" in fv.list("stimulus")
assert str(inspect.signature(fv.stimulus.square_wave)).startswith("(*, n=40, length=5")
assert "Length of a block, half a period" in fv.stimulus.square_wave.__doc__
x = fv.stimulus.square_wave(n=6, length=3).sample(100)
assert set(x.ravel().tolist()) == {1.0, -1.0} and (x[:, :3] == -x[:, 3:]).all()
try:
    fv.stimulus.square_wave(lenght=3)
except KeyError as error:
    assert "did you mean `length`?" in str(error)
else:
    raise AssertionError("a parameter that there is not was taken")

assert fv.theory.nlgp.bound(gain=inf) == 1.0 and fv.theory.nlgp.bound(gain=[1.0, 3.0]).shape == (2,)
assert abs(fv.measure.gini([0.0, 0.0, 1.0]) - 2 / 3) < 1e-15

task = {"pos": fv.stimulus.square_wave(n=6, length=3), "neg": fv.stimulus.gaussian(n=6, xi=1)}
result = fv.train(task, loss="huber", probes=["loss", "gini"], steps=10)
assert set(result.series["probe"].tolist()) == {"loss", "gini"}

assert [claim.status for claim in fv.run("one-step", quick=True).claims] == ["pass"]
assert fv.verify("T23.1", quick=True)["T23.1"].status == "pass"
