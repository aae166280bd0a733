"""Losses and flows of committees: gradients by differences of integrals, and extrapolated midpoint steps of many digits."""

from functools import cache

from mpmath import mp, mpf

from common import Draw, apply, dot, gaussian, row_of, second_way
from sites import coordinate, ellipses, radial
from truncated import angles


@cache
def half_mean(_digits):
    """E ReLU(Z) of a standard normal, over its half-line."""
    return gaussian(lambda z: z, low=0)


def gate_mean(std):
    """E ReLU(S) of a preactivation of this deviation."""
    return std * half_mean(mp.dps)


def pair_mean(a, b, c):
    """E ReLU(S) ReLU(T) from two variances and a covariance, over the angle."""
    if a == 0 or b == 0:
        return mpf(0)
    gamma = max(mpf(-1), min(mpf(1), c / mp.sqrt(a * b)))
    return mp.sqrt(a * b) * angles(gamma, lambda s, t: s * t)


def loss_of(pos, neg, units, c=None):
    """Half the mean squared error, from its definition; `c` is half the mean absolute site of class pos."""
    k = len(units)
    total = mpf(1)
    for first, label in ((pos, 1), (neg, 0)):
        images = [apply(first, w) for w in units]
        if label:
            scale = gate_mean(1) if c is None else mpf(c)
            total -= 2 * mp.fsum(scale * mp.sqrt(dot(w, x)) for w, x in zip(units, images)) / k
        total += mp.fsum(
            pair_mean(dot(u, x), dot(v, y), dot(u, y)) for u, x in zip(units, images) for v, y in zip(units, images)
        ) / k**2
    return total / 4


def slope(f, step):
    """The derivative of f at 0, by the central difference of fourth order."""
    return (8 * (f(step) - f(-step)) - (f(2 * step) - f(-2 * step))) / (12 * step)


def moved(units, i, j, by):
    return [[x + by if (a, b) == (i, j) else x for b, x in enumerate(w)] for a, w in enumerate(units)]


def committees(draw, most=3):
    for k in range(1, most + 1):
        n = draw.whole(2, 5)
        scale = draw.log(1e-2, 1e2)
        yield draw.classes(n) | {"w": [draw.weights(n, scale) for _ in range(k)]}


def rows(given):
    return row_of(given, "xi_pos"), row_of(given, "xi_neg")


def numbers(units):
    return [[mpf(x) for x in w] for w in units]


@second_way("relu.loss")
def relu_loss(draw: Draw):
    """Pair means over the angle."""
    for given in committees(draw, 4):
        yield given, loss_of(*rows(given), numbers(given["w"]))
    given = given | {"c": draw.flat(0.3, 0.5), "w": [draw.rough(given["n"]) for _ in range(2)]}
    yield given, loss_of(*rows(given), numbers(given["w"]), given["c"])


@second_way("relu.flow_multi")
def relu_flow_multi(draw: Draw):
    """Minus the difference quotient of the loss."""
    for given in committees(draw):
        mp.dps = 60
        pos, neg = rows(given)
        units = numbers(given["w"])
        size = max(abs(x) for w in units for x in w)
        down = lambda i, j: -slope(lambda h: loss_of(pos, neg, moved(units, i, j, h)), size * mpf(10) ** -9)
        yield given, [[down(i, j) for j in range(len(w))] for i, w in enumerate(units)]


def one_loss(pos, neg, w):
    """The loss of one unit in variances: half the data pass its gate, whatever the weights."""
    return (1 - 2 * gate_mean(1) * mp.sqrt(dot(w, apply(pos, w))) + (dot(w, apply(pos, w)) + dot(w, apply(neg, w))) / 2) / 4


@second_way("relu.flow_single")
def relu_flow_single(draw: Draw):
    """Minus the difference quotient of the loss."""
    for n in (2, draw.whole(3, 8), draw.whole(9, 14)):
        mp.dps = 60
        given = draw.classes(n) | {"w": draw.weights(n)}
        pos, neg = rows(given)
        w = [mpf(x) for x in given["w"]]
        h = max(map(abs, w)) * mpf(10) ** -9
        yield given, [-slope(lambda by: one_loss(pos, neg, moved([w], 0, j, by)[0]), h) for j in range(n)]


