mod against;
mod clock;
mod estimators;
mod gradient;
mod network;
mod rows_chosen;
mod sampler;
mod scaling;
mod stats;
mod step;
mod table;
mod tangent;
mod workload;

use fovea_speed::{Cores, Measured, Summary};

/// A one-core row whose only repeat came to `median`.
fn measured(name: &str, piece: f64, median: f64) -> Measured {
    Measured {
        name: name.to_owned(),
        about: String::new(),
        unit: "",
        piece,
        cores: Cores::One,
        path: None,
        rate: Summary::of(vec![median]).unwrap(),
        load: None,
        relations: Vec::new(),
    }
}
