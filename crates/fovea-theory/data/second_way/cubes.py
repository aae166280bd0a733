"""Laws on the corners of a cube: exact counts of whole weights, all corners, and integrals over octants."""

from fractions import Fraction
from itertools import product

import numpy as np
from mpmath import mp, mpf
from scipy import special

from common import Draw, dense, dot, row_of, second_way
from nlgp import rule


def corners(n):
    return list(product((1, -1), repeat=n))


def ring_law(n, coupling):
    """Probabilities of all corners of the Ising ring."""
    bonds = [mp.exp(mpf(coupling) * sum(x[i] * x[(i + 1) % n] for i in range(n))) for x in corners(n)]
    total = mp.fsum(bonds)
    return [b / total for b in bonds]


def ring_cov(n, coupling):
    """First row of the covariance by the transfer matrix, multiplied out."""
    j = mpf(coupling)
    transfer = mp.matrix([[mp.exp(j), mp.exp(-j)], [mp.exp(-j), mp.exp(j)]])
    spin = mp.matrix([[1, 0], [0, -1]])
    powers = [mp.eye(2)]
    for _ in range(n):
        powers.append(powers[-1] * transfer)
    trace = lambda m: m[0, 0] + m[1, 1]
    return [trace(spin * powers[d] * spin * powers[n - d]) / trace(powers[n]) for d in range(n)]


