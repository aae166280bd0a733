"""Laws of one site: densities integrated directly, where the crate has gamma and beta functions."""

import numpy as np
from mpmath import mp, mpf
from scipy import special

from common import Draw, apply, density, dot, gaussian, integral, power, row_of, second_way, width_of
from nlgp import rule


def algebraic_moment(k, p):
    """E|x|^p of the algebraic law from its density; beyond 1 over s = x^(p-k), in which the tail is smooth."""
    if k == "inf":
        return mpf(1) / (p + 1)
    k = mpf(k)
    body = lambda x: x**p * (1 + x**k) ** (-1 - 1 / k)
    tail = lambda s: (1 + s ** (k / (k - p))) ** (-1 - 1 / k) / (k - p)
    return mp.quad(body, [0, 0.5, 0.8, 0.95, 1]) + mp.quad(tail, [0, 0.01, 0.1, 0.5, 0.9, 1])


@second_way("kur.variance")
def kur_variance(draw: Draw):
    """The density times x^2."""
    for k in (2 + draw.log(1e-6, 1e-2), draw.log(2.1, 6), draw.log(6, 60), "inf"):
        yield {"k": k}, algebraic_moment(k, 2)


def algebraic_excess(k):
    return algebraic_moment(k, 4) / algebraic_moment(k, 2) ** 2 - 3


@second_way("kur.excess_kurtosis")
def kur_excess_kurtosis(draw: Draw):
    """The density times x^4 and x^2."""
    for k in (4 + draw.log(1e-6, 1e-2), draw.log(4.1, 5.5), draw.log(6.5, 60), "inf"):
        yield {"k": k}, algebraic_excess(k)


@second_way("kur.zero_excess")
def kur_zero_excess(draw: Draw):
    """A bracketed root of integrals over the density."""
    for excess in (0.0, draw.flat(-1, -0.2), draw.flat(0.5, 5), draw.log(20, 1e3)):
        mp.dps = 25
        gap = lambda x: 1 / (algebraic_excess(4 + mp.exp(x)) + 2) - 1 / (mpf(excess) + 2)
        yield {"excess": excess}, 4 + mp.exp(mp.findroot(gap, (mpf(-8), mpf(3)), solver="anderson", tol=1e-44, maxsteps=60))


def law_moment(law, k, p):
    """E|x|^p of a law of unit variance, from its density."""
    if law == "gaussian":
        return 2 * gaussian(lambda z: z**p, low=0)
    if law == "uniform":
        return integral(lambda x: x**p, 0, mp.sqrt(3)) / mp.sqrt(3)
    if law == "arcsine":
        return integral(lambda a: (mp.sqrt(2) * mp.sin(a)) ** p, 0, mp.pi / 2) * 2 / mp.pi
    if law == "laplace":
        return integral(lambda x: x**p * mp.sqrt(2) * mp.exp(-mp.sqrt(2) * x), 0, 1, 3, 8, 20, 50, 100)
    return algebraic_moment(k, p) / algebraic_moment(k, 2) ** (mpf(p) / 2)


def site_moment(given, p):
    """The same for the nonlinear Gaussian process as well."""
    if given["marginal"] != "nlgp":
        return law_moment(given["marginal"], given.get("k"), p)
    gain = given["gain"]
    if gain == "inf":
        return mpf(1)
    return 2 * gaussian(lambda z: mp.erf(mpf(gain) * z) ** p, width_of(gain), low=0) / power(gain) ** (mpf(p) / 2)


def sites(draw, k=4.5):
    """Every law of a site."""
    for gain in draw.gains():
        yield {"marginal": "nlgp", "gain": gain}
    for law in ("gaussian", "uniform", "arcsine", "laplace"):
        yield {"marginal": law}
    yield {"marginal": "kur", "k": draw.log(k, 60)}
    yield {"marginal": "kur", "k": draw.log(k, 6)}


@second_way("copula.excess_kurtosis")
def copula_excess_kurtosis(draw: Draw):
    """Fourth powers against the density."""
    for law in ("uniform", "arcsine", "laplace"):
        yield {"marginal": law}, law_moment(law, None, 4) - 3
    for k in (draw.log(4.01, 5), draw.log(5, 100)):
        yield {"marginal": "kur", "k": k}, law_moment("kur", k, 4) - 3


