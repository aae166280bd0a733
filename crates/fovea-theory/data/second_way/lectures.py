"""Layers of wide networks and tangent kernels: closed forms for sines where the crate has quadrature, integrals over
the angle where it has closed forms, and steps taken one by one where it has powers."""

from mpmath import mp, mpf

from common import Draw, dot, gaussian, integral, second_way
from truncated import angles


class Sine:
    """sin(x), whose Gaussian averages are closed."""

    name = "sin(x)"
    square = staticmethod(lambda k: -mp.expm1(-2 * k) / 2)
    product = staticmethod(lambda a, b, c: mp.exp(-(a + b) / 2) * mp.sinh(c))
    slopes = staticmethod(lambda a, b, c: mp.exp(-(a + b) / 2) * mp.cosh(c))
    fourth = staticmethod(lambda k: (3 - 4 * mp.exp(-2 * k) + mp.exp(-8 * k)) / 8)
    growth = staticmethod(lambda k: mp.exp(-2 * k))


class Relu:
    """ReLU, over the angle of the pair."""

    name = "relu"
    square = staticmethod(lambda k: k * gaussian(lambda z: z * z, low=0))
    fourth = staticmethod(lambda k: k * k * gaussian(lambda z: z**4, low=0))
    growth = staticmethod(lambda k: gaussian(lambda z: mpf(1), low=0))

    @staticmethod
    def product(a, b, c):
        return mp.sqrt(a * b) * angles(c / mp.sqrt(a * b), lambda s, t: s * t)

    @staticmethod
    def slopes(a, b, c):
        return angles(c / mp.sqrt(a * b), lambda s, t: mpf(1)) / 2


class Smooth:
    """An activation that is analytic near the real line, by trapezoidal sums over two independent latent variables."""

    def __init__(self, name, value, slope, step, reach=9):
        self.name, self.value, self.slope = name, value, slope
        self.nodes = [mpf(i) * step for i in range(-int(reach / step), int(reach / step) + 1)]
        self.weights = [step * mp.exp(-x * x / 2) / mp.sqrt(2 * mp.pi) for x in self.nodes]

    def mean(self, f):
        return mp.fsum(w * f(x) for w, x in zip(self.weights, self.nodes))

    def square(self, k):
        return self.mean(lambda z: self.value(mp.sqrt(k) * z) ** 2)

    def fourth(self, k):
        return self.mean(lambda z: self.value(mp.sqrt(k) * z) ** 4)

    def pair(self, f, a, b, c):
        r = c / mp.sqrt(a * b)
        side = mp.sqrt((1 - r) * (1 + r))
        inner = lambda z: self.mean(lambda y: f(mp.sqrt(b) * (r * z + side * y)))
        return self.mean(lambda z: f(mp.sqrt(a) * z) * inner(z))

    def product(self, a, b, c):
        return self.pair(self.value, a, b, c)

    def slopes(self, a, b, c):
        return self.pair(self.slope, a, b, c)

    def growth(self, k):
        # The derivative of E s^2 by the variance, which is E[z s s']/K at this place, as a difference quotient.
        h = k * mpf(10) ** -6
        f = self.square
        return (8 * (f(k + h) - f(k - h)) - (f(k + 2 * h) - f(k - 2 * h))) / (12 * h)


def tanh():
    return Smooth("tanh", mp.tanh, lambda x: mp.sech(x) ** 2, mpf("0.16"))


def erf_raw():
    return Smooth("erf-raw", mp.erf, lambda x: 2 / mp.sqrt(mp.pi) * mp.exp(-x * x), mpf("0.2"))


def layer(draw, what):
    return {"activation": what.name, "c_w": draw.log(0.3, 3), "c_b": draw.pick(0.0, draw.log(0.01, 1))}


def pair(draw, top=2):
    a, b = draw.log(0.05, top), draw.log(0.05, top)
    return {"k_aa": a, "k_bb": b, "k_ab": float(f"{draw.flat(-0.99, 0.99) * float(mp.sqrt(a * b)):.6g}")}


def passed(what, c_w, c_b, a, b, c):
    step = lambda x: c_b + c_w * x
    return step(what.square(a)), step(what.square(b)), step(what.product(a, b, c))


def setting(given):
    return [mpf(given[key]) for key in ("c_w", "c_b", "k_aa", "k_bb", "k_ab")]


