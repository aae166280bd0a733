"""Spreads of fields: integrals of the fields themselves, explicit Fourier sums, dense operators."""

from mpmath import mp, mpf

from common import Draw, dot, integral, second_way


@second_way("uncertainty.breitenberger")
def uncertainty_breitenberger(draw: Draw):
    """The mean direction and the squared slope of the field, over the circle."""
    for kappa in (draw.log(1e-4, 1e-1), draw.log(0.1, 10), draw.log(10, 1e3), draw.log(1e3, 1e6)):
        k = mpf(kappa)
        width = min(1, 1 / mp.sqrt(k))
        ends = [s * width for s in (0, 1, 2, 4, 7, 10, 14) if s * width < mp.pi] + [mp.pi]
        over = lambda f: integral(lambda a: mp.exp(k * (mp.cos(a) - 1)) * f(a), *ends)
        whole = over(lambda a: 1)
        # 1 - tau is known better than tau.
        gap = over(lambda a: 2 * mp.sin(a / 2) ** 2) / whole
        tau = 1 - gap
        var = over(lambda a: (k * mp.sin(a) / 2) ** 2) / whole
        yield {"kappa": kappa}, {"product": var * gap * (1 + tau) / tau**2, "var_k": var, "resultant": tau}


def line(field, slope, reach, *ends):
    """The two variances of a field on the line, even in absolute value."""
    over = lambda f: integral(f, 0, reach, *(e for e in ends if e < reach))
    whole = over(lambda t: abs(field(t)) ** 2)
    return over(lambda t: abs(t * field(t)) ** 2) / whole, over(lambda t: abs(slope(t)) ** 2) / whole


@second_way("uncertainty.gaussian")
def uncertainty_gaussian(draw: Draw):
    """The chirped field and its slope, over the line."""
    for chirp in (0.0, draw.normal(), draw.log(10, 1e3)):
        std = draw.log(1e-3, 1e3)
        a = mp.mpc(1, chirp) / (4 * mpf(std) ** 2)
        field = lambda t: mp.exp(-a * t * t)
        steps = [mpf(std) * s for s in (0.5, 1, 2, 3, 5, 8, 11)]
        time, frequency = line(field, lambda t: -2 * a * t * field(t), mpf(std) * 15, *steps)
        yield {"std": std, "chirp": chirp}, {
            "std_t": mp.sqrt(time), "std_omega": mp.sqrt(frequency), "product": mp.sqrt(time * frequency),
        }


@second_way("uncertainty.real_gabor")
def uncertainty_real_gabor(draw: Draw):
    """The field and its slope, over the line."""
    for kappa in (0.0, draw.log(1e-6, 1e-2), draw.log(0.1, 5), draw.log(5, 100)):
        k = mp.sqrt(mpf(kappa))
        field = lambda t: mp.exp(-t * t / 4) * mp.cos(k * t)
        slope = lambda t: -mp.exp(-t * t / 4) * (t / 2 * mp.cos(k * t) + k * mp.sin(k * t))
        time, frequency = line(field, slope, 15, *(mpf(i) / 2 for i in range(1, 30)))
        yield {"kappa": kappa}, mp.sqrt(time * frequency)


def entropy(shares):
    return -mp.fsum(p * mp.log(p) for p in shares if p > 0)


def spectrum(w):
    """The shares of the frequencies, from explicit sums."""
    n = len(w)
    sums = [mp.fsum(x * mp.expjpi(mpf(-2) * (k * i % n) / n) for i, x in enumerate(w)) for k in range(n)]
    return [abs(s) ** 2 / (n * dot(w, w)) for s in sums]


def spread(shares):
    """1 - |mean of the turns|^2, as a sum over pairs."""
    n = len(shares)
    pairs = ((p * q, i - j) for i, p in enumerate(shares) for j, q in enumerate(shares[:i]))
    return 4 * mp.fsum(pq * mp.sinpi(mpf(d) / n) ** 2 for pq, d in pairs)


