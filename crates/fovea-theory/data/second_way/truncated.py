"""Gaussians beyond a hyperplane, gated pairs and committees: integrals over the half-line and over the angle."""

from mpmath import mp, mpf

from common import Draw, above, apply, dense, density, dot, gaussian, integral, row_of, second_way


def half_line(mean, std, p):
    """E[S^p; S > 0] of a normal variable, over the half-line itself."""
    mean, std = mpf(mean), mpf(std)
    # Far below 0 the integrand falls as an exponential, over std^2/|mean|.
    fall = std if mean > -std else std * std / -mean
    ends = [fall * s for s in (0.3, 1, 2, 4, 8, 16, 32, 64, 110)] + [mean + std * s for s in (-8, -4, -2, -1, 0, 1, 2, 4, 8, 14)]
    floor = mean * mean / (2 * std * std) if mean < 0 else 0
    f = lambda x: x**p * mp.exp(floor - ((x - mean) / std) ** 2 / 2)
    return integral(f, 0, *(e for e in ends if e > 0)) / (std * mp.sqrt(2 * mp.pi)), mp.exp(-floor)


def normals(draw):
    """Means within, far above and far below the deviation."""
    for ratio in (draw.flat(-3, 3), draw.log(5, 30), -draw.log(5, 30), -draw.log(50, 1e3), 0.0):
        std = draw.log(1e-3, 1e3)
        yield {"mean": float(f"{ratio * std:.6g}"), "std": std}


@second_way("truncated.mean")
def truncated_mean(draw: Draw):
    """Two integrals over the half-line."""
    for given in normals(draw):
        (one, _), (none, _) = (half_line(given["mean"], given["std"], p) for p in (1, 0))
        yield given, one / none


@second_way("truncated.folded_mean")
def truncated_folded_mean(draw: Draw):
    """Both half-lines."""
    for given in normals(draw):
        (up, a), (down, b) = half_line(given["mean"], given["std"], 1), half_line(-given["mean"], given["std"], 1)
        yield given, up * a + down * b


@second_way("truncated.second_given")
def truncated_second_given(draw: Draw):
    """The square over the half-line."""
    for rho in list(draw.correlations())[:3]:
        for t in (draw.normal(), draw.normal(6)):
            part, scale = half_line(mpf(rho) * t, mp.sqrt((1 - mpf(rho)) * (1 + mpf(rho))), 2)
            yield {"rho": rho, "t": t}, part * scale


@second_way("truncated.second_parts")
def truncated_second_parts(draw: Draw):
    """Every part over the half-line of the partner."""
    for rho in list(draw.correlations())[:3]:
        r, s2 = mpf(rho), (1 - mpf(rho)) * (1 + mpf(rho))
        near = mp.sqrt(s2) / abs(r)
        over = lambda f: gaussian(f, min(1, near), low=0)
        gate = lambda t: mp.erf(r * t / mp.sqrt(2 * s2))
        plain = over(lambda t: 1 + (t * t - 1) * r * r)
        erf = s2 * over(gate)
        square = r * r * over(lambda t: t * t * gate(t))
        boundary = over(lambda t: r * t * mp.sqrt(s2) * density(r * t / mp.sqrt(s2)))
        total = over(lambda t: (r * r * t * t + s2) * above(-r * t / mp.sqrt(s2))) + boundary
        yield {"rho": rho}, {"plain": plain, "erf": erf, "erf_square": square, "boundary": boundary, "total": total}


@second_way("truncated.gaussian")
def truncated_gaussian(draw: Draw):
    """Moments of the preactivation over its half-line, and dense regression on it."""
    for where in (0.0, 1.0, -1.0, 4.0):
        n = draw.whole(2, 7)
        given = draw.field(n) | {"a": draw.rough(n) if where == 4 else draw.weights(n)}
        c, a = dense(row_of(given)), mp.matrix([mpf(x) for x in given["a"]])
        s = mp.sqrt((a.T * c * a)[0])
        given["b"] = float(f"{float(s) * where * draw.log(0.2, 5):.6g}")
        (none, scale), (one, _), (two, _) = (half_line(-mpf(given["b"]), s, p) for p in (0, 1, 2))
        mean, var = one / none + mpf(given["b"]), two / none - (one / none) ** 2
        slope = c * a / s**2
        cov = c - slope * slope.T * (s**2 - var)
        yield given, {"probability": none * scale, "mean": [x * mean for x in slope], "cov": cov.tolist()}


