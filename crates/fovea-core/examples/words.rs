//! The random words of training, in the order in which training uses them, for a battery of statistical tests.
//!
//!     words [xoshiro|philox] [SEED] | dieharder -a -g 200
//!     words time          # nanoseconds per word of both generators
//!
//! Step after step, block after block; each block is freshly seeded and read for as long as 40 sites need. So a battery
//! tests the seeding as much as the generator.

use fovea_core::streams::{Generator, Streams};
use std::io::{ErrorKind, Write};

/// Blocks per step: a batch of 1000 samples.
const BLOCKS: u32 = 32;
/// Draws per block and lane: a few dozen, as many as a block of 40 sites takes.
const DRAWS: usize = 40;

fn main() -> std::io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let word = words.first().map_or("xoshiro", String::as_str);
    let generator = match word {
        "philox" => Generator::Philox,
        "time" => return time(),
        _ => Generator::Xoshiro,
    };
    let seed = words.get(1).and_then(|seed| seed.parse().ok()).unwrap_or(0);
    let stream = Streams::new(seed).drawn_by(generator).named("train/data");
    let mut out = std::io::stdout().lock();
    let mut bytes = Vec::with_capacity(BLOCKS as usize * DRAWS * 64);
    for step in 0.. {
        bytes.clear();
        for block in 0..BLOCKS {
            let mut rng = stream.block(step, block);
            for _ in 0..DRAWS {
                bytes.extend(rng.next_lanes().iter().flat_map(|word| word.to_le_bytes()));
            }
        }
        match out.write_all(&bytes) {
            // The battery has read enough.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(()),
            done => done?,
        }
    }
    Ok(())
}

/// Prints what a word costs.
#[expect(clippy::disallowed_methods, reason = "an example that measures time reads the clock")]
fn time() -> std::io::Result<()> {
    const STEPS: u64 = 20_000;
    for generator in [Generator::Xoshiro, Generator::Philox] {
        let stream = Streams::new(0).drawn_by(generator).named("train/data");
        let began = std::time::Instant::now();
        let mut sum = [0_u32; 16];
        for step in 0..STEPS {
            for block in 0..BLOCKS {
                let mut rng = stream.block(step, block);
                for _ in 0..DRAWS {
                    let words = rng.next_lanes();
                    sum = std::array::from_fn(|l| sum[l].wrapping_add(words[l]));
                }
            }
        }
        let count = STEPS as f64 * f64::from(BLOCKS) * (DRAWS * 16) as f64;
        let each = began.elapsed().as_secs_f64() * 1e9 / count;
        writeln!(
            std::io::stdout(),
            "{}: {each:.3} ns per word (sum {:x})",
            generator.word(),
            sum[0]
        )?;
    }
    Ok(())
}
