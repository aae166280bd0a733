"""Mixtures, gates on independent signs and the Edgeworth step: corners, densities of the radius, difference quotients."""

from itertools import product

from mpmath import mp, mpf

from common import Draw, apply, density, dot, gaussian, integral, row_of, second_way
from cubes import corners, ring_law
from flows import gate_mean, moved, slope
from sites import ellipses, marginal_moment


@second_way("scaled.excess_kurtosis")
def scaled_excess_kurtosis(draw: Draw):
    """The fourth power of the multiplier over its law."""
    laws = {
        "normal": lambda p: gaussian(lambda z: z**p),
        "uniform": lambda p: integral(lambda x: x**p, 0, mp.sqrt(3)) / mp.sqrt(3),
        "sign": lambda p: mpf(1),
        "root-exponential": lambda p: integral(lambda s: 2 * s ** (p + 1) * mp.exp(-s * s), 0, 1, 2, 4, 7, 10, 14),
    }
    for name, moment in laws.items():
        for base in (draw.flat(-2, 0), draw.log(0.01, 1e3)):
            yield {"factor": name, "base": base}, moment(4) / moment(2) ** 2 * (mpf(base) + 3) - 3


@second_way("elliptical.scale_mixture")
def elliptical_scale_mixture(draw: Draw):
    """|X| against the density of the mixture."""
    for count in (1, 2, 6):
        given = {"variances": [draw.log(1e-2, 1e2) for _ in range(count)], "weights": [draw.log(0.1, 10) for _ in range(count)]}
        total = mp.fsum(given["weights"])
        parts = [(mpf(w) / total, mp.sqrt(mpf(v))) for v, w in zip(given["variances"], given["weights"])]
        law = lambda x: mp.fsum(w / s * density(x / s) for w, s in parts)
        ends = [s * k for _, s in parts for k in (1, 3, 7, 15)]
        one, two = (2 * integral(lambda x: x**p * law(x), 0, *ends) for p in (1, 2))
        yield given, {"c_scale": one / 2, "c_cov": one / mp.sqrt(two) / 2}


@second_way("elliptical.fourth")
def elliptical_fourth(draw: Draw):
    """The factor from the density of one site; the covariances from their definition."""
    for given in ellipses(draw, most=60):
        mp.dps = 25
        given = draw.field(given["n"]) | given
        given["sites"] = [draw.whole(0, given["n"] - 1) for _ in range(4)]
        first, (i, j, k, l) = row_of(given), given["sites"]
        c = lambda a, b: first[(a - b) % given["n"]]
        pairs = c(i, j) * c(k, l) + c(i, k) * c(j, l) + c(i, l) * c(j, k)
        factor = marginal_moment(given, 4) / marginal_moment(given, 2) ** 2 / 3
        yield given, {"moment": factor * pairs, "cumulant": (factor - 1) * pairs}


@second_way("charfun.f")
def charfun_f(draw: Draw):
    """All corners for signs; closed constants for the mixtures, where the crate integrates over a frequency."""
    for n in (2, 5, 9, 11):
        w = [draw.pick(-1, 1) * draw.whole(1, 40) / 8 for _ in range(n)]
        f, total = [mpf(0)] * n, mpf(0)
        for x in corners(n):
            s = mp.fsum(a * b for a, b in zip(w, x))
            total += abs(s)
            f = [y + mp.sign(s) * b / 2 for y, b in zip(f, x)]
        yield {"law": "signs", "n": n, "w": w}, {"f": [y / 2**n for y in f], "mean_abs": total / 2**n}
    for law in ("gaussian", "laplace", "student", "student"):
        n = draw.whole(2, 9)
        given = draw.field(n) | {"law": law, "w": draw.weights(n)}
        c = 1 / mp.sqrt(2 * mp.pi)
        if law == "laplace":
            c = mp.sqrt(2) / 4
        if law == "student":
            given["dof"] = draw.flat(2.5, 30)
            nu = mpf(given["dof"])
            c = mp.sqrt((nu - 2) / mp.pi) * mp.gamma((nu - 1) / 2) / mp.gamma(nu / 2) / 2
        first, w = row_of(given), [mpf(x) for x in given["w"]]
        image = apply(first, w)
        s = mp.sqrt(dot(w, image))
        yield given, {"f": [c * x / s for x in image], "mean_abs": 2 * c * s}


def fourth_cumulants(n, coupling):
    """The cumulants of four spins of the Ising ring, by all corners."""
    law = list(zip(ring_law(n, coupling), corners(n)))
    pair = [mp.fsum(p * x[0] * x[d] for p, x in law) for d in range(n)]
    c = lambda a, b: pair[(a - b) % n]
    value = {}
    for a, b, d, e in product(range(n), repeat=4):
        moment = mp.fsum(p * (x[a] * x[b] * x[d] * x[e]) for p, x in law)
        value[a, b, d, e] = moment - c(a, b) * c(d, e) - c(a, d) * c(b, e) - c(a, e) * c(b, d)
    return pair, value


@second_way("edgeworth.f")
def edgeworth_f(draw: Draw):
    """Difference quotients of half the mean absolute preactivation, with cumulants by all corners or from the power series."""
    for law in ("ising", "ising", "weak", "weak"):
        mp.dps = 40
        n = draw.whole(3, 5)
        given = {"law": law, "n": n, "w": draw.weights(n)}
        w = [mpf(x) for x in given["w"]]
        if law == "ising":
            given["coupling"] = draw.flat(-1, 1)
            first, table = fourth_cumulants(n, given["coupling"])
            tensor = lambda w: mp.fsum(k * w[a] * w[b] * w[c] * w[d] for (a, b, c, d), k in table.items())
        else:
            given |= draw.field(n) | {"gain": draw.log(1e-3, 0.5)}
            latent = row_of(given)
            first = latent
            tensor = lambda w: -8 * mpf(given["gain"]) ** 2 * mp.fsum(x * y**3 for x, y in zip(w, apply(latent, w)))
        half = gate_mean(1)

        def mean(w):
            s = mp.sqrt(dot(w, apply(first, w)))
            return half * s * (1 - tensor(w) / (24 * s**4))

        h = max(map(abs, w)) * mpf(10) ** -8
        yield given, [slope(lambda by: mean(moved([w], 0, j, by)[0]), h) for j in range(n)]
