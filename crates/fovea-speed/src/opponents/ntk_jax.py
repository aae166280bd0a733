"""The JAX opponent for tangent kernels: each way is one compiled program.

    grams      layer by layer, inner products of what is fed times inner products of what it is worth, derived by hand
    grams-vjp  the same, but JAX derives what the preactivations are worth
    columns    as grams, samples along the last axis
    jacobian   every gradient, then their inner products: what one writes without knowing the structure
"""
try:
    import jax
    import jax.numpy as jnp
except ImportError as error:
    missing(error)


def build(given):
    jax.config.update("jax_enable_x64", given.double)
    weights, x = [jnp.asarray(w) for w in given.weights], jnp.asarray(given.x)
    factors, depth = given.factors, len(given.weights) - 1

    def forward(weights, h, offsets=None):
        fed, before = [], []
        for index, (factor, w) in enumerate(zip(factors, weights)):
            fed.append(h)
            z = factor * (h @ w.T)
            if offsets is not None:
                z = z + offsets[index]
            before.append(z)
            h = jnp.maximum(z, 0)
        return fed, before

    def grams(weights, x):
        fed, before = forward(weights, x)
        kernel = factors[depth] ** 2 * (fed[depth] @ fed[depth].T)
        worth = factors[depth] * weights[depth][0] * (before[depth - 1] >= 0)
        for index in reversed(range(depth)):
            kernel += factors[index] ** 2 * (fed[index] @ fed[index].T) * (worth @ worth.T)
            if index:
                worth = factors[index] * (worth @ weights[index]) * (before[index - 1] >= 0)
        return kernel

    def columns(weights, x):
        h, fed, before = x.T, [], []
        for factor, w in zip(factors, weights):
            fed.append(h)
            before.append(factor * (w @ h))
            h = jnp.maximum(before[-1], 0)
        kernel = factors[depth] ** 2 * (fed[depth].T @ fed[depth])
        worth = factors[depth] * weights[depth].T * (before[depth - 1] >= 0)
        for index in reversed(range(depth)):
            kernel += factors[index] ** 2 * (fed[index].T @ fed[index]) * (worth.T @ worth)
            if index:
                worth = factors[index] * (weights[index].T @ worth) * (before[index - 1] >= 0)
        return kernel

    def grams_vjp(weights, x):
        def total(offsets):
            fed, before = forward(weights, x, offsets)
            return before[-1].sum(), fed

        zeros = [jnp.zeros((len(x), units), x.dtype) for units in given.sizes[1:]]
        worth, fed = jax.grad(total, has_aux=True)(zeros)
        return sum(f**2 * (h @ h.T) * (d @ d.T) for f, h, d in zip(factors, fed, worth))

    def jacobian(weights, x):
        output = lambda weights, row: forward(weights, row)[1][-1][0]
        gradients = jax.vmap(jax.grad(output), (None, 0))(weights, x)
        flat = [g.reshape(len(x), -1) for g in gradients]
        return sum(g @ g.T for g in flat)

    ways = {"grams": grams, "grams-vjp": grams_vjp, "columns": columns, "jacobian": jacobian}
    compiled = {name: jax.jit(way) for name, way in ways.items()}
    return {
        name: (lambda way=way: jax.block_until_ready(way(weights, x)))
        for name, way in compiled.items()
    }


serve("jax", jax.__version__, build)