def basis(n):
    """Orthonormal waves, in the order const, cos 1, sin 1, and so on."""
    waves = [[mpf(1)] * n]
    for k in range(1, (n + 1) // 2):
        waves += [[f(2 * mp.pi * k * i / n) for i in range(n)] for f in (mp.cos, mp.sin)]
    waves += [[mpf(-1) ** i for i in range(n)]] if n % 2 == 0 else []
    return [[x / mp.sqrt(dot(v, v)) for x in v] for v in waves]


@second_way("relu.flow_fourier")
def relu_flow_fourier(draw: Draw):
    """Minus the difference quotient of the loss along each wave."""
    for n in (2, draw.whole(3, 8), draw.whole(9, 14)):
        mp.dps = 60
        given = draw.classes(n) | {"u": draw.weights(n)}
        pos, neg = rows(given)
        waves, u = basis(n), [mpf(x) for x in given["u"]]
        field = lambda u: [mp.fsum(a * v[i] for a, v in zip(u, waves)) for i in range(n)]
        h = max(map(abs, u)) * mpf(10) ** -9
        yield given, [-slope(lambda by: one_loss(pos, neg, field(moved([u], 0, j, by)[0])), h) for j in range(n)]


def gated(first, w):
    """E[X_i; S > 0], the half-line of S: half the derivative of E|S|."""
    return [x / mp.sqrt(dot(w, apply(first, w))) * gate_mean(1) for x in apply(first, w)]


@second_way("relu.f_gauss")
def relu_f_gauss(draw: Draw):
    """Every site over its own law, with the chance that the gate is open given it."""
    for n in (2, draw.whole(3, 8), draw.whole(9, 20), 24):
        given = draw.field(n) | {"w": draw.weights(n)}
        if n == 24:
            given = {"n": n, "xi": draw.flat(2, 2.4), "kernel": "ring", "w": [(-1.0) ** i for i in range(n)]}
        first, w = row_of(given), [mpf(x) for x in given["w"]]
        s = mp.sqrt(dot(w, apply(first, w)))
        value = []
        for x in apply(first, w):
            tilt = (x / s) / mp.sqrt(1 - (x / s) ** 2)
            value.append(gaussian(lambda z: z * mp.erf(tilt * z / mp.sqrt(2)), 1 / abs(tilt), low=0))
        yield given, value


@second_way("relu.f_jacobian")
def relu_f_jacobian(draw: Draw):
    """Difference quotients of the gated mean."""
    for n in (2, draw.whole(3, 6), draw.whole(7, 10)):
        mp.dps = 60
        given = draw.field(n) | {"w": draw.weights(n)}
        first, w = row_of(given), [mpf(x) for x in given["w"]]
        h = max(map(abs, w)) * mpf(10) ** -9
        columns = [[slope(lambda by: gated(first, moved([w], 0, j, by)[0])[i], h) for i in range(n)] for j in range(n)]
        yield given, [[columns[j][i] for j in range(n)] for i in range(n)]


@second_way("relu.f_elliptical")
def relu_f_elliptical(draw: Draw):
    """The radius and the angle to the gate's normal, integrated; the direction dense."""
    for given in ellipses(draw, most=60):
        mp.dps = 25
        n = draw.whole(3, 9)
        given = draw.field(n) | given | {"n": n, "w": draw.weights(n)}
        first, w = row_of(given), [mpf(x) for x in given["w"]]
        if given["radius"] == "student":
            # The radius of a Gaussian over the root of a chi-square: both over their own densities.
            nu = mpf(given["dof"])
            part = lambda p: mp.quad(lambda v: v ** ((nu - 1) - p) * mp.exp(-v * v / 2), [0, 0.5, 1, 2, 3, 5, 8, 12, 16])
            one, two = mp.sqrt(nu) * part(1) / part(0), nu * part(2) / part(0)
            c = one / mp.sqrt(two) * gate_mean(1)
        elif given["radius"] == "laplace":
            root = mp.quad(lambda v: 2 * v * v * mp.exp(-v * v), [0, 1, 2, 4, 9])
            c = root * gate_mean(1)
        else:
            law = (given["radius"], n, None, given.get("beta"))
            c = radial(*law, 1) * coordinate(n, 1) / mp.sqrt(radial(*law, 2) / n) / 2
        yield given, [c * x / mp.sqrt(dot(w, apply(first, w))) for x in apply(first, w)]


def extrapolated(velocity, state, t, steps, order=12):
    """The state at time t: modified midpoint steps of 2, 4, 6, ... parts, extrapolated to none."""
    add = lambda a, b, h: [x + h * y for x, y in zip(a, b)]
    big = mpf(t) / steps
    for _ in range(steps):
        table = []
        for row in range(order):
            parts = 2 * (row + 1)
            h = big / parts
            last, now = state, add(state, velocity(state), h)
            for _ in range(parts - 1):
                last, now = now, add(last, velocity(now), 2 * h)
            line = [[(a + b) / 2 for a, b in zip(now, add(last, velocity(now), h))]]
            for k in range(1, row + 1):
                factor = mpf(row + 1) ** 2 / mpf(row + 1 - k) ** 2 - 1
                line.append([a + (a - b) / factor for a, b in zip(line[k - 1], table[k - 1])])
            table = line
        state = table[-1]
    return state


@second_way("relu.flow_exact")
def relu_flow_exact(draw: Draw):
    """The equations of all weights, extrapolated."""
    for n, t in ((2, draw.log(0.1, 5)), (5, draw.log(1, 10)), (6, draw.log(5, 30)), (4, 60.0)):
        mp.dps = 25
        given = draw.classes(n) | {"w0": draw.weights(n, draw.log(0.03, 3)), "t": t}
        pos, neg = rows(given)
        both = [a + b for a, b in zip(pos, neg)]
        decay = lambda w: [(2 * f - y) / 4 for f, y in zip(gated_fast(pos, w), apply(both, w))]
        start = [mpf(x) for x in given["w0"]]
        yield given, {"w": extrapolated(decay, start, t, int(8 + 2 * t), 10)}


def gated_fast(first, w):
    image = apply(first, w)
    s = mp.sqrt(2 * mp.pi * dot(w, image))
    return [x / s for x in image]


@second_way("relu.order_parameters")
def relu_order_parameters(draw: Draw):
    """The equations of all weights, extrapolated, and their covariances at the end."""
    for k, n, t in ((1, 4, draw.log(0.5, 20)), (2, 4, draw.log(0.5, 8)), (3, 3, draw.log(0.5, 5))):
        mp.dps = 20
        given = draw.classes(n) | {"w0": [draw.weights(n, 0.5) for _ in range(k)], "t": t}
        classes = rows(given)

        def velocity(flat):
            units = [flat[i * n : (i + 1) * n] for i in range(k)]
            out = [[2 * k * f for f in gated_fast(classes[0], w)] for w in units]
            for first in classes:
                images = [apply(first, w) for w in units]
                for i in range(k):
                    for j in range(k):
                        a, b, c = dot(units[i], images[i]), dot(units[j], images[j]), dot(units[i], images[j])
                        theta = mp.acos(max(-1, min(1, c / mp.sqrt(a * b)))) if i != j else mpf(0)
                        own = mp.sqrt(b / a) * mp.sin(theta) / mp.pi
                        share = (mp.pi - theta) / mp.pi
                        out[i] = [o - own * x - share * y for o, x, y in zip(out[i], images[i], images[j])]
            return [x / (4 * k * k) for line in out for x in line]

        end = extrapolated(velocity, [mpf(x) for w in given["w0"] for x in w], t, int(6 + 2 * t), 9)
        units = [end[i * n : (i + 1) * n] for i in range(k)]
        q = [[[dot(u, apply(first, v)) for v in units] for u in units] for first in classes]
        yield given, {"q_pos": q[0], "q_neg": q[1]}


def single_velocity(pos, neg, w):
    both = [a + b for a, b in zip(pos, neg)]
    return [(2 * f - y) / 4 for f, y in zip(gated(pos, w), apply(both, w))]


def at_rest(pos, neg, wave):
    """The size at which the velocity along a wave vanishes."""
    return mp.findroot(lambda a: dot(wave, single_velocity(pos, neg, [a * x for x in wave])), (mpf("0.05"), mpf("0.5")))


def still(draw, n):
    """Classes, a frequency, its wave and the point of rest on it."""
    given = draw.classes(n)
    k = draw.whole(0, n // 2)
    pos, neg = rows(given)
    waves = basis(n)
    wave = waves[0 if k == 0 else 2 * k - 1]
    return given | {"k": k}, pos, neg, waves, wave, abs(at_rest(pos, neg, wave))


def jacobian(pos, neg, at):
    n = len(at)
    h = mpf(10) ** -12
    columns = [[slope(lambda by: single_velocity(pos, neg, moved([at], 0, j, by)[0])[i], h) for i in range(n)] for j in range(n)]
    return mp.matrix(columns).T


@second_way("relu.steady")
def relu_steady(draw: Draw):
    """A root of the velocity, the loss there, and growing directions of a dense numerical Jacobian."""
    for n in (3, draw.whole(4, 7), 8):
        mp.dps = 50
        given, pos, neg, _, wave, size = still(draw, n)
        at = [size * x for x in wave]
        j = jacobian(pos, neg, at)
        values = mp.eigsy((j + j.T) / 2, eigvals_only=True)
        yield given, {"amplitude": size, "loss": one_loss(pos, neg, at), "unstable_dirs": sum(v > mpf(10) ** -15 for v in values)}


@second_way("relu.relaxation")
def relu_relaxation(draw: Draw):
    """A dense numerical Jacobian at a root of the velocity, applied to every wave."""
    for n in (3, draw.whole(4, 7), 8):
        mp.dps = 50
        given, pos, neg, waves, wave, size = still(draw, n)
        j = jacobian(pos, neg, [size * x for x in wave])
        rate = lambda v: dot(v, list(j * mp.matrix(v)))
        own = [waves[0 if m == 0 else 2 * m - 1] for m in range(n // 2 + 1)]
        rates = [mpf(0) if m == given["k"] else rate(v) for m, v in enumerate(own)]
        radial_rate = rate(wave)
        falling = [r for r in rates if r < -mpf(10) ** -15] + [radial_rate]
        yield given, {"rates": rates, "radial": radial_rate, "slowest": -1 / max(falling), "growth": max([mpf(0), *rates])}
