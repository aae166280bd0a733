//! Training the networks, and the path of every field through it.

use super::UncertaintyInTime;
use fovea_core::activation::Row;
use fovea_core::{ParamError, Value, activation};
use fovea_desk::bench::Bench;
use fovea_desk::error::LabError;
use fovea_desk::fleet::committee;
use fovea_desk::runs::{AddRun, status_of};
use fovea_record::outcome::{Series, Status};
use fovea_sim::probe::{self, Probe};
use fovea_sim::train::train;
use fovea_sim::{Bias, Labels, Plan, Run, Sgd, Times, loss};

/// One measure of uncertainty.
pub struct Measure {
    /// Its column of the probe.
    pub name: &'static str,
    /// The same in words.
    pub(super) words: &'static str,
    /// Whether it is followed by its logarithm, as products are, whose changes are factors.
    pub(super) log: bool,
}

impl Measure {
    /// The number whose rises and falls are judged.
    pub(super) fn height(&self, reading: f64) -> f64 {
        if self.log { libm::log(reading) } else { reading }
    }

    /// A rise of the height, for a person.
    pub(super) fn rise(&self, height: f64) -> String {
        if self.log { format!("x {:.2}", libm::exp(height)) } else { format!("{height:.3} nats") }
    }
}

/// The first columns of the probe, in its order.
pub const MEASURES: [Measure; 4] = [
    Measure { name: "entropies", words: "the sum of entropies", log: false },
    Measure { name: "massar_spindel", words: "Massar and Spindel's sum", log: true },
    Measure { name: "circular", words: "the circular product", log: true },
    Measure { name: "analytic", words: "the circular product of the analytic signal", log: true },
];

/// A kind of network.
#[derive(Clone, Copy)]
pub(super) struct Net {
    pub(super) name: &'static str,
    pub(super) width: usize,
    activation: &'static Row,
    bias: Bias,
    pub(super) lr: f64,
    pub(super) batch: usize,
    pub(super) steps: usize,
}

impl Net {
    pub(super) fn both(settings: &UncertaintyInTime) -> [Self; 2] {
        let unit = Self {
            name: "unit",
            width: 1,
            activation: &activation::relu::ENTRY,
            bias: Bias::None,
            lr: settings.lr,
            batch: settings.batch,
            steps: settings.steps,
        };
        let wide = Self {
            name: "committee",
            width: settings.width,
            activation: &activation::sigmoid::ENTRY,
            bias: Bias::Trainable,
            lr: settings.wide_lr,
            batch: settings.wide_batch,
            steps: settings.wide_steps,
        };
        [unit, wide]
    }

    /// What it is, for a person.
    pub(super) fn what(&self) -> String {
        match self.width {
            1 => "one ReLU unit".to_owned(),
            width => format!("{width} sigmoid units with biases"),
        }
    }
}

/// One unit of one start.
pub(super) struct Field {
    /// `readings[replica][record][measure]`.
    pub(super) readings: Vec<Vec<[f64; 4]>>,
}

impl Field {
    /// The height of a measure in every replica, `[replica][record]`.
    pub(super) fn heights(&self, measure: usize) -> Vec<Vec<f64>> {
        let height = |record: &[f64; 4]| MEASURES[measure].height(record[measure]);
        self.readings.iter().map(|replica| replica.iter().map(height).collect()).collect()
    }

    /// The mean reading of a measure over the replicas, by record.
    pub(super) fn mean_path(&self, measure: usize) -> Vec<f64> {
        let mean = |t: usize| {
            self.readings.iter().map(|replica| replica[t][measure]).sum::<f64>()
                / self.readings.len() as f64
        };
        (0..self.readings[0].len()).map(mean).collect()
    }
}

/// All starts of one kind of network at one gain.
pub(super) struct Group {
    pub(super) net: Net,
    pub(super) gain: f64,
    /// Training time of every record.
    pub(super) times: Vec<f64>,
    /// The units of the first start, then those of the second, and so on.
    pub(super) fields: Vec<Field>,
}

