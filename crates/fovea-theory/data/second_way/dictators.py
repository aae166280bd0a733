"""Localized states on sign data and losses before training: dense equations, exponentials of matrices, series."""

from mpmath import mp, mpf

from common import Draw, apply, dense, density, dot, gaussian, integral, power, row_of, second_way, width_of


def signs(given):
    """First rows of the covariances of signs of both classes."""
    return [[2 / mp.pi * mp.asin(r) for r in row_of(given, xi)] for xi in ("xi_pos", "xi_neg")]


def solve(first, rhs):
    return list(mp.lu_solve(dense(first), mp.matrix(rhs)))


def sum_of(a, b):
    return [x + y for x, y in zip(a, b)]


def margin_of(w):
    total = mp.fsum(abs(x) for x in w)
    return (abs(w[0]) - mp.fsum(abs(x) for x in w[1:])) / total


@second_way("dictator.fixed_point")
def dictator_fixed_point(draw: Draw):
    """Dense equations and the least eigenvalue of the dense sum."""
    for n in (2, draw.whole(3, 9), draw.whole(10, 24)):
        given = draw.classes(n)
        pos, neg = signs(given)
        w = solve(sum_of(pos, neg), pos)
        least = min(mp.eigsy(dense(sum_of(pos, neg)), eigvals_only=True))
        yield given, {
            "w": w, "margin": margin_of(w), "loss": (1 + dot(w, apply(sum_of(pos, neg), w)) / 2 - dot(w, pos)) / 4,
            "ipr": mp.fsum(x**4 for x in w) / dot(w, w) ** 2, "exists": bool(margin_of(w) > 0), "relaxation": 4 / least,
        }


@second_way("dictator.labels")
def dictator_labels(draw: Draw):
    """Dense equations."""
    for n in (3, draw.whole(4, 12), draw.whole(13, 24)):
        given = draw.classes(n) | {"label_neg": draw.pick(-1.0, draw.normal(), draw.flat(0, 1))}
        pos, neg, y = *signs(given), mpf(given["label_neg"])
        w = solve(sum_of(pos, neg), [a + y * b for a, b in zip(pos, neg)])
        yield given, {"centre": w[0], "margin": margin_of(w), "w": w, "exists": bool(w[0] > 0 and margin_of(w) > 0)}


@second_way("dictator.output_bias")
def dictator_output_bias(draw: Draw):
    """Dense equations of weights and bias together."""
    for n in (3, draw.whole(4, 12), draw.whole(13, 20)):
        given = draw.classes(n) | {"label_neg": draw.pick(0.0, -1.0, draw.normal())}
        pos, neg, y = *signs(given), mpf(given["label_neg"])
        both = sum_of(pos, neg)
        # The gate is open half the time: weights answer to (C_0 + C_1)(w + b e_0)/2, the bias to w_0/2 + b.
        system = mp.matrix(n + 1, n + 1)
        for i in range(n):
            for j in range(n):
                system[i, j] = both[(i - j) % n]
            system[i, n] = system[n, i] = both[i]
        system[n, n] = 4
        rhs = [a + y * b for a, b in zip(pos, neg)] + [2 * (1 + y)]
        found = list(mp.lu_solve(system, mp.matrix(rhs)))
        w, u = found[:n], solve(both, rhs[:n])
        yield given, {
            "b": found[n], "centre": w[0], "margin": margin_of(w), "w": w, "exists": bool(w[0] > 0 and margin_of(w) > 0),
            "pair_edge": u[0] - mp.fsum(abs(x) for x in u[1:]),
        }


@second_way("dictator.path")
def dictator_path(draw: Draw):
    """The exponential of a dense matrix, or its steps one by one."""
    for n, lr in ((3, 0.0), (draw.whole(4, 9), 0.0), (draw.whole(4, 9), 0.5), (draw.whole(10, 16), 0.125)):
        given = draw.classes(n) | {"scale": draw.normal(2), "t": draw.whole(1, 40) * 0.5, "lr": lr}
        pos, neg = signs(given)
        m, end = dense(sum_of(pos, neg)), mp.matrix(solve(sum_of(pos, neg), pos))
        w = mp.matrix([mpf(given["scale"])] + [mpf(0)] * (n - 1))
        if lr == 0:
            w = end + mp.expm(-m * mpf(given["t"]) / 4) * (w - end)
        for _ in range(round(given["t"] / lr) if lr else 0):
            w = w + mpf(lr) * (mp.matrix(pos) - m * w) / 4
        yield given, list(w)


