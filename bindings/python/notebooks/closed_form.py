# %% [markdown]
# # A closed form against your own code
#
# Every closed form is a function with its equation and source in its documentation. Here the covariance and the kurtosis of the
# nonlinear Gaussian process are compared with a computation that shares nothing with them: a quadrature in NumPy.

# %%
import fovea as fv
import numpy as np

print(fv.theory.nlgp.cov.__doc__.split("Parameters")[0])

# %% [markdown]
# In NumPy: $E[\mathrm{erf}(g z_1)\,\mathrm{erf}(g z_2)] / E[\mathrm{erf}(g z)^2]$ for two normal numbers of correlation $r$, by
# Gauss-Hermite quadrature in the plane.

# %%
from math import erf

erf = np.vectorize(erf)
nodes, weights = np.polynomial.hermite_e.hermegauss(120)
weights = weights / weights.sum()


def covariance(rho, gain):
    z1, z2 = nodes[:, None], rho * nodes[:, None] + np.sqrt(1 - rho**2) * nodes[None, :]
    both = weights[:, None] * weights[None, :]
    return (both * erf(gain * z1) * erf(gain * z2)).sum() / (weights * erf(gain * nodes) ** 2).sum()


gains, rhos = np.array([0.1, 0.3, 1.0]), np.linspace(-0.9, 0.9, 7)
mine = np.array([[covariance(r, g) for r in rhos] for g in gains])
theirs = fv.theory.nlgp.cov(rho=rhos, gain=gains[:, None])
print(abs(mine - theirs).max())
assert abs(mine - theirs).max() < 1e-8

# %% [markdown]
# The wrong form that the checks of Fovea reject, the latent correlation itself, is far off:

# %%
print(abs(mine - rhos).max())
assert abs(mine - rhos).max() > 1e-3

# %% [markdown]
# The kurtosis, against 200 000 samples with their standard error:

# %%
x = fv.stimulus.nlgp(n=8, xi=1, gain=1).sample(200_000, seed=1)[:, 0]
fourth = x**4
measured, error = fourth.mean() - 3, fourth.std() / np.sqrt(len(x))
predicted = fv.theory.nlgp.excess_kurtosis(gain=1.0)
print(f"predicted {predicted:.5f}, measured {measured:.5f} +- {error:.5f}")
assert abs(measured - predicted) < 5 * error
