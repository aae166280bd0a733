# %% [markdown]
# # Figure 1 of the fourth note, in ten lines
#
# One ReLU unit is trained by SGD on Gaussian data. Its field should follow the closed flow
# $\dot w = \tfrac12 f(w) - \tfrac14(C_- + C_+)w$ in the time $t = \text{step}\cdot\text{lr}$. The experiment
# `gaussian-flow` does this with many seeds and gives the distance in standard errors; here is one run.

# %%
import fovea as fv
import matplotlib.pyplot as plt

task = {"pos": fv.stimulus.gaussian(n=40, xi=2), "neg": fv.stimulus.gaussian(n=40, xi=1)}
start = fv.stimulus.gaussian(n=40, xi=1).sample(1, seed=4) / 6
run = fv.train(task, network=fv.network.committee(init=fv.initializer.explicit(weights=start)), steps=2000,
               record_every=20, dynamics=fv.dynamics.sgd(lr=0.01, batch=2000))
trained = run.arrays["weights_over_time"][:, 0]
flow = fv.flow(fv.theory.relu.flow_single, start[0], 0.01 * run.arrays["record_steps"], xi_pos=2.0, xi_neg=1.0)
plt.plot(flow.times, trained[:, ::5], "k", alpha=0.4)
plt.plot(flow.times, flow.states[:, ::5], "--")
_ = plt.xlabel("t = step × lr"), plt.ylabel("weight of every fifth site")

# %% [markdown]
# Solid: SGD. Dashed: the flow. They stay together to within the noise of one run:

# %%
gap = abs(trained - flow.states).max() / abs(flow.states).max()
print(f"largest gap: {100 * gap:.1f} % of the largest weight")
assert gap < 0.1

# %% [markdown]
# The experiment itself, with its figure and its claim:

# %%
result = fv.run("gaussian-flow", quick=True)
print(result.claims)
result.figures[0]