@second_way("ising.cov")
def ising_cov(draw: Draw):
    """Two spins put between powers of the transfer matrix."""
    for n in (2, 3, draw.whole(4, 20), draw.whole(21, 400)):
        coupling = draw.pick(draw.flat(-1, 1), draw.flat(-5, 5), draw.log(1e-6, 1e-2))
        yield {"n": n, "coupling": coupling}, ring_cov(n, coupling)[: n // 2 + 1]


@second_way("ising.fourth")
def ising_fourth(draw: Draw):
    """All corners."""
    for n in (4, 7, 10):
        for coupling in (draw.flat(-2, 2), draw.log(1e-3, 5)):
            sites = [draw.whole(0, n - 1) for _ in range(4)]
            mp.dps = 60
            law = ring_law(n, coupling)
            mean = lambda *s: mp.fsum(p * np.prod([x[i] for i in s]).item() for p, x in zip(law, corners(n)))
            a, b, c, d = sites
            moment = mean(*sites)
            pairs = mean(a, b) * mean(c, d) + mean(a, c) * mean(b, d) + mean(a, d) * mean(b, c)
            yield {"n": n, "coupling": coupling, "sites": sites}, {"moment": moment, "cumulant": moment - pairs}


def solve(first_row, rhs):
    return list(mp.lu_solve(dense(first_row), mp.matrix(rhs)))


@second_way("ising.dictator")
def ising_dictator(draw: Draw):
    """Dense equations with covariances from the transfer matrix."""
    for n in (3, draw.whole(4, 9), draw.whole(10, 16)):
        given = {"n": n, "coupling_pos": draw.flat(-2, 2), "coupling_neg": draw.flat(-2, 2)}
        pos, neg = ring_cov(n, given["coupling_pos"]), ring_cov(n, given["coupling_neg"])
        w = solve([a + b for a, b in zip(pos, neg)], pos)
        rest = mp.fsum(abs(x) for x in w[1:])
        yield given, {
            "w": w, "margin": (abs(w[0]) - rest) / (abs(w[0]) + rest), "ratio": rest / abs(w[0]),
            "loss": (1 - dot(pos, w) / 2) / 4, "ipr": mp.fsum(x**4 for x in w) / dot(w, w) ** 2,
            "exists": bool(rest < abs(w[0])),
        }


@second_way("ising.edge")
def ising_edge(draw: Draw):
    """Halving the interval where the dense solution stops to outvote."""
    for n, neg in ((6, draw.flat(0.1, 0.6)), (9, draw.flat(0.1, 0.6)), (12, draw.flat(-0.5, 0.5))):
        def margin(j):
            pos = ring_cov(n, j)
            w = solve([a + b for a, b in zip(pos, ring_cov(n, neg))], pos)
            return abs(w[0]) - mp.fsum(abs(x) for x in w[1:])

        grid = [mpf(neg) + mpf(i) / 20 for i in range(1, int(20 * (4.5 - neg)))]
        beyond = next((j for j in grid if margin(j) < 0), None)
        if beyond is None:
            continue
        yield {"n": n, "coupling_neg": neg}, mp.findroot(margin, (beyond - mpf(1) / 20, beyond), solver="anderson", tol=1e-60)


@second_way("ising.majority")
def ising_majority(draw: Draw):
    """All corners: the gated mean, a dense inverse, and the least vote."""
    for n, size in ((5, 3), (7, 5), (9, 3), (8, 7)):
        given = {"n": n, "size": size, "coupling_pos": draw.flat(-1, 1.5), "coupling_neg": draw.flat(-1, 1)}
        law = ring_law(n, given["coupling_pos"])
        vote = [1 if sum(x[:size]) > 0 else -1 for x in corners(n)]
        f = [mp.fsum(p * (v * x[i]) for p, v, x in zip(law, vote, corners(n))) / 2 for i in range(n)]
        both = [a + b for a, b in zip(ring_cov(n, given["coupling_pos"]), ring_cov(n, given["coupling_neg"]))]
        w = [2 * y for y in solve(both, f)]
        depth = min(v * dot(w, x) for v, x in zip(vote, corners(n))) / mp.fsum(abs(x) for x in w)
        ipr = mp.fsum(x**4 for x in w) / dot(w, w) ** 2
        yield given, {"w": w, "depth": depth, "ipr": ipr, "exists": bool(depth > 0)}


@second_way("ising.rest")
def ising_rest(draw: Draw):
    """Small explicit steps in doubles to the last cell, and dense equations of many digits in it."""
    for n in (5, 7, 7):
        given = {"n": n, "coupling_pos": draw.flat(0.2, 1), "coupling_neg": draw.flat(-0.2, 0.5), "w": draw.weights(n, 0.1)}
        law = ring_law(n, given["coupling_pos"])
        x, p = np.array(corners(n), dtype=float), np.array([float(q) for q in law])
        both = [a + b for a, b in zip(ring_cov(n, given["coupling_pos"]), ring_cov(n, given["coupling_neg"]))]
        decay = np.array(dense(both).tolist(), dtype=float)
        w = np.array(given["w"])
        for _ in range(200_000):
            w = w + 0.002 * (0.25 * (p * np.sign(x @ w)) @ x - 0.25 * decay @ w)
        gate = [int(s) for s in np.sign(x @ w)]
        f = [mp.fsum(q * (v * c[i]) for q, v, c in zip(law, gate, corners(n))) / 2 for i in range(n)]
        w = [2 * y for y in solve(both, f)]
        votes = [v * dot(w, c) for v, c in zip(gate, corners(n))]
        assert min(votes) > 0, "the last cell does not hold its own solution"
        depth = min(votes) / mp.fsum(abs(y) for y in w)
        yield given, {"w": w, "depth": depth, "ipr": mp.fsum(y**4 for y in w) / dot(w, w) ** 2}


def whole_weights(draw, n, top=60):
    """Weights that are multiples of a quarter, so that sums and ties are exact; some are equal."""
    return [draw.pick(-1, 1) * draw.whole(1, top) / 4 for _ in range(n)]


def sums_of(weights):
    """How many sign patterns give each sum, spin by spin."""
    counts = {Fraction(0): 1}
    for w in weights:
        step = {}
        for total, count in counts.items():
            for s in (w, -w):
                step[total + s] = step.get(total + s, 0) + count
        counts = step
    return counts


@second_way("cube.chow")
def cube_chow(draw: Draw):
    """The law of the sum of the other spins, built spin by spin from exact fractions."""
    for n in (2, 5, 12, 24):
        w = whole_weights(draw, n, 4 if n == 12 else 60)
        exact = [Fraction(x) for x in w]
        plus, minus = [], []
        for i, x in enumerate(exact):
            rest = sums_of(exact[:i] + exact[i + 1 :])
            plus.append(sum(c for s, c in rest.items() if s + x >= 0))
            minus.append(sum(c for s, c in rest.items() if s - x >= 0))
        banzhaf = [mpf(p - m) / 2 ** (n - 1) for p, m in zip(plus, minus)]
        yield {"w": w}, {"Nplus": plus, "Nminus": minus, "ties": sums_of(exact).get(Fraction(0), 0), "banzhaf": banzhaf}


def annulus(weights):
    """The lengths that sums of unit vectors times weights can have, weight by weight: from the least to the largest."""
    low, high = Fraction(0), Fraction(0)
    for w in map(abs, weights):
        low, high = max(Fraction(0), low - w, w - high), high + w
    return low


@second_way("cube.delta")
def cube_delta(draw: Draw):
    """All sums that can be reached, as a set of exact fractions."""
    for n in (3, 8, 20):
        for top in (3, 400):
            w, k = whole_weights(draw, n, top), draw.whole(1, n)
            exact = [Fraction(x) for x in w]
            delta = min(abs(s) for s in sums_of(exact[:k]))
            tail = sum(map(abs, exact[k:]))
            yield {"w": w, "k": k}, {
                "delta": mpf(delta.numerator) / delta.denominator, "delta_int": -mpf((delta**2).numerator) / (delta**2).denominator,
                "sdp_lower": mpf(annulus(exact[:k]).numerator) / annulus(exact[:k]).denominator,
            } | ({"separated": bool(tail < delta)} if k < n else {})


@second_way("cube.polygon")
def cube_polygon(draw: Draw):
    """The annulus of lengths that can be reached, vector by vector."""
    for n in (1, 3, 10):
        for big in (0.0, draw.log(1, 100)):
            w = whole_weights(draw, n) + ([round(big * 60 * n) / 4] if big else [])
            low = annulus([Fraction(x) for x in w])
            yield {"w": w}, mpf(low.numerator) / low.denominator


@second_way("cube.smallest_k")
def cube_smallest_k(draw: Draw):
    """The gates themselves, corner by corner."""
    for n in (4, 7, 10, 10):
        w = [x * 3 ** draw.whole(0, 4) for x in whole_weights(draw, n)]
        exact = sorted((Fraction(x) for x in w), key=lambda x: -abs(x))
        first = next(
            k for k in range(1, n + 1)
            if all((s := dot_exact(exact[:k], x)) and (s > 0) == (dot_exact(exact, x) > 0) for x in corners(n)) or k == n
        )
        yield {"w": w}, first


def dot_exact(w, x):
    return sum(a * b for a, b in zip(w, x))


def ring_gate(n, coupling, w):
    """Gated means on the Ising ring: a transfer matrix over (spin, sum), site by site, where the crate adds up corners."""
    j, exact = mpf(coupling), [Fraction(x) for x in w]
    bond = {1: mp.exp(j), -1: mp.exp(-j)}
    means = []
    for site in range(n):
        # Turned so that the site comes first; spin up there, by symmetry twice that.
        turned = exact[site:] + exact[:site]
        states = {(1, turned[0]): mpf(1)}
        for x in turned[1:]:
            step = {}
            for (spin, total), p in states.items():
                for s in (1, -1):
                    key = (s, total + s * x)
                    step[key] = step.get(key, 0) + p * bond[spin * s]
            states = step
        closed = [(total, p * bond[spin]) for (spin, total), p in states.items()]
        signed = mp.fsum(p * (total > 0) - p * (total < 0) for total, p in closed)
        means.append(signed / mp.fsum(p for _, p in closed) / 2)
    return means


@second_way("cube.f")
def cube_f(draw: Draw):
    """A transfer matrix over spin and sum for Ising rings, octants for signs."""
    for n in (3, 8, 12, 16):
        law = draw.pick("ising", "independent") if n > 3 else "ising"
        coupling = draw.flat(-1, 1) if law == "ising" else 0.0
        w = whole_weights(draw, n, 5)
        yield {"law": law, "n": n, "coupling": coupling, "w": w}, ring_gate(n, coupling, w)
    for _ in range(2):
        given = draw.field(4, draw.pick("ring", "exponential")) | {"law": "sign", "w": whole_weights(draw, 4)}
        yield given, sign_gate(row_of(given), range(3), given["w"][:3], given["w"][3])


def sign_gate(first, places, heights, last=None):
    """Gated means of signs, the gate on three sites and, if `last` is given, on a fourth one: octant by octant."""
    n, means = len(first), []
    sites = list(places)
    gate = lambda x: np.sign(sum(h * s for h, s in zip(heights, x)))
    for i in range(n) if last is None else range(4):
        if last is None and i in sites:
            chosen = [*sites, next(j for j in range(n) if j not in sites)]
            means.append(octants(first, chosen, lambda x, _: gate(x) * x[sites.index(i)]))
        elif last is None:
            means.append(octants(first, [*sites, i], lambda x, y: gate(x) * y))
        else:
            vote = lambda x, y: np.sign(sum(h * s for h, s in zip(heights, x)) + last * y)
            means.append(octants(first, range(4), lambda x, y: vote(x, y) * ((*x, y)[i])))
    return [m / 2 for m in means]


def octants(first, sites, value):
    """E value(signs of three, sign of the fourth): sums of orthant probabilities."""
    n = len(first)
    latent = np.array([[float(first[(i - j) % n]) for j in sites] for i in sites])
    x, w = rule(26, [0.0, 1.5, 3.5, 9.0])
    precision = np.linalg.inv(latent[:3, :3])
    scale = 1 / np.sqrt((2 * np.pi) ** 3 * np.linalg.det(latent[:3, :3]))
    slope = latent[3, :3] @ precision
    spread = np.sqrt(2 * (1 - slope @ latent[:3, 3]))
    total = np.longdouble(0)
    for signs in product((1, -1), repeat=3):
        z = np.meshgrid(*(s * x for s in signs), indexing="ij")
        form = sum(precision[i, j] * z[i] * z[j] for i in range(3) for j in range(3))
        weight = scale * w[:, None, None] * w[None, :, None] * w[None, None, :] * np.exp(-form / 2)
        up = special.erfc(-sum(a * b for a, b in zip(slope, z)) / spread) / 2
        total += value(signs, 1) * (weight * up).astype(np.longdouble).sum()
        total += value(signs, -1) * (weight * (1 - up)).astype(np.longdouble).sum()
    return float(total)