impl Group {
    pub(super) fn name(&self) -> String {
        name(&self.net, self.gain)
    }
}

fn name(net: &Net, gain: f64) -> String {
    format!("{},gain={}", net.name, Value::Real(gain))
}

/// What is read at every record.
pub const PROBES: [&Probe; 2] = [&probe::uncertainty::ENTRY, &probe::ipr::ENTRY];

/// Trains every network; the series holds the first replica of every start.
pub(super) fn train_all(
    settings: &UncertaintyInTime,
    bench: &Bench<'_>,
) -> Result<(Series, Status, Vec<Group>), LabError> {
    let plan = |net: &Net| Plan {
        steps: net.steps as u64,
        record: Times::log(net.steps as u64, settings.records),
        checkpoint_every: 0,
        eval_samples: 0,
        probes: &PROBES,
        loss: &loss::mse::ENTRY,
        precision: settings.precision,
    };
    let (starts, replicas) = (settings.starts as u64, settings.replicas as u64);
    let kinds: Vec<(Net, f64)> = settings
        .nets()
        .into_iter()
        .flat_map(|net| settings.gain.iter().map(move |gain| (net, *gain)))
        .collect();
    let jobs: Vec<(usize, u64, u64)> = (0..kinds.len())
        .flat_map(|kind| (0..starts).map(move |start| (kind, start)))
        .flat_map(|(kind, start)| (0..replicas).map(move |replica| (kind, start, replica)))
        .collect();
    bench.progress.expect(jobs.iter().map(|(kind, _, _)| kinds[*kind].0.steps as u64).sum());
    let runs = bench.fleet(&jobs, |(kind, start, replica)| -> Result<Run, ParamError> {
        let (net, gain) = &kinds[*kind];
        let task = settings.two_class().task(*gain, Labels::Balanced)?;
        // One start for all replicas, and samples of its own for each.
        let streams = bench.streams().part(&name(net, *gain)).replica(*start);
        let network = committee(net.width, net.activation, net.bias, settings.init_scale)
            .build("network")?
            .network(&task.shape(), task.outputs(), &streams)?;
        let sgd = Sgd::online(net.lr, net.batch);
        Ok(train(&task, network, &sgd, &streams.replica(*replica), &plan(net), bench))
    });
    let runs = runs.into_iter().collect::<Result<Vec<_>, _>>()?;
    let curve = |(kind, start, replica): &(usize, u64, u64)| {
        let (net, gain) = &kinds[*kind];
        format!("{},start={start},replica={replica}", name(net, *gain))
    };
    let status = status_of(jobs.iter().map(curve).zip(&runs));
    let mut series = Series::default();
    for (job, run) in jobs.iter().zip(&runs).filter(|(job, _)| job.2 == 0) {
        let net = &kinds[job.0].0;
        series.add(&curve(job), net.lr, &plan(net), run);
    }
    let groups = kinds
        .iter()
        .zip(runs.chunks(settings.starts * settings.replicas))
        .map(|((net, gain), runs)| group(*net, *gain, runs, settings.replicas))
        .collect();
    Ok((series, status, groups))
}

fn group(net: Net, gain: f64, runs: &[Run], replicas: usize) -> Group {
    let times = runs[0].records.iter().map(|record| record.step as f64 * net.lr).collect();
    let path = |run: &Run, unit: usize| -> Vec<[f64; 4]> {
        let row = |record: &fovea_sim::train::Record| {
            let row = &record.readings[0][unit];
            [row[0], row[1], row[2], row[3]]
        };
        run.records.iter().map(row).collect()
    };
    let fields = runs.chunks(replicas).flat_map(|start| {
        (0..net.width)
            .map(move |unit| Field { readings: start.iter().map(|run| path(run, unit)).collect() })
    });
    Group { net, gain, times, fields: fields.collect() }
}
