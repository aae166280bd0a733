"""The nonlinear Gaussian process: integrals over latent variables, where the crate has arcsines and Plackett's paths."""

from itertools import product

import numpy as np
from mpmath import mp, mpf
from scipy import special

from common import (
    Draw, above, apply, dense, density, dot, erf_mean, erf_of, gaussian, integral, power, row_of, second_way, width_of,
)


@second_way("nlgp.normalizer")
def nlgp_normalizer(draw: Draw):
    """E erf(gZ)^2 as an integral."""
    for gain in draw.gains():
        yield {"gain": gain}, power(gain)


@second_way("nlgp.marginal")
def nlgp_marginal(draw: Draw):
    """Powers of |erf(gZ)|, integrated over the half-line."""
    for gain in draw.gains():
        mp.dps = 60
        erf, width = erf_of(gain), width_of(gain)
        one, two, four = (2 * gaussian(lambda z: erf(z) ** p, width, low=0) for p in (1, 2, 4))
        m4 = four / two**2
        yield {"gain": gain}, {"Z": two, "abs_mean": one / mp.sqrt(two), "m4": m4, "excess_kurtosis": m4 - 3}


@second_way("nlgp.excess_kurtosis")
def nlgp_excess_kurtosis(draw: Draw):
    """Fourth and second powers of erf(gZ) integrated, with digits for their difference."""
    for gain in (draw.log(1e-7, 1e-3), *draw.gains()):
        mp.dps = 60
        erf, width = erf_of(gain), width_of(gain)
        two, four = (2 * gaussian(lambda z: erf(z) ** p, width, low=0) for p in (2, 4))
        yield {"gain": gain}, four / two**2 - 3


@second_way("nlgp.half_moment")
def nlgp_half_moment(draw: Draw):
    """erf(gZ) integrated over the half-line."""
    for gain in draw.gains():
        yield {"gain": gain}, gaussian(erf_of(gain), width_of(gain), low=0)


def across(rho, gain, f):
    """E f(Z_i) erf(g Z_j) for correlated Z, by one integral over Z_i; the sign of rho is taken out."""
    rho = mpf(rho)
    rest = (1 - rho) * (1 + rho)
    step = width_of(gain) if rho == 0 else min(1, mp.sqrt(width_of(gain) ** 2 + 2 * rest) / abs(rho))
    return lambda scale, low=None: gaussian(
        lambda z: f(z) * erf_mean(gain, rho * z, rest), min(scale, step), low
    )


@second_way("nlgp.cov")
def nlgp_cov(draw: Draw):
    """One integral over a site and the mean of the other given it."""
    for rho in (*draw.correlations(), draw.flat(-1, 1)):
        for gain in (draw.log(0.01, 10), draw.pick("inf", draw.log(10, 1e3))):
            even = 2 * across(rho, gain, erf_of(gain))(width_of(gain), low=0)
            yield {"rho": rho, "gain": gain}, even / power(gain)


@second_way("nlgp.f_site")
def nlgp_f_site(draw: Draw):
    """The mean of a site given the other, integrated over the half-line of the other."""
    for rho in draw.correlations():
        for gain in (draw.log(0.01, 10), draw.pick("inf", draw.log(10, 1e3))):
            half = across(rho, gain, lambda z: 1)(1, low=0)
            yield {"rho": rho, "gain": gain}, half / mp.sqrt(power(gain))


@second_way("nlgp.cond_mean")
def nlgp_cond_mean(draw: Draw):
    """erf(g Z_j) integrated over what is free of Z_j, and against the chance that Z_i > 0 given Z_j."""
    for rho in list(draw.correlations())[:3]:
        gain, z = draw.log(0.05, 50), draw.normal(2)
        r, s = mpf(rho), mp.sqrt((1 - mpf(rho)) * (1 + mpf(rho)))
        centre, wide = -r * z / s, 1 / (mpf(gain) * s)
        ends = {x for c in (0, centre) for k in (0.3, 1, 2, 4, 8) for x in (c - k, c, c + k, c - k * wide, c + k * wide)}
        cond = integral(lambda y: density(y) * mp.erf(mpf(gain) * (r * z + s * y)), -15, 15, *(e for e in ends if abs(e) < 15))
        half = gaussian(lambda y: mp.erf(mpf(gain) * y) * above(-r * y / s), min(width_of(gain), s / abs(r)))
        yield {"rho": rho, "gain": gain, "z": z}, {"cond": cond, "half": half}