@second_way("criticality.kernel")
def criticality_kernel(draw: Draw):
    """Closed forms of the sine, the angle for ReLU, trapezoidal sums for tanh and erf."""
    for what, top in ((Sine, 30), (Sine, 2), (Relu, 1e6), (tanh(), 1), (erf_raw(), 1)):
        given = layer(draw, what) | pair(draw, top)
        mp.dps = 25
        yield given, dict(zip(("k_aa", "k_bb", "k_ab"), passed(what, *setting(given))))


@second_way("criticality.chi")
def criticality_chi(draw: Draw):
    """Closed forms of the sine; slopes of the averages, for ReLU, tanh and erf."""
    ranges = ((Sine, 1, 20), (Sine, 1e-6, 1e-2), (Relu, 1e-3, 1e3), (tanh(), 0.1, 1), (erf_raw(), 0.1, 1))
    for what, low, high in ranges:
        k = draw.log(low, high)
        given = layer(draw, what) | {"k": k}
        c_w = mpf(given["c_w"])
        par = c_w * what.growth(mpf(k))
        perp = c_w * what.slopes(mpf(k), mpf(k), mpf(k)) if what is not Relu else c_w / 2
        yield given, {"chi_par": par, "chi_perp": perp, "gap": par - perp}


@second_way("criticality.recursion")
def criticality_recursion(draw: Draw):
    """Closed forms of the sine and the angle for ReLU, layer by layer."""
    for what, layers in ((Sine, draw.whole(2, 30)), (Sine, draw.whole(30, 200)), (Relu, draw.whole(2, 12))):
        given = layer(draw, what) | pair(draw) | {"layers": layers}
        c_w, c_b, *k = setting(given)
        for _ in range(layers):
            k = passed(what, c_w, c_b, *k)
        yield given, {"k_aa": k[0], "k_bb": k[1], "k_ab": k[2], "r": k[2] / mp.sqrt(k[0] * k[1])}


@second_way("criticality.phase")
def criticality_phase(draw: Draw):
    """Roots of the closed averages of the sine, from where the recursion has come close."""
    variances = [(draw.flat(0.3, 0.9), draw.log(0.05, 1)), (draw.flat(1.3, 2.5), 0.0), (draw.flat(2.5, 6), draw.log(0.01, 0.3))]
    for c_w, c_b in variances:
        given = {"activation": Sine.name, "c_w": c_w, "c_b": c_b, "start": draw.log(0.1, 3)}
        w, b = mpf(c_w), mpf(c_b)
        k = mpf(given["start"])
        for _ in range(300):
            k = b + w * Sine.square(k)
        k = mp.findroot(lambda x: b + w * Sine.square(x) - x, k)
        c = k / 2
        for _ in range(3000):
            c = b + w * Sine.product(k, k, c)
        value = {"k_star": k, "chi_par": w * Sine.growth(k), "chi_perp": w * Sine.slopes(k, k, k)}
        yield given, value | {"r_star": mp.findroot(lambda x: b + w * Sine.product(k, k, x) - x, c) / k}


@second_way("criticality.solve")
def criticality_solve(draw: Draw):
    """Averages of GELU over the line at its published root, and the first two terms of the recursion of a sine."""
    # E s s'' = 0 of GELU at (3 + sqrt 17)/2.
    mp.dps = 25
    k = (3 + mp.sqrt(17)) / 2
    gate = lambda z: z * mp.ncdf(z)
    slope = lambda z: mp.ncdf(z) + z * mp.npdf(z)
    root = mp.sqrt(k)
    c_w = 1 / gaussian(lambda z: slope(root * z) ** 2, 1 / root)
    yield {"activation": "gelu"}, {"k_star": k, "c_w": c_w, "c_b": k - c_w * gaussian(lambda z: gate(root * z) ** 2, 1 / root)}
    for scale in (draw.log(0.2, 3), draw.log(0.2, 3)):
        # Of sin(a x) the recursion is K - a^2 K^2 + ... at C_w = 1/a^2.
        yield {"activation": f"sin({scale}*x)"}, {"k_star": 0, "c_w": 1 / mpf(scale) ** 2, "c_b": 0, "a": mpf(scale) ** 2}


