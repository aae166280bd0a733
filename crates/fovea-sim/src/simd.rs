//! Runs a kernel compiled for the best instruction set of the machine.
//!
//! The source is the same lane code everywhere; only the compiler's freedom differs. Every operation in it is fixed by
//! IEEE 754 (no reassociation, fused multiply-adds written out), so the bits are the same at every level.

/// Work whose inlined body is compiled once for each instruction set.
pub trait Kernel {
    /// What the work returns.
    type Output;

    /// The body; mark it `#[inline(always)]`, or the instruction set is lost.
    fn run(self) -> Self::Output;
}

/// An instruction set a kernel can be compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// What every machine of this architecture has; fused multiply-adds may be done in software.
    Portable,
    /// 256-bit vectors with fused multiply-add.
    Avx2,
    /// 512-bit vectors.
    Avx512,
}

impl Level {
    /// Every level this machine can run, the best last.
    pub fn available() -> Vec<Self> {
        let mut levels = vec![Self::Portable];
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                levels.push(Self::Avx2);
            }
            if is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl")
            {
                levels.push(Self::Avx512);
            }
        }
        levels
    }

    /// The best level of this machine, found once.
    #[inline]
    pub fn best() -> Self {
        static BEST: std::sync::OnceLock<Level> = std::sync::OnceLock::new();
        *BEST.get_or_init(|| Self::available().into_iter().next_back().unwrap_or(Self::Portable))
    }

    /// The name in a record's stamp.
    pub fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Avx2 => "avx2+fma",
            Self::Avx512 => "avx512",
        }
    }
}

/// Runs `kernel` at the machine's best level.
#[inline]
pub fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    dispatch_at(Level::best(), kernel)
}

/// Runs `kernel` at a given level, or at the portable one where the machine has no such instructions.
#[cfg(target_arch = "x86_64")]
#[inline]
#[expect(
    unsafe_code,
    reason = "calling a function compiled for an instruction set that was just detected"
)]
pub fn dispatch_at<K: Kernel>(level: Level, kernel: K) -> K::Output {
    match level {
        // SAFETY: `Level::available` has these levels only where their features were detected at run time, and the
        // match asks again; the bodies are the same safe code.
        Level::Avx512 if Level::best() == Level::Avx512 => unsafe { avx512(kernel) },
        Level::Avx2 if Level::best() != Level::Portable => unsafe { avx2(kernel) },
        _ => kernel.run(),
    }
}

/// Runs `kernel`; other architectures have one level.
#[cfg(not(target_arch = "x86_64"))]
pub fn dispatch_at<K: Kernel>(_: Level, kernel: K) -> K::Output {
    kernel.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")]
fn avx512<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}
