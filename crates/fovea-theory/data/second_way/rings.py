"""Kernels on the ring and what comes from their eigenvalues: plain cosine sums and dense matrices of many digits."""

from mpmath import mp, mpf

from common import Draw, above, cosine_sums, dense, density, dot, integral, row, row_of, second_way


@second_way("fourier.basis")
def fourier_basis(draw: Draw):
    """Powers of a root of unity, made real and brought to length 1 by their own sums of squares."""
    for n in (2, 3, draw.whole(4, 12), draw.whole(13, 24)):
        step = mp.expjpi(mpf(2) / n)
        columns = [[mpf(1)] * n]
        for k in range(1, (n + 1) // 2):
            turns = [(step**k) ** i for i in range(n)]
            columns += [[z.real for z in turns], [z.imag for z in turns]]
        if n % 2 == 0:
            columns.append([mpf(-1) ** i for i in range(n)])
        lengths = [mp.sqrt(dot(c, c)) for c in columns]
        yield {"n": n}, [[c[i] / s for c, s in zip(columns, lengths)] for i in range(n)]


@second_way("ring.eigs")
def ring_eigs(draw: Draw):
    """Cosine sums of 400 digits, where the crate has Poisson's formula."""
    mp.dps = 400
    for n, xi in ((3, 0.02), (draw.whole(4, 40), draw.log(0.3, 3)), (draw.whole(41, 200), draw.log(0.5, 8)), (12, 50.0)):
        mp.dps = 400
        yield {"n": n, "xi": xi}, cosine_sums(row(n, xi, "ring"))


@second_way("ring.min_eig")
def ring_min_eig(draw: Draw):
    """The least of cosine sums of 400 digits, and a count with multiplicity."""
    for n, xi in ((draw.whole(4, 20), draw.log(1, 6)), (40, draw.log(2, 20)), (draw.whole(41, 160), draw.log(3, 9))):
        mp.dps = 400
        eigs = cosine_sums(row(n, xi, "ring"))
        copies = [1 if k == 0 or 2 * k == n else 2 for k in range(len(eigs))]
        count = sum(m for eig, m in zip(eigs, copies) if eig < 0)
        yield {"n": n, "xi": xi}, {"min_eig": min(eigs), "negative_count": count}


@second_way("ring.critical_xi")
def ring_critical_xi(draw: Draw):
    """Halving the interval of the sign of the least cosine sum, with enough digits for that sign."""
    for n in (4, draw.whole(5, 12), draw.whole(13, 30), 40):
        mp.dps = 60
        low, high = mpf(1) / 2, 2 * mp.sqrt(mpf(n) / mp.pi)
        cos = [mp.cos(2 * mp.pi * m / n) for m in range(n)]
        while high - low > mpf(10) ** -20:
            middle = (low + high) / 2
            first = row(n, middle, "ring")
            least = min(sum(c * cos[k * d % n] for d, c in enumerate(first)) for k in range(n // 2 + 1))
            low, high = (middle, high) if least >= 0 else (low, middle)
        yield {"n": n}, low


@second_way("wrapped.eigs")
def wrapped_eigs(draw: Draw):
    """Windings added up site by site, then cosine sums, with digits for the smallest."""
    for n, xi in ((2, draw.log(0.1, 5)), (draw.whole(3, 30), draw.log(0.3, 6)), (draw.whole(31, 90), draw.log(1, 12)), (7, 90.0)):
        mp.dps = 400
        yield {"n": n, "xi": xi}, cosine_sums(row(n, xi, "wrapped"))


@second_way("exponential.eigs")
def exponential_eigs(draw: Draw):
    """Cosine sums, where the crate has geometric ones."""
    for n, xi in ((2, draw.log(0.1, 5)), (draw.whole(3, 30), draw.log(0.02, 1)), (draw.whole(31, 90), draw.log(1, 1e3)), (9, 1e6)):
        yield {"n": n, "xi": xi}, cosine_sums(row(n, xi, "exponential"))


@second_way("cosine.eigs")
def cosine_eigs(draw: Draw):
    """Cosine sums of the product, where the crate shifts the spectrum of one factor."""
    for n, xi in ((5, draw.log(0.3, 3)), (draw.whole(6, 30), draw.log(0.3, 6)), (draw.whole(31, 90), draw.log(1, 12))):
        mp.dps = 200
        waves = draw.whole(0, n // 2)
        plain = row(n, xi, "wrapped")
        yield {"n": n, "xi": xi, "waves": waves}, cosine_sums(
            [c * mp.cos(2 * mp.pi * waves * d / n) for d, c in enumerate(plain)]
        )


@second_way("diff.leading_mode")
def diff_leading_mode(draw: Draw):
    """The largest eigenvalue of the dense difference of the two covariances; its vector tells the frequency."""
    for n in (draw.whole(5, 12), draw.whole(13, 18), 16):
        given = draw.classes(n, draw.pick("wrapped", "exponential"))
        values, vectors = mp.eigsy(dense(row_of(given, "xi_pos")) - dense(row_of(given, "xi_neg")))
        top = max(range(n), key=lambda i: values[i])
        v = [vectors[i, top] for i in range(n)]
        turn = lambda k: abs(mp.fsum(x * mp.expjpi(mpf(2) * k * i / n) for i, x in enumerate(v)))
        yield given, {"k": max(range(n // 2 + 1), key=turn), "value": values[top]}


@second_way("relu.stable_mode")
def relu_stable_mode(draw: Draw):
    """The least ratio as the least eigenvalue of inv(C_1) C_0, dense."""
    for n in (draw.whole(5, 10), draw.whole(11, 14)):
        for kernel in ("ring", "exponential"):
            given = draw.classes(n, kernel)
            mp.dps = 120
            root = mp.cholesky(dense(row_of(given, "xi_pos")))
            inner = mp.inverse(root)
            values = mp.eigsy(inner * dense(row_of(given, "xi_neg")) * inner.T, eigvals_only=True)
            least = min(values)
            ratios = [b / a for a, b in zip(cosine_sums(row_of(given, "xi_pos")), cosine_sums(row_of(given, "xi_neg")))]
            k = min(range(len(ratios)), key=lambda j: abs(ratios[j] - least))
            yield given, {"k": k, "ratio": least}


@second_way("nlgp.zero_crossings")
def nlgp_zero_crossings(draw: Draw):
    """The chance of two signs, integrated over one of the neighbours."""
    for n in (2, draw.whole(3, 20), draw.whole(21, 400), 10000):
        given = draw.field(n)
        r = row_of(given)[1] if n < 1000 else row(40, given["xi"], "ring")[1]
        if n >= 1000:
            given["kernel"] = "ring"
        side = mp.sqrt(1 - r * r)
        far = 20 * min(mpf(1), side / r)
        chance = 2 * integral(lambda z: density(z) * above(r * z / side), 0, far / 100, far / 20, far / 8, far / 4, far / 2, far)
        yield given, n * chance
