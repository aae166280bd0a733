"""Second ways to the closed forms: other routes to the same numbers, for the test `edges::second_way`.

Every function here computes one form from its definition, by another route than the crate: an integral for a closed
form, a closed form or an exact count for an integral or an enumeration, dense linear algebra for Fourier sums. The
arguments are drawn from fixed seeds over the range that a form declares.

To write `second_way.json` beside this folder (about ten minutes; Python 3.10 or later):

    pip install mpmath scipy gmpy2
    python3 crates/fovea-theory/data/second_way/write.py            # all forms
    python3 crates/fovea-theory/data/second_way/write.py nlgp.cov   # those named, the others as they are in the file
"""

import json
import sys
import time
from pathlib import Path

from mpmath import mp, mpf

import common
import cubes  # noqa: F401  (each of these registers its forms)
import dictators  # noqa: F401
import flows  # noqa: F401
import lectures  # noqa: F401
import mixtures  # noqa: F401
import nlgp  # noqa: F401
import rates  # noqa: F401
import rings  # noqa: F401
import signs  # noqa: F401
import sites  # noqa: F401
import truncated  # noqa: F401
import uncertainty  # noqa: F401

FILE = Path(__file__).parent.parent / "second_way.json"


def plain(value):
    """A value with its numbers as strings of 20 digits, or 17 where it was computed in doubles."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, (bool, str)):
        return value
    if isinstance(value, (int, mpf)):
        return mp.nstr(mpf(value), 20, strip_zeros=True)
    return repr(float(value))


def main():
    names = sys.argv[1:] or list(common.FORMS)
    kept = json.loads(FILE.read_text()) if FILE.exists() and sys.argv[1:] else []
    points = [point for point in kept if point["form"] not in names]
    for name in names:
        began = time.monotonic()
        mp.dps = common.DIGITS
        here = []
        for given, value in common.FORMS[name](common.Draw(name)):
            here.append({"form": name, "given": given, "value": plain(value)})
            mp.dps = common.DIGITS
        points += here
        print(f"{name}: {len(here)} points, {time.monotonic() - began:.1f} s", flush=True)
    points.sort(key=lambda point: point["form"])
    lines = ",\n".join(json.dumps(point) for point in points)
    FILE.write_text(f"[\n{lines}\n]\n")
    print(f"{len(points)} points over {len({point['form'] for point in points})} forms")


if __name__ == "__main__":
    main()