@second_way("dominance.abs")
def dominance_abs(draw: Draw):
    """The chance given one of the two, integrated over it."""
    for ratio in (draw.log(0.3, 3), draw.log(1e-4, 1e-2), draw.log(1e2, 1e4)):
        neg = draw.log(1e-3, 1e3)
        pos = float(f"{ratio * neg:.6g}")
        q = mpf(neg) / mpf(pos)
        yield {"std_pos": pos, "std_neg": neg}, 2 * gaussian(lambda z: mp.erfc(q * z / mp.sqrt(2)), 1 / q, low=0)


def angles(gamma, f):
    """E f(S, T) R^2 over the wedge S, T > 0 of a unit pair: polar coordinates, in which S = R cos a, T = R cos(a - theta)."""
    theta = mp.acos(gamma)
    return integral(lambda a: f(mp.cos(a), mp.cos(a - theta)), theta - mp.pi / 2, mp.pi / 2) / mp.pi


@second_way("relu.pair_moments")
def relu_pair_moments(draw: Draw):
    """Given one variable the other is Gaussian: one integral over the half-line for each moment."""
    for rho in list(draw.correlations())[:3]:
        vs, vt = draw.log(1e-3, 1e3), draw.log(1e-3, 1e3)
        cov = float(mpf(rho) * mp.sqrt(mpf(vs) * vt))
        r = mpf(cov) / mp.sqrt(mpf(vs) * vt)
        side = mp.sqrt((1 - r) * (1 + r))
        near = min(1, side / abs(r))
        open_ = lambda z: above(-r * z / side)
        given_t = lambda z: r * z * open_(z) + side * density(r * z / side)
        over = lambda f: gaussian(f, near, low=0)
        s2 = over(lambda z: z * z * open_(z))
        yield {"var_s": vs, "var_t": vt, "cov": cov}, {
            "prob": over(open_), "s2": vs * s2, "t2": vt * s2,
            "st": mp.sqrt(mpf(vs) * vt) * over(lambda z: z * given_t(z)),
        }


@second_way("relu.pair_vec")
def relu_pair_vec(draw: Draw):
    """Regression of the data on both preactivations, whose gated moments are integrals over the angle."""
    for n in (2, draw.whole(3, 6), draw.whole(7, 10)):
        given = draw.field(n) | {"w1": draw.weights(n), "wk": draw.rough(n)}
        first = row_of(given)
        one, other = ([mpf(x) for x in given[key]] for key in ("w1", "wk"))
        images = apply(first, one), apply(first, other)
        m = mp.matrix([[dot(one, images[0]), dot(one, images[1])], [dot(one, images[1]), dot(other, images[1])]])
        size = mp.sqrt(m[0, 0]), mp.sqrt(m[1, 1])
        gamma = m[0, 1] / size[0] / size[1]
        moments = mp.matrix([size[0] * size[1] * angles(gamma, lambda s, t: s * t), m[1, 1] * angles(gamma, lambda s, t: t * t)])
        share = mp.lu_solve(m, moments)
        yield given, [share[0] * a + share[1] * b for a, b in zip(*images)]


@second_way("relu.gate_agreement")
def relu_gate_agreement(draw: Draw):
    """The chance that both gates open given one preactivation, integrated over it, in each class."""
    for near in (1.0, 1.0, 1e-3, 1e-6):
        n = draw.whole(2, 9)
        given = draw.classes(n) | {"w": draw.weights(n, 1.0)}
        given["w2"] = [float(f"{x + near * draw.normal():.10g}") for x in given["w"]]
        w, v = ([mpf(x) for x in given[key]] for key in ("w", "w2"))
        total = mpf(0)
        for xi in ("xi_pos", "xi_neg"):
            first = row_of(given, xi)
            a, b, c = dot(w, apply(first, w)), dot(w, apply(first, v)), dot(v, apply(first, v))
            slope = b / mp.sqrt(a * c - b * b)
            total += 2 * gaussian(lambda z: above(-slope * z), 1 / abs(slope), low=0)
        yield given, total / 2
