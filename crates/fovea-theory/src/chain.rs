//! The Ising ring as a closed chain: the building block of its moments.

/// The moment of two chains of spins that together close the ring: $`(a^m+a^{n-m})/(1+a^n)`$, $`a=\tanh J`$.
///
/// Every moment of an even number of spins has this form, because the transfer matrix has two eigenvalues whose ratio is
/// $`a`$. With $`l=\ln|a|`$ and $`a<0`$ on an odd ring both sums are differences that vanish as $`|a|\to1`$; there each is
/// one `expm1`.
pub(crate) fn closed_chain(m: usize, n: usize, coupling: f64) -> f64 {
    let m = m.min(n - m);
    if m == 0 {
        return 1.0;
    }
    // Where a vanishes a finite number replaces its logarithm: every power of it is still 0.
    let l = ln_tanh(coupling.abs()).max(-1e4);
    // The sign of a^m + a^(n-m) is that of its longer term a^m; both terms agree in sign on an even ring.
    let sign = if coupling < 0.0 && m % 2 == 1 { -1.0 } else { 1.0 };
    let power = libm::exp(l * m as f64);
    let (rest, whole) = (l * (n - 2 * m) as f64, l * n as f64);
    if coupling < 0.0 && n % 2 == 1 {
        sign * power * libm::expm1(rest) / libm::expm1(whole)
    } else {
        sign * power * (1.0 + libm::exp(rest)) / (1.0 + libm::exp(whole))
    }
}

/// $`\ln\tanh x`$ for $`x\ge0`$, which keeps its digits where $`\tanh x`$ is nearly 1.
pub(crate) fn ln_tanh(x: f64) -> f64 {
    if x < 0.5 {
        return libm::log(libm::tanh(x));
    }
    let q = libm::exp(-2.0 * x);
    libm::log1p(-q) - libm::log1p(q)
}