@second_way("dictator.edge")
def dictator_edge(draw: Draw):
    """A root of the margin of dense solutions, bracketed on a grid."""
    for n in (8, 9, 11):
        kernel = draw.pick("wrapped", "exponential")
        given = {"n": n, "xi_neg": draw.flat(0.4, 0.9), "kernel": kernel}

        def margin(xi):
            pos, neg = signs({"n": n, "xi_pos": xi, "xi_neg": given["xi_neg"], "kernel": kernel})
            return margin_of(solve(sum_of(pos, neg), pos))

        grid = [mpf(given["xi_neg"]) * (1 + mpf(i) / 20) for i in range(1, 400)]
        beyond = next((i for i, xi in enumerate(grid) if margin(xi) < 0), None)
        if beyond:
            yield given, mp.findroot(margin, (grid[beyond - 1], grid[beyond]), solver="anderson", tol=1e-60)


@second_way("dictator.dominance")
def dictator_dominance(draw: Draw):
    """The density of the sum of the others as a power series, against the chance to exceed it."""
    for n in (2, 3, 4, 5, 7, 9):
        mp.dps = 120
        terms = 900
        # Transforms of half-normal densities are series in 1/p^2; so are their products.
        one = [mp.sqrt(2 / mp.pi) * (-1) ** j * mp.fac(2 * j) / (2**j * mp.fac(j)) for j in range(terms // 2)]
        series = [mpf(1)] + [mpf(0)] * (terms // 2 - 1)
        for _ in range(n - 1):
            series = [mp.fsum(series[i] * one[j - i] for i in range(j + 1)) for j in range(260)]
        power_ = n - 2
        chance = lambda s: mp.fsum(c * s ** (power_ + 2 * j) / mp.fac(power_ + 2 * j) for j, c in enumerate(series))
        p = integral(lambda s: chance(s) * mp.erfc(s / mp.sqrt(2)), 0, 1, 2, 4, 6, 8) if n > 2 else mp.mpf(1) / 2
        yield {"n": n}, n * p


def eigs_of(given, xi="xi"):
    return mp.eigsy(dense(row_of(given, xi)), eigvals_only=True)


def shares(eigs, terms):
    """A sum of squares as a mixture of chi squares of n, n + 2, ... degrees, all of one scale (Ruben's series)."""
    beta = 2 / (1 / min(eigs) + 1 / max(eigs))
    gaps = [1 - beta / e for e in eigs]
    # The mixture of the smallest scale has positive shares; this one alternates and converges sooner.
    c = [mp.fprod(mp.sqrt(beta / e) for e in eigs)]
    sums = [mp.fsum(g**k for g in gaps) / 2 for k in range(terms + 1)]
    for k in range(1, terms):
        c.append(mp.fsum(sums[k - i] * c[i] for i in range(k)) / k)
    return beta, c


def norm_of(eigs, terms=700):
    """The mean of the root of a mixture of chi squares."""
    beta, c = shares(eigs, terms)
    n = len(eigs)
    chi = mp.gamma(mpf(n + 1) / 2) / mp.gamma(mpf(n) / 2)
    total = mpf(0)
    for k, share in enumerate(c):
        total += share * chi
        chi *= (mpf(n + 2 * k + 1) / 2) / (mpf(n + 2 * k) / 2)
    assert abs(c[-1]) * chi < mpf(10) ** -20
    return mp.sqrt(2 * beta) * total


def mild(draw, n):
    given = draw.field(n, draw.pick("wrapped", "exponential"))
    return given | {"xi": draw.log(0.4, 1.1)}


@second_way("starting.norm")
def starting_norm(draw: Draw):
    """Ruben's series of chi means, from dense eigenvalues."""
    for n in (2, draw.whole(3, 8), draw.whole(9, 20)):
        given = mild(draw, n)
        yield given, norm_of(eigs_of(given))


@second_way("starting.relu")
def starting_relu(draw: Draw):
    """Ruben's series, and means over the weights of one unit and of two."""
    for n in (2, draw.whole(3, 8), draw.whole(9, 20)):
        given = mild(draw, n) | {"std_w": draw.log(0.01, 3), "width": draw.whole(1, 50)}
        given["xi_pos"] = given.pop("xi")
        s, k, norm = mpf(given["std_w"]), given["width"], norm_of(eigs_of(given, "xi_pos"))
        # Given the norm r a unit is a normal of deviation s r: E ReLU, E ReLU^2, and for two units (E ReLU)^2.
        one = gaussian(lambda z: z, low=0)
        two = gaussian(lambda z: z * z, low=0)
        four = lambda mean: 1 - 2 * s * mean * one + 2 * s**2 * n * (two / k + one**2 * (k - 1) / k)
        yield given, {"E_norm": norm, "fourL_gauss": four(norm), "fourL_hypercube": four(mp.sqrt(n))}


@second_way("starting.erf")
def starting_erf(draw: Draw):
    """Ruben's mixture of densities of the squared norm, integrated with the power of a unit given it."""
    for n in (2, draw.whole(3, 6), 9):
        mp.dps = 25
        given = mild(draw, n) | {"std_w": draw.log(0.05, 2), "width": draw.whole(1, 9)}
        given["xi_pos"] = given.pop("xi")
        given["xi_neg"] = draw.log(0.4, 1.1)
        var = mpf(given["std_w"]) ** 2
        unit = lambda v: 2 / mp.pi * mp.asin(v / (1 + v))

        def mean(eigs):
            terms = 260
            beta, c = shares(eigs, terms)
            assert abs(c[-1]) < mpf(10) ** -20
            weights = [share / (2 * mp.gamma(mpf(n) / 2 + k)) for k, share in enumerate(c)]
            # With q = x^2 the density has no pole at 0.
            law = lambda x: 2 * x * mp.exp(-x * x / 2) * mp.polyval(weights[::-1], x * x / 2) * (x * x / 2) ** (mpf(n) / 2 - 1)
            return integral(lambda x: law(x) * unit(var * beta * x * x), *range(0, 13))

        value = lambda powers: mpf(1) / 2 + mp.fsum(powers) / (4 * given["width"])
        gauss = value([mean(eigs_of(given, xi)) for xi in ("xi_pos", "xi_neg")])
        yield given, {"loss_gauss": gauss, "loss_hypercube": value([unit(var * n)] * 2)}


@second_way("starting.erf_gauss")
def starting_erf_gauss(draw: Draw):
    """The squared output over the preactivation's law."""
    for scale in (None, 1e-4, 1e3):
        n = draw.whole(2, 9)
        given = draw.classes(n) | {"w": draw.weights(n, scale)}
        w = [mpf(x) for x in given["w"]]
        total = mpf(0)
        for xi in ("xi_pos", "xi_neg"):
            s = mp.sqrt(dot(w, apply(row_of(given, xi), w)))
            total += gaussian(lambda z: mp.erf(s * z / mp.sqrt(2)) ** 2, min(1, 1 / s))
        yield given, mpf(1) / 2 + total / 4


@second_way("starting.erf_site")
def starting_erf_site(draw: Draw):
    """The squared output over the latent variable, by the tanh-sinh rule."""
    for gain in (draw.log(1e-3, 0.1), draw.log(0.3, 5), draw.log(10, 1e3), "inf"):
        alpha = draw.normal(3)
        if gain == "inf":
            mean = mp.erf(mpf(alpha) / mp.sqrt(2)) ** 2
        else:
            scale, width = mpf(alpha) / mp.sqrt(2 * power(gain)), width_of(gain)
            x = lambda z: mp.erf(mpf(gain) * z)
            ends = sorted({e for e in (*(width * s / (1 + abs(scale)) for s in (1, 4)), width, 3 * width, 1, 3, 7) if e < 14})
            mean = 2 * mp.quad(lambda z: density(z) * mp.erf(scale * x(z)) ** 2, [0, *ends, 14])
        yield {"alpha": alpha, "gain": gain}, (1 + mean) / 2


@second_way("variational.crossing_gain")
def variational_crossing_gain(draw: Draw):
    """A bracketed root, with the mean absolute site and covariances integrated over a latent variable."""
    for n, kernel in ((6, "ring"), (8, "exponential")):
        mp.dps = 20
        given = {"n": n, "xi_pos": draw.flat(1.1, 1.4), "xi_neg": draw.flat(0.5, 0.8), "kernel": kernel}
        pos, neg = row_of(given, "xi_pos"), row_of(given, "xi_neg")

        def gap(g):
            slope = lambda r: r / mp.sqrt(1 / g**2 + 2 * (1 - r) * (1 + r))
            other = lambda r: gaussian(lambda z: mp.erf(g * z) * mp.erf(slope(r) * z), min(1, 1 / g), low=0)
            copies = lambda d: 1 if d == 0 or 2 * d == n else 2
            flat = [mp.fsum(copies(d) * other(r) for d, r in enumerate(first[: n // 2 + 1])) for first in (pos, neg)]
            site = gaussian(lambda z: mp.erf(g * z), min(1, 1 / g), low=0)
            return site**2 / other(mpf(1)) - 2 / mp.pi / (1 + flat[1] / flat[0])

        grid = [mpf(2) ** i for i in range(-2, 6)]
        values = [gap(g) for g in grid]
        first = next((i for i in range(len(grid) - 1) if values[i] < 0 <= values[i + 1]), None)
        if first is not None:
            yield given, mp.findroot(gap, (grid[first], grid[first + 1]), solver="anderson", tol=1e-36)
