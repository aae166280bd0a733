//! How does the cost of a training step grow with the ring, the width, the batch and the number of networks?
//!
//! A step draws `B` samples of `n` sites through a Fourier transform and passes them through `K` units: between `n` and `n log n`, linear in the
//! batch and in the number of networks, and linear in the width once the network costs more than the samples. The exponents are fitted to the upper half of the sizes.
//! Times depend on the machine and on what else it does, so they are told and drawn and decide nothing; what is claimed is the work
//! behind them, which is the same everywhere: how much is drawn, and that a network does not notice the fleet it is trained in.

mod figure;
pub mod measure;

use fovea_desk::prelude::*;
use measure::{Along, Line};

params! {
    /// Settings of `scaling`.
    pub struct Scaling {
        /// Ring sizes, the others as they are where nothing else is said.
        n: Vec<usize> = vec![16, 32, 64, 128, 256, 512, 1024], between(8.0, 4096.0), "sites";
        /// Widths.
        width: Vec<usize> = vec![1, 4, 16, 64, 128, 256, 512], between(1.0, 4096.0), "units";
        /// Batches.
        batch: Vec<usize> = vec![64, 128, 256, 512, 1024, 2048, 4096, 8192], between(2.0, 1e6), "samples";
        /// Numbers of networks that are trained together.
        fleet: Vec<usize> = vec![1, 2, 4, 8, 16, 32], between(1.0, 4096.0), "networks";
        /// Times that every size is measured.
        repeats: usize = 12, between(2.0, 1000.0), "";
        /// Entries drawn in one measurement of one size.
        work: usize = 10_000_000, between(1000.0, 1e10), "entries";
        /// Number type of sampling and training.
        precision: Precision = Precision::Single, any(), "";
    }
}

/// The size at which one of the others is varied; the batch is no multiple of a block, as most are not.
const N: usize = 40;
const WIDTH: usize = 1;
const BATCH: usize = 1000;

impl Params for Scaling {
    fn check(&self) -> Result<(), ParamError> {
        for along in Along::ALL {
            let sizes = along.sizes(self);
            if sizes.len() < 4 || sizes.windows(2).any(|pair| pair[0] >= pair[1]) {
                return Err(ParamError::Inconsistent {
                    what: format!("`{}` has no four sizes in increasing order", along.name()),
                    hint: "an exponent needs four sizes at least, such as 16,32,64,128".to_owned(),
                });
            }
        }
        match self.batch.iter().find(|batch| !batch.is_multiple_of(2)) {
            Some(odd) => Err(ParamError::Inconsistent {
                what: format!("`batch` {odd} is odd, and half of a batch is of each class"),
                hint: format!("choose {}", odd + 1),
            }),
            None => Ok(()),
        }
    }
}

/// The times of every axis, and whether a network notices its fleet.
pub struct Found {
    lines: Vec<Line>,
    undisturbed: Claim,
}

impl Experiment for Scaling {
    type Found<'r> = Found;

    const WORDS: Words<'static> = Words {
        title: "What a training step costs",
        lead: "One step of training, timed against the size of the ring, the width of the network, the batch and the number of networks. The times are those of \
               this machine; the exponents should be those of the work.",
        caption: figure::CAPTION,
        formulas: &[r"\text{seconds}\propto B\,(a\,n\log n+b\,nK)"],
    };

    fn quick() -> Self {
        Self {
            n: vec![16, 32, 64, 128, 256],
            width: vec![1, 4, 16, 64],
            batch: vec![64, 256, 1024, 4096],
            fleet: vec![1, 2, 4, 8],
            repeats: 3,
            work: 2_000_000,
            ..Self::default()
        }
    }

    fn dtype(&self) -> Option<&'static str> {
        Some(self.precision.word())
    }

    fn measure(&self, _: &Runs, desk: &Desk<'_>) -> Result<Found, LabError> {
        Ok(Found {
            lines: measure::all(self, desk)?,
            undisturbed: measure::undisturbed(self, desk)?,
        })
    }

    fn show(&self, _: &Runs, found: &Found) -> Result<Shown, LabError> {
        let lines = &found.lines;
        let summary = table(lines)?;
        let times = "Times of this machine, while it ran: they differ from run to run, and no claim rests on them.";
        let blocks = vec![Block::paragraph(times), Block::Code(summary.join("\n"))];
        Ok(Shown {
            claims: vec![drawn(lines), found.undisturbed.clone()],
            figures: vec![("scaling", figure::figure(self, lines)?)],
            blocks: Some(blocks),
            series: work_done(lines),
            summary,
            ..Shown::default()
        })
    }
}

/// The claim about what is drawn: every class of a batch in whole blocks.
fn drawn(lines: &[Line]) -> Claim {
    let points = || lines.iter().flat_map(|line| &line.points);
    let column = |of: fn(&measure::Point) -> f64| points().map(of).collect::<Vec<f64>>();
    let (predicted, measured) = (column(|p| p.predicted), column(|p| p.entries));
    let what = "a step draws each class of its batch in whole blocks of 32 samples";
    let bare = column(|p| p.bare);
    Claim::exact("scaling", what, &predicted, &measured, 1e-12).rejecting_exact(
        "samples one by one",
        &bare,
        &measured,
    )
}

/// The work of a step at every size, which is the same on every machine; what it takes is not recorded.
fn work_done(lines: &[Line]) -> Series {
    let mut series = Series::default();
    for line in lines {
        for point in &line.points {
            for (probe, value) in [("entries", point.entries), ("flop", point.flop)] {
                let curve = format!("{}={}", line.along.name(), point.size);
                series.push(&curve, (0, 0.0), probe, 0, value);
            }
        }
    }
    series
}

/// A line an axis: the fitted exponent beside the expected one, and what the largest size takes.
fn table(lines: &[Line]) -> Result<Vec<String>, LabError> {
    let head = format!(
        "{:>6} {:>12} {:>18} {:>14} {:>20}",
        "", "sizes", "exponent", "expected", "ns an entry, largest"
    );
    let mut rows = vec![head];
    for line in lines {
        let (fitted, (low, high)) = (line.exponent()?, line.expected());
        let upper = line.upper();
        let (first, last) = (&upper[0], &upper[upper.len() - 1]);
        let sizes = format!("{} to {}", first.size, last.size);
        let exponent = format!("{:.3} \u{b1} {:.3}", fitted.mean(), fitted.se());
        let expected =
            if high > low { format!("{low:.0} to {high:.2}") } else { format!("{low:.0}") };
        let each = 1e9 * last.mean() / last.entries;
        let name = line.along.name();
        rows.push(format!("{name:>6} {sizes:>12} {exponent:>18} {expected:>14} {each:>20.2}"));
    }
    Ok(rows)
}

/// The registry row.
pub const ENTRY: Row = Row::of::<Scaling>(
    "scaling",
    "what a training step costs against ring, width, batch and fleet: fitted exponents beside those of the work",
    "How does the cost of a step grow? With the ring between n and n log n, with the width as K once the network costs more than its samples, with the batch and the \
     number of networks linearly. Times are told and drawn and decide nothing; what is claimed is the work: a step draws whole blocks, and a network \
     trained in a fleet ends with the bits it ends with alone.",
);