def rule(points, ends):
    """Gauss-Legendre nodes and weights on panels, in doubles."""
    x, w = np.polynomial.legendre.leggauss(points)
    spans = list(zip(ends[:-1], ends[1:]))
    return (
        np.concatenate([(b - a) / 2 * x + (a + b) / 2 for a, b in spans]),
        np.concatenate([(b - a) / 2 * w for a, b in spans]),
    )


def four_sites(latent, gain, values=None):
    """E of a product of four sites, by a sum over an octant-wise rule for three and the mean of the last given them.

    In doubles; the matrix must be regular. `values` are functions of the first three latent variables instead.
    """
    r = np.array(latent, dtype=float)
    g = np.inf if gain == "inf" else float(gain)
    erf = np.sign if g == np.inf else (lambda z: special.erf(g * z))
    values = values or [erf] * 3
    width = min(1.0, 1.0 / g) if g < np.inf else 1.0
    ends = sorted({0.0, 1.5, 3.5, 9.0} | {k * width for k in (1.0, 3.0) if g < np.inf})
    x, w = rule(22, ends)
    precision = np.linalg.inv(r[:3, :3])
    scale = 1 / np.sqrt((2 * np.pi) ** 3 * np.linalg.det(r[:3, :3]))
    slope = r[3, :3] @ precision
    var = max(r[3, 3] - slope @ r[:3, 3], 0.0)
    spread = np.sqrt((0 if g == np.inf else 1 / g**2) + 2 * var)
    parts = []
    # The other four octants are mirror images, on which all four sites change sign.
    for signs in product((1.0,), (1.0, -1.0), (1.0, -1.0)):
        a, b, c = np.meshgrid(*(s * x for s in signs), indexing="ij")
        weight = w[:, None, None] * w[None, :, None] * w[None, None, :]
        form = precision[0, 0] * a * a + precision[1, 1] * b * b + precision[2, 2] * c * c
        form += 2 * (precision[0, 1] * a * b + precision[0, 2] * a * c + precision[1, 2] * b * c)
        last = special.erf((slope[0] * a + slope[1] * b + slope[2] * c) / spread)
        term = weight * np.exp(-form / 2) * values[0](a) * values[1](b) * values[2](c) * last
        parts.append(term.astype(np.longdouble).sum())
    return mpf(float(2 * scale * sum(parts)))


def pairings(latent, gain):
    """The three products of covariances."""
    z = power(gain)
    c = lambda i, j: 2 * across(latent[i][j], gain, erf_of(gain))(width_of(gain), low=0) / z
    return c(0, 1) * c(2, 3) + c(0, 2) * c(1, 3) + c(0, 3) * c(1, 2)


def four_weak_sites(latent, gain):
    """The same at weak gain, where a trapezoidal sum of step 1/2 has 25 digits."""
    root, g, step = mp.cholesky(mp.matrix(latent)), mpf(gain), mpf(1) / 2
    nodes = [i * step for i in range(-22, 23)]
    weights = [step * density(x) for x in nodes]
    spread = 1 / mp.sqrt(1 / g**2 + 2 * root[3, 3] ** 2)
    parts = []
    for i, a in enumerate(nodes):
        if a <= 0:
            continue
        for j, b in enumerate(nodes):
            two = weights[i] * weights[j] * mp.erf(g * a) * mp.erf(g * (root[1, 0] * a + root[1, 1] * b))
            third, last = root[2, 0] * a + root[2, 1] * b, root[3, 0] * a + root[3, 1] * b
            parts.append(two * mp.fsum(
                w * mp.erf(g * (third + root[2, 2] * c)) * mp.erf(spread * (last + root[3, 2] * c)) for c, w in zip(nodes, weights)
            ))
    return 2 * mp.fsum(parts)