@second_way("nngp.covariance")
def nngp_covariance(draw: Draw):
    """Closed forms of the sine and the angle for ReLU."""
    for what, layers in ((Sine, 1), (Sine, 7), (Relu, 3)):
        n, rows = draw.whole(2, 4), draw.whole(2, 4)
        given = layer(draw, what) | {"x": [draw.weights(n, 1.0) for _ in range(rows)], "layers": layers}
        c_w, c_b = mpf(given["c_w"]), mpf(given["c_b"])
        x = [[mpf(v) for v in line] for line in given["x"]]
        k = [[c_b + c_w / n * dot(a, b) for b in x] for a in x]
        for _ in range(layers):
            mean = lambda i, j: what.square(k[i][i]) if i == j else what.product(k[i][i], k[j][j], k[i][j])
            k = [[c_b + c_w * mean(i, j) for j in range(rows)] for i in range(rows)]
        yield given, k


@second_way("nngp.kurtosis")
def nngp_kurtosis(draw: Draw):
    """The second and the fourth moment of the squared length, carried layer by layer through Gaussian integrals."""
    for count in (1, 4, 9):
        given = {"widths": [draw.whole(1, 200) for _ in range(count)], "leak": draw.pick(0.0, 1.0, draw.flat(-1, 1))}
        a = mpf(given["leak"])
        two = (1 + a**2) * gaussian(lambda z: z * z, low=0)
        four = (1 + a**4) * gaussian(lambda z: z**4, low=0)
        mean, square = mpf(1), mpf(1)
        for n in given["widths"]:
            # q' = (c_w/n) sum_j s(g_j)^2 q with c_w E s^2 = 1.
            mean, square = mean, square * (n * four + n * (n - 1) * two**2) / (n * two) ** 2
        yield given, square / mean**2


@second_way("nngp.variance")
def nngp_variance(draw: Draw):
    """Closed averages of the sine, and half-line integrals for ReLU."""
    for what, layers in ((Sine, 1), (Sine, draw.whole(2, 60)), (Relu, draw.whole(1, 40)), (tanh(), 1)):
        given = layer(draw, what) | {"k": draw.log(0.1, 1), "width": draw.whole(1, 500), "layers": layers}
        c_w, c_b, k, v = mpf(given["c_w"]), mpf(given["c_b"]), mpf(given["k"]), mpf(0)
        for _ in range(layers):
            v = (c_w * what.growth(k)) ** 2 * v + c_w**2 * (what.fourth(k) - what.square(k) ** 2)
            k = c_b + c_w * what.square(k)
        yield given, {"n_var": v, "k_next": k, "excess": v / given["width"] / k**2}


@second_way("ntk.kernel")
def ntk_kernel(draw: Draw):
    """The sum over the layer whose weights move, each with the slopes behind it: closed for the sine, the angle for ReLU."""
    for what, layers in ((Sine, 1), (Sine, draw.whole(2, 30)), (Relu, 4), (erf_raw(), 1)):
        given = layer(draw, what) | pair(draw, 1) | {"layers": layers}
        mp.dps = 25
        c_w, c_b, *k = setting(given)
        each, behind = [k], []
        for _ in range(layers):
            a, b, c = each[-1]
            own = lambda k: what.slopes(k, k, k) if what is not Relu else mpf(1) / 2
            behind.append([c_w * s for s in (own(a), own(b), what.slopes(a, b, c))])
            each.append(passed(what, c_w, c_b, a, b, c))
        theta = [mp.fsum(each[i][p] * mp.fprod(s[p] for s in behind[i:]) for i in range(layers + 1)) for p in range(3)]
        names = ("k_aa", "k_bb", "k_ab", "theta_aa", "theta_bb", "theta_ab")
        yield given, dict(zip(names, [*each[-1], *theta]))


@second_way("ntk.gram")
def ntk_gram(draw: Draw):
    """Closed averages of the sine and integrals over the angle for ReLU, with eigenvalues of a matrix of many digits."""
    for what, part in ((Sine, "value"), (Sine, "slope"), (Relu, "value"), (Relu, "slope")):
        turns = [draw.flat(-6, 6) for _ in range(draw.whole(2, 6))]
        average = what.product if part == "value" else what.slopes
        m = mp.matrix(len(turns), len(turns))
        for i, a in enumerate(turns):
            for j, b in enumerate(turns):
                r = mp.cos(mpf(a) - mpf(b)) if i != j else mpf(1)
                m[i, j] = average(mpf(1), mpf(1), r) * (r if part == "slope" else 1)
        values = mp.eigsy(m, eigvals_only=True)
        value = {"least": min(values), "condition": max(values) / min(values)}
        yield {"activation": what.name, "angles": turns, "part": part}, value


