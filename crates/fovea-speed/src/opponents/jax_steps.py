"""The JAX opponent: a whole run is one compiled program, and its random bits are a cheap hash of a counter."""
import functools

try:
    import jax
    import jax.numpy as jnp
    from jax import lax
except ImportError as error:
    missing(error)


def mix(x):
    """A 32-bit avalanche."""
    x = (x ^ (x >> 16)) * jnp.uint32(0x21F0AAAD)
    x = (x ^ (x >> 15)) * jnp.uint32(0xD35A2D97)
    return x ^ (x >> 15)


def random_bits(key, shape):
    """Two avalanches of a counter, with a word of the key before each."""
    counter = lax.iota(jnp.uint32, int(np.prod(shape)))
    return mix(mix(counter * jnp.uint32(0x9E3779B9) + key[0]) ^ key[1]).reshape(shape)


def normals_over_root_two(key, shape):
    """The factor sqrt(2) is in the colouring."""
    u = (random_bits(key, shape) >> 9).astype(jnp.float32) * 2.0**-22 - (1.0 - 2.0**-23)
    return lax.erf_inv(u)


def keys(seed, step):
    """Two keys of two words for every step of a run."""
    words = mix(jnp.arange(1, 5, dtype=jnp.uint32) * jnp.uint32(0x9E3779B9) ^ mix(seed + mix(step)))
    return words[:2], words[2:]


def make_draw(workload, route):
    """draw(seed, step) -> a batch, class neg first."""
    n, half = workload["n"], workload["batch"] // 2
    if "pulse" in workload:
        (low0, high0), (low1, high1) = workload["pulse"]
        shortest = np.repeat(np.uint32([low0, low1]), half)
        lengths = np.repeat(np.uint32([high0 - low0 + 1, high1 - low1 + 1]), half)
        sites = np.arange(n, dtype=np.uint32)

        def draw(seed, step):
            start, longer, coin = random_bits(keys(seed, step)[0], (3, 2 * half))
            start, width = start % n, shortest + longer % lengths
            into = sites[None, :] - start[:, None]
            into = jnp.where(into >= n, into + jnp.uint32(n), into)  # below zero it wrapped around
            on = (into < width[:, None]) ^ (coin & 1).astype(bool)[:, None]
            return on.astype(jnp.float32)

        return draw
    gain, scale = workload["gain"], one_over_deviation(workload["gain"])
    if route == "modes":
        colour = [jnp.asarray(2**0.5 * gain * coloured_modes(n, xi), jnp.float32) for xi in workload["xi"]]

        def field(key, rows):
            return normals_over_root_two(key, (half, rows.shape[0])) @ rows
    else:
        colour = [jnp.asarray(2**0.5 * gain * half_amplitudes(n, xi), jnp.float32) for xi in workload["xi"]]

        def field(key, amplitudes):
            e = normals_over_root_two(key, (2, half, n // 2 + 1))
            return jnp.fft.irfft(lax.complex(amplitudes * e[0], amplitudes * e[1]), n=n)

    def draw(seed, step):
        both = [field(key, c) for key, c in zip(keys(seed, step), colour)]
        return lax.erf(jnp.concatenate(both)) * scale

    return draw


def build(workload, route, steps):
    n, width, batch, lr = (workload[key] for key in ("n", "width", "batch", "lr"))
    draw = make_draw(workload, route)
    labels = np.repeat(np.float32([0, 1]), batch // 2)
    relu = workload["activation"] == "relu"

    def forward(weights, biases, x):
        h = x @ weights.T
        if workload["bias"]:
            h = h + biases
        return h, jnp.maximum(h, 0) if relu else jax.nn.sigmoid(h)

    @functools.partial(jax.jit, donate_argnums=(0, 1))
    def run(weights, biases, seed):
        def step(theta, index):
            weights, biases = theta
            x = draw(seed, index)
            h, a = forward(weights, biases, x)
            error = (a.mean(1) - labels) * (1 / (batch * width))
            delta = jnp.where(h > 0, error[:, None], 0) if relu else error[:, None] * a * (1 - a)
            weights = weights - lr * (delta.T @ x)
            if workload["bias"]:
                biases = biases - lr * delta.sum(0)
            return (weights, biases), None

        return lax.scan(step, (weights, biases), jnp.arange(steps, dtype=jnp.uint32))[0]

    @jax.jit
    def evaluate(weights, biases, seed):
        def add(total, index):
            error = forward(weights, biases, draw(seed, index))[1].mean(1) - labels
            return total + 0.5 * jnp.mean(error**2), None

        count = -(-EVALUATED // batch)
        return lax.scan(add, 0.0, jnp.arange(count, dtype=jnp.uint32))[0] / count

    def train(weights, biases, seed):
        return jax.block_until_ready(run(jnp.asarray(weights), jnp.asarray(biases), jnp.uint32(seed)))

    return train, lambda state, seed: evaluate(*state, jnp.uint32(seed + 2**31))


serve("jax", jax.__version__, build)