@second_way("nlgp.fourth")
def nlgp_fourth(draw: Draw):
    """A threefold sum over latent variables, with the last site's mean given them."""
    gains = (draw.log(0.01, 0.1), draw.log(0.1, 0.3), draw.log(0.3, 0.8), draw.log(0.8, 3), draw.log(3, 6), "inf", "inf")
    for n, gain in zip((6, 5, 5, 7, 12, 9, 30), gains):
        mp.dps = 30
        given = draw.field(n, draw.pick("wrapped", "exponential"))
        given["xi"] = draw.log(0.9, 3)
        first = row_of(given)
        sites = draw.rng.sample(range(min(n, 6)), 4)
        latent = [[first[(i - j) % n] for j in sites] for i in sites]
        weak = gain != "inf" and gain < 0.3
        moment = (four_weak_sites if weak else four_sites)(latent, gain) / power(gain) ** 2
        value = {"moment": moment, "cumulant": moment - pairings(latent, gain)}
        yield given | {"gain": gain, "sites": sites}, value


@second_way("nlgp.norm_variance")
def nlgp_norm_variance(draw: Draw):
    """Squares of two sites by two nested trapezoidal sums, and the trace of the squared covariance."""
    mp.dps = 20
    for n, gain in ((3, draw.log(0.2, 0.5)), (6, draw.log(0.5, 1)), (9, draw.log(1, 2))):
        mp.dps = 20
        given = draw.field(n) | {"gain": gain}
        first, g, z = row_of(given), mpf(gain), power(gain)
        step = mpf("0.35") / (1 + g)
        nodes = [i * step for i in range(-int(10 / step), int(10 / step) + 1)]
        squares = {}
        for r in first[: n // 2 + 1]:
            s = mp.sqrt((1 - r) * (1 + r))
            inner = lambda a: mp.fsum(density(b) * mp.erf(g * (r * a + s * b)) ** 2 for b in nodes)
            squares[r] = 4 * step**2 * mp.fsum(density(a) * mp.erf(g * a) ** 2 * inner(a) / 2 for a in nodes if a > 0)
        cov = [2 * across(r, gain, erf_of(gain))(width_of(gain), low=0) / z for r in first]
        variance = n * mp.fsum(squares[first[min(d, n - d)]] / z**2 - 1 for d in range(n))
        smooth = 2 * n * mp.fsum(c * c for c in cov)
        yield given, {"variance": variance, "gaussian": smooth, "joint_cumulants": variance - smooth}


def cube_moments(first, gain, w):
    """E S^2 and E S^4 of S = <w, X> on three sites, by a trapezoidal sum over independent latent variables."""
    root = np.linalg.cholesky(np.array([[float(first[(i - j) % 3]) for j in range(3)] for i in range(3)]))
    step = 0.3 / (1 + gain)
    x = np.arange(-int(9 / step), int(9 / step) + 1) * step
    a, b, c = np.meshgrid(x, x, x, indexing="ij")
    weight = np.exp(-(a * a + b * b + c * c) / 2) * (step / np.sqrt(2 * np.pi)) ** 3
    fields = [root[i, 0] * a + root[i, 1] * b + root[i, 2] * c for i in range(3)]
    s = sum(wi * special.erf(gain * z) for wi, z in zip(w, fields)) / np.sqrt(float(power(gain)))
    return [mpf(float((weight * s**p).astype(np.longdouble).sum())) for p in (2, 4)]


@second_way("nlgp.preact_kurtosis")
def nlgp_preact_kurtosis(draw: Draw):
    """The preactivation itself, averaged over three latent variables."""
    for gain in (draw.log(0.5, 1), draw.log(1, 2), draw.log(1, 2)):
        given = {"n": 3, "xi": draw.log(0.5, 1.5), "kernel": "ring", "gain": gain, "w": draw.weights(3)}
        two, four = cube_moments(row_of(given), gain, given["w"])
        yield given, {"variance": two, "excess_kurtosis": four / two**2 - 3}


@second_way("nlgp.mode_kurtosis")
def nlgp_mode_kurtosis(draw: Draw):
    """The coefficient itself, averaged over three latent variables."""
    for k, gain in ((0, draw.log(0.5, 1)), (1, draw.log(1, 2)), (1, draw.log(0.5, 2))):
        given = {"n": 3, "xi": draw.log(0.5, 1.5), "kernel": "ring", "gain": gain, "k": k}
        two, four = cube_moments(row_of(given), gain, [float(mp.cos(2 * mp.pi * k * i / 3)) for i in range(3)])
        yield given, four / two**2 - 3


@second_way("nlgp.weak_cumulant")
def nlgp_weak_cumulant(draw: Draw):
    """Newton's method on the sphere from many random starts, the best of them to many digits."""
    for n in (6, 9, 12):
        given = draw.field(n, "ring") | {"gain": draw.log(1e-3, 0.9)}
        first = row_of(given)
        cov = np.array(dense(first).tolist(), dtype=float)
        best, top = None, -1.0
        for _ in range(200):
            v = np.array([draw.rng.gauss(0, 1) for _ in range(n)])
            for _ in range(400):
                image = cov @ v
                v = 12 * v + image**3 + 3 * cov @ (v * image**2)
                v /= np.linalg.norm(v)
            value = v @ (cov @ v) ** 3
            if value > top + 1e-9:
                best, top = v, value
        v, scale = [mpf(float(x)) for x in best], mpf(float(top))
        quarter = lambda v: [
            (x**3 + 3 * y) / 4 for x, y in zip(apply(first, v), apply(first, [a * b**2 for a, b in zip(v, apply(first, v))]))
        ]
        for _ in range(6):
            image = apply(first, v)
            c = dense(first)
            jac = mp.matrix(n + 1, n + 1)
            for i in range(n):
                for j in range(n):
                    jac[i, j] = (3 * (image[i] ** 2 + image[j] ** 2) * c[i, j] + 6 * mp.fsum(
                        c[i, a] * v[a] * image[a] * c[a, j] for a in range(n))) / 4
                jac[i, i] -= scale
                jac[i, n] = -v[i]
                jac[n, i] = 2 * v[i]
            gap = [q - scale * x for q, x in zip(quarter(v), v)] + [dot(v, v) - 1]
            step = mp.lu_solve(jac, mp.matrix(gap))
            v, scale = [x - step[i] for i, x in enumerate(v)], scale - step[n]
        yield given, {"cumulant": -8 * mpf(given["gain"]) ** 2 * scale, "ipr": mp.fsum(x**4 for x in v)}


@second_way("conditional.nlgp")
def conditional_nlgp(draw: Draw):
    """Dense regression of the latent field, and integrals over one site with the mean of the other given it."""
    for n, kernel in ((4, "ring"), (5, "exponential"), (6, "wrapped")):
        mp.dps = 30
        given = draw.field(n, kernel) | {"gain": draw.log(0.05, 8)}
        given["xi"] = draw.log(0.5, 1.3)
        g, z = mpf(given["gain"]), power(given["gain"])
        known = sorted(draw.rng.sample(range(n), draw.whole(1, 2)))
        top = 0.98 / float(mp.sqrt(z))
        given |= {"sites": known, "values": [draw.flat(-top, top) for _ in known]}
        c = dense(row_of(given))
        latent = mp.matrix([mp.erfinv(mp.sqrt(z) * mpf(v)) / g for v in given["values"]])
        inner = mp.inverse(mp.matrix([[c[i, j] for j in known] for i in known]))
        gain = mp.matrix([[c[i, j] for j in known] for i in range(n)]) * inner
        m = gain * latent
        s = c - gain * mp.matrix([[c[i, j] for j in range(n)] for i in known])
        mean = [mp.erf(g * m[i] / mp.sqrt(1 + 2 * g**2 * max(s[i, i], 0))) / mp.sqrt(z) for i in range(n)]
        cov = [[mpf(0)] * n for _ in range(n)]
        for i in range(n):
            for j in range(i, n):
                if i in known or j in known:
                    continue
                a, rest = mp.sqrt(s[i, i]), max(s[j, j] - s[i, j] ** 2 / s[i, i], 0)
                both = lambda u: mp.erf(g * (m[i] + a * u)) * erf_mean(given["gain"], m[j] + s[i, j] / a * u, rest)
                ends = [-m[i] / a, -m[j] * a / s[i, j]]
                ends += [e + k / (g * a) for e in ends for k in (-4, -2, -1, 1, 2, 4)]
                whole = integral(lambda u: density(u) * both(u), -12, -3, -1, 0, 1, 3, 12, *(e for e in ends if abs(e) < 12))
                cov[i][j] = cov[j][i] = whole / z - mean[i] * mean[j]
        yield given, {"mean": mean, "cov": cov}
