"""Signs of Gaussians by octants and one common factor; pulses, all of them, in exact fractions."""

from fractions import Fraction
from itertools import product

import numpy as np
from mpmath import mp, mpf
from scipy import special

from common import Draw, apply, gaussian, row_of, second_way
from cubes import octants, ring_cov, ring_gate, sign_gate, sums_of, whole_weights
from nlgp import across, erf_of, rule


@second_way("sign.four")
def sign_four(draw: Draw):
    """Four sites with one common factor, given which they are independent."""
    mp.dps = 30
    for top in (0.5, 0.9, 0.99, 0.999):
        mp.dps = 30
        shares = [draw.pick(-1, 1) * draw.flat(top / 3, top, 3) for _ in range(4)]
        rho = [float(mpf(str(a)) * mpf(str(b))) for i, a in enumerate(shares) for b in shares[i + 1 :]]
        exact = [mpf(str(a)) for a in shares]
        slopes = [a / mp.sqrt(2 * (1 - a * a)) for a in exact]
        width = 1 / max(abs(s) for s in slopes)
        yield {"rho": rho}, 2 * gaussian(lambda u: mp.fprod(mp.erf(s * u) for s in slopes), width, low=0)


def orthant5(first, signs):
    """The probability of one pattern of five signs, the last one given the four others."""
    latent = np.array([[float(first[(i - j) % 5]) for j in range(5)] for i in range(5)])
    x, w = rule(14, [0.0, 1.5, 3.5, 8.0])
    head = latent[:4, :4]
    precision, slope = np.linalg.inv(head), np.linalg.solve(head, latent[:4, 4])
    spread = np.sqrt(2 * (1 - slope @ latent[:4, 4]))
    z = np.meshgrid(*(s * x for s in signs[:4]), indexing="ij", sparse=True)
    weight = np.exp(-sum(precision[i, j] * z[i] * z[j] for i in range(4) for j in range(4)) / 2)
    weight = np.einsum("abcd,a,b,c,d->abcd", weight, w, w, w, w)
    tail = special.erfc(-signs[4] * sum(a * b for a, b in zip(slope, z)) / spread) / 2
    return float((weight * tail).astype(np.longdouble).sum() / np.sqrt((2 * np.pi) ** 4 * np.linalg.det(head)))


@second_way("sign.pmf4")
def sign_pmf4(draw: Draw):
    """Orthants of four and of five Gaussians."""
    for n, kernel in ((4, "ring"), (4, "exponential"), (5, "ring")):
        given = draw.field(n, kernel)
        given["xi"] = draw.log(0.6, 1.1)
        first = row_of(given)
        pair = lambda r: 2 * across(r, "inf", erf_of("inf"))(1, low=0)
        value = {"C01": pair(first[1]), "C02": pair(first[2])}
        value["m4"] = octants(first, range(4), lambda x, y: x[0] * x[1] * x[2] * y)
        if n == 4:
            value["p_pppp"] = octants(first, range(4), lambda x, y: (*x, y) == (1, 1, 1, 1))
            value["p_pmpm"] = octants(first, range(4), lambda x, y: (*x, y) == (1, -1, 1, -1))
        else:
            value["p_pppp"] = orthant5(first, (1, 1, 1, 1, 1))
        yield given, value


@second_way("sign.bumps")
def sign_bumps(draw: Draw):
    """Octant by octant."""
    for n, heights in ((6, [2.0, 1.5, 1.0]), (7, [draw.normal(), draw.normal(), 0.0]), (6, [3.0, -1.0, 1.5])):
        given = draw.field(n, draw.pick("ring", "exponential"))
        given["xi"] = draw.log(0.5, 1.5)
        places = sorted(draw.rng.sample(range(n), 3))
        kept = [(s, h) for s, h in zip(places, heights) if h]
        given |= {"sites": [s for s, _ in kept], "heights": [h for _, h in kept]}
        yield given, sign_gate(row_of(given), places, heights)


@second_way("cube.walsh")
def cube_walsh(draw: Draw):
    """The gated mean by a transfer matrix; the part of degree one by exact counts and the covariance."""
    for n in (3, 6, 9, 11):
        coupling, w = draw.flat(-1.5, 1.5), whole_weights(draw, n, 6)
        exact, votes = [Fraction(x) for x in w], []
        for i, x in enumerate(exact):
            rest = sums_of(exact[:i] + exact[i + 1 :])
            half = sum(c for s, c in rest.items() if abs(s) < abs(x)) + Fraction(sum(c for s, c in rest.items() if abs(s) == abs(x)), 2)
            votes.append(mpf(half.numerator) / half.denominator / 2**n * (1 if x > 0 else -1))
        given = {"law": "ising", "n": n, "coupling": coupling, "w": w}
        yield given, {"f": ring_gate(n, coupling, w), "degree_one": apply(ring_cov(n, coupling), votes)}


def exact(x):
    return mpf(x.numerator) / x.denominator


def moments(samples, given):
    """Mean and second moments of weighted 0/1 samples after the exchange and the levels."""
    swap, low, high = (Fraction(given[key]) for key in ("complement", "low", "high"))
    level = lambda bit: high if bit else low
    cases = [(p * (1 - swap), [level(b) for b in x]) for p, x in samples] + [(p * swap, [level(1 - b) for b in x]) for p, x in samples]
    n = len(samples[0][1])
    mean = [sum(p * x[i] for p, x in cases) for i in range(n)]
    return mean, lambda i, j: sum(p * x[i] * x[j] for p, x in cases)


