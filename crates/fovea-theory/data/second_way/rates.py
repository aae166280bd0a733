"""Descent on quadratic losses: steps and directions one by one, where the crate has the sums."""

from mpmath import mpf

from common import Draw, gaussian, second_way


@second_way("rates.contraction")
def rates_contraction(draw: Draw):
    """The worst direction of one step; the best rate by thirds, the limit by halves."""
    for count, share in ((2, draw.flat(0.1, 1)), (5, draw.flat(2, 3)), (20, draw.flat(1, 2))):
        eigs = [draw.log(0.01, 100) for _ in range(count)]
        given = {"eigs": eigs, "lr": float(f"{share / max(eigs):.6g}")}
        worst = lambda lr: max(abs(1 - lr * mpf(e)) for e in eigs)
        low, high = mpf(0), 4 / mpf(max(eigs))
        for _ in range(220):
            a, b = (2 * low + high) / 3, (low + 2 * high) / 3
            low, high = (low, b) if worst(a) < worst(b) else (a, high)
        best, low, high = low, low, 8 / mpf(max(eigs))
        for _ in range(140):
            middle = (low + high) / 2
            low, high = (middle, high) if worst(middle) < 1 else (low, middle)
        yield given, {"factor": worst(mpf(given["lr"])), "best_lr": best, "best_factor": worst(best), "limit": low}


@second_way("rates.noise_floor")
def rates_noise_floor(draw: Draw):
    """What every past step has left of its noise, added up."""
    for share in (draw.flat(0.05, 1), draw.flat(1, 1.9), draw.log(1e-9, 1e-6)):
        curvature, noise = draw.log(1e-3, 1e3), draw.log(1e-3, 1e3)
        lr = float(f"{share / curvature:.6g}")
        kept = (1 - mpf(lr) * curvature) ** 2
        # Doubling the number of steps until the sum stands.
        total, factor = mpf(1), kept
        for _ in range(60):
            total, factor = total * (1 + factor), factor**2
        yield {"lr": lr, "curvature": curvature, "noise": noise}, mpf(lr) ** 2 * noise * total


@second_way("rates.schedule")
def rates_schedule(draw: Draw):
    """Products of what each later step keeps, from the last step backwards."""
    for steps in (1, draw.whole(2, 50), draw.whole(50, 20000)):
        given = {"scale": draw.flat(0.6, 3), "curvature": 1.0, "noise": draw.log(0.01, 10)}
        given |= {"start": draw.log(0.01, 10), "steps": steps}
        c, noise = mpf(given["scale"]), mpf(given["noise"])
        kept, total = mpf(1), mpf(0)
        for t in range(steps, 0, -1):
            total += kept * (c / t) ** 2 * noise
            kept *= (1 - c / t) ** 2
        yield given, {"scaled": steps * (total + kept * mpf(given["start"])), "limit": c * c * noise / (2 * c - 1)}


@second_way("rates.gradient_norm")
def rates_gradient_norm(draw: Draw):
    """The share of every layer: the squared length in front of it times the squared slope behind it, unit by unit."""
    for count in (1, 3, 8):
        given = {"n_in": draw.whole(1, 100), "x2": draw.log(0.01, 100), "widths": [draw.whole(1, 500) for _ in range(count)]}
        sizes, ahead, total = [given["n_in"], *given["widths"]], mpf(given["x2"]), mpf(0)
        power, open_ = gaussian(lambda z: z * z, low=0), gaussian(lambda z: mpf(1), low=0)
        for i, n in enumerate(sizes):
            behind = mpf(1)
            for later in reversed(sizes[i + 1 :]):
                behind *= later * open_ * mpf(2) / later
            total += ahead * behind
            if i + 1 < len(sizes):
                ahead *= sizes[i + 1] * power * mpf(2) / n
        yield given, {"norm": total, "limit": 2 / total}