def quantile(law, k):
    """The site as a function of its latent variable, for z >= 0, in doubles; odd."""
    deviation = {"uniform": np.sqrt(1 / 3), "arcsine": np.sqrt(0.5), "laplace": np.sqrt(2)}.get(law)
    deviation = deviation or float(mp.sqrt(algebraic_moment(k, 2)))

    def value(z):
        a = np.abs(z)
        two_tails = special.erfc(a / np.sqrt(2))
        if law == "uniform":
            x = special.erf(a / np.sqrt(2))
        elif law == "arcsine":
            x = np.sin(np.pi / 2 * special.erf(a / np.sqrt(2)))
        elif law == "laplace":
            x = -(np.log(2) + special.log_ndtr(-a))
        else:
            ln_y = np.where(two_tails < 0.5, np.log1p(-two_tails), np.log(np.maximum(special.erf(a / np.sqrt(2)), 1e-300)))
            x = np.exp(ln_y - np.log(-np.expm1(k * ln_y)) / k)
        return np.sign(z) * x / deviation

    return value


@second_way("copula.cov")
def copula_cov(draw: Draw):
    """Two nested rules over independent latent variables, split where a site changes sign."""
    for law in ("uniform", "arcsine", "laplace", "kur"):
        for rho in (draw.flat(-0.9, 0.9), draw.pick(-1, 1) * (1 - draw.log(1e-3, 3e-2))):
            k = draw.log(5, 30)
            f = quantile(law, k)
            side = np.sqrt((1 - rho) * (1 + rho))
            # The inner mean turns where the other site changes sign, over the width of that site given this one.
            turn = [k * side / max(abs(rho), 0.1) for k in (0.5, 1, 2, 3, 4.5, 6, 8)]
            x, w = rule(24, sorted({0, 1e-3, 1e-2, 0.1, 0.5, 1, 2, 3.5, 5, 6.5, 8, 10, *(e for e in turn if e < 10)}))
            total = np.longdouble(0)
            for z, weight in zip(x, w):
                kink = -rho * z / side
                ends = sorted({max(-10.0, min(10.0, e)) for e in (-10, -4, 0, 4, kink - 4, kink - 1, kink, kink + 1, kink + 4, 10)})
                y, v = rule(40, ends)
                inner = (v * np.exp(-y * y / 2) * f(rho * z + side * y)).astype(np.longdouble).sum()
                total += weight * np.exp(-z * z / 2) * f(z) * inner
            given = {"marginal": law, "rho": rho} | ({"k": k} if law == "kur" else {})
            yield given, float(total / np.pi)


@second_way("variational.r_site")
def variational_r_site(draw: Draw):
    """|x| against the density."""
    for given in sites(draw, 2.1):
        ratio = site_moment(given, 1) ** 2 / 2
        yield given, {"R": ratio, "loss": (1 - ratio / 2) / 4}


def amplifier(given, a):
    """Twice the gated mean E[X; S > 0] at correlation a: X against its own density."""
    law, gain, a = given["marginal"], given.get("gain"), mpf(a)
    if abs(a) == 1:
        return mp.sign(a) * site_moment(given, 1)
    gate = lambda x: mp.erf(a * x / mp.sqrt(2 * (1 - a) * (1 + a)))
    near = mp.sqrt((1 - a) * (1 + a)) / max(abs(a), mpf("0.01"))
    ends = lambda top: [0, top, *(e for e in (near / 2, near, 2 * near, 4 * near, 8 * near) if e < top)]
    if law == "nlgp":
        scale = mp.sqrt(power(gain))
        x = (lambda z: mpf(1)) if gain == "inf" else (lambda z: mp.erf(mpf(gain) * z) / scale)
        width = width_of(gain)
        fine = [width * s for s in (0.5, 1, 2, 4)] + [near * scale * width * s for s in (0.5, 1, 2, 4, 8)]
        return 2 * integral(lambda z: density(z) * x(z) * gate(x(z)), 0, 1, 2, 4, 7, 14, *(e for e in fine if e < 14))
    if law == "gaussian":
        return 2 * integral(lambda x: density(x) * x * gate(x), 1, 2, 4, 7, *ends(14))
    if law == "uniform":
        return integral(lambda x: x * gate(x), *ends(mp.sqrt(3))) / mp.sqrt(3)
    if law == "arcsine":
        wave = lambda t: mp.sqrt(2) * mp.sin(t)
        return integral(lambda t: wave(t) * gate(wave(t)), *ends(mp.pi / 2)) * 2 / mp.pi
    if law == "laplace":
        return integral(lambda x: x * gate(x) * mp.sqrt(2) * mp.exp(-mp.sqrt(2) * x), 1, 3, 8, 20, 50, *ends(100))
    k, dev = mpf(given["k"]), mp.sqrt(algebraic_moment(given["k"], 2))
    body = lambda x: x * gate(x / dev) * (1 + x**k) ** (-1 - 1 / k)
    tail = lambda s: gate(s ** (-1 / (k - 1)) / dev) * (1 + s ** (k / (k - 1))) ** (-1 - 1 / k) / (k - 1)
    return (mp.quad(body, sorted({mpf(0), mpf(1), mpf("0.8"), mpf("0.95"), *(e * dev for e in ends(1) if e * dev < 1)}))
            + mp.quad(tail, [0, 0.001, 0.01, 0.1, 0.5, 0.9, 1])) / dev


