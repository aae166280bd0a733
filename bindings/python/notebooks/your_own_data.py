# %% [markdown]
# # Your own stimulus, your own initial weights
#
# A stimulus may be an array of which every row is a sample; training picks rows at random, with replacement. A fifth of the rows,
# chosen by the seed, is held out; `held_out` sets another share, or separate rows to test on. Initial weights may be an array too,
# one row per unit. Arrays may come from NumPy, JAX, PyTorch or anything else that supports DLPack.

# %%
import fovea as fv
import numpy as np

rng = np.random.default_rng(0)
sites, edges = 24, 5000

# Edges: up at one random place of the ring, down at another.
places = np.sort(rng.integers(0, sites, size=(edges, 2)), axis=1)
inside = (np.arange(sites) >= places[:, :1]) & (np.arange(sites) < places[:, 1:])
mine = np.where(inside, 1.0, -1.0)
mine = (mine - mine.mean()) / mine.std()

# %% [markdown]
# The other class is a Gaussian process with the mean and covariance of these samples, so that means and covariances cannot tell
# the two apart. In a run it is made from the rows that are trained on, so that nothing of the held-out rows reaches the network.

# %%
edges_stimulus = fv.stimulus.array(samples=mine)
clone = fv.stimulus.gaussian_clone(base=edges_stimulus)
print(abs(clone.covariance - edges_stimulus.covariance).max())

# %% [markdown]
# Eight units start from bumps of our own, evenly spaced, and are followed while they learn: by their accuracy on held-out rows
# and on the rows that they train on.

# %%
distance = np.minimum((np.arange(sites) - 3 * np.arange(8)[:, None]) % sites, (3 * np.arange(8)[:, None] - np.arange(sites)) % sites)
start = 0.3 * np.exp(-(distance**2) / 4)

training = fv.training(
    {"pos": edges_stimulus, "neg": clone},
    network=fv.network.two_layer(width=8, activation="relu", bias="trainable", init=fv.initializer.explicit(weights=start)),
    dynamics=fv.dynamics.adam(lr=0.01, batch=256),
    steps=1500, record_every=300, probes=["loss", "accuracy", "training-accuracy", "ipr"],
)
for snapshot in training:
    seen = snapshot.readings
    print(f"step {snapshot.step:5}: loss {seen.loss:.4f}, accuracy on held-out rows {seen.accuracy:.3f}, on training rows {seen['training-accuracy']:.3f}")
result = training.result()

# %%
result.figures[0]

# %% [markdown]
# The readings are a table that pandas and polars read, the fields an array that every probe measures.

# %%
weights = result.arrays["weights"]
print(result.series.where(probe="loss")["value"])
print(fv.measure.ipr(weights).round(3))
assert result.series.where(probe="loss")["value"][-1] < result.series.where(probe="loss")["value"][0]
