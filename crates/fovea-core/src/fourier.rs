//! The orthonormal real Fourier basis of the ring.