@second_way("ntk.hermite")
def ntk_hermite(draw: Draw):
    """Mean derivatives (Rodrigues): closed for the sine, an exponential and ReLU."""
    top = draw.whole(5, 40)
    over = lambda k: mp.sqrt(mp.fac(k))
    yield {"activation": "sin(x)", "up_to": top}, [mp.exp(-mpf(1) / 2) * (0, 1, 0, -1)[k % 4] / over(k) for k in range(top + 1)]
    a = draw.flat(-1, 1)
    yield {"activation": f"exp({a}*x)", "up_to": top}, [mp.exp(mpf(a) ** 2 / 2) * mpf(a) ** k / over(k) for k in range(top + 1)]
    # E ReLU'' = the density at 0, and so on with the Hermite numbers.
    even = lambda k: (-1) ** (k // 2 - 1) * mp.fac2(k - 3) / mp.sqrt(2 * mp.pi) / over(k) if k % 2 == 0 else mpf(0)
    relu = [1 / mp.sqrt(2 * mp.pi), mpf(1) / 2, 1 / mp.sqrt(4 * mp.pi)] + [even(k) for k in range(3, top + 1)]
    yield {"activation": "relu", "up_to": top}, relu


@second_way("ntk.linearised")
def ntk_linearised(draw: Draw):
    """Step by step."""
    for m, steps in ((1, 5), (3, draw.whole(5, 60)), (6, draw.whole(60, 400))):
        half = [draw.weights(m, 1.0) for _ in range(m)]
        kernel = [[float(f"{dot(a, b):.9g}") for b in half] for a in half]
        given = {"kernel": kernel, "errors": draw.weights(m, 1.0), "lr": draw.log(0.01, 0.3), "steps": steps}
        r, k = mp.matrix([mpf(x) for x in given["errors"]]), mp.matrix([[mpf(x) for x in line] for line in kernel])
        for _ in range(steps):
            r = r - mpf(given["lr"]) / m * (k * r)
        values = mp.eigsy(k, eigvals_only=True)
        value = {"errors": list(r), "loss": dot(r, r) / 2 / m, "limit": 2 * m / max(values)}
        yield given, value | {"condition": max(values) / min(values)}


@second_way("ntk.width")
def ntk_width(draw: Draw):
    """The width as the root of one bound less the other."""
    for m in (1, draw.whole(2, 10), draw.whole(10, 1000)):
        given = {"m": m, "loss": draw.log(1e-3, 10), "lambda0": draw.log(1e-3, 10), "n": draw.whole(1, 10**6)}
        lam, may = mpf(given["lambda0"]), mpf(given["lambda0"]) / (8 * m)
        # Under flow the residual falls as exp(-lambda t/2m), and a weight moves at most by its integral.
        path = integral(lambda s: mp.sqrt(2 * mpf(given["loss"])) * mp.exp(-s), 0, 1, 3, 8, 20, 50, 100) * 2 * m / lam
        moved = lambda n: path / mp.sqrt(n)
        root = mp.findroot(lambda x: mp.log(moved(mp.exp(x))) - mp.log(may), (mpf(0), mpf(30)), solver="secant")
        yield given, {"width": mp.exp(root), "may_move": may, "moved_at_most": moved(given["n"])}


@second_way("ntk.concentration")
def ntk_concentration(draw: Draw):
    """The bound on the exponential moment: its logarithm over the frequency at its least, and the tail at one frequency."""
    for m in (1, draw.whole(2, 20), draw.whole(20, 10**5)):
        given = {"m": m, "n": draw.whole(1, 10**5), "range": draw.log(0.01, 100), "spread": draw.log(0.01, 100)}
        r, v = mpf(given["range"]) / given["n"], mpf(given["spread"]) / given["n"]
        given["t"] = float(f"{float(mp.sqrt(v)) * draw.log(0.3, 12):.6g}")
        t, log = mpf(given["t"]), mp.log(2 * m)
        # ln E tr exp(theta (K - EK)) is at most ln m + theta^2 v/2/(1 - R theta/3), and as much for the other end.
        growth = lambda x: x * x * v / 2 / (1 - r * x / 3)
        slope = lambda x: mp.diff(lambda y: (log + growth(y)) / y, x)
        theta = mp.findroot(slope, (3 / r * mpf(10) ** -12, 3 / r * (1 - mpf(10) ** -12)), solver="anderson", tol=1e-50)
        at = t / (v + r * t / 3)
        yield given, {"mean": (log + growth(theta)) / theta, "tail": min(mpf(1), 2 * m * mp.exp(growth(at) - at * t))}