def levels(draw):
    return {"complement": draw.pick(0.0, draw.flat(0, 1), 1.0), "low": draw.normal(), "high": draw.normal(3)}


def pulses(n, lengths):
    """All pulses with their probabilities."""
    share = Fraction(1, n * len(lengths))
    return [(share, [int((i - s) % n < length) for i in range(n)]) for length in lengths for s in range(n)]


@second_way("pulse.single")
def pulse_single(draw: Draw):
    """All pulses, in fractions."""
    for n in (2, 7, 16):
        least = draw.whole(1, n)
        most = draw.whole(least, n)
        given = {"n": n, "min_length": least, "max_length": most} | levels(draw)
        mean, second = moments(pulses(n, range(least, most + 1)), given)
        yield given, {"mean": exact(mean[0]), "second": [exact(second(0, d)) for d in range(n)]}


@second_way("pulse.block")
def pulse_block(draw: Draw):
    """All blocks, in fractions."""
    for n in (3, 10, 16):
        length = draw.whole(1, n)
        given = {"n": n, "length": length} | levels(draw)
        blocks = n // length
        samples = [(Fraction(1, blocks), [int(i // length == b) for i in range(n)]) for b in range(blocks)]
        mean, second = moments(samples, given)
        yield given, {"mean": [exact(m) for m in mean], "second": [[exact(second(i, j)) for j in range(n)] for i in range(n)]}


@second_way("pulse.gated")
def pulse_gated(draw: Draw):
    """The edges of a pulse at which a site enters, from running sums of the weights, in fractions."""
    for n in (3, 9, 16):
        lengths = sorted(draw.rng.sample(range(1, n + 1), 2))
        w = whole_weights(draw, n, 4)
        running = [Fraction(0)]
        for x in w * 2:
            running.append(running[-1] + Fraction(x))

        def gated(sign):
            counts = [0] * (2 * n + 1)
            for length, s in product(lengths, range(n)):
                if sign * (running[s + length] - running[s]) >= 0:
                    counts[s] += 1
                    counts[s + length] -= 1
            lit, total = [], 0
            for step in counts[:-1]:
                total += step
                lit.append(total)
            return [exact(Fraction(lit[i] + lit[i + n], n * len(lengths))) for i in range(n)]

        mean, second = moments(pulses(n, lengths), {"complement": 0, "low": 0, "high": 1})
        yield {"n": n, "lengths": lengths, "w": w}, {
            "f": gated(1), "f_neg": gated(-1), "mean": exact(mean[0]), "second": [exact(second(0, d)) for d in range(n)],
        }


@second_way("nlgp.f_two_bumps")
def nlgp_f_two_bumps(draw: Draw):
    """Both latent variables of the gate, the one of the smaller weight outside: its partner's threshold is smooth."""
    for n, gain in ((2, draw.log(0.1, 1)), (4, draw.log(0.5, 3)), (5, draw.log(1, 5)), (6, draw.log(3, 8))):
        given = draw.field(n, draw.pick("wrapped", "exponential")) | {"gain": gain, "alpha": draw.pick(-1, 1) * draw.log(1.02, 20)}
        given["xi"] = draw.log(0.5, 1.5)
        first, alpha = np.array([float(c) for c in row_of(given)]), given["alpha"]
        r, erf = first[1], lambda z: special.erf(gain * z)
        side = np.sqrt((1 - r) * (1 + r))
        outer, weights = rule(30, [-9, -5, -3, -2, -1, -0.5, -0.2, 0, 0.2, 0.5, 1, 2, 3, 5, 9])
        pair = np.linalg.inv(np.array([[1, r], [r, 1]]))
        slopes = [pair @ np.array([first[j], first[(j - 1) % n]]) for j in range(n)]
        spare = [1 - s @ np.array([first[j], first[(j - 1) % n]]) for j, s in enumerate(slopes)]
        total = np.zeros(n, dtype=np.longdouble)
        for z1, weight in zip(outer, weights):
            # Open where alpha erf(g z0) > -erf(g z1), between the threshold and one end of the line.
            edge = special.erfinv(-erf(z1) / alpha) / gain
            far = np.sign(alpha) * 10 + r * z1
            ends = sorted(edge + (far - edge) * s for s in (0, 0.01, 0.03, 0.08, 0.15, 0.25, 0.35, 0.5, 0.7, 1))
            z0, inner = rule(30, ends)
            law = weight * inner * np.exp(-((z0 - r * z1) ** 2) / (2 * side**2) - z1**2 / 2) / (2 * np.pi * side)
            for j, (slope, var) in enumerate(zip(slopes, spare)):
                mean = slope[0] * z0 + slope[1] * z1
                total[j] += (law * special.erf(gain * mean / np.sqrt(1 + 2 * gain**2 * max(var, 0)))).astype(np.longdouble).sum()
        yield given, [float(x / np.sqrt(np.longdouble(2 / np.pi * np.arcsin(2 * gain**2 / (1 + 2 * gain**2))))) for x in total]
