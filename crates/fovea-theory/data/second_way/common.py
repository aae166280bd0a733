"""What the second ways share: seeded draws of arguments, integrals over Gaussians, circulants as dense matrices.

Nothing here is taken from the crate. Numbers are mpmath's, with DIGITS digits unless a function says otherwise.
"""

import random

from mpmath import mp, mpf

DIGITS = 40
mp.dps = DIGITS

FORMS = {}


def second_way(name):
    """Registers a generator of (arguments, value) under the name of its form."""

    def register(points):
        FORMS[name] = points
        return points

    return register


class Draw:
    """Arguments at random, the same ones at every run; short decimals, so that the doubles meant are seen."""

    def __init__(self, name):
        self.rng = random.Random(f"second way of {name}")

    def flat(self, low, high, digits=6):
        return float(f"{self.rng.uniform(low, high):.{digits}g}")

    def log(self, low, high):
        return float(f"{float(mp.exp(self.rng.uniform(float(mp.log(low)), float(mp.log(high))))):.6g}")

    def whole(self, low, high):
        return self.rng.randint(low, high)

    def pick(self, *items):
        return self.rng.choice(items)

    def normal(self, scale=1.0):
        return float(f"{self.rng.gauss(0.0, scale):.6g}")

    def weights(self, n, scale=None):
        """Normal weights, of any size where no scale is given."""
        scale = self.log(1e-3, 1e3) if scale is None else scale
        return [self.normal(scale) for _ in range(n)]

    def rough(self, n):
        """Weights of changing sign, of which a smooth field leaves little."""
        return [(-1) ** i * self.flat(0.5, 1.5) for i in range(n)]

    def correlations(self):
        """One ordinary correlation, one close to 1 or -1, one close to 0, one end."""
        sign = self.pick(-1.0, 1.0)
        yield self.flat(-0.95, 0.95)
        yield sign * (1.0 - self.log(1e-9, 1e-2))
        yield -sign * self.log(1e-9, 1e-2)
        yield self.pick(-1.0, 1.0)

    def gains(self):
        """A small, an ordinary, a large and an infinite gain."""
        yield self.log(1e-3, 0.1)
        yield self.log(0.3, 5.0)
        yield self.log(10.0, 1e3)
        yield "inf"

    def field(self, n, kernel=None):
        """Length and kernel of a field that is a covariance."""
        kernel = kernel or self.pick("ring", "wrapped", "exponential")
        longest = {"ring": 0.9 * float(mp.sqrt(n / mp.pi)), "wrapped": n / 3, "exponential": 3 * n}[kernel]
        return {"n": n, "xi": self.log(0.4, longest), "kernel": kernel}

    def classes(self, n, kernel=None):
        """Two lengths and one kernel."""
        pos = self.field(n, kernel)
        neg = self.field(n, pos["kernel"])
        return {"n": n, "xi_pos": pos["xi"], "xi_neg": neg["xi"], "kernel": pos["kernel"]}


def row(n, xi, kernel):
    """First row of the covariance of a kernel, from its definition."""
    xi = mpf(xi)
    near = [min(d, n - d) for d in range(n)]
    if kernel == "ring":
        return [mp.exp(-(d / xi) ** 2) for d in near]
    if kernel == "exponential":
        return [mp.exp(-d / xi) for d in near]
    reach = int(mp.ceil(xi * mp.sqrt(mp.dps * 2.4) / n)) + 2
    around = [mp.fsum(mp.exp(-((d + a * n) / xi) ** 2) for a in range(-reach, reach + 1)) for d in range(n)]
    return [c / around[0] for c in around]


def row_of(args, xi="xi"):
    """The row that the arguments ask for."""
    return row(args["n"], args[xi], args["kernel"])


def apply(first_row, w):
    """The circulant times a vector, entry by entry."""
    n = len(first_row)
    return [mp.fsum(first_row[(i - j) % n] * w[j] for j in range(n)) for i in range(n)]


def dense(first_row):
    """The circulant as a matrix."""
    n = len(first_row)
    return mp.matrix(n, n) + mp.matrix([[first_row[(i - j) % n] for j in range(n)] for i in range(n)])


def dot(a, b):
    return mp.fsum(x * y for x, y in zip(a, b))


def cosine_sums(first_row):
    """Eigenvalues by frequency 0..n/2, as plain cosine sums."""
    n = len(first_row)
    cos = [mp.cos(2 * mp.pi * m / n) for m in range(n)]
    return [mp.fsum(c * cos[k * d % n] for d, c in enumerate(first_row)) for k in range(n // 2 + 1)]


def density(z):
    return mp.exp(-z * z / 2) / mp.sqrt(2 * mp.pi)


def above(z):
    """The probability that a standard normal exceeds z."""
    return mp.erfc(z / mp.sqrt(2)) / 2


def integral(f, *breaks):
    """Over panels that end at the breaks, which may come in any order."""
    return mp.quad(f, sorted(set(mpf(b) for b in breaks)), method="gauss-legendre", maxdegree=7)


def gaussian(f, scale=1, low=None):
    """E f(Z), Z standard normal, of a function with features of this scale at 0; from `low` on if given."""
    reach = mp.sqrt(2 * mp.dps * mp.log(10)) + 1
    steps = [mpf(s) for s in (0, 1, 2, 4, 7)] + [reach]
    fine = [mpf(scale) * s for s in (mpf(1) / 2, 1, 2, 4, 8, 16)]
    ends = [x for x in steps + fine if x <= reach]
    if low is None:
        ends += [-x for x in ends]
    else:
        ends = [x for x in ends if x > low] + [mpf(low)]
    return integral(lambda z: density(z) * f(z), *ends)


def erf_of(gain):
    """erf(gain z), the sign at infinite gain."""
    if gain == "inf":
        return mp.sign
    return lambda z: mp.erf(mpf(gain) * z)


def width_of(gain):
    """The width of the step of erf(gain z)."""
    return 1 if gain == "inf" else min(mpf(1), 1 / mpf(gain))


def erf_mean(gain, mean, var):
    """E erf(gain (mean + sqrt(var) Z)), for the sign as well."""
    scale = mp.sqrt(2 * var) if gain == "inf" else mp.sqrt(1 / mpf(gain) ** 2 + 2 * var)
    return mp.sign(mean) if scale == 0 else mp.erf(mean / scale)


def power(gain):
    """The variance of erf(gain Z), by integration."""
    return mpf(1) if gain == "inf" else gaussian(lambda z: mp.erf(mpf(gain) * z) ** 2, width_of(gain))
