"""The library for tangent kernels in JAX, by each of its implementations that this size allows."""
try:
    import jax
    import jax.numpy as jnp
    import neural_tangents as nt
except ImportError as error:
    missing(error)


def build(given):
    jax.config.update("jax_enable_x64", given.double)
    weights, x = [jnp.asarray(w) for w in given.weights], jnp.asarray(given.x)

    def outputs(weights, h):
        for factor, w in zip(given.factors, weights):
            z = factor * (h @ w.T)
            h = jnp.maximum(z, 0)
        return z

    kinds = nt.NtkImplementation
    ways = {
        "structured": kinds.STRUCTURED_DERIVATIVES,
        "products": kinds.NTK_VECTOR_PRODUCTS,
        "jacobian": kinds.JACOBIAN_CONTRACTION,
    }
    make = lambda kind: jax.jit(
        nt.empirical_ntk_fn(outputs, trace_axes=(), vmap_axes=0, implementation=kind), static_argnums=1
    )
    compiled = {name: make(kind) for name, kind in ways.items()}
    return {
        name: (lambda way=way: jax.block_until_ready(way(x, None, weights)))
        for name, way in compiled.items()
    }


serve("neural-tangents", nt.__version__, build)
