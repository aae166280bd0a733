"""Arrays of any library, as NumPy has them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._errors import SettingError


def asarray(given: Any) -> NDArray[Any]:
    """Any array as a NumPy array, without a copy where possible; through DLPack where NumPy cannot read it."""
    if isinstance(given, np.ndarray):
        return given
    if hasattr(given, "__dlpack__") and not hasattr(given, "__array__"):
        return np.from_dlpack(given)
    return np.asarray(given)


def doubles(name: str, given: Any) -> NDArray[np.float64]:
    """An array as double-precision numbers in row-major order; the array itself if it is one already."""
    try:
        array = asarray(given)
    except (TypeError, ValueError) as error:
        raise SettingError(f"`{name}` is not an array of numbers: {error}", "give rows of equally many numbers") from None
    if array.dtype.kind not in "fiub":
        what = f"`{name}` has entries of type {array.dtype}"
        hint = "split it into its real and imaginary part" if array.dtype.kind == "c" else "give real numbers"
        raise SettingError(what, hint)
    return np.ascontiguousarray(array, dtype=np.float64).reshape(array.shape)