@second_way("uncertainty.measures")
def uncertainty_measures(draw: Draw):
    """Explicit Fourier sums; spreads over pairs of places."""
    for n in (3, draw.whole(4, 12), draw.whole(13, 40)):
        w = draw.weights(n)
        field = [mpf(x) for x in w]
        p, q = [x * x / dot(field, field) for x in field], spectrum(field)
        lines = [(k if 2 * k < n else k - n, share) for k, share in enumerate(q) if 2 * k != n]
        lines += [(s * n / mpf(2), q[n // 2] / 2) for s in (1, -1)] if n % 2 == 0 else []
        var = mp.fsum(k * k * share for k, share in lines) - mp.fsum(k * share for k, share in lines) ** 2
        du2 = spread(p)
        yield {"w": w}, {
            "H_pos": entropy(p), "H_freq": entropy(q), "dU2": du2, "dV2": spread(q), "ipr": mp.fsum(x * x for x in p),
            "var_k": var, "circular": var * du2 / (1 - du2),
        }


@second_way("uncertainty.maassen_uffink")
def uncertainty_maassen_uffink(draw: Draw):
    """Entropies of a point, of a Gaussian on the line, and of a cosine with its explicit spectrum."""
    for n in (5, draw.whole(6, 20), draw.whole(21, 60)):
        k = draw.whole(1, (n - 1) // 2)
        w = [mp.cos(2 * mp.pi * k * i / n) for i in range(n)]
        point = spectrum([mpf(1)] + [mpf(0)] * (n - 1))
        normal = lambda std: 2 * integral(
            lambda x: mp.exp(-x * x / 2 / std**2) / std / mp.sqrt(2 * mp.pi) * (x * x / 2 / std**2 + mp.log(std * mp.sqrt(2 * mp.pi))),
            *(std * s for s in (0, 1, 2, 4, 7, 14)),
        )
        # In cycles per ring the frequencies of |w|^2 of deviation s have deviation n/(4 pi s).
        value = {"bound": entropy(point), "gaussian": normal(mpf(1)) + normal(n / (4 * mp.pi))}
        value["cosine"] = entropy([x * x / dot(w, w) for x in w]) + entropy(x for x in spectrum(w) if x > mpf(10) ** -30)
        mean_log = integral(lambda a: -2 * mp.cos(a) ** 2 * mp.log(2 * mp.cos(a) ** 2), *(i * mp.pi / 16 for i in range(8)))
        mean_log += mp.quad(lambda a: -2 * mp.sin(a) ** 2 * mp.log(2 * mp.sin(a) ** 2) if a else mpf(0), [0, mp.pi / 16])
        value["cosine_limit"] = mp.log(n) + mp.log(2) + 2 / mp.pi * mean_log
        yield {"n": n, "k": k}, value


@second_way("uncertainty.massar_spindel")
def uncertainty_massar_spindel(draw: Draw):
    """Ground states of a dense operator, whose angle is found by halving; the inequality solved for its other side."""
    for n in (3, draw.whole(4, 8), draw.whole(9, 12)):
        mp.dps = 30
        du2 = draw.flat(0.02, 0.9)

        def state(share):
            h = mp.matrix(n, n)
            for i in range(n):
                h[i, i] -= (1 - share) * mp.cospi(mpf(2) * i / n)
                h[i, (i + 1) % n] -= share / 2
                h[(i + 1) % n, i] -= share / 2
            values, vectors = mp.eigsy(h)
            v = [vectors[i, 0] for i in range(n)]
            return spread([x * x for x in v]), v

        low, high = mpf(0), mpf(1)
        for _ in range(95):
            middle = (low + high) / 2
            low, high = (middle, high) if state(middle)[0] < mpf(du2) else (low, middle)
        a, u = mp.tan(mp.pi / n), mpf(du2)
        bound = mp.findroot(lambda v: (1 + 2 * a) * u * v + a * a * (u + v) - a * a, (mpf(0), mpf(1)))
        yield {"n": n, "du2": du2}, {"bound": bound, "optimum": spread(spectrum(state((low + high) / 2)[1]))}