@second_way("amplifier.phi")
def amplifier_phi(draw: Draw):
    """The density of the site, not its latent variable, against the gate."""
    mp.dps = 25
    for given in sites(draw):
        for a in (draw.flat(-0.95, 0.95), draw.pick(1 - draw.log(1e-6, 1e-2), draw.log(1e-6, 1e-2), 1.0)):
            mp.dps = 25
            yield given | {"a": a}, amplifier(given, a)


@second_way("amplifier.taylor")
def amplifier_taylor(draw: Draw):
    """The kurtosis from the density."""
    for given in sites(draw):
        mp.dps = 50
        a = mpf(draw.flat(-1, 1))
        kurtosis = site_moment(given, 4) / site_moment(given, 2) ** 2 - 3
        yield given | {"a": float(a)}, mp.sqrt(2 / mp.pi) * (a - kurtosis / 6 * a**3)


def sine_cov(given, first):
    """Covariances of sites of the process or of a uniform copula from those of the latent field."""
    if given["marginal"] == "gaussian":
        return first
    if given["marginal"] == "uniform":
        return [6 / mp.pi * mp.asin(r / 2) for r in first]
    if given["gain"] == "inf":
        return [2 / mp.pi * mp.asin(r) for r in first]
    share = 2 * mpf(given["gain"]) ** 2 / (1 + 2 * mpf(given["gain"]) ** 2)
    return [mp.asin(share * r) / mp.asin(share) for r in first]


def committees(draw):
    """Classes, weights and laws for the two flows."""
    for law in ("gaussian", "uniform", "nlgp", "nlgp"):
        n = draw.whole(3, 8)
        given = draw.classes(n) | {"w": draw.weights(n), "marginal": law}
        yield given | ({"gain": draw.pick("inf", draw.log(0.1, 10))} if law == "nlgp" else {})


def flow(given, curve):
    """Dense products around a curve of the correlations of sites and preactivation."""
    pos, neg = (sine_cov(given, row_of(given, xi)) for xi in ("xi_pos", "xi_neg"))
    w = [mpf(x) for x in given["w"]]
    image = apply(pos, w)
    s = mp.sqrt(dot(w, image))
    decay = apply([a + b for a, b in zip(pos, neg)], w)
    return [(curve(x / s) - y) / 4 for x, y in zip(image, decay)]


@second_way("amplifier.flow")
def amplifier_flow(draw: Draw):
    """The curve from the density of a site, the covariances dense."""
    for given in committees(draw):
        mp.dps = 25
        yield given, flow(given, lambda a: amplifier(given, a))


@second_way("amplifier.cubic_flow")
def amplifier_cubic_flow(draw: Draw):
    """The kurtosis from the density of a site, the covariances dense."""
    for given in committees(draw):
        kurtosis = site_moment(given, 4) / site_moment(given, 2) ** 2 - 3
        yield given, flow(given, lambda a: mp.sqrt(2 / mp.pi) * (a - kurtosis / 6 * a**3))


def radial(law, n, dof, beta, p):
    """E R^p of the radius of an elliptical law of n sites on its own scale, from its density."""
    if law == "shell":
        return mpf(1) if p == 0 else mp.sqrt(n) ** p
    if law == "ball":
        weight, top = (lambda r: r ** (n - 1)), [0, mp.sqrt(n) / 2, mp.sqrt(n)]
    elif law == "half-logistic":
        weight, top = (lambda r: mp.sech(r - 2) ** 2), [2, 3, 5, 10, 25, 60]
    elif law == "power":
        mode = mp.mpf(n / beta) ** (1 / (2 * mpf(beta)))
        weight = lambda r: mp.exp((n - 1) * mp.log(r) - r ** (2 * mpf(beta)) / 2) if r else mpf(0)
        far = (mpf(n / beta) + 400) ** (1 / (2 * mpf(beta))) * 2
        top = [0, *(mode * s for s in (0.25, 0.5, 0.75, 0.9, 1, 1.1, 1.3, 1.6, 2, 3, 5, 9)), far]
    else:
        raise ValueError(law)
    top = sorted(set(map(mpf, top)))
    return mp.quad(lambda r: r**p * weight(r), top) / mp.quad(weight, top)


def coordinate(n, p):
    """E|U_1|^p of a point on the sphere, over its angle."""
    if n == 1:
        return mpf(1)
    if n > 200:
        return mp.gamma(mpf(n) / 2) * mp.gamma(mpf(p + 1) / 2) / mp.gamma(mpf(n + p) / 2) / mp.sqrt(mp.pi)
    part = lambda q: mp.quad(lambda t: mp.cos(t) ** q * mp.sin(t) ** (n - 2), [0, 0.3, 0.7, 1, 1.3, mp.pi / 2])
    return part(p) / part(0)


def marginal_moment(given, p):
    """E|X_1|^p of one site on the scale of the law's own matrix."""
    law, n = given["radius"], given["n"]
    if law == "student":
        nu = mpf(given["dof"])
        weight = lambda x: (1 + x * x / nu) ** (-(nu + 1) / 2)
        # Beyond 1 over s = x^(p - nu), in which the tail is smooth.
        tail = lambda q: mp.quad(lambda s: (s ** (2 / (nu - q)) + 1 / nu) ** (-(nu + 1) / 2) / (nu - q), [0, 0.01, 0.1, 0.5, 1])
        whole = lambda q: mp.quad(lambda x: x**q * weight(x), [0, 0.5, 1]) + tail(q)
        return whole(p) / whole(0)
    if law == "laplace":
        return law_moment("laplace", None, p)
    return radial(law, n, given.get("dof"), given.get("beta"), p) * coordinate(n, p)


def ellipses(draw, dof=4.1, most=None):
    """Every radial law; on very many sites those whose radius does not narrow."""
    for n in (draw.whole(2, 6), draw.whole(7, 60)):
        yield {"radius": "student", "dof": draw.log(dof, 20), "n": n}
        yield {"radius": "power", "beta": draw.log(0.2, 5), "n": n}
        for law in ("laplace", "shell", "ball", "half-logistic"):
            yield {"radius": law, "n": n}
    if most is None:
        for n in (draw.whole(300, 10**4), 10**6):
            yield {"radius": "half-logistic", "n": n}


@second_way("elliptical.constant")
def elliptical_constant(draw: Draw):
    """One site against its density."""
    for given in ellipses(draw, 2.1):
        mp.dps = 25
        one, two = marginal_moment(given, 1), marginal_moment(given, 2)
        yield given, {"c_cov": one / mp.sqrt(two) / 2, "c_scale": one / 2}


@second_way("elliptical.half_mean_abs")
def elliptical_half_mean_abs(draw: Draw):
    """One site against its density."""
    for given in ellipses(draw, 2.1):
        mp.dps = 25
        yield given, marginal_moment(given, 1) / mp.sqrt(marginal_moment(given, 2)) / 2


@second_way("elliptical.excess_kurtosis")
def elliptical_excess_kurtosis(draw: Draw):
    """One site against its density."""
    for given in ellipses(draw):
        mp.dps = 25
        yield given, marginal_moment(given, 4) / marginal_moment(given, 2) ** 2 - 3
